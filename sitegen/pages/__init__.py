"""The kinds of pages: one module each, with a context dataclass a template and `plan(site)`. Listed in `PAGE_KINDS`.

Feeds have no template.
"""

from sitegen.pages import (
    ambiguous,
    compare,
    coverage,
    data,
    docs,
    errors,
    feeds,
    lists,
    model,
    not_found,
    owners,
    result,
    search,
    versions,
)

PAGE_KINDS = (
    lists,
    owners,
    model,
    result,
    ambiguous,
    versions,
    compare,
    coverage,
    errors,
    feeds,
    docs,
    data,
    search,
    not_found,
)
