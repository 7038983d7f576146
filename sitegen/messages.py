"""What the command says of its work, as text: a summary, a line for each problem, lists of what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from sitegen import urls
from sitegen.build import Report
from sitegen.cells import count
from sitegen.config import Settings
from sitegen.errors import SAME_MAX, Level, Problem, Problems, first_of_each
from sitegen.fetch import Done, Wanted
from sitegen.places import named
from sitegen.write import Written

DOC = "input-problems"


def summary(settings: Settings, report: Report, written: Written | None) -> str:
    """One line of counts that add up: rows = runs + duplicates + refused."""
    counts = report.counts
    refused = Counter(problem.code for problem in report.problems if problem.level == Level.ERROR and problem.place.row)
    reasons = f" ({', '.join(f'{code} {n}' for code, n in sorted(refused.items()))})" if refused else ""
    names = (
        "files",
        "rows",
        "runs",
        "duplicates",
        "refused",
        "models",
        "pairs",
        "results",
        "pages",
        "outputs",
    )
    parts = [f"{counts[name]} {name}{reasons if name == 'refused' else ''}" for name in names]
    if written:
        parts += [f"{number} {name}" for name, number in written.counts.items()]
    where = named(settings.out) if written else "checked"
    return f"{where}: {', '.join(parts)}"


def lines(problems: Iterable[Problem]) -> Iterable[str]:
    """A line each; of very many of one kind in one file the first ones and their number."""
    problems = list(problems)
    total: Counter[tuple[str, str]] = Counter((problem.place.file, problem.code) for problem in problems)
    seen: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        key = problem.place.file, problem.code
        seen[key] += 1
        if seen[key] <= SAME_MAX:
            yield str(problem)
        elif seen[key] == SAME_MAX + 1:
            yield f"{problem.level.word}: {problem.place.file}: {total[key] - SAME_MAX} more of these [{problem.code}]"


def by_file(problems: Problems) -> Iterable[str]:
    """For a person: under each file its counts, then a line a problem; at the end where the codes are explained."""
    for file, group in groupby(problems, lambda problem: problem.place.file):
        found = list(group)
        counts = Counter(problem.word for problem in sorted(found, key=lambda problem: -problem.level))
        told = ", ".join(count(number, word) for word, number in counts.items())
        # Never a name first: runners take a line that begins with `::` for a command.
        yield f"In {file or 'the whole'}: {told}"
        shown, beyond = first_of_each(found)
        for problem in shown:
            yield f"  {problem.word}: {problem.place.inside and problem.place.inside + ': '}{problem.what}"
        for code, number in beyond.items():
            yield f"  {number} more of these [{code}]; --format json has all"
    if len(problems):
        yield f"What the [codes] mean: {urls.doc(DOC)} of the site, at the anchor #code"


def for_github(problems: Problems, folders: Sequence[Path]) -> Iterable[str]:
    """A workflow command each, as GitHub's runners read them from what a step prints.

    `folders` are those in which the files of problems can lie; a file is named by the path that leads there.
    """
    words = {Level.ERROR: "error", Level.NOTICE: "warning", Level.INFO: "notice"}
    for problem in problems:
        file = next((path for folder in folders if _is_file(path := folder / problem.place.file)), None)
        word = "notice" if problem.accepted else words[problem.level]
        values = {"file": str(file or ""), "title": problem.code}
        named = ",".join(f"{key}={_github(value, ':,')}" for key, value in values.items() if value)
        yield f"::{word} {named}::{_github(str(problem))}"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name as it is shown is longer than a name can be
        return False


def _github(text: str, also: str = "") -> str:
    """Escaped as the runner reads it: in a message a percent sign and ends of lines, in a property also `:` and `,`."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + also else c for c in text)


def as_json(problems: Problems) -> list[dict[str, object]]:
    return [
        {
            "level": problem.level.word,
            "code": problem.code,
            "file": problem.place.file or None,
            "row": problem.place.row or None,
            "column": problem.place.column or None,
            "found": problem.found,
            "expected": problem.expected or None,
            "hint": problem.hint or None,
            "accepted": problem.accepted or None,
            "docs": f"{urls.doc(DOC)}#{problem.code}",
        }
        for problem in problems
    ]


def check_record(problems: Problems, counts: Mapping[str, int], code: int) -> dict[str, object]:
    """What a check found. `counts` are empty where the input stopped it."""
    return {"passed": code == 0, "exit_code": code, "counts": counts, "problems": as_json(problems)}


def change_list(written: Written) -> str:
    """A line a path: `write` or `prune`, a blank, and the path in the site."""
    changes = [f"write {path}\n" for path in written.written] + [f"prune {path}\n" for path in written.pruned]
    return "".join(changes)


def fetch_summary(wanted: Wanted, done: Done) -> str:
    """What was fetched, in a line for results and one for rankings."""
    lines = []
    if (dataset := done.fetched.dataset) and wanted.results:
        size = sum(file.size for file in dataset.files)
        lines.append(
            f"{wanted.dest}: {dataset.id} at {dataset.revision}: {len(dataset.files)} files, {size:,} bytes,"
            f" {done.new} new, {done.removed} removed"
        )
    if done.ranked:
        rankings = ", ".join(f"{Path(path).stem} {count}" for path, count in done.ranked.items())
        unasked = f"; {done.unasked} ids were not looked up for a new name" if done.unasked else ""
        lines.append(f"{wanted.dest}: models ranked: {rankings}; {done.renamed} with an earlier name{unasked}")
    return "\n".join(lines)
