"""Any catalogue: what every property says holds of it, however it is built, ordered and added to.

The examples are the same in every run: `python -m tests.fuzz` (`make fuzz`) looks at others, for as long as it may.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.built import Built, made
from tests.fuzz.catalogues import Catalogue, catalogues
from tests.fuzz.properties import PROPERTIES
from tests.fuzz.relations import RELATIONS

BUILDS, CHECKS = 10, 4
SEED = 4  # one for all, so that all properties look at the same sites
bounded = settings(
    deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), print_blob=False
)


class Sites:
    """Each catalogue once built, for all properties."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, Built] = {}

    def of(self, catalogue: Catalogue) -> Built:
        key = repr(catalogue)
        if key not in self.known:
            self.known[key] = made(self.folder / str(len(self.known)), catalogue)
        return self.known[key]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    return Sites(tmp_path_factory.mktemp("sites"))


@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda function: function.__name__)
def test_of_every_catalogue(holds: Callable[[Built], None], sites: Sites) -> None:
    @seed(SEED)
    @settings(bounded, max_examples=BUILDS)
    @given(catalogues(most_files=4, most_rows=3))
    def all_of_them(catalogue: Catalogue) -> None:
        holds(sites.of(catalogue))

    all_of_them()


@pytest.mark.parametrize("holds", RELATIONS, ids=lambda function: function.__name__)
def test_between_catalogues(holds: Callable[[Catalogue, Path], None], tmp_path_factory: pytest.TempPathFactory) -> None:
    @seed(SEED)
    @settings(bounded, max_examples=CHECKS)
    @given(catalogues(most_files=4, most_rows=3))
    def all_of_them(catalogue: Catalogue) -> None:
        holds(catalogue, tmp_path_factory.mktemp("catalogue"))

    all_of_them()


def test_the_catalogues_hold_what_they_are_for(sites: Sites) -> None:
    """Else the properties could hold of nothing: there are runs, duplicates, refused rows and files left out."""
    test_of_every_catalogue(lambda _: None, sites)
    counts = [built.report.counts for built in sites.known.values()]
    for kind, least in (("runs", 30), ("duplicates", 3), ("refused", 3), ("models", 20), ("pairs", 20)):
        assert sum(count[kind] for count in counts) >= least, kind
