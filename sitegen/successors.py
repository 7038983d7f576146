"""Where an address of an earlier build leads now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sitegen import urls
from sitegen.model import Model, VersionPair
from sitegen.plan import Output
from sitegen.published import Published
from sitegen.site import Site


class Successors:
    """What stands for an address now. `renamed` has all renames that are known, by the folded earlier id."""

    def __init__(self, site: Site, previous: Published, planned: Mapping[str, Output]) -> None:
        self.site, self.previous, self.planned = site, previous, planned
        self.pairs = {segment: pair for pair, segment in site.addresses.pairs.items()}
        # An id that is ranked is a name of its own, whatever it was once renamed to.
        ranked = {model_id.casefold() for model_id in site.places}
        before = {**_renamed_before(previous), **previous.renamed}
        self.renamed = {**{old: new for old, new in before.items() if old not in ranked}, **site.renamed}
        self.handed_on = {old: new for old, new in self.renamed.items() if old not in ranked}
        self.folded = _by_fold(site.models)
        self.by_owner = _by_owner(previous)

    def of(self, path: str, depth: int = 8) -> str | None:
        """A planned path, or None. What moved before leads on, but not in circles."""
        if path in self.planned:
            return path
        if depth == 0:
            return None
        found = self.previous.model_of(path)
        if found and (target := self._of_model(path, *found)):
            return target
        first = urls.first_page(path)  # a list that became shorter
        if target := self.of(first, depth - 1) if first else self._of_owner(path):
            return target
        before = self.previous.moved.get(path)
        return self.of(before.target, depth - 1) if before else None

    def _of_model(self, path: str, folder: str, old: str) -> str | None:
        """The same page or file of the model as it is called now; for the model's own page, that model's page."""
        new = self.id_now(old)
        if new is None:
            return None
        rest = path.removeprefix(folder)
        same = self.site.addresses.models[new] + rest
        if same in self.planned:
            return same
        return self.site.addresses.model(new) if path == urls.page_in(folder) else self._of_run(new, rest)

    def _of_run(self, model_id: str, rest: str) -> str | None:
        """The same file of the same run, shown elsewhere now; where none is named, of the newest run that has it."""
        named = urls.run_file_in(rest)
        pair = self.pairs.get(named.pair) if named else None
        result = self.site.by_id[model_id].by_pair.get(pair) if pair else None
        if named is None or result is None:
            return None
        runs = [run for run in result.runs if named.run in (None, run.short)]
        paths = [self.site.addresses.run_file(run, named.name, run is result.headline) for run in runs]
        return next((path for path in paths if path in self.planned), None)

    def _of_owner(self, path: str) -> str | None:
        """The page of the owner that has all the models now."""
        went = {self.id_now(old) for old in self.by_owner.get(path, ())}
        pages = {self.site.addresses.owner(new) if new else None for new in went}
        return next(iter(pages)) if len(pages) == 1 else None

    def owners(self, path: str) -> tuple[str, ...]:
        """The pages of all owners that models of an owner's page went to."""
        went = (self.id_now(old) for old in self.by_owner.get(urls.first_page(path) or path, ()))
        return tuple(sorted({self.site.addresses.owner(new) for new in went if new}))

    def compared(self, path: str) -> tuple[VersionPair, VersionPair] | None:
        """The two pairs of a comparison, the older first, where both are in the data."""
        old, new = (self.pairs.get(segment) for segment in urls.comparison_in(path) or ("", ""))
        return (old, new) if old and new else None

    def heir(self, path: str) -> str | None:
        found = self.previous.model_of(path)
        return self.id_now(found[1]) if found else None

    def badge_of(self, path: str) -> str | None:
        """What a badge was of that is not listed any more: the id of a model, or a result for a frozen one."""
        if urls.is_frozen_badge(path):
            return "a result"
        found = self.previous.model_of(path)
        if found is None or path.removeprefix(found[0]) not in (urls.BADGE, urls.BADGE_JSON):
            return None
        return found[1] if self.id_now(found[1]) is None else None

    def id_now(self, old: str) -> str | None:
        """The id that the model has now: the same, or the one that it got since."""
        return old if old in self.site.by_id else self.id_since(old)

    def id_since(self, old: str) -> str | None:
        """Another id that the model has now: the one that rankings say it was renamed to, or re-cased."""
        seen = {old}
        new: str | None = self.renamed.get(old.casefold())
        while new is not None and new not in seen:
            if found := new if new in self.site.by_id else self._recased(new):
                return found
            seen.add(new)
            new = self.renamed.get(new.casefold())
        return self._recased(old)

    def _recased(self, old: str) -> str | None:
        """The id that differs in its case only; but what was another model before is one now."""
        found = self.folded.get(old.casefold())
        return found if found not in self.previous.models else None


def _by_owner(previous: Published) -> Mapping[str, list[str]]:
    """The ids of the last build by their owner's page; of owners that had none, those that they had before."""
    now = [(state.folder, model_id) for model_id, state in previous.models.items()]
    found: list[dict[str, list[str]]] = []
    for folders in (previous.former.items(), now):
        ids: dict[str, list[str]] = defaultdict(list)
        for folder, model_id in folders:
            ids[urls.page_in(urls.folder_of(folder[:-1]))].append(model_id)
        found.append(ids)
    return found[0] | found[1]


def _renamed_before(previous: Published) -> Mapping[str, str]:
    """Renames as a list without them tells: by where the pages of models led."""
    found = {}
    for folder, old in previous.former.items():
        moved = previous.moved.get(urls.page_in(folder))
        if moved and (new := previous.model_of(moved.target)):
            found[old.casefold()] = new[1]
    return found


def _by_fold(models: Iterable[Model]) -> Mapping[str, str]:
    """Ids by their folded form, where only one has it."""
    found: dict[str, list[str]] = {}
    for model in models:
        found.setdefault(model.id.casefold(), []).append(model.id)
    return {folded: ids[0] for folded, ids in found.items() if len(ids) == 1}
