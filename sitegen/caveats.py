"""Which caveat stands beside which fact: one declarative table of rules on fields.

A rule never says more than its fields do; the sentences are `content/caveats/<id>.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.cells import NOT_RECORDED, brief
from sitegen.config import Catalog
from sitegen.model import Exclusion, Result, Run
from sitegen.outcome import Words
from sitegen.safe import fill


@dataclass(frozen=True)
class Facts:
    """What a rule may look at."""

    result: Result
    run: Run
    words: Words
    exclusion: Exclusion | None
    compiler: str  # the catalogue's word for it

    @property
    def ran(self) -> bool:
        """Whether something ran: an exclusion, a skip or a row without a result observed nothing."""
        return self.run.outcome.key not in ("excluded", "skipped", "unrecorded")

    @property
    def passed(self) -> bool:
        return self.run.outcome.tone == "pass"

    @property
    def sharded(self) -> bool:
        return self.run.tp is not None and self.run.tp > 1

    @property
    def protocol_known(self) -> bool:
        """The described protocol is the one for Transformers; of other libraries nothing is known."""
        return self.run.pair.library == "transformers"

    def says(self, check: str, verdict: bool | None) -> bool:
        """Whether the check's column holds a word with this verdict."""
        word = self.run.cpu_match if check == "cpu_match" else self.run.english
        return word is not None and self.words.judge(check, word) is verdict

    @property
    def missing(self) -> tuple[str, ...]:
        """The fields without which it is not known how the run was made."""
        run = self.run
        fields = {
            "library": run.pair.library, "library_version": run.pair.library_version, "neuronx_cc": run.pair.compiler,
            "tp": run.tp, "run_py": run.run_py,
        }  # fmt: skip
        return tuple(name for name, value in fields.items() if value is None)


@dataclass(frozen=True)
class Rule:
    """When a caveat shows. `weight` is `limit` (what a result doesn't show), `warning` or `unknown`."""

    id: str
    weight: str
    fields: tuple[str, ...]
    docs: str
    applies: Callable[[Facts], bool]


_RUN_FIELDS = ("library", "library_version", "neuronx_cc", "tp", "run_py")
_NO_RESULT = ("excluded", "unrecorded")

# id, weight, fields, docs, condition. The order is the order on the page.
_TABLE: tuple[tuple[str, str, tuple[str, ...], str, Callable[[Facts], bool]], ...] = (
    # What is odd about this result.
    ("runs-disagree", "warning", ("result", "cpu_match", "english"), "reading-a-result.md#runs-disagree",
     lambda f: f.result.disagree),
    ("exclusion-beside-result", "warning", ("exclusion",), "reading-a-result.md#exclusion-beside-result",
     lambda f: f.exclusion is not None and f.run.outcome.key not in _NO_RESULT),
    ("cpu-mismatch", "warning", ("cpu_match",), "outcomes.md#cpu-mismatch",
     lambda f: f.says("cpu_match", False)),
    ("not-fluent", "warning", ("english",), "outcomes.md#not-fluent",
     lambda f: f.says("english", False)),
    # What is not known.
    ("result-not-recorded", "unknown", ("result",), "outcomes.md#unrecorded",
     lambda f: f.run.outcome.key == "unrecorded"),
    ("result-unknown-word", "unknown", ("result",), "outcomes.md#unknown",
     lambda f: not f.run.outcome.known),
    ("check-word-unknown", "unknown", ("cpu_match", "english"), "outcomes.md#as-recorded",
     lambda f: f.says("cpu_match", None) or f.says("english", None)),
    # What the check shows, and what it doesn't.
    ("one-core-cpu-match", "limit", ("tp", "cpu_match"), "protocol.md#one-core",
     lambda f: f.run.tp == 1 and f.says("cpu_match", True)),
    ("one-core-no-comparison", "unknown", ("tp", "cpu_match", "result"), "protocol.md#one-core",
     lambda f: f.passed and f.protocol_known and f.run.tp == 1 and f.run.cpu_match is None),
    ("sharded-fluency", "limit", ("tp", "english"), "protocol.md#sharded",
     lambda f: f.sharded and f.says("english", True)),
    ("other-cpu-match", "limit", ("tp", "cpu_match"), "protocol.md#one-core",
     lambda f: f.run.tp != 1 and f.says("cpu_match", True)),
    ("other-fluency", "limit", ("tp", "english"), "protocol.md#sharded",
     lambda f: not f.sharded and f.says("english", True)),
    ("sharded-not-judged", "unknown", ("tp", "english", "result"), "protocol.md#sharded",
     lambda f: f.passed and f.protocol_known and f.sharded and f.run.english is None),
    ("expert-parallel", "limit", ("notes",), "protocol.md#expert-parallel",
     lambda f: "expert parallelism only" in (f.run.notes or "").lower()),
    # What no result of this kind shows.
    ("tokens-32", "limit", ("result", "library"), "protocol.md#tokens",
     lambda f: f.passed and f.protocol_known),
    ("not-throughput", "limit", ("result",), "protocol.md#throughput",
     lambda f: f.ran),
    ("wall-time-compilation", "limit", ("wall_s",), "protocol.md#wall-time",
     lambda f: f.ran and f.run.wall_s is not None),
    ("memory-unit", "unknown", ("hbm_peak_gb",), "protocol.md#memory",
     lambda f: f.run.hbm_peak_gb is not None),
    ("graphs-same-compiler", "limit", ("neuronx_cc",), "protocol.md#compiled-graphs",
     lambda f: f.passed and f.run.pair.compiler is not None and f.compiler == "neuronx-cc"),
    ("this-checkpoint", "limit", ("model_id",), "protocol.md#checkpoint",
     lambda f: f.ran),
    ("cores-not-recorded", "unknown", ("tp",), "protocol.md#cores",
     lambda f: f.ran and f.run.tp is None),
    ("unknown-protocol", "unknown", _RUN_FIELDS, "protocol.md#unknown-protocol",
     lambda f: f.ran and bool(f.missing)),
)  # fmt: skip
RULES = tuple(Rule(*row) for row in _TABLE)


@dataclass(frozen=True)
class Caveat:
    """A rule that applies: its sentence, and the fields that it rests on with the values found."""

    rule: str
    weight: str
    html: Markup
    docs: str
    fields: tuple[tuple[str, str], ...]


def caveats_of(facts: Facts, catalog: Catalog, sentences: Mapping[str, Markup]) -> tuple[Caveat, ...]:
    """The caveats of a run, in the order of the table. A rule without a sentence shows nothing (a check reports it)."""
    return tuple(
        Caveat(
            rule.id,
            rule.weight,
            fill(sentences[rule.id], _values(facts, rule, catalog)),
            rule.docs,
            tuple((name, _field(facts, name)) for name in rule.fields),
        )
        for rule in RULES
        if rule.id in sentences and rule.applies(facts)
    )


def _values(facts: Facts, rule: Rule, catalog: Catalog) -> dict[str, str]:
    names = rule.fields
    if rule.id == "check-word-unknown":
        names = tuple(name for name in names if facts.says(name, None))
    elif rule.id == "unknown-protocol":
        names = facts.missing
    fields = ("tp", "cpu_match", "english", "wall_s")
    return {
        "device": catalog.device,
        "compiler": catalog.compiler,
        "compiler_version": facts.run.pair.compiler or NOT_RECORDED,
        "field": ", ".join(names),
        "first": _FIRST[facts.result.newest_known],
        **{name: _field(facts, name) for name in fields},
    }


_FIRST = {
    True: "The newest one is shown first",
    False: "One of them is shown first, and no date says which is the newest",
}


VALUE_MAX = 1000  # characters of a value that a caveat rests on


def _field(facts: Facts, name: str) -> str:
    run = facts.run
    renamed = {
        "neuronx_cc": run.pair.compiler,
        "library": run.pair.library,
        "library_version": run.pair.library_version,
    }
    value = renamed[name] if name in renamed else getattr(run, name)
    if name == "exclusion":
        value = facts.exclusion and (facts.exclusion.reason or "recorded")
    if name == "run_py":
        value = run.run_py and f"{run.run_py.size} bytes"
    return NOT_RECORDED if value is None else brief(str(value), VALUE_MAX)


def sentence(template: str, catalog: Catalog) -> str:
    """A sentence of `outcomes.toml` in the catalogue's own words."""
    return template.replace("{device}", catalog.device).replace("{compiler}", catalog.compiler)
