"""Every address of the site: the only file that makes one.

A *path* is relative to the site's root, in lower case, and names a file (`models/acme/x-1b/index.html`). Links are
made relative to the page they stand on, so that one build serves any base path, a zip and `file://`.

Lengths: a segment has at most 100 characters and a path at most 200. The longest path is
`models/<owner 40>/<name 64>/<pair 58>/runs/<12>/bundle.zip`, 197 characters.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname
from urllib.parse import quote

from sitegen.model import Run, VersionPair

OWNER_MAX, NAME_MAX, PAIR_MAX, SHORT_MAX = 40, 64, 58, 48
STATUS_MAX = 37  # behind a pair, in the name of a badge
NO_OWNER = "-"
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?")
_PLAIN_VERSION = re.compile(r"[0-9a-z._]+(\+[0-9a-z._]+)?")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
# What a segment may not be: the files and folders that stand beside it, and `--`, which marks a hash.
_RESERVED = re.compile(r"index\.html|rows\.js|feed\.xml|(?:model|badge)\.json|model\.md|badge\.svg|page-\d+|.*--.*")

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


def short_hash(text: str) -> str:
    """Eight hex digits that belong to the text alone."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def segment(text: str, limit: int = SHORT_MAX, of: str | None = None) -> str:
    """One path segment for a text: lower case as it is where that is a legal name, else with a hash of `of` (the text).

    The hash stands behind `--`, which no plain segment contains: a plain name never falls on a hashed one.
    """
    lower = text.lower()
    legal = _PLAIN.fullmatch(lower) and lower.isascii() and not _DEVICE.match(lower) and not _RESERVED.fullmatch(lower)
    return lower if legal and len(lower) <= limit else hashed(text, limit, text if of is None else of)


def hashed(text: str, limit: int, of: str) -> str:
    """What is legal of the text, then `--` and the short hash of `of`."""
    kept = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9._-]+", "-", text.lower())).strip("._-")
    if _DEVICE.match(kept):
        kept = "n-" + kept
    kept = kept[: limit - 10].rstrip("._-")
    return f"{kept or 'x'}--{short_hash(of)}"


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


def ranking(kind: str, task: str) -> str:
    return f"{kind}/{segment(task)}/index.html"


def doc(stem: str) -> str:
    return f"docs/{segment(stem)}/index.html"


def error(slug: str) -> str:
    """The page of the error signature with this slug."""
    return f"errors/{slug}/index.html"


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

    def frozen_badge(self, pair: VersionPair, keys: str, words: str, plain: bool) -> str:
        """The badge that says `words` of a result under a pair: by its `keys` where they are `plain`, say it all."""
        status = segment(keys, STATUS_MAX, words) if plain else hashed(keys, STATUS_MAX, words)
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
    plain: dict[str, list[str]] = defaultdict(list)
    for model_id in sorted(set(ids)):
        plain[_model_folder(model_id)].append(model_id)
    models: dict[str, str] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for folder, claimants in plain.items():
        if len(claimants) == 1:
            models[claimants[0]] = folder
            continue
        ambiguous[f"{folder}index.html"] = tuple(claimants)
        for model_id in claimants:
            _, name = _halves(model_id)
            models[model_id] = f"{dirname(folder.rstrip('/'))}/{hashed(name, NAME_MAX, model_id)}/"
    return Addresses(models, _pair_segments(pairs), ambiguous)


def _halves(model_id: str) -> tuple[str | None, str]:
    owner, slash, name = model_id.partition("/")
    return (owner, name) if slash else (None, model_id)


def _model_folder(model_id: str) -> str:
    owner, name = _halves(model_id)
    first = NO_OWNER if owner is None else segment(owner, OWNER_MAX)
    return f"models/{first}/{segment(name, NAME_MAX, model_id)}/"


def _pair_segments(pairs: Iterable[VersionPair]) -> Mapping[VersionPair, str]:
    meeting: dict[str, list[VersionPair]] = defaultdict(list)
    for pair in set(pairs):
        meeting[_pair_segment(pair)].append(pair)
    return {
        pair: text if len(claimants) == 1 else hashed(_pair_text(pair), PAIR_MAX, _pair_identity(pair))
        for text, claimants in meeting.items()
        for pair in claimants
    }


def _pair_identity(pair: VersionPair) -> str:
    return repr((pair.compiler, pair.library, pair.library_version))


def _pair_text(pair: VersionPair) -> str:
    parts = (pair.compiler, pair.library, pair.library_version)
    return "-".join(part or "not-recorded" for part in parts).replace("+", "-")


def _pair_segment(pair: VersionPair) -> str:
    """`2.28.7631.0-5e0f61c7-transformers-5.21.0`; with a hash where a version or the library's name is no plain one."""
    versions = (pair.compiler, pair.library_version)
    if pair.library and all(v and v == v.lower() and _PLAIN_VERSION.fullmatch(v) for v in versions):
        return segment(_pair_text(pair), PAIR_MAX, _pair_identity(pair))
    return hashed(_pair_text(pair), PAIR_MAX, _pair_identity(pair))
