"""What the sentences of each case say, as assertions. Literal claims and exit codes are held by the runner."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.cases.make_cases import (
    CHAT_SOURCE,
    CONTROL,
    LONG_IDS,
    MARKDOWN_ERROR,
    MARKUP_LOG,
    NEAR_TWINS,
    NEW,
    OLD,
    SCRIPT_ID,
    WINDOWS_IDS,
    fname,
    log_lines,
)
from tests.cases.site import BuiltSite, Page, contents, script_data
from tests.tooling.node import Node

QUERY = Path(__file__).parent.parent / "js/site_data.mjs"
GAP = "not recorded"


@dataclass(frozen=True)
class Done:
    """One build: its exit code and what it printed; `before` is what its output folder held before it."""

    out: Path
    code: int
    stdout: str
    stderr: str
    before: dict[str, bytes]

    @property
    def site(self) -> BuiltSite:
        assert self.code == 0
        return BuiltSite(self.out)

    def problems(self, level: str) -> list[str]:
        return [line for line in self.stderr.splitlines() if line.startswith(f"{level}: ")]


@dataclass(frozen=True)
class Built:
    """A case after its builds."""

    folder: Path
    done: list[Done]
    node: Node

    @property
    def site(self) -> BuiltSite:
        """The site of the last build."""
        return self.done[-1].site

    @property
    def stderr(self) -> str:
        return self.done[-1].stderr

    def ask(self, queries: list[str], sorts: list[Any] | None = None) -> Any:
        """What the scripts of the site find and sort."""
        request = json.dumps({"queries": queries, "sorts": sorts or []})
        command = [self.node.path, QUERY, self.site.folder / "search/names.js"]
        done = subprocess.run(command, input=request, capture_output=True, encoding="utf-8", check=True)
        return json.loads(done.stdout)

    def find(self, *queries: str) -> dict[str, list[str]]:
        return dict(zip(queries, self.ask(list(queries))["found"], strict=True))


Check = Callable[[Built], None]
CHECKS: dict[str, Check] = {}


def check(check_id: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS[check_id] = function
        return function

    return register


def shown_paths(site: BuiltSite) -> list[str]:
    """Paths of pages, without the names of files that carry a hash of their content."""
    return [path for path in site.paths if path.endswith("index.html")]


def source_of(page: Page) -> str:
    return page.one("pre", id="run-py").text


def foreign_elements(page: Page, *tags: str) -> list[str]:
    """The elements with these names, but for the badges, which are the only pictures on a page."""
    found = [element for element in page.elements if element.tag in tags]
    return [
        element.tag for element in found if not (element.has_class("badge") and "onerror" not in element.attributes)
    ]


# ---------------------------------------------------------------------------------- A. reading Parquet


@check("B01-late-column")
def late_column(built: Built) -> None:
    page = built.site.result("acme/new-7b")
    assert page.tone == "excluded"
    assert page.outcome == "Excluded kind not recorded: needs 64 cores"
    assert len(built.site.page("versions/index.html").all("td", _class="version")) == 2
    assert all("exclu" not in line.lower() for page in built.site.results("acme/old-7b") for line in page.lines)


@check("B01-no-model-id")
def no_model_id(built: Built) -> None:
    (problem,) = built.done[-1].problems("error")
    assert "model_id is missing; found the columns library, tp, runner, result" in problem


@check("B01-no-result")
def no_result(built: Built) -> None:
    page = built.site.result("acme/no-verdict-1b")
    assert page.tone == "other"
    assert page.outcome == "Result not recorded"
    assert page.fact("result") == GAP
    assert built.site.page("all/index.html").tallies() == {"PASS": 1, "Result not recorded": 1}
    assert len(built.done[-1].problems("notice")) == 1


@check("B02-null-column")
def null_column(built: Built) -> None:
    old = "2.27.5334.0-f702b353-transformers-5.18.0/index.html"
    pages = {path: page for path, page in built.site.pages.items() if path.endswith(old) and path.startswith("models/")}
    assert len(pages) == 2
    assert all(not page.all("h2", id="error") for page in pages.values())
    assert built.done[-1].problems("notice") == []


@check("B03-widths")
def widths(built: Built) -> None:
    pages = built.site.results("acme/wide-7b")
    assert len(pages) == 2
    for page in pages:
        assert page.fact("Cores") == "16"
        assert page.fact("Peak device memory") == "9.21 GB of 24 GB"
        assert page.fact("Wall time, compilation included") == "812 s (13 min 32 s)"
        assert not re.search(r"\b(16|812)\.0|9\.2100", page.text)
    control = built.site.page(built.site.names[CONTROL] + "2.28.7631.0-5e0f61c7-transformers-5.21.0/index.html")
    assert control.fact("Cores") == GAP
    assert built.done[-1].problems("notice") == []


@check("B04-poor-file-first")
def poor_file_first(built: Built) -> None:
    assert built.site.file("acme/rich-1b", "error.log") == b"ONLY-HERE"


@check("B04-poor-file-last")
def poor_file_last(built: Built) -> None:
    poor_file_first(built)


@check("B05-zero-bytes")
def zero_bytes(built: Built) -> None:
    first, second, third = built.done
    assert "the file is empty (0 bytes)" in second.stderr
    assert second.before == contents(first.out)
    assert fname(NEW) in third.stderr
    assert third.site.page("data/index.html").says(f"{fname(NEW)} left out: the file is empty (0 bytes)")


@check("B06-lfs-pointer")
def lfs_pointer(built: Built) -> None:
    assert "git lfs pull" in built.stderr


@check("B07-not-parquet")
def not_parquet(built: Built) -> None:
    cut, text, zipped = built.done[-1].problems("error")
    assert "cut short" in cut
    assert "plain text" in text
    assert "gzip" in zipped
    assert not built.done[-1].out.exists()


@check("B08-no-rows")
def no_rows(built: Built) -> None:
    notices = built.done[-1].problems("notice")
    assert [line.split()[1] for line in notices] == ["empty.parquet:", "no-row-groups.parquet:"]
    assert all("no rows" in line for line in notices)
    assert len(built.site.page("versions/index.html").all("td", _class="version")) == 1


@check("B08-no-columns")
def no_columns(built: Built) -> None:
    assert "no known column was found" in built.stderr


@check("B09-hidden-names")
def hidden_names(built: Built) -> None:
    for done in built.done:
        (problem,) = (line for line in done.problems("info") if "hidden" in line)
        assert f".{fname(OLD)}" in problem
        assert list(done.site.names) == [CONTROL]


@check("B10-linked-file")
def linked_file(built: Built) -> None:
    (blob,) = (built.folder / "hub/blobs").iterdir()
    assert built.site.says(fname(NEW), CONTROL)
    assert not built.site.says(blob.name)


@check("B10-dangling-link")
def dangling_link(built: Built) -> None:
    assert "../../blobs/gone is missing" in built.stderr


@check("B10-link-loop")
def link_loop(built: Built) -> None:
    assert "1 files, 1 rows, 1 runs, 0 duplicates" in built.done[-1].stdout
    (notice,) = built.done[-1].problems("notice")
    assert "sub/loop" in notice


@check("B11-codecs")
def codecs(built: Built) -> None:
    assert "5 files, 45 rows, 45 runs" in built.done[-1].stdout
    assert "41 models, 5 pairs" in built.done[-1].stdout
    assert built.site.file("acme/brotli-003", "error.log") == b"003 " * 5000


@check("B12-same-row-twice")
def same_row_twice(built: Built) -> None:
    site = built.site
    assert len(site.results("acme/twice-1b")) == 1
    assert not site.result("acme/twice-1b").all("h2", id="runs")
    assert [row["id"] for row in site.page("all/index.html").rows()].count("acme/twice-1b") == 1
    assert built.find("twice") == {"twice": ["acme/twice-1b"]}
    (notice,) = built.done[-1].problems("notice")
    assert "1 exact duplicate row was left out" in notice


@check("B13-null-nan-zero")
def null_nan_zero(built: Built) -> None:
    site = built.site
    none, gap = site.result("acme/none-1b"), site.result("acme/gap-1b")
    assert {none.fact("Cores"), none.fact("Wall time, compilation included")} == {GAP}
    assert {gap.fact("Cores"), gap.fact("Wall time, compilation included")} == {GAP}
    assert re.fullmatch(rf"{GAP} .*{GAP}", none.fact("Peak device memory"))
    assert site.result("acme/nan-1b").fact("Peak device memory").startswith(f"{GAP} ")
    assert site.result("acme/zero-1b").fact("Wall time, compilation included") == "0 s"
    for page in (none, gap, site.result("acme/nan-1b")):
        json.loads(page.raw_row, parse_constant=lambda word: (_ for _ in ()).throw(AssertionError(word)))
    listed = {row["id"]: row for row in site.page("all/index.html").rows()}
    assert listed["acme/zero-1b"]["wall="] == "0"
    assert listed["acme/gap-1b"]["wall="] == listed["acme/gap-1b"]["cores="] == ""
    assert not re.search(r"\b\d+\.0\b", " ".join(row["cores"] + " " + row["wall"] for row in listed.values()))


@check("B14-text-as-bytes")
def text_as_bytes(built: Built) -> None:
    page = built.site.result("acme/bytes-1b")
    assert page.outcome.split()[0] == "FAIL"
    assert page.says("E: naïve 模型 ✓")
    assert page.fact("Source").startswith(fname(NEW))


@check("B15-no-owner")
def no_owner(built: Built) -> None:
    page = built.site.result("tiny-lm")
    assert "https://huggingface.co/tiny-lm" in {a.attributes["href"] for a in page.all("a")}
    assert built.site.names["tiny-lm"] == "models/-/tiny-lm/"
    assert "tiny-lm" in {row["id"] for row in built.site.page("all/index.html").rows()}
    for path, other in built.site.pages.items():
        for a in other.all("a"):
            assert "//" not in a.attributes["href"].removeprefix("https://"), path


@check("B15-unusable-ids")
def unusable_ids(built: Built) -> None:
    problems = built.done[-1].problems("error")
    assert len(problems) == 5
    for number, (problem, found) in enumerate(
        zip(problems, ("blank", "blank", "null", "'acme/'", "'/x'"), strict=True), 2
    ):
        assert f"{fname(NEW)}, row {number}, column model_id" in problem
        assert found in problem
    assert not built.done[-1].out.exists()


# ------------------------------------------------------------------------- B. names, paths, addresses


@check("B16-near-twins")
def near_twins(built: Built) -> None:
    site = built.site
    assert len({site.names[model_id] for model_id in NEAR_TWINS}) == len(NEAR_TWINS)
    for number, model_id in enumerate(NEAR_TWINS):
        assert site.file(model_id, "error.log") == f"MARK-{number}".encode()


@check("B16-one-path")
def one_path(built: Built) -> None:
    first, second = (done.site for done in built.done)
    assert shown_paths(first) == shown_paths(second)
    assert first.names == second.names
    twins = ("acme/Twin-1b", "acme/twin-1b")
    assert all(re.fullmatch(r"models/acme/twin-1b--[0-9a-f]{8}/", first.names[twin]) for twin in twins)
    plain = first.page("models/acme/twin-1b/index.html")
    links = {a.text: a.attributes["href"] for a in plain.all("a")}
    assert [links[twin] for twin in twins] == [f"../{Path(first.names[twin]).name}/index.html" for twin in twins]
    assert first.file(twins[0], "error.log") == b"CAPITAL"
    assert first.file(twins[1], "error.log") == b"SMALL"


@check("B17-capitals")
def capitals(built: Built) -> None:
    names = built.site.names
    assert names["Initech/Quark2.5-0.5B-Instruct"] == "models/initech/quark2.5-0.5b-instruct/"
    assert names["GlobexTB/SmolGlob2-1.7B"] == "models/globextb/smolglob2-1.7b/"
    assert "GlobexTB/SmolGlob2-1.7B" in {row["id"] for row in built.site.page("all/index.html").rows()}


@check("B18-long-names")
def long_names(built: Built) -> None:
    assert len({built.site.names[model_id] for model_id in (CONTROL, *LONG_IDS)}) == 6


@check("B19-windows-names")
def windows_names(built: Built) -> None:
    assert len({built.site.names[model_id] for model_id in (CONTROL, *WINDOWS_IDS)}) == 7


@check("B20-climbing-ids")
def climbing_ids(built: Built) -> None:
    refused, going = built.done
    for model_id in ("../../escape", "acme/..", "..././up", "/etc/passwd"):  # no link to the Hub leads to such a page
        assert f"found '{model_id}'" in refused.stderr
    assert sorted(path.name for path in built.folder.iterdir()) == [".site.sitegen-state", "data", "site"]
    assert set(going.site.names) == {CONTROL, "C:\\temp\\x", "..\\..\\w"}
    assert "4 refused (id-unusable 4)" in going.stdout


@check("B20-double-dots")
def double_dots(built: Built) -> None:
    assert built.site.names["acme/v1..2"] == "models/acme/v1..2/"


@check("B21-plus-sign")
def plus_sign(built: Built) -> None:
    assert len(built.site.results("acme/plus-1b")) == 2
    for path, page in built.site.pages.items():
        for a in page.all("a"):
            assert not re.search(r"[+ ]", a.attributes["href"].partition("?")[0]), path


@check("B22-leading-underscore")
def leading_underscore(built: Built) -> None:
    assert len(built.site.names) == 4
    assert not [path for path in built.site.paths if re.search(r"(^|/)[._]", path)]


# --------------------------------------------------------------------------------- C. text and markup


@check("B23-markup-in-error")
def markup_in_error(built: Built) -> None:
    page = built.site.result("acme/markup-log-1b")
    assert built.site.file("acme/markup-log-1b", "error.log") == MARKUP_LOG.encode()
    assert (page.tone, page.outcome.split()[0]) == ("fail", "FAIL")
    assert [h.text.split()[0] for h in page.all("h1")] == ["acme/markup-log-1b"]
    assert all("src" in script.attributes for script in page.all("script"))


@check("B24-markup-in-id")
def markup_in_id(built: Built) -> None:
    model_id = "acme/<b>bold</b>"
    for path, page in built.site.pages.items():
        assert not [b for b in page.all("b") if b.text == "bold"], path
        assert not foreign_elements(page, "i", "u"), path
    page = built.site.result(model_id)
    assert page.says("<i>note</i>")
    assert page.fact("runner") == "<u>runner</u>"
    assert page.one("title").text.startswith(f"{model_id} with ")
    assert page.one("bdi", id="model-id").text == model_id
    assert built.site.says(model_id, CONTROL) is False
    assert "<b>bold</b>" in {bdi.text for bdi in page.all("bdi")}  # the last breadcrumb
    assert model_id in {row["id"] for row in built.site.page("all/index.html").rows()}
    assert built.find("bold") == {"bold": [model_id]}


@check("B25-script-end")
def script_end(built: Built) -> None:
    assert SCRIPT_ID in built.site.names
    assert all(not foreign_elements(page, "img") for page in built.site.pages.values())
    assert built.site.result(SCRIPT_ID).says("one\u2028two\u2029three </script>")
    assert built.find("onerror=alert(1)") == {"onerror=alert(1)": [SCRIPT_ID]}


@check("B26-template-syntax")
def template_syntax(built: Built) -> None:
    assert source_of(built.site.result("acme/chat-1b")) == CHAT_SOURCE
    assert built.site.page("docs/ci/index.html").says("key: ${{ secrets.KEY }} {% raw %}")


@check("B27-colour-codes")
def colour_codes(built: Built) -> None:
    page = built.site.result("acme/colours-1b")
    log = page.one("pre", id="log-head")
    assert log.text == "ERROR warm bold end\n"
    assert not re.search(r"\[[0-9;]*m", page.text)
    classes = {span.attributes.get("class") for span in page.all("span")}
    assert {"ansi-red", "ansi-yellow"} <= classes
    assert b"\x1b[38;5;208m" in built.site.file("acme/colours-1b", "error.log")


@check("B28-control-characters")
def control_characters(built: Built) -> None:
    site = built.site
    page = site.result("acme/controls-1b")
    assert page.one("pre", id="log-head").text == "ABCDEFG\n"
    assert site.file("acme/controls-1b", "error.log") == "A\x00B\x01C\x0bD\x7fE\x85F\ufffeG".encode()
    assert site.file("acme/controls-1b", "run.py") == b"print('\\x00')\nx = '\x00'\n"
    json.loads(page.raw_row)


@check("B29-markup-in-search")
def markup_in_search(built: Built) -> None:
    for path, page in built.site.pages.items():
        assert not foreign_elements(page, "img", "style"), path
    assert built.find("xss") == {"xss": ["acme/<style onload=alert(1)>xss"]}
    word = built.site.result("acme/word-1b")
    assert (word.tone, word.outcome) == ("other", "Unknown word “<img src=x onerror=alert(2)>” · CPU match")
    assert built.site.page("all/index.html").tallies() == {"PASS": 2, "Unknown word “<img src=x onerror=alert(2)>”": 1}


@check("B30-markdown-characters")
def markdown_characters(built: Built) -> None:
    page = built.site.result("acme/__init__-*x*")
    assert page.one("pre", id="log-head").text == MARKDOWN_ERROR + "\n"
    assert page.says("``` fence")
    assert page.says("| cell |")
    assert not foreign_elements(page, "em", "strong")
    doc = built.site.page("docs/pipes/index.html")
    assert [td.text for td in doc.all("td")] == ["a|b", "is one cell"]
    for path, other in built.site.pages.items():
        hrefs = [e.attributes["href"] for e in other.elements if "href" in e.attributes]
        assert not [href for href in hrefs if "javascript:" in href.lower()], path


@check("B31-leading-blank-lines")
def leading_blank_lines(built: Built) -> None:
    page = built.site.result("acme/blank-1b")
    assert page.one("span", id="L4").text == "print('line 4')\n"
    assert page.one("a", href="#L4").attributes["data-n"] == "4"
    assert source_of(page) == "\n\n\nprint('line 4')\n\n\n"
    assert built.site.file("acme/blank-1b", "run.py") == b"\n\n\nprint('line 4')\n\n\n"
    assert page.one("span", id="log-L2").text == '  File "run.py", line 4, in <module>\n'


@check("B32-two-numberings")
def two_numberings(built: Built) -> None:
    page = built.site.result("acme/two-1b")
    assert source_of(page) == "a = 1\nb = 2\n"
    assert [i for i in page.ids if re.fullmatch(r"(log-)?L\d+", i)] == ["L1", "L2", "log-L1", "log-L2"]
    assert source_of(built.site.result("acme/exact-1b")) == "print('a\\tb')\n\tx = 1  \n"


@check("B33-long-log")
def long_log(built: Built) -> None:
    site = built.site
    page = site.result("acme/long-1b")
    log = log_lines(200_000) + "LAST LINE"
    assert len(page.html.encode()) < 2_000_000
    assert site.file("acme/long-1b", "error.log") == log.encode()
    gap = page.one("p", _class="gap")
    shown = len(page.one("pre", id="log-head").text.splitlines()) + len(
        page.one("pre", id="log-tail").text.splitlines()
    )
    assert gap.text.split(" lines left out")[0] == f"{200_001 - shown:,}"
    assert page.one("span", id="log-L200001").text == "LAST LINE\n"
    assert "step done" not in (site.read("search/names.js") + site.read("search/words.js")).decode()


# ------------------------------------------------------------------------------------------ D. values


@check("B34-sort-numbers")
def sort_numbers(built: Built) -> None:
    rows = built.site.page("all/index.html").rows()

    def values(column: str) -> list[float | None]:
        return [float(row[f"{column}="]) if row[f"{column}="] else None for row in rows]

    walls, cores = values("wall"), values("cores")
    sorts = [[walls, "asc"], [walls, "desc"], [cores, "asc"], [cores, "desc"]]
    assert built.ask([], sorts)["sorted"] == [
        [9, 10, 99, 101, 812, None],
        [812, 101, 99, 10, 9, None],
        [1, 1, 2, 8, 16, None],
        [16, 8, 2, 1, 1, None],
    ]
    assert all((row["cores"] == GAP) == (row["cores="] == "") for row in rows)


@check("B35-version-order")
def version_order(built: Built) -> None:
    site = built.site
    order = [
        "2.10.30012.0-3c0ffee3-transformers-5.10.0",
        "2.10.30012.0-3c0ffee3-transformers-5.10.0rc1",
        "2.10.30012.0-3c0ffee3-transformers-5.9.0",
        "2.9.21004.0-2c0ffee2-transformers-5.9.0",
        "2.2.18001.0-1c0ffee1-transformers-5.2.0",
    ]
    for path in ("index.html", "all/index.html", "models/acme/control-1b/index.html", "versions/index.html"):
        links = re.findall(r'href="[^"]*?([^/"]+-transformers-[^/"]+)/[^"]*"', site.page(path).html)
        assert [pair for pair in dict.fromkeys(links) if pair in order] == order, path
    (row,) = site.page("all/index.html").rows()
    assert row["pair"] == "neuronx-cc 2.10.30012.0+3c0ffee3 / transformers 5.10.0"
    for number, pair in enumerate(order):
        page = site.page(f"models/acme/control-1b/{pair}/index.html")
        assert bool(page.all("p", _class="newer")) == (number > 0)


@check("B36-result-words")
def result_words(built: Built) -> None:
    site = built.done[0].site
    listed = site.page("all/index.html")
    assert listed.tallies() == {
        "PASS": 1,
        "Unknown word “FLAKY 3/5”": 1,
        "TIMEOUT": 1,
        "Result not recorded": 1,
        "Excluded": 1,
    }
    rows = {row["id"]: row for row in listed.rows()}
    tones = {model_id.partition("/")[2]: row["tone"] for model_id, row in rows.items()}
    assert tones == {
        "control-1b": "pass",
        "excluded-1b": "excluded",
        "flaky-1b": "other",
        "silent-1b": "other",
        "timeout-1b": "other",
    }
    assert rows["acme/excluded-1b"]["status"] == "Excluded kind not recorded: not a priority"
    assert rows["acme/silent-1b"]["status"] == "Result not recorded"
    assert site.result("acme/flaky-1b").tone == "other"
    # Beside every tint stand an icon and a word.
    for span in (e for e in listed.elements if e.has_class("status")):
        assert span.text.strip()
    assert not built.done[1].out.exists()


# ------------------------------------------------------------------------------------------ E. search


@check("B37-glued-names")
def glued_names(built: Built) -> None:
    wanted = {
        "globex/gemmo-2b-it": ["globex", "gemmo", "2b", "gemmo-2b", "globex/gemmo-2b-it", "globex gemmo 2b it"],
        "Initech/Quark2.5-0.5B-Instruct": ["quark", "quark2.5", "2.5", "0.5b", "instruct"],
        "acme/snake_case-1b": ["snake", "case", "snake_case"],
    }
    for model_id, queries in wanted.items():
        assert built.find(*queries) == {query: [model_id] for query in queries}


@check("B38-stop-words")
def stop_words(built: Built) -> None:
    found = built.find("it", "all", "own", "the", "who")
    ids = ("globex/gemmo-2b-it", "acme/all-MiniLexi", "acme/Yo-Own", "the/who-1b", "the/who-1b")
    assert all(model_id in found[query] for query, model_id in zip(found, ids, strict=True))


@check("B39-foo-bar-baz")
def foo_bar_baz(built: Built) -> None:
    model_id = "acme/foo_bar.baz-2b"
    queries = ["foo", "bar", "baz", "2b", "foo_bar", model_id]
    assert built.find(*queries) == {query: [model_id] for query in queries}
    index = script_data(built.site.read("search/words.js"), "words")["index"]
    assert index["pipeline"] == ["stemmer"]


@check("B40-other-letters")
def other_letters(built: Built) -> None:
    assert built.find("模型", "модель", "МОДЕЛЬ", "1234") == {
        "模型": ["acme/模型-7b"],
        "модель": ["acme/модель-7b"],
        "МОДЕЛЬ": ["acme/модель-7b"],
        "1234": ["acme/1234"],
    }


@check("B41-opened-from-disk")
def opened_from_disk(built: Built) -> None:
    scripts = [path for path in built.site.paths if path.endswith(".js") and "/js/" in path]
    assert scripts
    for path in scripts:
        code = built.site.read(path).decode()
        assert not re.search(r"\bfetch\(|XMLHttpRequest|new Worker|\bimport\b *[({*]", code), path
    for path, page in built.site.pages.items():
        for script in page.all("script"):
            assert script.attributes.get("type", "application/ld+json") == "application/ld+json", path


@check("B42-large-index")
def large_index(built: Built) -> None:
    data = built.site.read("search/names.js")
    assert len(built.site.names) == 5001
    assert len(data) + len(built.site.read("search/words.js")) < 2_000_000
    assert b"lorem" not in data
    # Loaded on first use: a page names the data, but no script element loads it.
    page = built.site.page("index.html")
    assert not [script for script in page.all("script") if "names" in script.attributes.get("src", "")]
    assert len(page.rows()) == 200


# ------------------------------------------------------------------------ G. output folder and builds


@check("B50-foreign-folder")
def foreign_folder(built: Built) -> None:
    for done, name in zip(built.done, ("site", ".", "home"), strict=True):
        assert f"output folder {name} is" in done.stderr
    assert contents(built.folder / "here") == {"notes.txt": b"the current folder\n"}
    assert contents(built.folder / "home") == {"diary.txt": b"the home folder\n"}
    assert set(contents(built.folder / "site")) == {".git/HEAD", "thesis.txt"}


@check("B51-withdrawn")
def withdrawn(built: Built) -> None:
    _, second, fresh = built.done
    assert contents(second.out) == contents(fresh.out)
    assert not second.site.says("withdrawn")
    assert "acme/withdrawn-1b" not in second.site.names


@check("B52-odd-values")
def odd_values(built: Built) -> None:
    page = built.site.result("acme/odd-1b")
    assert page.fact("Tested") == GAP
    assert page.one("section", aria_labelledby="script").text.split() == ["run.py", "not", "recorded"]
    stack = dict(re.findall(r"^\s*([\w-]+?)\s*(\{not json|main@\{u\}|not recorded)$", page.text, re.MULTILINE))
    assert page.fact("runner") == GAP
    assert page.fact("Peak device memory") == "33.1 GB of 24 GB"
    assert stack.get("nki") in (None, GAP)


@check("B53-same-bytes")
def same_bytes(built: Built) -> None:
    one, two = built.done
    assert contents(one.out) == contents(two.out)


@check("B56-output-in-input")
def output_in_input(built: Built) -> None:
    assert "the output folder data/site and the input folder data lie one inside the other" in built.stderr
    assert not built.done[-1].out.exists()


# ------------------------------------------------------------------------ H. rankings and completeness


@check("B57-rankings")
def rankings(built: Built) -> None:
    site = built.site
    orders = {
        "trending": ["old-name-7b", "control-1b", "never-tested-2b", "gated-8b", "deleted-1b"],
        "downloads": ["deleted-1b", "control-1b", "gated-8b", "never-tested-2b", "old-name-7b"],
    }
    for kind, order in orders.items():
        for path in (f"{kind}/index.html", f"{kind}/text-generation/index.html"):
            page = site.page(path)
            rows = page.rows()
            assert [row["id"] for row in rows] == [f"acme/{name}" for name in order]
            assert page.says("2026-10-30")
            assert {row["id"]: row["status"] for row in rows if row["tone"] != "untested"} == {
                CONTROL: "PASS · CPU match"
            }
            assert {row["status"] for row in rows if row["tone"] == "untested"} == {"Not tested"}
            gated = next(row for row in rows if row["id"] == "acme/gated-8b")
            assert (gated["downloads"], gated["likes"]) == (GAP, GAP)
    assert "acme/new-name-7b" in {row["id"] for row in site.page("all/index.html").rows()}


@check("B58-counts")
def counts(built: Built) -> None:
    said = built.done[-1].stdout
    assert "2 files, 220 rows, 220 runs, 0 duplicates, 0 refused, 210 models, 2 pairs, 220 results" in said
    pages = [path for path in built.site.paths if path.count("/") == 4 and path.startswith("models/")]
    assert len([path for path in pages if path.endswith("/index.html")]) == 220
    rows = sum(pq.read_metadata(path).num_rows for path in (built.folder / "data").iterdir())
    assert rows == 220
