"""`bundle.zip`: everything that leads to a run again in one archive, the same bytes from every Python and machine.

Flat: `README.md`, `manifest.json`, `requirements.txt` and `run.py`, the last one byte for byte as recorded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sitegen import urls
from sitegen.archives import archive
from sitegen.cells import NOT_RECORDED, cores, memory, minute, redacted, seconds
from sitegen.model import Model, Result, Run, TextRef
from sitegen.pages.parts import Status, pair_text, run_caveats, status, status_words
from sitegen.plain import json_text, markdown_block, markdown_code, markdown_status, markdown_text
from sitegen.reproduce import Reproduction, reproduction
from sitegen.requirements import LeftOut
from sitegen.site import Site
from sitegen.texts import TextReader

NAME = "bundle.zip"
LICENCES = {"apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0"}  # where the text of a licence stands
FORMAT, VERSION = "sitegen-bundle", 1  # of manifest.json; the version changes when a field changes its meaning or goes


@dataclass(frozen=True)
class Packed:
    """What a bundle is made of: a run, what was observed, and how to repeat it."""

    site: Site
    model: Model
    result: Result
    run: Run
    status: Status
    reproduction: Reproduction

    @property
    def page(self) -> str | None:
        """The permanent address of the page with the run; None where the site does not know its own."""
        if not self.site.settings.base_url:
            return None
        path = self.site.addresses.result(self.run.model_id, self.run.pair)
        return urls.absolute(self.site.settings.base_url, path)


def bundle(site: Site, model: Model, result: Result, run: Run, run_py: TextRef, reader: TextReader) -> bytes:
    """The archive for a run whose script `run_py` is recorded."""
    headline = run is result.headline
    script = reader.bytes(run_py)
    found = reproduction(site, run, headline, script.decode("utf-8", "replace"), reader.text(run.packages))
    packed = Packed(site, model, result, run, status(site, model, result, None if headline else run), found)
    files = {
        "README.md": _encoded("\n".join(_readme(packed))),
        "requirements.txt": found.requirements.encode(),
        "run.py": script,
    }
    manifest = _manifest(packed, files, json.loads(reader.bytes(run.raw)))
    return archive(files | {"manifest.json": _encoded(json_text(manifest, indent=2))})


def _encoded(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "replace")


def _manifest(packed: Packed, files: Mapping[str, bytes], row: Any) -> dict[str, Any]:
    """The whole row, and what was made of it. Sizes and hashes are written as the row has those of its large texts."""
    catalog, run, found = packed.site.catalog, packed.run, packed.reproduction
    return {
        "format": FORMAT,
        "version": VERSION,
        "catalog": {"title": catalog.title, "notice": catalog.notice, "dataset": catalog.dataset},
        "licence": catalog.licence,
        "model_id": run.model_id,
        "pair": {
            "compiler": catalog.compiler,
            "compiler_version": run.pair.compiler,
            "library": run.pair.library,
            "library_version": run.pair.library_version,
        },
        "outcome": packed.status.label,
        "verification": packed.status.verification,
        "status": status_words(packed.status, reason=True),
        "source": {"file": run.source.file, "row": run.source.row, "revision": catalog.revision},
        "page": packed.page,
        "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()
        },
        "not_recorded": list(found.missing),
        "conflicts": list(found.conflicts),
        "unusable": [asdict(entry) for entry in found.unusable],
        "references": [asdict(entry) for entry in found.references],
        "row_sha256": run.digest,
        "redacted": dict(run.redacted),
        "row": row,
    }


def _readme(packed: Packed) -> Iterator[str]:
    catalog, found = packed.site.catalog, packed.reproduction
    yield f"# {markdown_code(packed.model.id)} with {markdown_code(pair_text(packed.site, packed.result.pair))}"
    yield ""
    yield f"One run of the catalogue “{markdown_text(catalog.title)}”, packed so that it can be repeated."
    if catalog.notice:
        yield from ("", markdown_text(catalog.notice))
    yield from _section("What was observed", _observed(packed))
    yield from _section("What this result does and doesn’t show", _caveats(packed))
    yield from _section("Run it again", _commands(found, "run_py" in dict(packed.run.redacted)))
    yield from _section("Environment", _environment(found))
    yield from _section("Versions that disagree", map(_item, found.conflicts))
    yield from _section("Recorded, but not usable as a requirement", map(_left_out, found.unusable))
    yield from _section("Recorded as a direct reference", _references(found))
    yield from _section("Not recorded", _not_recorded(found))
    yield from _section("Source and files", _source(packed))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A section, unless it would be empty."""
    found = list(lines)
    if found:
        yield from ("", f"## {title}", "", *found)


def _left_out(entry: LeftOut) -> str:
    return f"- {markdown_code(entry.text)} ({markdown_text(entry.where)})"


def _references(found: Reproduction) -> Iterator[str]:
    if found.references:
        yield from ("Not in `requirements.txt`; install by hand what you trust:", "")
        yield from map(_left_out, found.references)


def _item(sentence: str) -> str:
    return f"- {markdown_text(sentence)}{'' if sentence.endswith('.') else '.'}"


def _observed(packed: Packed) -> Iterator[str]:
    run, entry = packed.run, packed.status
    yield f"- Result and check: {markdown_status(entry.label, status_words(entry, reason=True))}"
    yield from map(_item, filter(None, (entry.sentence, entry.verification_sentence)))
    values = (
        ("Cores", cores(run).text),
        (packed.site.catalog.memory_label, memory(run).text),
        ("Wall time, compilation included", seconds(run).text),
        ("Tested", minute(run.tested_at)),
        ("Notes", run.notes or NOT_RECORDED),
    )
    yield from (f"- {markdown_text(name)}: {markdown_text(value)}" for name, value in values)
    if hidden := redacted(run):
        yield f"- Redacted by the catalogue’s setting: {markdown_text(hidden)}"


def _caveats(packed: Packed) -> Iterator[str]:
    caveats = run_caveats(packed.site, packed.model, packed.result, packed.run)
    return (_item(caveat.html.striptags()) for caveat in caveats)


def _commands(found: Reproduction, changed: bool) -> Iterator[str]:
    archive = markdown_code(found.archive)
    if changed:
        yield "Texts of `run.py` are redacted, so that it may not run as it is."
    unchanged = "" if changed else ", unchanged"
    yield f"`run.py` is the recorded script of somebody else{unchanged}. Read it before you run it. All commands are"
    yield f"for the folder that holds {archive}, this bundle; what they need is then in {markdown_code(found.folder)}."
    for step in found.steps:
        yield from ("", markdown_text(step.text), "", markdown_block(step.command, "sh"))
    for sentence in filter(None, (found.launch, found.cache_left_out)):
        yield from ("", markdown_text(sentence))


def _environment(found: Reproduction) -> Iterator[str]:
    values = [("Python", found.python)] + [("Neuron driver", found.driver)] * found.shows_driver
    yield from (f"- {name}: {markdown_code(value) if value else NOT_RECORDED}" for name, value in values)
    more = (
        ("Python that run.py asks for", found.requires_python),
        ("Container image", found.image),
        ("Instance", found.instance),
    )
    yield from (f"- {name}: {markdown_code(value)}" for name, value in more if value)


def _not_recorded(found: Reproduction) -> Iterator[str]:
    if found.missing:
        yield f"- Of the stack: {markdown_text(', '.join(found.missing))}."
    unset = [name for name, value in (("container image", found.image), ("instance", found.instance)) if not value]
    for what in ("revision of the checkpoint", *unset):
        yield f"- The {what}, unless a column in `manifest.json` gives it."


def _source(packed: Packed) -> Iterator[str]:
    catalog, source = packed.site.catalog, packed.run.source
    revision = f", data revision {markdown_code(catalog.revision)}" if catalog.revision else ""
    yield f"- Row {source.row} of {markdown_code(source.file)}{revision}"
    addresses = (("Page", packed.page), ("Dataset", catalog.dataset))
    yield from (f"- {name}: {markdown_code(address)}" for name, address in addresses if address)
    licence = markdown_text(catalog.licence) if catalog.licence else "not stated by the catalogue"
    where = LICENCES.get((catalog.licence or "").lower())
    yield f"- Licence of the data: {licence}{f', {markdown_code(where)}' if where else ''}"
    yield "- `manifest.json` has the whole row, and size and SHA-256 of the other files here."
