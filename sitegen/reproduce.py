"""From a fresh machine to the same run: exact pins of what a row records, and what it does not record named as such."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen import urls
from sitegen.cells import NOT_RECORDED
from sitegen.model import Run
from sitegen.site import Site

# The name of a stack column as a package, where it is another.
PACKAGE_NAMES = {"torch_neuronx": "torch-neuronx", "neuron_driver": "neuron driver"}
NOT_PACKAGES = ("python", "neuron_driver")  # of the stack columns: nothing that pip installs
_PIN = re.compile(r"[\w.+!-]+")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Step:
    """A command to copy, and what it does."""

    text: str
    command: str


@dataclass(frozen=True)
class Reproduction:
    """What leads to the same run. `missing` are the stack entries that the row does not record."""

    requirements: str
    missing: tuple[str, ...]
    python: str | None
    driver: str | None
    image: str | None
    instance: str | None
    steps: tuple[Step, ...]
    cache_command: str | None
    cache_condition: str


def reproduction(site: Site, run: Run, script: str | None, packages: Mapping[str, str]) -> Reproduction | None:
    """How to run `run` again; None where its script is not recorded. `packages` are all that the row lists, by name."""
    if script is None:
        return None
    stack = dict(run.stack)
    if run.pair.library in stack:
        stack[run.pair.library] = stack[run.pair.library] or run.pair.library_version
    recorded = {
        "neuronx_cc": run.pair.compiler,
        "library_version": run.pair.library_version,
        "model_id": run.model_id,
        **stack,
    }
    fields = {name: value for name, value in recorded.items() if value}
    settings = site.catalog.reproduce
    # Of a package that a whole list of packages lacks nothing is missing.
    asked = NOT_PACKAGES if packages else tuple(stack)
    return Reproduction(
        requirements="\n".join(_requirements(site, run, script, stack, packages)),
        missing=tuple(PACKAGE_NAMES.get(name, name) for name in asked if stack[name] is None),
        python=stack["python"],
        driver=stack["neuron_driver"],
        image=_filled(settings.image, fields),
        instance=_filled(settings.instance, fields),
        steps=tuple(_steps(site, run)),
        cache_command=_filled(settings.neff_cache, fields),
        cache_condition=f"only with {site.catalog.compiler} {run.pair.compiler or NOT_RECORDED}",
    )


def _filled(template: str | None, fields: Mapping[str, str]) -> str | None:
    """The template with its `{fields}` quoted for a shell; None where it is not set or needs what is not recorded."""
    if not template or any(name not in fields for name in re.findall(r"\{(\w+)\}", template)):
        return None
    return re.sub(r"\{(\w+)\}", lambda match: shlex.quote(fields[match[1]]), template)


def _steps(site: Site, run: Run) -> Iterator[Step]:
    here = " from this page"
    if site.settings.base_url:
        here = ""
        url = urls.absolute(site.settings.base_url, site.addresses.run_file(run, "run.py", headline=True))
        yield Step("Download the script that ran", f"curl -fLO {shlex.quote(url)}")
    yield Step("Save the list above as requirements.txt, and install it", "python -m pip install -r requirements.txt")
    yield Step(f"Run run.py{here} again", "python run.py")


def _requirements(
    site: Site, run: Run, script: str, stack: Mapping[str, str | None], packages: Mapping[str, str]
) -> Iterator[str]:
    """Exact pins of what the row records, then what the script's own metadata and the extra-packages column name."""
    pins = {name.replace("_", "-"): version for name, version in stack.items() if name not in NOT_PACKAGES}
    pins.setdefault(run.pair.library or "", run.pair.library_version)
    if site.catalog.compiler == "neuronx-cc":
        pins["neuronx-cc"] = run.pair.compiler
    known = {_same(name) for name, version in pins.items() if version}
    pins |= {name: version for name, version in packages.items() if _same(name) not in known}
    pinned = {name: version for name, version in pins.items() if name and version and _PIN.fullmatch(version)}
    yield from (f"{name}=={version}" for name, version in pinned.items() if _NAME.fullmatch(name))
    names = {_same(name) for name in pinned}
    more = [*inline_dependencies(script), *re.split(r"[,;\s]+", run.extra_packages or "")]
    for entry in dict.fromkeys(more):
        if entry and _same(re.split(r"[<>=!~\[ ]", entry)[0]) not in names:
            yield entry


def _same(name: str) -> str:
    """A package's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def inline_dependencies(script: str) -> list[str]:
    """The `dependencies` of a script's inline metadata block (PEP 723); none where it has none or cannot be read."""
    block: list[str] | None = None
    for line in script.split("\n"):
        text = line.rstrip("\r ")
        if block is None:
            block = [] if text == "# /// script" else None
        elif text == "# ///":
            return _dependencies("\n".join(block))
        elif text.startswith("#"):
            block.append(text[2:])
        else:
            return []
    return []


def _dependencies(table: str) -> list[str]:
    try:
        found = tomllib.loads(table).get("dependencies", [])
    except (ValueError, RecursionError):  # a TOMLDecodeError is a ValueError, and so is a number that is too long
        return []
    # One line each: nothing here may start a line of its own in requirements.txt.
    return [" ".join(entry.split()) for entry in found if isinstance(entry, str)] if isinstance(found, list) else []
