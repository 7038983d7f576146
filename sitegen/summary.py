"""What changed since an earlier build, a line each, to be read before anything is published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from sitegen.cells import count
from sitegen.published import Published
from sitegen.site import Site


def since(site: Site, previous: Published, now: Published, went: Mapping[str, str]) -> Iterator[str]:
    """Models regressed, fixed, new and renamed, and addresses lost. `went` has the other ids that models have now."""
    before = _before(site, previous, now, went)
    tones = {i: (previous.models[old].tone, now.models[i].tone) for i, old in before.items() if old}
    names = {i: i if old in (None, i) else f"{i} (was {old})" for i, old in before.items()}
    changed = {
        "regressed": [names[i] for i, tone in tones.items() if tone == ("pass", "fail")],
        "no longer passed": [
            names[i] for i, tone in tones.items() if tone[0] == "pass" and tone[1] not in ("pass", "fail")
        ],
        "fixed": [names[i] for i, tone in tones.items() if tone == ("fail", "pass")],
        "new": [i for i, old in before.items() if old is None],
        "renamed": [names[i] for i, old in before.items() if old not in (None, i) and i not in previous.models]
        + [f"{new} (was {old})" for old, new in sorted(went.items()) if _merged(old, new, previous, now, before)],
        "no longer listed": sorted(i for i in previous.models.keys() - now.models.keys() if i not in went),
    }
    for name, ids in changed.items():
        if ids:
            more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
            yield f"{count(len(ids), 'model')} {name}: {', '.join(ids[:5])}{more}"
    moved = len(now.moved.keys() - previous.moved.keys())
    gone = len(now.gone.keys() - previous.gone.keys())
    yield f"{count(moved, 'address', 'addresses')} moved, {count(gone, 'address', 'addresses')} gone"


def _merged(old: str, new: str, previous: Published, now: Published, before: Mapping[str, str | None]) -> bool:
    """Whether a model is now one that was there before beside it."""
    return new in previous.models and old not in now.models and old not in before.values()


def _before(site: Site, previous: Published, now: Published, went: Mapping[str, str]) -> dict[str, str | None]:
    """For each id of now the id that the model had before: None for a new model, also under another one's old name."""
    earlier: dict[str, list[str]] = defaultdict(list)
    for old, new in went.items():
        earlier[new].append(old)
    before: dict[str, str | None] = {}
    for i in sorted(now.models):
        known = previous.models.get(i)
        names = [old for old in earlier[i] if known is None or old not in now.models]
        if known and not _taken(site, previous, now, i, went.get(i)) and not (known.tone == "untested" and names):
            before[i] = i
        else:
            before[i] = min(names, key=lambda old: (previous.models[old].tone == "untested", old), default=None)
    return before


def _taken(site: Site, previous: Published, now: Published, name: str, heir: str | None) -> bool:
    """Whether another model has this name now, since the one that had it appears as `heir` with its results.

    Rows under the earlier name may just have stayed; so that name must be ranked, or say something else.
    """
    if heir is None or heir in previous.models or not site.by_id[heir].results:
        return False
    return name in site.places or previous.models[name] != now.models[name]
