"""Rules over one version pair: the results under it, and the other pairs of the catalogue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sitegen.errors import Place, Problems
from sitegen.model import STACK, Run, VersionPair
from sitegen.site import Site
from sitegen.versions import version_key


@dataclass(frozen=True)
class PairRuns:
    """A pair with its runs, in the order of files and rows, and a lower pair that reads alike, if there is one."""

    pair: VersionPair
    runs: Sequence[Run]
    twin: VersionPair | None

    def place(self, column: str) -> Place:
        """Where the pair stands first."""
        return Place(self.runs[0].source.file, self.runs[0].source.row, column)


Rule = Callable[[PairRuns, Problems], None]


def check_versions(found: PairRuns, problems: Problems) -> None:
    for column, text in (("neuronx_cc", found.pair.compiler), ("library_version", found.pair.library_version)):
        if text is not None and not version_key(text)[0]:
            what = (
                f"found {text!r}, which cannot be compared; the pair stands below all others, and is never the latest"
            )
            problems.notice("pair-version-odd", found.place(column), what, expected="a version, such as 2.28.7631.0")


def check_twin(found: PairRuns, problems: Problems) -> None:
    if found.twin:
        other, this = (_text(pair) for pair in (found.twin, found.pair))
        what = f"{this} and {other} are two pairs here, but could be one"
        problems.notice("pair-twin", found.place("library_version"), what, hint="Write both alike if they are one")


def check_stack(found: PairRuns, problems: Problems) -> None:
    for name in STACK:
        versions = sorted({version for run in found.runs if (version := dict(run.stack)[name])}, key=version_key)
        if len(versions) > 1:
            what = f"the runs under {_text(found.pair)} record several versions: {', '.join(versions)}"
            problems.info("pair-stack-mixed", found.place(name), what)


RULES: tuple[Rule, ...] = (check_versions, check_twin, check_stack)


def check(site: Site, problems: Problems) -> None:
    """Adds what the rules find, pair by pair."""
    for found in _pairs(site):
        for rule in RULES:
            rule(found, problems)


def _pairs(site: Site) -> Iterator[PairRuns]:
    runs: dict[VersionPair, list[Run]] = defaultdict(list)
    for result in site.results:
        runs[result.pair] += result.runs
    alike: dict[object, VersionPair] = {}
    for pair in reversed(site.pairs):
        key = version_key(pair.compiler)[:2], (pair.library or "").casefold(), version_key(pair.library_version)[:2]
        odd = (pair.compiler or "").casefold(), (pair.library_version or "").casefold()
        twin = alike.setdefault((key, None if key[0][0] and key[2][0] else odd), pair)
        yield PairRuns(pair, sorted(runs[pair], key=lambda run: run.source), None if twin is pair else twin)


def _text(pair: VersionPair) -> str:
    return " · ".join(part or "not recorded" for part in (pair.compiler, pair.library, pair.library_version))
