"""Rules over the whole catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sitegen.caveats import RULES as CAVEATS
from sitegen.content import check_links, check_words
from sitegen.errors import Place, Problems
from sitegen.model import Model
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
    for rule in CAVEATS:
        if rule.id not in site.texts.caveats:
            problems.notice("caveat-missing", Place(f"caveats/{rule.id}.md"), "the sentence of this caveat is missing")
    for name in sorted(set(site.texts.caveats) - {rule.id for rule in CAVEATS}):
        known = "the name of a rule: " + ", ".join(rule.id for rule in CAVEATS)
        problems.notice("caveat-unknown", Place(f"caveats/{name}.md"), "no caveat has this name", expected=known)


def check_not_empty(site: Site, problems: Problems) -> None:
    if not site.files:
        problems.notice("no-files", Place(), "no Parquet file was found", expected="**/*.parquet in the data folder")


def check_base_url(site: Site, problems: Problems) -> None:
    if site.settings.base_url is None:
        problems.info(
            "no-base-url", Place(), "without --base-url, canonical addresses, feeds and the sitemap are left out"
        )


def check_twins(site: Site, problems: Problems) -> None:
    """Ids equal but for case are two models here; on the Hub they can only be one."""
    first: dict[str, Model] = {}
    for model in site.models:
        if model.results and (other := first.setdefault(model.id.casefold(), model)) is not model:
            source = model.results[0].headline.source
            found = f"{model.id} and {other.id} differ only in case; they are two models here"
            hint = "Write both alike if they are one"
            problems.notice("id-twin", Place(source.file, source.row, "model_id"), found, hint=hint)


def check_runs_agree(site: Site, problems: Problems) -> None:
    for result in site.results:
        if result.disagree:
            labels = sorted({f"{run.outcome.label}, {run.verification.label}" for run in result.runs})
            source = result.headline.source
            found = f"the {len(result.runs)} runs of {result.model_id} disagree ({'; '.join(labels)}); its page says so"
            problems.info("runs-disagree", Place(source.file, source.row, "result"), found)


RULES: tuple[Callable[[Site, Problems], None], ...] = (
    check_not_empty,
    check_runs_counted,
    check_addresses,
    check_twins,
    check_runs_agree,
    check_docs,
    check_caveats,
    check_base_url,
)


def check(site: Site, problems: Problems) -> None:
    """Adds what the rules find."""
    for rule in RULES:
        rule(site, problems)
