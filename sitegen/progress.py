"""Progress for a person at a terminal: stages, counts and seconds. Silent anywhere else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress


class Progress:
    """Counts the seconds of each stage; shows nothing."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "") -> Iterator[None]:  # noqa: ARG002 - shown by subclasses
        """Times what happens inside; `total` is how many steps it has, where known; `unit` is "bytes" or nothing."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0) + time.perf_counter() - start, 3)

    def advance(self, step: int = 1) -> None:
        """`step` more of the current stage are done."""


class TerminalProgress(Progress):
    """A bar a stage, on standard error."""

    def __init__(self) -> None:
        super().__init__()
        self._bar: RichProgress | None = None

    @contextmanager
    def stage(self, name: str, total: int | None = None, unit: str = "") -> Iterator[None]:
        if total is None:  # over at once: no bar
            with super().stage(name):
                yield
            return
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description:<9}"),
            BarColumn(),
            DownloadColumn() if unit == "bytes" else MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with super().stage(name), Progress(*columns, console=Console(stderr=True)) as self._bar:
            self._bar.add_task(name, total=total)
            yield

    def advance(self, step: int = 1) -> None:
        if self._bar:
            self._bar.advance(self._bar.task_ids[-1], step)
