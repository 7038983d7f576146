"""Contexts become bytes, by Jinja. Knows nothing of what kinds of pages there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sitegen import urls
from sitegen.errors import Unfinished
from sitegen.plan import Output, Page
from sitegen.safe import finalize
from sitegen.shell import Shell
from sitegen.texts import TextReader

GLOBALS = frozenset({"shell", "link", "asset"})  # what a template may use beside its context's fields


def environment(templates: Path) -> Environment:
    """Autoescape whatever a template's name; an undefined name, or None where a value is printed, is a fault."""
    return Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=["jinja2.ext.loopcontrols"],
    )


@dataclass
class Renderer:
    """Renders pages one after the other; `link` and `asset` speak for the page at hand."""

    templates: Path
    shell: Shell
    paths: frozenset[str]
    assets: Mapping[str, str]
    base_path: str

    def __post_init__(self) -> None:
        self.page = ""
        self.relative = True
        self.env = environment(self.templates)
        self.env.globals.update(link=self.link, asset=self.asset)

    def render(self, output: Output, reader: TextReader) -> bytes:
        if not isinstance(output, Page):
            return output.content(reader)
        self.page, self.relative = output.path, output.relative
        context = output.context(reader)
        values: dict[str, Any] = {field.name: getattr(context, field.name) for field in fields(context)}
        template = self.env.get_template(f"pages/{output.kind}.html")
        return template.render(values, shell=self.shell.of(context.head, self._href(""))).encode()

    def link(self, path: str) -> str:
        """The link from the page at hand to a path of the site; one that is not planned is a fault."""
        target, hash_, anchor = path.partition("#")
        if target not in self.paths:
            raise Unfinished(f"{self.page} links to {target}, which is not planned")
        return self._href(target) + hash_ + anchor

    def asset(self, name: str) -> str:
        return self._href(self.assets[name])

    def _href(self, target: str) -> str:
        if not self.relative:
            return self.base_path + target
        return urls.relative(self.page, target) if target else "../" * self.page.count("/")
