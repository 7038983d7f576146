"""A template gets exactly the names that its context declares: none is missing, none is left unused."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest
from jinja2 import Environment, meta, nodes

from sitegen.content import packaged
from sitegen.jinja import environment
from sitegen.pages import (
    ambiguous,
    compare,
    coverage,
    data,
    docs,
    errors,
    lists,
    model,
    moved,
    not_found,
    owners,
    result,
    search,
    versions,
)
from sitegen.render import GLOBALS

TEMPLATES = packaged("templates")
CONTEXTS = {
    "ambiguous": ambiguous.AmbiguousContext,
    "compare": compare.CompareContext,
    "comparisons": compare.ComparisonsContext,
    "coverage": coverage.CoverageContext,
    "data": data.DataContext,
    "doc": docs.DocContext,
    "docs": docs.DocsContext,
    "error": errors.ErrorContext,
    "errors": errors.ErrorsContext,
    "gone": moved.GoneContext,
    "list": lists.ListContext,
    "model": model.ModelContext,
    "moved": moved.MovedContext,
    "not_compared": moved.NotComparedContext,
    "not_found": not_found.NotFoundContext,
    "owner": owners.OwnerContext,
    "owners": owners.OwnersContext,
    "result": result.ResultContext,
    "search": search.SearchContext,
    "versions": versions.VersionsContext,
}
SOURCES = {path.relative_to(TEMPLATES).as_posix(): path.read_text("utf-8") for path in TEMPLATES.rglob("*.html")}


@pytest.fixture(scope="module")
def env() -> Environment:
    return environment(TEMPLATES)


def asked_for(env: Environment, name: str) -> set[str]:
    """The names that a template takes from outside, with those of the template that it extends."""
    tree = env.parse(SOURCES[name])
    imported = {
        name if isinstance(name, str) else name[1] for node in tree.find_all(nodes.FromImport) for name in node.names
    }
    imported |= {node.name for node in tree.find_all(nodes.Macro)}
    # Blocks see the imports and macros of their template, which Jinja's own analysis does not know.
    names = meta.find_undeclared_variables(tree) - imported
    for node in tree.find_all(nodes.Extends):
        assert isinstance(node.template, nodes.Const)
        names |= asked_for(env, node.template.value)
    assert not list(tree.find_all(nodes.Include)), "a part is a macro with explicit arguments"
    return names


def test_every_page_template_has_a_context() -> None:
    assert {Path(name).stem for name in SOURCES if name.startswith("pages/")} == set(CONTEXTS)


@pytest.mark.parametrize("kind", CONTEXTS)
def test_a_template_takes_what_its_context_has(env: Environment, kind: str) -> None:
    declared = {field.name for field in fields(CONTEXTS[kind])}
    assert asked_for(env, f"pages/{kind}.html") - GLOBALS == declared


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("parts/")])
def test_a_part_takes_its_arguments_only(env: Environment, name: str) -> None:
    assert asked_for(env, name) <= {"link", "asset", "once"}


@pytest.mark.parametrize("name", SOURCES)
def test_no_inline_script_or_style_and_no_markup_by_hand(name: str) -> None:
    source = SOURCES[name]
    assert not re.search(r"\|\s*safe\b|\bautoescape\b", source)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", source)
    # A block of data is no script; what stands in it is made in one place, which escapes it.
    blocks = re.findall(r"<script type=\"application/ld\+json\">(.*?)</script>", source)
    assert blocks == (["{{ shell.dataset }}"] if name == "base.html" else [])
    scripts = [tag for tag in re.findall(r"<script[^>]*>", source) if "application/ld+json" not in tag]
    assert all("src=" in tag for tag in scripts)


def test_contexts_hold_no_open_types() -> None:
    """A template is given values, not whatever: no field is typed Any or object."""
    for context in CONTEXTS.values():
        hints = get_type_hints(context)
        assert not [name for name, kind in hints.items() if kind is object or "Any" in str(kind)], context
