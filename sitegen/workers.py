"""The processes that render: this one, or as many as pay."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from sitegen.assets import load_assets
from sitegen.content import packaged
from sitegen.errors import SitegenError, Unfinished, plain
from sitegen.plan import Output, Plan
from sitegen.render import Renderer
from sitegen.shell import make_shell
from sitegen.site import Site
from sitegen.texts import TextReader
from sitegen.write import Stage

CHUNK = 64  # outputs that a process takes at a time, or a few more
PAYS_FROM = 400  # outputs from which another process pays for its start
_PR_SET_PDEATHSIG = 1

Done = tuple[int, list[str]]  # the number of outputs, and the paths of those that changed
Mapper = Callable[[Iterable[range]], Iterable[Done]]


@dataclass(frozen=True)
class Work:
    """What there is to render: the site, what makes its plan anew (in a process that has none), texts, and where to."""

    site: Site
    make_plan: Callable[[], Plan]
    texts: Path
    out: Path


def chunks(outputs: Sequence[Output]) -> list[range]:
    """The outputs in chunks; those of one model stay together, since they share a lot."""
    found = [range(0)]
    start = 0
    for _, group in groupby(outputs, lambda output: output.path.split("/")[:3]):
        end = start + sum(1 for _ in group)
        if len(found[-1]) < CHUNK:
            found[-1] = range(found[-1].start, end)
        else:
            found.append(range(start, end))
        start = end
    return found


@contextmanager
def workers(work: Work, plan: Plan) -> Iterator[Mapper]:
    """A function from chunks to what was done with each: here, or in other processes.

    These are copies of this one where it has no other thread, which a copy would lack, with whatever that holds at the
    time. Else they are started afresh.
    """
    jobs = work.site.settings.jobs or min(os.cpu_count() or 1, 1 + len(plan.outputs) // PAYS_FROM)
    if jobs == 1:
        yield lambda parts: map(Worker(work, plan).run, parts)
        return
    if copies := _alone():
        Worker.own = Worker(work, plan)
        gc.freeze()  # what is shared stays shared: nobody writes into it to see whether it is still used
    context = multiprocessing.get_context("fork" if copies else "spawn")
    pool = ProcessPoolExecutor(jobs, context, _start, (None if copies else work,))
    try:
        pool.submit(int)  # starts the processes now
        yield lambda parts: (done.result() for done in as_completed([pool.submit(_run, part) for part in parts]))
    except BrokenProcessPool:
        why = (
            "a process that renders was ended from outside; nothing was changed; with fewer --jobs it needs less memory"
        )
        raise Unfinished(why) from None
    finally:
        pool.shutdown(cancel_futures=True)
        Worker.own = None
        gc.unfreeze()


def _alone() -> bool:
    """Whether this process has one thread, those of its libraries counted, as the system says."""
    try:
        return threading.active_count() == 1 and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


class Worker:
    """Renders chunks of the plan onto the stage."""

    own: ClassVar[Worker | None] = None  # of this process, where it was started for rendering

    def __init__(self, work: Work, plan: Plan) -> None:
        assets = load_assets(packaged("static"))
        base_path = work.site.settings.base_path
        self.renderer = Renderer(packaged("templates"), make_shell(work.site), plan.paths, assets.paths, base_path)
        self.plan, self.reader, self.stage = plan, TextReader(work.texts), Stage(work.out)

    def run(self, chunk: range) -> Done:
        outputs = self.plan.outputs[chunk.start : chunk.stop]
        return len(outputs), [o.path for o in outputs if self.put(o)]

    def put(self, output: Output) -> bool:
        """Renders one output onto the stage. Whether it changed."""
        data = self.bytes_of(output)
        _end_without_parent()
        return self.stage.write(output.path, data)

    def bytes_of(self, output: Output) -> bytes:
        try:
            return self.renderer.render(output, self.reader)
        except (SitegenError, OSError):
            raise
        except Exception as error:
            # Whatever it is, one page that cannot be made stops the build; the last good site stays.
            raise Unfinished(f"{output.path} could not be made: {type(error).__name__}: {plain(str(error))}") from error


def _start(work: Work | None) -> None:
    # The parent is interrupted too, and ends its processes; a copy has the parent's way to take that.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with_parent()
    if work is not None:
        Worker.own = Worker(work, work.make_plan())


def _end_with_parent() -> None:
    """Has the system end this process with the one that started it, however that ends (Linux).

    Else one that is killed leaves processes that go on writing onto a stage, which the next build takes for its own.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _end_without_parent()


def _end_without_parent() -> None:
    """Ends this process where the one that started it is gone: asked before each output, for other systems too."""
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:  # it ended before
        os._exit(1)


def _run(chunk: range) -> Done:
    if Worker.own is None:
        raise Unfinished("a process that was not prepared was asked to render")
    return Worker.own.run(chunk)
