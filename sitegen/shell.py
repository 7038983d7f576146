"""What surrounds every page: title, notice, navigation, and the facts in the footer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from sitegen import __version__, urls
from sitegen.cells import day
from sitegen.dataset import dataset
from sitegen.plan import Head, Link
from sitegen.safe import data_block
from sitegen.search import NAMES_PATH, WORDS_PATH
from sitegen.site import Site

# `form-action` is for the search form, `connect-src` for tools that audit a page (they look for robots.txt from within
# it): no script of ours connects to anything. Everything else a page needs lies beside it.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'self'"
)


@dataclass(frozen=True)
class Shell:
    """Constant for a build, but for `nav`, `canonical` and `root`, which are a page's own."""

    title: str
    notice: str | None
    device: str
    nav: tuple[Link, ...]
    search_path: str
    home_path: str
    names_script: str
    words_script: str
    facts: tuple[tuple[str, str], ...]
    policy: Markup
    source: str | None
    base_url: str | None
    dataset: Markup | None = None  # of the catalogue as a data set, on the pages that present it
    canonical: str | None = None
    root: str = ""

    def of(self, head: Head, root: str) -> Shell:
        """The shell of one page; `root` is the relative way to the site's root, with a slash unless empty."""
        nav = tuple(
            replace(link, current=link.current or _SECTIONS.get(head.section) == link.text) for link in self.nav
        )
        own = head.refresh or head.path
        canonical = urls.absolute(self.base_url, own) if self.base_url and own != urls.NOT_FOUND else None
        dataset = self.dataset if head.path in (urls.HOME, urls.DATA) else None
        return replace(self, nav=nav, canonical=canonical, root=root, dataset=dataset)


_SECTIONS = {
    "selected": "Models", "trending": "Models", "downloads": "Models", "all": "Models",
    "versions": "Versions", "errors": "Errors", "docs": "Docs", "data": "Data",
}  # fmt: skip


def make_shell(site: Site) -> Shell:
    catalog = site.catalog
    nav = (
        Link("Models", urls.HOME),
        Link("Versions", urls.VERSIONS),
        Link("Errors", urls.ERRORS),
        Link("Docs", urls.DOCS),
        Link("Data", urls.DATA),
    )
    taken = sorted({ranking.taken_at for ranking in site.rankings})
    dates = " to ".join(dict.fromkeys((day(taken[0]), day(taken[-1])))) if taken else "none in the data"
    facts = (
        ("Data revision", catalog.revision or "not recorded"),
        ("Newest run", day(site.newest)),
        ("Rankings of", dates),
        ("Made with", f"sitegen {__version__}"),
    )
    return Shell(
        catalog.title,
        catalog.notice,
        catalog.device,
        nav,
        urls.SEARCH,
        urls.HOME,
        NAMES_PATH,
        WORDS_PATH,
        facts,
        escape(POLICY),
        catalog.source,
        site.settings.base_url,
        data_block(dataset(site)),
    )
