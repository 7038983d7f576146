"""The index of words: docs, version pairs and error signatures, built by lunr and queried by lunr.js of its version.

Models are not in it: they are found by exact substring. Logs and scripts are never indexed.

Text is folded and cut into words as `static/js/match.js` does with queries: `tests/vectors/search.json` holds both to
it. lunr's own tokenizer and trimmer are not used: they differ between Python and JavaScript, and drop other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sitegen import urls
from sitegen.cells import count
from sitegen.content import Doc
from sitegen.site import Site

NAMES_PATH = "search/names.js"
WORDS_PATH = "search/words.js"
# Letters and digits, and the dots between them, so that 2.28.7631.0 is one word; `\w` without the underscore.
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")


@dataclass(frozen=True)
class Document:
    """What the words lead to: a page of the docs, a version pair, or an error signature."""

    path: str  # with an anchor where it is a section
    kind: str
    title: str
    summary: str
    text: str


def word_documents(site: Site) -> tuple[Document, ...]:
    docs = [document for doc in site.texts.docs for document in _doc(doc)]
    compiler = site.catalog.compiler
    pairs = []
    for pair in site.pairs:
        library = f"{pair.library or ''} {pair.library_version or 'not recorded'}"
        title = f"{compiler} {pair.compiler or 'not recorded'} / {library}"
        parts = " ".join(filter(None, (pair.compiler, pair.library, pair.library_version)))
        pairs.append(Document(site.addresses.pair(pair), "Versions", title, "", parts))
    errors = [
        Document(site.error_paths[text], "Errors", text, f"Error of {count(len(models), 'model')}", text)
        for text, models in sorted(site.by_signature.items())
    ]
    return (*docs, *pairs, *errors)


def _doc(doc: Doc) -> list[Document]:
    return [Document(urls.doc(doc.stem), "Docs", doc.title, doc.summary, doc.text)]


def fold(text: str) -> str:
    """Text for comparing, the same for every case and wherever a letter stands in its word."""
    return text.lower().upper().lower().replace("\u03c2", "\u03c3")  # final sigma, sigma


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(fold(text))


def word_index(documents: Sequence[Document]) -> Any:
    """The serialised lunr index, fields `title` and `summary` (weighted) and `text`, reference the path.

    Its search pipeline is the stemmer alone, which lunr.js has too; the index holds each word in all its forms.
    """
    if not documents:
        return None
    from lunr.builder import Builder
    from lunr.stemmer import porter_stemmer, stemmer

    builder = Builder()
    builder.search_pipeline.add(stemmer)
    builder.ref("path")
    for field, boost in (("title", 5), ("summary", 2), ("text", 1)):
        builder.field(field, boost)
    for document in documents:
        fields = {name: _forms(getattr(document, name), porter_stemmer.stem) for name in ("title", "summary", "text")}
        builder.add({"path": document.path, **fields})
    return builder.build().serialize()


def _forms(text: str, stem: Callable[[str], str]) -> list[str]:
    """Each word as it stands, its stem, and its parts between dots."""
    return [form for word in words(text) for form in dict.fromkeys((word, stem(word), *word.split(".")))]
