"""The kinds of pages: one module each, with a context dataclass a template and `plan(site)`. Listed in `PAGE_KINDS`."""

from sitegen.pages import ambiguous, data, docs, lists, model, not_found, owners, result, search, versions

PAGE_KINDS = (lists, owners, model, result, ambiguous, versions, docs, data, search, not_found)
