"""The catalogue described as a data set, in the words of schema.org (JSON-LD): only what the data states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sitegen import urls
from sitegen.cells import count, day
from sitegen.config import is_web_address
from sitegen.site import Site

_FILES = ((urls.CATALOG_JSON, "application/json"), (urls.CATALOG_PARQUET, "application/vnd.apache.parquet"))
_MEASURED = ("result of the run", "check of its output", "cores", "wall time, compilation included", "peak memory")


def dataset(site: Site) -> Mapping[str, Any]:
    """A `Dataset`; what is not known is left out, and so is what must be absolute where the site has no address."""
    catalog, base = site.catalog, site.settings.base_url
    found = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": catalog.title,
        "description": _description(site),
        "url": urls.absolute(base, urls.DATA) if base else None,
        "version": catalog.revision,
        "license": _licence(catalog.licence),
        "isBasedOn": catalog.dataset,
        "temporalCoverage": _period(site),
        "variableMeasured": list(_MEASURED),
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": media, "contentUrl": urls.absolute(base, path)}
            for path, media in _FILES
            if base
        ],
    }
    return {name: value for name, value in found.items() if value}


def _description(site: Site) -> str:
    runs = sum(len(result.runs) for result in site.results)
    text = (
        f"{count(runs, 'recorded run')} of {count(len({r.model_id for r in site.results}), 'model')}"
        f" on {site.catalog.device} under {count(len(site.pairs), 'version pair')}, each with its result"
        " and how its output was checked."
    )
    return f"{text} {site.catalog.notice or ''}".strip()


def _licence(licence: str | None) -> Any:
    """An address as it is; a name as a work of this name, since a text alone is no licence to schema.org."""
    if not licence or is_web_address(licence):
        return licence
    return {"@type": "CreativeWork", "name": licence}


def _period(site: Site) -> str | None:
    moments = [run.tested_at for result in site.results for run in result.runs if run.tested_at]
    return f"{day(min(moments))}/{day(max(moments))}" if moments else None
