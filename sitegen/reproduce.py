"""From a fresh machine to the same run: exact pins of what a row records, and what it does not record named as such."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sitegen import urls
from sitegen.cells import brief
from sitegen.metadata import Metadata, script_metadata
from sitegen.model import Run
from sitegen.plain import one_line
from sitegen.requirements import (
    SHOWN_MAX,
    Entry,
    LeftOut,
    allows,
    canonical,
    each,
    listed,
    pinned,
    requirements,
)
from sitegen.site import Site

# The name of a stack column as a package, where it is another.
PACKAGE_NAMES = {"torch_neuronx": "torch-neuronx", "neuron_driver": "neuron driver"}
NOT_PACKAGES = ("python", "neuron_driver")  # of the stack columns: nothing that pip installs
NEURON = ("torch_neuronx", "nki", "neuron_driver")  # on another device their absence says nothing
METADATA = "metadata of run.py"
PACKAGES = "column packages"
# Entries from which on a list can be all that was installed: a library with what it needs is never less.
WHOLE_MIN = 10
# What a value may be that is put into a command: no character of it means anything to a shell, quoted or not, nor is it
# an option or a way out of a folder.
_HARMLESS = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9_.+:/@-]*")
_FIELD = re.compile(r"\{(\w+)\}")
# More than one command, or a comment: in a chain it must stand apart.
_SEVERAL = re.compile(r"[;|#]|(?<!&)&(?!&)")


@dataclass(frozen=True)
class Step:
    """A command to copy, and what it does. `key` tells the steps apart."""

    key: str
    text: str
    command: str


@dataclass(frozen=True)
class Reproduction:
    """What leads to the same run.

    `missing` are the parts of the stack that the row does not record. `download` is the command that fetches the
    bundle, None where the site does not know its own address; `steps` follow it, from the same folder.
    """

    lines: tuple[str, ...]  # of requirements.txt
    conflicts: tuple[str, ...]  # sentences without their full stop
    unusable: tuple[LeftOut, ...]
    references: tuple[LeftOut, ...]
    missing: tuple[str, ...]
    python: str | None
    requires_python: str | None  # what the script asks for
    driver: str | None
    shows_driver: bool  # whether the driver is a part of this environment, recorded or not
    image: str | None
    instance: str | None
    bundle: str  # paths of the site
    script: str
    folder: str  # into which the bundle is unpacked
    download: str | None
    steps: tuple[Step, ...]
    cache_left_out: str | None  # why there is no step for it though it is set, as a sentence
    launch: str | None  # a sentence on how a script for several cores is started
    protocol: str  # path of what it rests on

    @property
    def requirements(self) -> str:
        """The text of requirements.txt."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def archive(self) -> str:
        """The name under which the bundle is saved."""
        return f"{self.folder}.zip"

    @property
    def chain(self) -> str:
        """All commands as one, in which nothing runs after one that failed."""
        commands = [self.download] if self.download else []
        commands += (step.command for step in self.steps)
        return " &&\n".join(f"{{ {text}\n}}" if _SEVERAL.search(text) else text for text in commands)


@lru_cache(maxsize=8)  # the page of a run and its bundle follow each other
def reproduction(site: Site, run: Run, headline: bool, script: str, packages: str | None) -> Reproduction:
    """How to run `run` again, whose recorded script is `script`. `packages` is the text of that column."""
    stack = dict(run.stack)
    metadata = script_metadata(script)
    entries = tuple(_entries(site, run, packages, metadata))
    found = requirements(entries)
    settings = site.catalog.reproduce
    fields = _fields(run, stack)
    cache, cache_left_out = _cache(settings.neff_cache, fields)
    folder = bundle_folder(run)
    return Reproduction(
        lines=found.lines,
        conflicts=(*found.conflicts, *_python_conflict(stack["python"], metadata)),
        unusable=(*found.unusable, *_unusable(stack["python"], metadata)),
        references=found.references,
        missing=tuple(_missing(site, run, entries)),
        python=stack["python"] and brief(stack["python"]),
        requires_python=_readable(metadata),
        driver=stack["neuron_driver"] and brief(stack["neuron_driver"]),
        shows_driver=_neuron(site) or stack["neuron_driver"] is not None,
        image=_filled(settings.image, fields),
        instance=_filled(settings.instance, fields),
        bundle=site.addresses.run_file(run, "bundle.zip", headline),
        script=site.addresses.run_file(run, "run.py", headline),
        folder=folder,
        download=_download(site, run, headline, folder),
        steps=tuple(_steps(site, run, folder, bool(found.lines), cache)),
        cache_left_out=cache_left_out,
        launch=_launch(site, run),
        protocol=f"{urls.doc('protocol')}#sharded",
    )


def bundle_folder(run: Run) -> str:
    """Where the bundle of a run is unpacked, and with `.zip` the name that it is saved under.

    At its address each is `bundle.zip`: the second that is saved would be `bundle (1).zip`.
    """
    return f"run-{run.short}"


def _neuron(site: Site) -> bool:
    """Whether the catalogue is of the Neuron stack: others have words of their own."""
    return site.catalog.compiler == "neuronx-cc"


def _entries(site: Site, run: Run, packages: str | None, metadata: Metadata) -> Iterator[Entry]:
    """Everything that is recorded as needed, in the order of its precedence."""
    for name, recorded in run.stack:
        if recorded and name not in NOT_PACKAGES:
            yield pinned(f"column {name}", PACKAGE_NAMES.get(name, name), recorded)
    pair = run.pair
    if pair.library and pair.library_version:
        yield pinned("column library_version", pair.library, pair.library_version)
    if pair.compiler and _neuron(site):
        yield pinned("column neuronx_cc", "neuronx-cc", pair.compiler)
    yield from listed(PACKAGES, packages or "")
    yield from listed("column extra_packages", run.extra_packages or "")
    yield from each(METADATA, metadata.dependencies)


def _missing(site: Site, run: Run, entries: Sequence[Entry]) -> Iterator[str]:
    """What the row does not record of the stack. What a whole list of packages lacks was not there."""
    library = run.pair.library
    exact = (entry for entry in entries if entry.pin is not None or entry.reference)
    recorded = {entry.name for entry in exact if entry.where != METADATA and entry.name}
    absent = set(() if _neuron(site) else NEURON)
    if _whole(entries, library):
        absent |= {name for name, _ in run.stack if name not in NOT_PACKAGES}
    for name, value in run.stack:
        shown = PACKAGE_NAMES.get(name, name)
        by_pair = name == library and run.pair.library_version is not None
        if value is None and name not in absent and canonical(shown) not in recorded and not by_pair:
            yield shown
    if run.pair.compiler is None and canonical(site.catalog.compiler) not in recorded:
        yield site.catalog.compiler
    if library is None:
        yield "the library"
    stack = {name for name, _ in run.stack}
    if run.pair.library_version is None and library not in stack and canonical(library or "") not in recorded:
        yield f"the version of {library or 'the library'}"


def _whole(entries: Sequence[Entry], library: str | None) -> bool:
    """Whether the column `packages` has all that was installed.

    Nothing in it says so. It is taken for whole if each entry is exact (a version, or an address), if there are as many
    as a library brings along, and if the library itself, or where that is not recorded pip, is among them.
    """
    installed = [entry for entry in entries if entry.where == PACKAGES]
    exact = all(entry.pin is not None or entry.reference for entry in installed)
    names = {entry.name for entry in installed}
    return exact and len(names) >= WHOLE_MIN and canonical(library or "pip") in names


def _readable(metadata: Metadata) -> str | None:
    text = metadata.requires_python
    return one_line(text, SHOWN_MAX) if text is not None and allows(text, "3") is not None else None


def _python_conflict(python: str | None, metadata: Metadata) -> Iterator[str]:
    asked = _readable(metadata)
    if python and asked is not None and allows(asked, python) is False:
        yield f"Python is {one_line(python, SHOWN_MAX)} in the column python, but the {METADATA} asks for {asked}"


def _unusable(python: str | None, metadata: Metadata) -> Iterator[LeftOut]:
    if metadata.unreadable:
        yield LeftOut(METADATA, f"the block as a whole: {metadata.unreadable}")
    if metadata.requires_python is not None and _readable(metadata) is None:
        yield LeftOut(METADATA, one_line(f"requires-python = {metadata.requires_python}", SHOWN_MAX))
    if python and interpreter(python) is None:
        yield LeftOut("column python", one_line(f"python {python}", SHOWN_MAX))


def _fields(run: Run, stack: Mapping[str, str | None]) -> Mapping[str, str]:
    """What the templates of the settings may name, where it is recorded."""
    library = run.pair.library
    if library and library in stack:
        stack = {**stack, library: stack[library] or run.pair.library_version}
    recorded = {
        "model_id": run.model_id,
        "neuronx_cc": run.pair.compiler,
        "library_version": run.pair.library_version,
        **stack,
    }
    return {name: value for name, value in recorded.items() if value}


def _filled(template: str | None, fields: Mapping[str, str]) -> str | None:
    """The template with its `{fields}` as text on one line; None where it is not set, or one is not recorded."""
    if not template or not fields.keys() >= set(_FIELD.findall(template)):
        return None
    return one_line(_FIELD.sub(lambda match: fields[match[1]], template))


def _cache(template: str | None, fields: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The command that fetches compiled graphs, or a sentence on why there is none; neither where it is not set.

    Values are not quoted, because in the template's own quotes that would do harm: what is not harmless as it is makes
    no command. The compiler is always needed, for the condition.
    """
    if not template:
        return None, None
    sentence = "The command that fetches compiled graphs is left out: "
    for name in dict.fromkeys(("neuronx_cc", *_FIELD.findall(template))):
        if name not in fields:
            return None, f"{sentence}it needs {name}, which is not recorded."
        if f"{{{name}}}" in template and not _HARMLESS.fullmatch(fields[name]):
            return None, f"{sentence}the recorded {name} is no plain name or version."
    return _FIELD.sub(lambda match: fields[match[1]], template), None


def _launch(site: Site, run: Run) -> str | None:
    """What the protocol says of the scripts of its library; of others it is not known."""
    if not _neuron(site) or run.pair.library != "transformers" or run.tp is None or run.tp < 2:
        return None
    sharded = f"The run was sharded over {run.tp} cores."
    return f"{sharded} By the protocol such a script starts its own processes, so that no launcher is needed."


def interpreter(python: str | None) -> str | None:
    """The command for a recorded Python, `python3.14` for 3.14.0; None where that is not recorded or is no version."""
    found = re.match(r"([23]\.\d{1,3})(?!\d)", python or "")
    return f"python{found[1]}" if found else None


def _download(site: Site, run: Run, headline: bool, folder: str) -> str | None:
    if not site.settings.base_url:
        return None
    url = urls.absolute(site.settings.base_url, site.addresses.run_file(run, "bundle.zip", headline))
    return f"curl -fL -o {folder}.zip {shlex.quote(url)}"


def _steps(site: Site, run: Run, folder: str, installs: bool, cache: str | None) -> Iterator[Step]:
    """The commands after the download, all from the folder in which the bundle lies.

    What they install and run is named by its path inside the bundle's own folder. So even a reader who goes on after a
    failure runs nothing else, whatever the folder at hand holds.
    """
    yield Step("unpack", "Unpack it into a folder of its own.", f"python3 -m zipfile -e {folder}.zip {folder}")
    command = interpreter(dict(run.stack)["python"])
    environment = "Make an environment with the recorded Python." if command else "Make an environment."
    activate = f". {folder}/.venv/bin/activate"
    yield Step("venv", environment, f"{command or 'python3'} -m venv {folder}/.venv && {activate}")
    if installs:
        yield _install(site.catalog.reproduce.index, folder)
    if cache:
        condition = f"only with {site.catalog.compiler} == {one_line(run.pair.compiler or '', SHOWN_MAX)}"
        yield Step("cache", f"To reuse graphs compiled before, {condition}:", cache)
    yield Step("run", "Run the script in its folder.", f"(cd {folder} && .venv/bin/python run.py)")


def _install(index: str | None, folder: str) -> Step:
    text = "Install the requirements. From which package index they came is not recorded"
    option = f" --extra-index-url {shlex.quote(index)}" if index else ""
    more = "; pip also asks the one that the maintainers of this site name" if index else ""
    command = f"{folder}/.venv/bin/python -m pip install{option} -r {folder}/requirements.txt"
    return Step("install", f"{text}{more}.", command)
