"""Pages and lists only: no feeds, tags, authors or archives, and a theme of three templates."""

from __future__ import annotations

SITENAME = "Model runs"
SITEURL = ""
AUTHOR = "bench"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PATH = "content"
THEME = "theme"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
ARTICLE_URL = ARTICLE_SAVE_AS = "{category}/{slug}.html"
CATEGORY_URL = CATEGORY_SAVE_AS = "{slug}/index.html"
AUTHOR_SAVE_AS = TAG_SAVE_AS = ARCHIVES_SAVE_AS = AUTHORS_SAVE_AS = TAGS_SAVE_AS = CATEGORIES_SAVE_AS = ""
DIRECT_TEMPLATES = ["index"]
DEFAULT_PAGINATION = False
SLUG_REGEX_SUBSTITUTIONS = [(r"\s+", "-")]
MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.codehilite": {"css_class": "highlight", "guess_lang": False},
        "markdown.extensions.extra": {},
        "markdown.extensions.meta": {},
    },
    "output_format": "html5",
}
