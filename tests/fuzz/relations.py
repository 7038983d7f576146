"""What holds between builds: over an earlier site, in another order, with more in the catalogue, by the command."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pyarrow.parquet as pq

from sitegen import cli
from sitegen.build import build
from tests.cases.site import contents
from tests.factory import put, row
from tests.fuzz.built import looked_at, made, settings, strict_json
from tests.fuzz.catalogues import Catalogue, DataFile

FAULT = ("Traceback (most recent call last)", "a fault of sitegen itself")


def an_update_equals_a_clean_build(catalogue: Catalogue, folder: Path) -> None:
    """Built over the site of what the catalogue was before: with fewer files and rows, and with other lists."""
    before = replace(catalogue, files=_fewer(catalogue.files), rankings=catalogue.rankings[1:], selected=())
    made(folder, before)
    remove(folder / "data")
    built = made(folder, catalogue)
    build(settings(folder, "clean"))
    assert differing(contents(folder / "site"), contents(folder / "clean")) == []
    assert built.report.written is not None


def _fewer(files: tuple[DataFile, ...]) -> tuple[DataFile, ...]:
    return tuple(file.taken(range(file.rows // 2)) for file in files[:-1])


def remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


def the_order_of_files_and_rows_does_not_matter(catalogue: Catalogue, folder: Path) -> None:
    """The files change names and their rows places. What may differ is where a page says that a row is from."""
    names = [f"file-{number}.parquet" for number in range(len(catalogue.files))]
    one = [replace(file, name=name) for file, name in zip(catalogue.files, names, strict=True)]
    back = [file.taken(range(file.rows)[::-1]) for file in reversed(catalogue.files)]
    other = [replace(file, name=name) for file, name in zip(back, names, strict=True)]
    for name, files in (("one", one), ("other", other)):
        made(folder / name, replace(catalogue, files=tuple(files)))
    assert differing(*(_without_places(folder / name / "site") for name in ("one", "other"))) == []


PLACE = re.compile(
    # As pages, Markdown, prefilled reports and manifests write it.
    rb"file-\d\.parquet(?:</a>)?, row [\d,]+|[Rr]ow [\d,]+ of (?:`|<span class=\"long\">)?file-\d\.parquet"
    rb'|"source": ?\{\s*"file": ?"file-\d\.parquet",\s*"row": ?\d+|file-\d\.parquet%2C%20row%20\d+'
    rb'|"README\.md": \{\s*"bytes": \d+,\s*"sha256": "\w+"'  # of a bundle: it names the place
)
WHOLE = ("data/index.html",)  # lists files in their order, and problems by file and row


def _without_places(site: Path) -> dict[str, bytes]:
    found = {path: PLACE.sub(b"(place)", _unpacked(path, data)) for path, data in contents(site).items()}
    rows = pq.read_table(site / "catalog.parquet").to_pylist()
    kept = [{name: value for name, value in row.items() if not name.startswith("source_")} for row in rows]
    found["catalog.parquet"] = repr(kept).encode()
    return {path: data for path, data in found.items() if path not in WHOLE}


def _unpacked(path: str, data: bytes) -> bytes:
    """The files of an archive one behind the other, without the checksums that stand between them."""
    if not path.endswith(".zip"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def addresses_stay_when_more_is_added(catalogue: Catalogue, folder: Path) -> None:
    """With the last file and half of the rows left out, what there is has the addresses that it has with them.

    Only an id that meets another one equal but for case moves, because both are ambiguous then.
    """
    less = looked_at(folder / "less", replace(catalogue, files=_fewer(catalogue.files), rankings=(), selected=()))
    more = looked_at(folder / "more", catalogue)
    lower = [model.id.lower() for model in more.site.models]
    for model_id, address in less.site.addresses.models.items():
        alone = lower.count(model_id.lower()) == 1
        assert more.site.addresses.models.get(model_id) == address or not alone, model_id
    for pair, address in less.site.addresses.pairs.items():
        assert more.site.addresses.pairs[pair] == address


def the_command_ends_with_a_code_and_no_fault(catalogue: Catalogue, folder: Path) -> None:
    """Whatever is in the catalogue. What stops it leaves the site as it was, and says why."""
    catalogue.write(folder / "data")
    put(folder / "earlier", [row()])
    with contextlib.chdir(folder):
        assert command("build", "-q", "--data", "earlier", "--out", "site")[0] == 0
        before = contents(folder / "site")
        for options, codes in (((), {0, 3}), (("--strict",), {0, 1, 3}), (("--keep-going",), {0})):
            code, said = command("check", "--data", "data", "--json-report", "report.json", *options)
            assert code in codes, said
            levels = {problem["level"] for problem in strict_json((folder / "report.json").read_bytes())["problems"]}
            assert ("error" in levels) <= (code != 0 or "--keep-going" in options)
            assert code == 0 or levels & {"error", "notice"}
        code, said = command("build", "-q", "--jobs", "1", "--data", "data", "--out", "site")
        assert code in (0, 3), said
        assert code == 0 or contents(folder / "site") == before


def command(*arguments: str) -> tuple[int, str]:
    """Exit code and everything said of a command, run in this process; nothing said may be a fault of ours."""
    with (
        mock.patch.object(sys, "argv", ["sitegen", *arguments]),
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as errors,
    ):
        try:
            cli.main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code
    said = out.getvalue() + errors.getvalue()
    assert not any(fault in said for fault in FAULT), said
    assert isinstance(code, int)
    return code, said


RELATIONS = (
    an_update_equals_a_clean_build,
    the_order_of_files_and_rows_does_not_matter,
    addresses_stay_when_more_is_added,
    the_command_ends_with_a_code_and_no_fault,
)
