"""Every address of the site: the only file that makes one.

A *path* is relative to the site's root, in lower case, and names a file (`models/acme/x-1b/index.html`). Links are
made relative to the page they stand on, so that one build serves any base path, a zip and `file://`.

Lengths: a segment has at most 100 characters and a path at most 200. The longest path is
`models/<owner 40>/<name 64>/<pair 58>/runs/<12>/bundle.zip`, 197 characters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from posixpath import dirname
from urllib.parse import quote

from sitegen.model import Run, VersionPair
from sitegen.segments import (
    NAME_MAX,
    SHORT_HASH,
    STATUS_MAX,
    apart,
    hashed,
    owner_segments,
    pair_segments,
    plain_segment,
    segment,
)

HOME = "index.html"
NOT_FOUND = "404.html"
SEARCH = "search/index.html"
DATA = "data/index.html"
DOCS = "docs/index.html"
VERSIONS = "versions/index.html"
VERSIONS_DATA = "versions/rows.js"
COMPARE = "compare/index.html"
COVERAGE = "coverage/index.html"
ERRORS = "errors/index.html"
OWNERS = "models/index.html"
ALL = "all/index.html"
URLS = "urls.json"
ZIP = "site.zip"
CATALOG_JSON = "catalog.json"
CATALOG_PARQUET = "catalog.parquet"
ROBOTS = "robots.txt"
LLMS = "llms.txt"
NOTICE, LICENCE = "notice.txt", "license.txt"  # the second spelt as readers of repositories look for it
SITEMAP = "sitemap.xml"
# The files beside a model's page.
MODEL_JSON, MODEL_MARKDOWN, BADGE, BADGE_JSON = "model.json", "model.md", "badge.svg", "badge.json"


def relative(source: str, target: str) -> str:
    """The link from the page at path `source` to the file at path `target`."""
    shared = 0  # characters of the folders that both lie in
    for end in _folder_ends(source):
        if not target.startswith(source[shared:end], shared):
            break
        shared = end
    return "../" * source.count("/", shared) + target[shared:]


@lru_cache(maxsize=8)
def _folder_ends(path: str) -> tuple[int, ...]:
    return tuple(map(len, folders_above(path)))


def paged(path: str, number: int) -> str:
    """Page `number` (from 1) of the list whose first page is at `path`."""
    folder = path.removesuffix("index.html")
    return path if number == 1 else f"{folder}page-{number}/index.html"


def page_in(folder: str) -> str:
    """The page of a folder (with a slash at its end)."""
    return f"{folder}index.html"


def folder_of(path: str) -> str:
    """The folder that a page, or a file, stands in, with a slash at its end."""
    return path[: path.rfind("/") + 1]


def folders_above(path: str) -> Iterator[str]:
    """Each folder that a path lies in, the outermost first, with a slash at its end."""
    return (path[: at + 1] for at, character in enumerate(path) if character == "/")


def first_page(path: str) -> str | None:
    """The first page of the list that this is a later page of; None where it is none."""
    later = re.fullmatch(r"(.*/|)page-\d+/index\.html", path)
    return later and page_in(later[1])


@dataclass(frozen=True)
class RunFile:
    """A file of a run, as its address names it below the model's folder."""

    pair: str  # its segment
    run: str | None  # None for the headline run
    name: str


def run_file_in(rest: str) -> RunFile | None:
    """What an address means that lies below a model's folder, where that is a file of a run."""
    found = re.fullmatch(r"([^/]+)/(?:runs/([0-9a-f]{12})/)?(run\.py|error\.log|bundle\.zip)", rest)
    return RunFile(found[1], found[2], found[3]) if found else None


def comparison_in(path: str) -> tuple[str, str] | None:
    """The segments of the older and the newer pair, where the path is a page of their comparison."""
    found = re.fullmatch(r"compare/([^/]+)/([^/]+)/(?:page-\d+/)?index\.html", path)
    return (found[1], found[2]) if found else None


def ranking(kind: str, task: str) -> str:
    return f"{kind}/{segment(task)}/index.html"


def doc(stem: str) -> str:
    return f"docs/{segment(stem)}/index.html"


def error(slug: str) -> str:
    """The page of the error signature with this slug."""
    return f"errors/{slug}/index.html"


def is_error(path: str) -> bool:
    """Whether it is the page of an error signature."""
    return path.startswith("errors/") and path != ERRORS


def beside(path: str, name: str) -> str:
    """The file of this name in the folder of `path`."""
    folder, slash, _ = path.rpartition("/")
    return f"{folder}{slash}{name}"


def schema(name: str, version: int) -> str:
    """The JSON Schema of a kind of file; one that is published stays when a next version comes."""
    return f"schema/{name}-v{version}.json"


def is_frozen_badge(path: str) -> bool:
    return path.startswith("badges/")


def sitemap(number: int) -> str:
    """Part `number` (from 1) of a sitemap that is too long for one file."""
    return f"sitemap-{number}.xml"


def feed(name: str) -> str:
    """A feed over all models, at the root: `feed`, or the transition that its entries have."""
    return f"{name}.xml"


def absolute(base_url: str, path: str) -> str:
    """The absolute address of a path, folders without their `index.html`."""
    folder = re.sub(r"(^|/)index\.html$", r"\1", path)
    return f"{base_url.rstrip('/')}/{folder}"


def external(template: str, **values: str) -> str:
    """An address elsewhere from a template of the settings, every value percent-encoded (slashes kept)."""
    for name, value in values.items():
        safe = "/" if name in ("id", "file") else ""
        template = template.replace(f"{{{name}}}", quote(value, safe, errors="replace"))
    return template


@dataclass(frozen=True)
class Addresses:
    """The addresses of models and pairs, which depend on what else there is only where two would meet."""

    models: Mapping[str, str]  # id -> folder, with a slash at the end
    pairs: Mapping[VersionPair, str]  # pair -> segment
    ambiguous: Mapping[str, tuple[str, ...]]  # path of the plain page -> the ids that would meet there

    def model(self, model_id: str) -> str:
        return f"{self.models[model_id]}index.html"

    def feed(self, model_id: str) -> str:
        return f"{self.models[model_id]}feed.xml"

    def model_file(self, model_id: str, name: str) -> str:
        """A file beside a model's page: one of MODEL_JSON, MODEL_MARKDOWN, BADGE, BADGE_JSON."""
        return f"{self.models[model_id]}{name}"

    def frozen_badge(
        self, pair: VersionPair, keys: str, words: str, plain: bool = False, digits: int = SHORT_HASH
    ) -> str:
        """The badge that says `words` of a result under a pair: by its `keys` where they are `plain`, say it all."""
        status = segment(keys, STATUS_MAX, words) if plain else hashed(keys, STATUS_MAX, words, digits)
        return f"badges/{self.pairs[pair]}-{status}.svg"

    def owner(self, model_id: str) -> str:
        return f"{dirname(self.models[model_id].rstrip('/'))}/index.html"

    def result(self, model_id: str, pair: VersionPair) -> str:
        return self.models[model_id] + self.pair_file(pair)

    def run_file(self, run: Run, name: str, headline: bool) -> str:
        """A file of a run, `run.py`, `error.log` or `bundle.zip`: plain for the headline run, else under `runs/`."""
        folder = f"{self.models[run.model_id]}{self.pairs[run.pair]}/"
        return folder + (name if headline else f"runs/{run.short}/{name}")

    def pair(self, pair: VersionPair) -> str:
        return f"versions/{self.pairs[pair]}/index.html"

    def pair_list(self, pair: VersionPair, path: str) -> str:
        """The list at `path` (home, `all/`, a ranking) under one pair."""
        return f"versions/{self.pairs[pair]}/{path}"

    def comparison(self, old: VersionPair, new: VersionPair) -> str:
        return f"compare/{self.pairs[old]}/{self.pairs[new]}/index.html"

    def pair_file(self, pair: VersionPair) -> str:
        """The address of a result under this pair, from the folder of its model."""
        return f"{self.pairs[pair]}/index.html"


def assign(ids: Iterable[str], pairs: Iterable[VersionPair]) -> Addresses:
    """Addresses for all ids and pairs of a catalogue, the same whatever their order."""
    ids = sorted(set(ids))
    owners = owner_segments({_halves(model_id)[0] for model_id in ids})
    plain: dict[str, list[str]] = defaultdict(list)
    others: list[str] = []
    for model_id in ids:
        owner, name = _halves(model_id)
        text = plain_segment(name, NAME_MAX)
        if text is None:
            others.append(model_id)
        else:
            plain[f"models/{owners[owner]}/{text}/"].append(model_id)
    ambiguous = {page_in(folder): tuple(meeting) for folder, meeting in plain.items() if len(meeting) > 1}

    def folder_with_hash(model_id: str, digits: int) -> str:
        owner, name = _halves(model_id)
        return f"models/{owners[owner]}/{hashed(name, NAME_MAX, model_id, digits)}/"

    models = {meeting[0]: folder for folder, meeting in plain.items() if len(meeting) == 1}
    models |= apart([*others, *chain(*ambiguous.values())], folder_with_hash)
    return Addresses(models, pair_segments(pairs), ambiguous)


def _halves(model_id: str) -> tuple[str | None, str]:
    owner, slash, name = model_id.partition("/")
    return (owner, name) if slash else (None, model_id)
