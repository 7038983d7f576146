"""From a fresh machine to the same run: exact pins of what a row records, and what it does not record named as such."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen import urls
from sitegen.metadata import Metadata, script_metadata
from sitegen.model import Run
from sitegen.plain import one_line
from sitegen.requirements import (
    SHOWN_MAX,
    Entry,
    Requirements,
    Unusable,
    allows,
    each,
    listed,
    pinned,
    requirements,
)
from sitegen.site import Site

# The name of a stack column as a package, where it is another.
PACKAGE_NAMES = {"torch_neuronx": "torch-neuronx", "neuron_driver": "neuron driver"}
NOT_PACKAGES = ("python", "neuron_driver")  # of the stack columns: nothing that pip installs
METADATA = "metadata of run.py"


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
    bundle, None where the site does not know its own address; `steps` follow it.
    """

    lines: tuple[str, ...]  # of requirements.txt
    conflicts: tuple[str, ...]  # sentences without their full stop
    unusable: tuple[Unusable, ...]
    missing: tuple[str, ...]
    python: str | None
    requires_python: str | None  # what the script asks for
    driver: str | None
    image: str | None
    instance: str | None
    bundle: str  # paths of the site
    script: str
    download: str | None
    steps: tuple[Step, ...]

    @property
    def requirements(self) -> str:
        """The text of requirements.txt."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def inside(self) -> tuple[Step, ...]:
        """The steps of a reader who has unpacked the bundle."""
        return tuple(step for step in self.steps if step.key != "unpack")


def reproduction(site: Site, run: Run, headline: bool, script: str, packages: str | None) -> Reproduction:
    """How to run `run` again, whose recorded script is `script`. `packages` is the text of that column."""
    stack = dict(run.stack)
    metadata = script_metadata(script)
    entries = list(_entries(site, run, packages, metadata))
    found = requirements(entries)
    settings = site.catalog.reproduce
    fields = _fields(run, stack)
    whole_list = any(entry.where == "column packages" and entry.requirement for entry in entries)
    return Reproduction(
        lines=found.lines,
        conflicts=(*found.conflicts, *_python_conflict(stack["python"], metadata)),
        unusable=(*found.unusable, *_unusable(stack["python"], metadata)),
        missing=tuple(_missing(site, run, stack, whole_list)),
        python=stack["python"],
        requires_python=_readable(metadata),
        driver=stack["neuron_driver"],
        image=_filled(settings.image, fields),
        instance=_filled(settings.instance, fields),
        bundle=site.addresses.run_file(run, "bundle.zip", headline),
        script=site.addresses.run_file(run, "run.py", headline),
        download=_download(site, run, headline),
        steps=tuple(_steps(site, run, stack["python"], found, _filled(settings.neff_cache, fields))),
    )


def _entries(site: Site, run: Run, packages: str | None, metadata: Metadata) -> Iterator[Entry]:
    """Everything that is recorded as needed, in the order of its precedence."""
    for name, recorded in run.stack:
        if recorded and name not in NOT_PACKAGES:
            yield pinned(f"column {name}", PACKAGE_NAMES.get(name, name), recorded)
    pair = run.pair
    if pair.library and pair.library_version:
        yield pinned("column library_version", pair.library, pair.library_version)
    # Only the word that names the package: catalogues of other devices have words of their own.
    if pair.compiler and site.catalog.compiler == "neuronx-cc":
        yield pinned("column neuronx_cc", "neuronx-cc", pair.compiler)
    yield from listed("column packages", packages or "")
    yield from listed("column extra_packages", run.extra_packages or "")
    yield from each(METADATA, metadata.dependencies)


def _missing(site: Site, run: Run, stack: Mapping[str, str | None], whole_list: bool) -> Iterator[str]:
    """What the row does not record of the stack. Where it has a whole list of packages, none is missing."""
    library = run.pair.library
    known = {name for name, recorded in stack.items() if recorded} | ({library} if run.pair.library_version else set())
    for name in NOT_PACKAGES if whole_list else stack:
        if name not in known:
            yield PACKAGE_NAMES.get(name, name)
    if run.pair.compiler is None:
        yield site.catalog.compiler
    if library is None:
        yield "the library"
    if run.pair.library_version is None and library not in stack:
        yield f"the version of {library or 'the library'}"


def _readable(metadata: Metadata) -> str | None:
    text = metadata.requires_python
    return one_line(text, SHOWN_MAX) if text is not None and allows(text, "3") is not None else None


def _python_conflict(python: str | None, metadata: Metadata) -> Iterator[str]:
    asked = _readable(metadata)
    if python and asked is not None and allows(asked, python) is False:
        yield f"Python is {one_line(python, SHOWN_MAX)} in the column python, but the {METADATA} asks for {asked}"


def _unusable(python: str | None, metadata: Metadata) -> Iterator[Unusable]:
    if metadata.unreadable:
        yield Unusable(METADATA, f"the block as a whole: {metadata.unreadable}")
    if metadata.requires_python is not None and _readable(metadata) is None:
        yield Unusable(METADATA, one_line(f"requires-python = {metadata.requires_python}", SHOWN_MAX))
    if python and interpreter(python) is None:
        yield Unusable("column python", one_line(f"python {python}", SHOWN_MAX))


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
    """The template with its `{fields}` quoted for a shell.

    None where it is not set, or needs what is not recorded or what no command can take: a value over several lines,
    or one that would be read as an option.
    """
    if not template or not all(_takes(fields.get(name)) for name in re.findall(r"\{(\w+)\}", template)):
        return None
    return re.sub(r"\{(\w+)\}", lambda match: shlex.quote(fields[match[1]]), template)


def _takes(value: str | None) -> bool:
    """Whether a command can take the value."""
    return value is not None and value.isprintable() and not value.startswith("-")


def interpreter(python: str | None) -> str | None:
    """The command for a recorded Python, `python3.14` for 3.14.0; None where that is not recorded or is no version."""
    found = re.match(r"([23]\.\d{1,3})(?!\d)", python or "")
    return f"python{found[1]}" if found else None


def _download(site: Site, run: Run, headline: bool) -> str | None:
    if not site.settings.base_url:
        return None
    url = urls.absolute(site.settings.base_url, site.addresses.run_file(run, "bundle.zip", headline))
    return f"curl -fLO {shlex.quote(url)}"


def _steps(site: Site, run: Run, python: str | None, found: Requirements, cache: str | None) -> Iterator[Step]:
    """Where one fails, the next ones that would install or run something fail too: they can be pasted at once."""
    folder = f"run-{run.short}"
    yield Step(
        "unpack", "Unpack it into a folder of its own.", f"python3 -m zipfile -e bundle.zip {folder} && cd {folder}"
    )
    command = interpreter(python)
    environment = "Make an environment with the recorded Python." if command else "Make an environment."
    yield Step("venv", environment, f"{command or 'python3'} -m venv .venv && . .venv/bin/activate")
    if found.lines:
        install = "Install the requirements. From which package index they came is not recorded."
        yield Step("install", install, ".venv/bin/python -m pip install -r requirements.txt")
    if cache and run.pair.compiler:
        condition = f"only with {site.catalog.compiler} == {one_line(run.pair.compiler, SHOWN_MAX)}"
        yield Step("cache", f"To reuse graphs compiled before, {condition}:", cache)
    yield Step("run", "Run the script.", ".venv/bin/python run.py")
