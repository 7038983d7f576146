"""Prefilled reports elsewhere: an address that every browser and host takes, whatever the names in it."""

from __future__ import annotations

from collections.abc import Callable

from sitegen import urls
from sitegen.model import Model, Result, Run
from sitegen.plain import one_line
from sitegen.site import Site

URL_MAX = 2000  # characters, less than; hosts and browsers differ on more
Cut = Callable[[str], str]


def report_url(template: str, write: Callable[[Cut], tuple[str, str]]) -> str:
    """The address with title and body filled in, shorter than `URL_MAX` wherever the template itself is.

    `write` makes the two; it passes every value through its argument, which cuts them, all to one length, where the
    whole would be too long: percent-encoded, one character can take twelve.
    """

    def filled(length: int) -> str:
        title, body = write(lambda value: _cut(value, length))
        return urls.external(template, title=title, body=body)

    fits, too_long = 0, URL_MAX + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        fits, too_long = (middle, too_long) if len(filled(middle)) < URL_MAX else (fits, middle)
    return filled(fits)


def _cut(value: str, length: int) -> str:
    line = one_line(value)
    return line if len(line) <= length else f"{line[: max(0, length - 1)].rstrip()}…"


def problem_url(site: Site, result: Result, run: Run, pair: str) -> str | None:
    """Reports a problem with a result, which the report names with its source and, where that is known, its page."""
    if not site.catalog.report_url:
        return None
    page = ""
    if site.settings.base_url:
        page = f"Page: {urls.absolute(site.settings.base_url, site.addresses.result(result.model_id, result.pair))}\n"

    def write(cut: Cut) -> tuple[str, str]:
        about = (
            f"Model: {cut(result.model_id)}\nPair: {cut(pair)}\nSource: {cut(run.source.file)}, row {run.source.row}"
        )
        return f"{cut(result.model_id)} with {cut(pair)}", f"{about}\n{page}\nWhat is wrong:\n"

    return report_url(site.catalog.report_url, write)


def request_url(site: Site, model: Model) -> str | None:
    """Asks for a test of a model that has no result."""
    if not site.catalog.report_url or model.results:
        return None

    def write(cut: Cut) -> tuple[str, str]:
        title = f"Please test {cut(model.id)}"
        return title, f"{title}\n\nIt has no result in “{cut(site.catalog.title)}” yet."

    return report_url(site.catalog.report_url, write)
