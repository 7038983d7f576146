"""The kinds of pages: one module each, with a context dataclass a template and `plan(site)`. Listed in `PAGE_KINDS`.

Feeds, badges and files for programs have no template.
"""

from sitegen.pages import (
    ambiguous,
    badges,
    catalog,
    compare,
    coverage,
    crawlers,
    data,
    docs,
    errors,
    feeds,
    lists,
    model,
    not_found,
    notice,
    owners,
    result,
    search,
    twins,
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
    badges,
    twins,
    catalog,
    crawlers,
    notice,
    docs,
    data,
    search,
    not_found,
)
