"""No page claims more than its row: over every combination of cores, result and checks, all words of a built site.

Nothing of the package says here what is allowed; the tables below are read from the words alone.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from sitegen.build import build
from sitegen.config import Settings
from tests.cases.site import BuiltSite, Page
from tests.factory import put, row

CORES = (None, 1, 2, 4, 16)
RESULTS = {
    "PASS": "PASS",
    "FAIL": "FAIL",
    "EXCLUDED": "Excluded",
    None: "Result not recorded",
    "XFAIL": "Unknown word “XFAIL”",
}
RAN = ("PASS", "FAIL", "XFAIL")
CPU = {
    None: "",
    "32/32": "CPU match",
    "31/32": "CPU mismatch (31/32)",
    "about half": "cpu_match: recorded as “about half”",
}
ENGLISH = {
    None: "",
    "fluent": "Judged fluent",
    "gibberish": "Judged not fluent",
    "0.97": "english: recorded as “0.97”",
}
Combination = tuple[int | None, str | None, str | None, str | None]
COMBINATIONS: dict[str, Combination] = {
    f"acme/m-{number}": combination for number, combination in enumerate(product(CORES, RESULTS, CPU, ENGLISH))
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    """A model for each combination, each with one run."""
    folder = tmp_path_factory.mktemp("claims")
    rows = [
        row(model_id, tp=tp, result=result, cpu_match=cpu, english=english)
        for model_id, (tp, result, cpu, english) in COMBINATIONS.items()
    ]
    put(folder / "data", rows)
    build(Settings(data=folder / "data", out=folder / "site"))
    return BuiltSite(folder / "site")


def allowed(combination: Combination) -> tuple[str, set[str]]:
    """The word for the outcome, and the words for the checks."""
    _, result, cpu, english = combination
    checks = {CPU[cpu], ENGLISH[english]} - {""}
    if result not in RAN:
        return RESULTS[result], set()
    return RESULTS[result], checks or {"Check not recorded"}


def said(status: str) -> tuple[str, set[str]]:
    """The same of a status as it is written: `PASS · CPU match, Judged fluent`."""
    outcome, _, checks = status.partition(" · ")
    return outcome, {check for check in checks.split(", ") if check}


def without_reason(status: str) -> str:
    """An exclusion gives its reason after the word."""
    return re.sub(r" kind not recorded: .*", "", status)


def test_a_results_page_says_outcome_and_checks_as_recorded(site: BuiltSite) -> None:
    for model_id, combination in COMBINATIONS.items():
        page = site.result(model_id)
        assert said(without_reason(page.outcome)) == allowed(combination), combination


def test_so_do_the_models_page_and_every_list(site: BuiltSite) -> None:
    for model_id, combination in COMBINATIONS.items():
        page = site.page(f"{site.names[model_id]}index.html")
        assert said(without_reason(page.outcome)) == allowed(combination), combination
    pages = [page for path, page in site.pages.items() if re.search(r"(^|/)all/", path)]
    rows = [entry for page in pages for entry in page.rows()]
    assert len(rows) >= 2 * len(COMBINATIONS)  # of all models, and of those under the pair
    for entry in rows:
        assert said(without_reason(entry["status"])) == allowed(COMBINATIONS[entry["id"]]), entry["id"]


def claims(page: Page, words: str) -> bool:
    """Whether the words stand anywhere in what a reader sees of a page."""
    return words in " ".join(page.text.split())


def test_a_match_or_fluency_is_named_nowhere_on_a_page_without_it(site: BuiltSite) -> None:
    for model_id, (tp, result, cpu, english) in COMBINATIONS.items():
        page = site.result(model_id)
        ran = result in RAN
        assert claims(page, "CPU match") == (ran and cpu == "32/32"), (tp, result, cpu, english)
        assert claims(page, "Judged fluent") == (ran and english == "fluent"), (tp, result, cpu, english)
        assert claims(page, "recorded as equal to those of a CPU run") == (cpu == "32/32"), (tp, result, cpu, english)
        assert claims(page, "judged to be fluent English") == (english == "fluent"), (tp, result, cpu, english)
        assert claims(page, "PASS ·") == (result == "PASS"), (tp, result, cpu, english)


def test_the_tone_is_the_results_alone(site: BuiltSite) -> None:
    tones = {"PASS": "pass", "FAIL": "fail", "EXCLUDED": "excluded", None: "other", "XFAIL": "other"}
    for model_id, (_, result, _, _) in COMBINATIONS.items():
        assert site.result(model_id).tone == tones[result], model_id
