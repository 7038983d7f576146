"""The kinds of pages: one module each, with a context dataclass a template and `plan(site)`. Listed in `kinds.py`.

Feeds, badges and files for programs have no template.
"""
