"""How the package hangs together: imports point downwards, one home for each thing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "sitegen"

# Each module may import only from the lines above its own.
LAYERS = (
    "sitegen",
    "pages rules errors versions outcome progress metrics redact table unchanged given arrow",
    "model",
    "config places safe",
    "fetched lock segments",
    "cells schema read texts urls highlight tracebacks ansi plain archives",
    "failure badge",
    "diff logs redacted signature metadata requirements rules.codes rules.files rules.rows",
    "runs",
    "content rankings",
    "lists",
    "exceptions site caveats",
    "plan search history rules.pairs rules.site",
    "published reproduce report dataset",
    "successors",
    "permalinks summary",
    "assets pages.parts",
    "pages.sayings",
    "bundle cite pages.badges pages.crawlers",
    "pages.chooser pages.comparisons pages.facets pages.feeds pages.rows pages.samples",
    "pages.compared pages.matrix",
    "pages.errors pages.evidence pages.model pages.versions",
    "pages.changes pages.records",
    "pages.catalog pages.notice pages.twins",
    (
        "pages.ambiguous pages.compare pages.coverage pages.data pages.docs pages.lists pages.not_found pages.owners"
        " pages.moved pages.result pages.search"
    ),
    "jinja pages.kinds shell write",
    "offline",
    "render",
    "workers",
    "build",
    "serve",
    "datafolder masks renames",
    "refusals",
    "retry",
    "hub",
    "client",
    "fetch",
    "messages",
    "cli",
    "__main__",
)
LAYER_OF = {module: number for number, line in enumerate(LAYERS) for module in line.split()}


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "sitegen"


TREES = {
    name_of(path): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
    if "_files" not in path.parts
}
PAGES = sorted(name for name in TREES if name.startswith("pages.") and name != "pages.kinds")


def imports(module: str) -> Iterator[str]:
    """Every module that `module` imports, inside functions too; of ours without the `sitegen.`."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("sitegen.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in ("sitegen", "sitegen.pages", "sitegen.rules"):
            prefix = node.module.removeprefix("sitegen").removeprefix(".")
            names = (f"{prefix}.{alias.name}".lstrip(".") for alias in node.names)
            yield from (name if name in TREES else node.module for name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.removeprefix("sitegen.")


def roots(module: str) -> set[str]:
    """The first names of the imported modules."""
    return {name.split(".")[0] for name in imports(module)}


def users_of(package: str) -> set[str]:
    return {module for module in TREES if package in roots(module)}


def calls(module: str) -> Iterator[str]:
    """What is called, as it is written: `Markup`, `datetime.now`."""
    return (ast.unparse(node.func) for node in ast.walk(TREES[module]) if isinstance(node, ast.Call))


def texts(module: str) -> Iterator[str]:
    """Every text of the code, documentation apart."""
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def test_every_module_has_its_layer() -> None:
    assert set(TREES) == set(LAYER_OF)


@pytest.mark.parametrize("module", sorted(TREES))
def test_imports_point_downwards(module: str) -> None:
    upwards = {name for name in imports(module) if name in LAYER_OF and LAYER_OF[name] >= LAYER_OF[module]}
    assert not upwards


def test_a_package_imports_nothing_so_that_each_module_can_be_imported_alone() -> None:
    assert not {*imports("pages"), *imports("rules")} - {"__future__"}


def test_all_page_kinds_are_listed() -> None:
    listed = {name for name in imports("pages.kinds") if name.startswith("pages.")}
    assert listed == set(PAGES) - {
        "pages.changes",
        "pages.chooser",
        "pages.compared",
        "pages.comparisons",
        "pages.evidence",
        "pages.facets",
        "pages.matrix",
        "pages.parts",
        "pages.records",
        "pages.rows",
        "pages.samples",
        "pages.sayings",
        "pages.moved",
    }


@pytest.mark.parametrize("module", ["errors", "versions", "outcome", "model"])
def test_the_nouns_know_nothing_above_them(module: str) -> None:
    assert {name for name in imports(module) if name in LAYER_OF} <= {"outcome", "versions"}


def test_pages_know_nothing_of_jinja_and_render_nothing_of_page_kinds() -> None:
    assert users_of("jinja2") == {"jinja"}
    assert not {name for name in (*imports("render"), *imports("jinja")) if name.startswith("pages")}


def test_only_safe_makes_markup() -> None:
    makers = {module for module in TREES if "Markup" in set(calls(module))}
    assert makers == {"safe"}
    assert users_of("nh3") == {"safe"}


def test_each_library_has_its_home() -> None:
    assert users_of("pyarrow") == {"arrow", "rules.files", "read", "redacted", "runs", "schema", "table"}
    assert users_of("pygments") == {"highlight"}
    assert users_of("markdown") == {"content"}
    assert users_of("lunr") == {"search"}
    assert users_of("packaging") == {"requirements", "versions"}
    assert users_of("click") == {"cli", "serve"}
    assert users_of("rich") == {"progress"}
    assert users_of("huggingface_hub") == {"hub"}
    assert users_of("httpx2") == {"hub", "refusals", "retry"}


def test_a_build_asks_no_network_and_no_clock() -> None:
    fetching = {"cli", "client", "datafolder", "fetch", "hub", "masks", "messages", "refusals", "renames", "retry"}
    assert not {m for m in TREES if m not in fetching and set(imports(m)) & (fetching - {"cli"})} - {"__main__"}
    for package in ("socket", "http", "ssl", "requests", "random", "secrets", "uuid"):
        assert users_of(package) <= {"serve"}
    assert users_of("time") == {"lock", "progress", "retry", "serve"}  # seconds of the report; waits; watching
    assert not {m for m in TREES if "urllib.request" in imports(m)}
    clock = ("now", "today", "utcnow")
    assert not {(m, call) for m in TREES if m != "hub" for call in calls(m) if call.split(".")[-1] in clock}


def test_nothing_is_evaluated() -> None:
    """Case B26: data is never compiled, as a template or as code."""
    forbidden = {"eval", "exec", "compile", "from_string"}
    assert not {
        (m, call) for m in TREES for call in calls(m) if call.split(".")[-1] in forbidden and call != "re.compile"
    }
    assert not users_of("pickle") | users_of("marshal")


def test_only_urls_makes_an_address() -> None:
    """Still open: the links of the documents (content) and the addresses of lists (pages.lists) are spelled out."""
    spelled = {module for module in TREES if any("index.html" in text for text in texts(module))}
    assert spelled <= {"urls", "content", "pages.lists"}


def test_templates_have_the_stems_of_their_pages() -> None:
    kinds = {
        ast.literal_eval(node.args[1])
        for module in PAGES
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Page" and isinstance(node.args[1], ast.Constant)
    }
    assert kinds
    for kind in kinds:
        assert (PACKAGE.parent / "templates" / "pages" / f"{kind}.html").is_file(), kind
