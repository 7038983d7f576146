"""The whole site as one archive: the same files, the same bytes, legal names."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

from sitegen.build import build
from sitegen.config import Settings
from tests.factory import put, row


def made(folder: Path, **more: object) -> Path:
    out = folder / "site"
    build(Settings(data=folder / "data", out=out, zip=True, base_url="https://example.org/c/", **more))  # type: ignore[arg-type]
    return out


def files(site: Path) -> dict[str, bytes]:
    return {p.relative_to(site).as_posix(): p.read_bytes() for p in site.rglob("*") if p.is_file()}


def test_the_archive_holds_the_files_of_the_site(tmp_path: Path) -> None:
    put(tmp_path / "data", [row("Acme/CON"), row("acme/a--b" * 8, error="x\n"), row()])
    site = made(tmp_path)
    with ZipFile(site / "site.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
        assert archive.testzip() is None
    there = files(site)
    assert packed == {name: data for name, data in there.items() if name not in ("site.zip", ".sitegen")}


def test_names_can_be_unpacked_on_every_system(tmp_path: Path) -> None:
    put(tmp_path / "data", [row("Acme/CON"), row("x" * 90 + "/" + "y" * 90), row("ü/a b")])
    with ZipFile(made(tmp_path) / "site.zip") as archive:
        names = archive.namelist()
    assert len({name.casefold() for name in names}) == len(names)
    assert max(map(len, names)) <= 200
    for name in names:
        for part in name.split("/"):
            assert re.fullmatch(r"[a-z0-9._-]+", part), name
            assert not re.match(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", part), name
            assert not part.endswith("."), name


def test_two_builds_give_the_same_bytes_and_a_third_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    first = (made(tmp_path) / "site.zip").read_bytes()
    report = build(Settings(data=tmp_path / "data", out=tmp_path / "site", zip=True, base_url="https://example.org/c/"))
    assert report.written is not None
    assert (report.written.written, report.written.pruned) == ((), ())
    other = tmp_path / "other"
    put(other / "data", [row()])
    assert (made(other) / "site.zip").read_bytes() == first


def test_the_docs_link_it_by_its_full_address(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    site = made(tmp_path)
    assert 'href="https://example.org/c/site.zip"' in (site / "docs" / "offline" / "index.html").read_text("utf-8")
    build(Settings(data=tmp_path / "data", out=tmp_path / "site", base_url="https://example.org/c/"))
    assert not (site / "site.zip").exists()
    assert "site.zip</a>" not in (site / "docs" / "offline" / "index.html").read_text("utf-8")
