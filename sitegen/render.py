"""Contexts become bytes, by Jinja. Knows nothing of what kinds of pages there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sitegen import urls
from sitegen.errors import Unfinished
from sitegen.jinja import environment
from sitegen.plan import Output, Page
from sitegen.shell import Shell
from sitegen.texts import TextReader

GLOBALS = frozenset({"shell", "link", "asset", "once"})  # what a template may use beside its context's fields


@dataclass
class Renderer:
    """Renders pages one after the other; `link`, `asset` and `once` speak for the page at hand."""

    templates: Path
    shell: Shell
    paths: frozenset[str]
    assets: Mapping[str, str]
    base_path: str

    def __post_init__(self) -> None:
        env = environment(self.templates, link=self.link, asset=self.asset, once=self.once)
        self.template = cache(lambda kind: env.get_template(f"pages/{kind}.html"))
        self.fragments = Fragments()

    def render(self, output: Output, reader: TextReader) -> bytes:
        if not isinstance(output, Page):
            return output.content(reader)
        self.page, self.relative = output.path, output.relative
        self.fragments.turn_to(output.path, output.relative)
        context = output.context(reader)
        values: dict[str, Any] = {field.name: getattr(context, field.name) for field in fields(context)}
        text: str = self.template(output.kind).render(values, shell=self.shell.of(context.head, self._href("")))
        return text.encode()

    def link(self, path: str) -> str:
        """The link from the page at hand to a path of the site; one that is not planned is a fault."""
        target, hash_, anchor = path.partition("#")
        if target not in self.paths:
            raise Unfinished(f"{self.page} links to {target}, which is not planned")
        return self._href(target) + hash_ + anchor

    def asset(self, name: str) -> str:
        return self._href(self.assets[name])

    def once(self, macro: Callable[..., Markup], *values: Any) -> Markup:
        """What a macro makes of these values, which have to be hashable: made once for all pages that share it."""
        return self.fragments.get(macro, values)

    def _href(self, target: str) -> str:
        self.fragments.linked(target)
        if not self.relative:
            return self.base_path + target
        return urls.relative(self.page, target) if target else "../" * self.page.count("/")


class Fragments:
    """Parts of pages that are the same on others, kept as they are.

    A part is its macro, its values and its links. A part without links is the same on every page. The links of two
    pages are the same where they lead out of the first folder of both, at one depth; and in one family, the pages of
    folders beside each other, also where they lead into it, but not into the page's own folder.
    """

    MAX = 5_000  # parts kept: pages that share them follow each other
    NO_LINK, ELSEWHERE, FAMILY, OWN = range(4)  # how near the links of a part lead

    def __init__(self) -> None:
        self.kept: dict[object, dict[object, Markup]] = {}
        self.count = 0
        self.turn_to(urls.HOME)

    def turn_to(self, page: str, relative: bool = True) -> None:
        """From here on, parts are those of this page."""
        self.folder = urls.folder_of(page)
        self.first = self.folder.partition("/")[0]
        alike = (self.folder.count("/"), self.first, relative)
        self.scopes = (None, alike, urls.folder_of(self.folder[:-1]) if self.first else alike)
        self.near = self.NO_LINK  # of the part at hand

    def linked(self, target: str) -> None:
        """The part at hand has a link to this path."""
        if self.first and target.startswith(f"{self.first}/"):
            self.near = max(self.near, self.OWN if target.startswith(self.folder) else self.FAMILY)
        else:
            self.near = max(self.near, self.ELSEWHERE)

    def get(self, macro: Callable[..., Markup], values: tuple[Any, ...]) -> Markup:
        kept = self.kept.setdefault((macro, values), {})
        for near, scope in enumerate(self.scopes):
            if scope in kept:
                self.near = max(self.near, near)
                return kept[scope]
        around, self.near = self.near, self.NO_LINK
        made = macro(*values)
        if self.near < self.OWN:
            kept[self.scopes[self.near]] = made
            self.count += 1
        self.near = max(around, self.near)
        if self.count > self.MAX:
            self.kept, self.count = {}, 0
        return made
