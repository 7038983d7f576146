"""The choice of a pair: each pair with the place of its versions in their order, so that the nearest can be found."""

from __future__ import annotations

from pathlib import Path

from sitegen.pages.chooser import pair_links
from tests.factory import NEW, OLD, row, site_of


def test_versions_have_their_ranks_the_highest_first(tmp_path: Path) -> None:
    pairs = [
        (NEW, "transformers", "5.10.0"),
        (OLD, "transformers", "5.9.0"),
        (OLD, "diffusers", "0.40.0"),
        (None, "transformers", None),
    ]
    rows = [row(f"acme/m{n}", neuronx_cc=c, library=name, library_version=v) for n, (c, name, v) in enumerate(pairs)]
    site = site_of(tmp_path, rows)
    found = pair_links(site, "all/index.html", site.pairs[0])
    assert [(link.compiler, link.library, link.compiler_rank, link.library_rank) for link in found] == [
        (f"neuronx-cc {NEW}", "transformers 5.10.0", 0, 0),
        (f"neuronx-cc {OLD}", "transformers 5.9.0", 1, 1),
        (f"neuronx-cc {OLD}", "diffusers 0.40.0", 1, 3),
        ("neuronx-cc version not recorded", "transformers version not recorded", 2, 2),
    ]
    assert [link.library_name for link in found] == ["transformers", "transformers", "diffusers", "transformers"]


def test_each_link_leads_to_the_same_list_under_its_pair(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row(), row(neuronx_cc=OLD)])
    new, old = pair_links(site, "trending/text-generation/index.html", site.pairs[1])
    assert new.link.path == "versions/2.28.7631.0-5e0f61c7-transformers-5.21.0/trending/text-generation/index.html"
    assert (new.link.current, old.link.current) == (False, True)
