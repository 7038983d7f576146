"""A page as a person reads it: its visible text, a line a block, with headings, links and folded parts marked."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

SKIPPED = ("script", "style", "svg", "template")
BLOCKS = set(
    "address article aside blockquote body button caption dd details div dl dt footer form h1 h2 h3 h4 header label"
    " li main nav ol p pre section summary table tbody td th thead tr ul".split()
)


class Outline(HTMLParser):
    """Collects the lines; script, style and drawings are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self.skip = 0
        self.href: list[str] = []
        self.pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.skip += tag in SKIPPED
        self.pre += tag == "pre"
        if tag in BLOCKS:
            self.lines.append({"h1": "# ", "h2": "## ", "h3": "### ", "summary": "> ", "li": "- "}.get(tag, ""))
        if tag == "a":
            self.href.append(values.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self.skip -= tag in SKIPPED
        self.pre -= tag == "pre"
        if tag == "a" and (href := self.href.pop()) and not re.search(r"#(log-)?L\d", href):
            self.lines[-1] += f" <{href}>"
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if self.skip:
            return
        if self.pre:
            first, *rest = data.split("\n")
            self.lines[-1] += first
            self.lines += rest
        else:
            self.lines[-1] += re.sub(r"\s+", " ", data)


def outline(html: str) -> str:
    """The text of a page; its head is left out but for the title."""
    parser = Outline()
    parser.feed(html.partition("</head>")[2])
    title = re.search(r"<title>(.*?)</title>", html)
    lines = [f"title: {title[1] if title else ''}", *(line.rstrip() for line in parser.lines)]
    return "\n".join(line for line in lines if line.strip(" -")) + "\n"


def outlines(site: Path) -> dict[str, str]:
    """The outline of every page by its path."""
    return {p.relative_to(site).as_posix(): outline(p.read_text("utf-8")) for p in sorted(site.rglob("*.html"))}
