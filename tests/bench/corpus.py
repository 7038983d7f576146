"""One invented catalogue twice: as Parquet for sitegen, and as Markdown for the generators that it is measured against.

    python -m tests.bench.corpus OUT --models 50 [--pairs 20] [--distinct] [--no-texts] [--edits N] [--trees hugo ...]

OUT/data/               one Parquet file a pair, and rankings; every model under every pair, so pairs x models results
OUT/edits/<n>/          the newest pair's file with its runs made again: what `changed` builds after the rest
OUT/hugo/content/ ...   the same results, one Markdown page each: facts as a table, script and log in fences

`--distinct` makes every script differ from every other in three lines; without it they are as near to each other as in
the real dataset. `--no-texts` leaves out scripts and logs. Deterministic: same arguments, same files.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from tests.bench import trees
from tests.make_results import Model, Pair, Row, error, make_models, make_pairs, make_rows, write_pair, write_rankings

TEXTS = ("run_py", "error")  # the columns that are no facts of a table


@dataclass(frozen=True)
class Shape:
    """What kind of catalogue, apart from its place."""

    models: int
    pairs: int = 20
    distinct: bool = False
    texts: bool = True
    seed: int = 1


def rows_of(shape: Shape) -> Iterator[tuple[Pair, list[Row]]]:
    """The pairs, oldest first, each with a row a model."""
    population = make_models(shape.models, Random(shape.seed))
    for pair in make_pairs(shape.pairs):
        rows = make_rows(pair, population, shape.pairs, shape.seed, gaps=False)
        yield pair, [finished(row, shape) for row in rows]


def finished(row: Row, shape: Shape) -> Row:
    if not shape.texts:
        return {name: value for name, value in row.items() if name not in TEXTS}
    if shape.distinct and row.get("run_py"):
        return row | {"run_py": differing(row["run_py"], f"{row['neuronx_cc']}, transformers {row['transformers']}")}
    return row


def differing(script: str, pair: str) -> str:
    """The script with three lines that no other one has."""
    key = hashlib.sha256(f"{pair}\n{script}".encode()).hexdigest()
    lines = f'NEW_TOKENS = 32\nRUN_ID = "{key[:32]}"\nSEED = {int(key[:12], 16)}\n'
    text = script.replace("NEW_TOKENS = 32\n", lines, 1)
    return text.replace(" and check what it generates.\n", f" and check it, run {key[-12:]} under {pair}.\n", 1)


def edited(rows: list[Row], number: int) -> list[Row]:
    """The rows of a file after its runs were made again: each has a new time, and one in fifty now fails.

    `number` tells several such files apart.
    """
    return [edited_row(row, index, number) for index, row in enumerate(rows)]


def edited_row(row: Row, index: int, number: int) -> Row:
    new = row | {"tested_at": row["tested_at"] + timedelta(days=number)}
    if row.get("wall_s") is not None:
        new["wall_s"] = row["wall_s"] + number
    if row["result"] == "PASS" and (index + number) % 50 == 0:
        model = Model(row["model_id"], "", 2.0 * row["tp"], experts=False)
        new |= {"result": "FAIL", "cpu_match": None, "english": None}
        new["error"] = error(Random(f"{number}-{row['model_id']}"), "oom", model)
    return new


def facts_of(row: Row) -> dict[str, str]:
    """What a page says of a run besides script and log, by column; what is not recorded is not there."""
    recorded = {name: value for name, value in row.items() if value is not None and name not in TEXTS}
    return {
        name: value.isoformat(" ", "minutes") if isinstance(value, datetime) else str(value)
        for name, value in recorded.items()
    }


def pages_of(rows: list[Row]) -> list[trees.Page]:
    return [trees.Page(row["model_id"], facts_of(row), row.get("run_py"), row.get("error")) for row in rows]


def slug_of(pair: Pair) -> str:
    """The pair as a folder of the pages; sitegen has the same."""
    return f"{pair.compiler}-transformers-{pair.library}".replace("+", "-")


def write(out: Path, shape: Shape, *, names: tuple[str, ...] = (), edits: int = 0) -> int:
    """Writes all of it into `out`, which need not exist. How many results."""
    data = out / "data"
    data.mkdir(parents=True, exist_ok=True)
    results, listed = 0, []
    for pair, rows in rows_of(shape):
        results += len(rows)
        write_pair(data, pair, rows, shape.pairs)
        listed.append(trees.Listed(slug_of(pair), f"neuronx-cc {pair.compiler}, transformers {pair.library}"))
        for name in names:
            trees.TREES[name].pair(out / name, listed[-1], pages_of(rows))
    for number in range(1, edits + 1):
        folder = out / "edits" / str(number)
        folder.mkdir(parents=True)
        write_pair(folder, pair, edited(rows, number), shape.pairs)
    for name in names:
        trees.TREES[name].home(out / name, listed)
    write_rankings(data, make_models(shape.models, Random(shape.seed)), shape.seed, min(200, shape.models))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", type=Path)
    parser.add_argument("--models", type=int, required=True)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("--no-texts", action="store_true")
    parser.add_argument("--edits", type=int, default=0, metavar="N")
    parser.add_argument("--trees", nargs="*", default=[], choices=trees.TREES)
    options = parser.parse_args()
    shape = Shape(options.models, options.pairs, options.distinct, not options.no_texts)
    print(write(options.out, shape, names=tuple(options.trees), edits=options.edits), "results")


if __name__ == "__main__":
    main()
