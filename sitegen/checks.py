"""Rules over the assembled site. Rules about files and rows stand where these are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sitegen.caveats import RULES
from sitegen.content import check_links, check_words
from sitegen.errors import Place, Problems
from sitegen.site import Site


def check_runs_counted(site: Site, problems: Problems) -> None:
    """Rows in = runs + duplicates + refused, file by file, and every run is on a page: nothing is lost silently."""
    for file in site.files:
        if file.left_out is None and file.rows != file.runs + file.duplicates + file.refused:
            problems.error(
                "rows-lost",
                Place(file.file),
                f"{file.rows} rows, but {file.runs} runs, {file.duplicates} duplicates, {file.refused} refused",
            )
    on_pages = sum(len(result.runs) for result in site.results)
    if on_pages != (total := sum(file.runs for file in site.files)):
        problems.error("rows-lost", Place(), f"{total} runs were read, {on_pages} are on pages")


def check_addresses(site: Site, problems: Problems) -> None:
    """One folder a model: two would overwrite each other."""
    for folder, count in Counter(site.addresses.models.values()).items():
        if count > 1:
            ids = sorted(i for i, f in site.addresses.models.items() if f == folder)
            problems.error("address-twice", Place(), f"{' and '.join(ids)} have one address, {folder}")


def check_docs(site: Site, problems: Problems) -> None:
    check_links(site.texts.docs, problems)
    check_words(site.texts.words, site.texts.docs, problems)


def check_caveats(site: Site, problems: Problems) -> None:
    for rule in RULES:
        if rule.id not in site.texts.caveats:
            problems.notice("caveat-missing", Place(f"caveats/{rule.id}.md"), "the sentence of this caveat is missing")
    for name in sorted(set(site.texts.caveats) - {rule.id for rule in RULES}):
        known = "the name of a rule: " + ", ".join(rule.id for rule in RULES)
        problems.notice("caveat-unknown", Place(f"caveats/{name}.md"), "no caveat has this name", expected=known)


def check_not_empty(site: Site, problems: Problems) -> None:
    if not site.files:
        problems.notice("no-files", Place(), "no Parquet file was found", expected="**/*.parquet in the data folder")


def check_base_url(site: Site, problems: Problems) -> None:
    if site.settings.base_url is None:
        problems.info(
            "no-base-url", Place(), "without --base-url, canonical addresses, feeds and the sitemap are left out"
        )


CHECKS: tuple[Callable[[Site, Problems], None], ...] = (
    check_not_empty,
    check_runs_counted,
    check_addresses,
    check_docs,
    check_caveats,
    check_base_url,
)


# Faults of ours: no --keep-going passes over them.
FAULTS = frozenset({"rows-lost", "address-twice"})


def check(site: Site, problems: Problems) -> None:
    """Adds what the rules find."""
    for rule in CHECKS:
        rule(site, problems)
