"""Python tracebacks in lines of text: every exception with its message, its cause, and the calls that led to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Lines = Sequence[tuple[int, str]]  # line numbers in `error.log`, and text without colours; blank lines are left out

MESSAGE_LINES = 40  # of one exception
CALL_LINES = 20  # of one call: where it is, its source, marks

_TRACEBACK = re.compile(r"([ ]*)(?:Exception Group )?Traceback \(most recent call last\):")
# What Python prints of a failure that it does not pass on, such as one in a `__del__` or at exit.
_IGNORED = re.compile(r"Exception ignored in|Error in atexit\._run_exitfuncs:")
# Lines of an exception group stand behind bars; its members are numbered.
_BAR = re.compile(r"[ ]*(?:[|][ ]?|[+] (?=Exception Group))")
_MEMBER = re.compile(r"[ ]*[+](?:-[+])?-+ \d+ -+")
_FRAME = re.compile(r'[ ]+File "([^"]+)", line (\d{1,9})(?:, in (.+))?')
# The line that ends a traceback: the exception's type, in whatever module or function, and its message.
_TYPE = r"(?:(?:[A-Za-z_]\w*|<locals>)\.)*[A-Za-z_]\w*(?:\([\w.]+\))?"
_ENDS = re.compile(rf"({_TYPE})(?::(?: (.*)|$)|$)")
# One without a traceback: only a name that says that it is one. A warning is none.
_RAISED = re.compile(
    r"((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Timeout)|Fatal Python error)"
    r"(?::(?: (.*)|$)|$)"
)
_RELATIONS = {
    "The above exception was the direct cause of the following exception:": "cause",
    "During handling of the above exception, another exception occurred:": "context",
}
_QUOTED = re.compile(r"""\bgot ([A-Z]\w*(?:Error|Exception))\((['"])(.{1,2000}?)\2\)""")
_USER_CODE = "from user code:"
_LOGGED = re.compile(r"\[?(?:[A-Z]\d{4} |\d{4}-|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b)|Set TORCHDYNAMO_VERBOSE")
_PACKAGES = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
_PYTHON = re.compile(r"[/\\]lib(?:64)?[/\\]python3[^/\\]*[/\\]|<frozen ")


@dataclass(frozen=True)
class Frame:
    """One call of a traceback. `numbers` are its lines in the log; `package` is the library that it lies in."""

    path: str
    line: int
    function: str
    numbers: tuple[int, ...]
    source: str = ""  # the code there, where the traceback shows it

    @property
    def package(self) -> str | None:
        if _PACKAGES.search(self.path):
            return re.split(r"[/\\]", _PACKAGES.split(self.path)[-1])[0].removesuffix(".py")
        return "Python" if _PYTHON.search(self.path) else None

    @property
    def telling(self) -> bool:
        """Whether it says more than that an attribute was looked up."""
        return self.function not in ("__getattr__", "__getattribute__")

    @property
    def place(self) -> str:
        """Where it is: the path inside of the library's folder, else the whole path, and the line."""
        return f"{_PACKAGES.split(self.path)[-1]}, line {self.line}"

    @property
    def in_script(self) -> bool:
        """Whether it lies in the `run.py` of the row: of another file with that name a log does not tell it apart."""
        return self.package is None and re.split(r"[/\\]", self.path)[-1] == "run.py"


@dataclass(frozen=True)
class Raised:
    """An exception: its type, the first line of its message, its lines in the log, and the calls that led to it.

    `inner` is an exception that its message quotes. `relation` is to the exception that follows it in time: `cause`,
    or `context` (raised while this one was handled).
    """

    type: str
    text: str
    numbers: tuple[int, ...]
    frames: tuple[Frame, ...] = ()
    user_frames: tuple[Frame, ...] = ()  # the model's own code, where a compiler reports it apart
    inner: str | None = None
    relation: str = ""

    @property
    def name(self) -> str:
        return self.type.rpartition(".")[2]


def chains(lines: Lines) -> list[list[Raised]]:
    """Every chain of exceptions, each in the order in which they were raised; of a group, its first member as cause."""
    all_chains: list[list[Raised]] = []
    reader = _Reader(_without_bars(lines))
    relation = ""
    while (found := reader.next()) is not None:
        if isinstance(found, str):
            relation = found
            continue
        chain = all_chains[-1] if relation and all_chains else []
        if relation == "member" and chain:
            if len(chain) == 1:
                chain.insert(0, replace(found, relation="cause"))
        elif relation in ("cause", "context") and chain:
            chain[-1] = replace(chain[-1], relation=relation)
            chain.append(found)
        elif relation != "ignored":
            all_chains.append([found])
        relation = ""
    return all_chains


def _without_bars(lines: Lines) -> Lines:
    """The lines of exception groups without the bars before them."""
    if not any("Exception Group Traceback" in text for _, text in lines):
        return lines
    found: list[tuple[int, str]] = []
    for number, text in lines:
        while not _MEMBER.match(text) and (bar := _BAR.match(text)):
            text = text[bar.end() :]  # noqa: PLW2901 - bar by bar
        found.append((number, text))
    return found


@dataclass
class _Reader:
    """Goes through the lines of one rank once."""

    lines: Lines
    at: int = 0

    def next(self) -> Raised | str | None:
        """The next exception, or a word on the one that follows; None at the end.

        `cause` and `context` say what the one before is to it; `member` that it belongs to a group, `ignored` that
        Python did not pass it on.
        """
        while self.at < len(self.lines):
            text = self.lines[self.at][1]
            word = _relation(text)
            if begins := _TRACEBACK.match(text):
                self.at += 1
                if raised := self._traceback(begins[1]):
                    return raised
            elif not word and (ends := _RAISED.match(text)):
                return self._raised(ends, "", ())
            else:
                self.at += 1
                if word:
                    return word
        return None

    def _traceback(self, indent: str) -> Raised | None:
        """The calls, then the exception; None where another traceback begins or the lines end before it."""
        frames: list[Frame] = []
        while self.at < len(self.lines):
            number, text = self.lines[self.at]
            if _TRACEBACK.match(text):
                return None
            if text.startswith(f"{indent} "):
                _add_call(frames, number, text)
            elif (ends := _ENDS.fullmatch(text[len(indent) :])) and not _LOGGED.match(text[len(indent) :]):
                return self._raised(ends, indent, tuple(frames))
            self.at += 1
        return None

    def _raised(self, ends: re.Match[str], indent: str, frames: tuple[Frame, ...]) -> Raised:
        """The exception at this line with the rest of its message."""
        numbers = [self.lines[self.at][0]]
        rest: list[str] = []
        self.at += 1
        while self.at < len(self.lines) and self._goes_on(indent, alone=not frames):
            number, text = self.lines[self.at]
            if len(numbers) < MESSAGE_LINES:
                numbers.append(number)
                rest.append(text.strip())
            self.at += 1
        text = ends[0].strip()
        if text.endswith(":") and rest:
            text += f" {rest[0]}"
        inner = next((f"{got[1]}: {got[3]}" for line in rest if (got := _QUOTED.search(line))), None)
        if ends[1].endswith(")"):  # raised elsewhere, and told with its own traceback
            inner = next((line for line in reversed(rest) if _RAISED.fullmatch(line)), inner)
        return Raised(ends[1], text, tuple(numbers), frames, self._user_frames(), inner)

    def _goes_on(self, indent: str, *, alone: bool) -> bool:
        """Whether this line still belongs to a message. Blank lines are gone already: what may follow decides.

        After a traceback another exception's name is a part of the message; where exceptions stand `alone` it is not.
        """
        text = self.lines[self.at][1]
        told = text[len(indent) :] if text.startswith(indent) else None
        return told is not None and not (
            _TRACEBACK.match(text)
            or _relation(text)
            or told.strip() == _USER_CODE
            or _LOGGED.match(told)
            or told.startswith("Fatal Python error")
            or (alone and _RAISED.match(told))
        )

    def _user_frames(self) -> tuple[Frame, ...]:
        frames: list[Frame] = []
        if self.at < len(self.lines) and self.lines[self.at][1].strip() == _USER_CODE:
            self.at += 1
            while self.at < len(self.lines) and (text := self.lines[self.at][1]).startswith(" "):
                _add_call(frames, self.lines[self.at][0], text)
                self.at += 1
        return tuple(frames)


def _relation(text: str) -> str:
    """What a line says of the exception that follows, or nothing."""
    if text.strip() in _RELATIONS:
        return _RELATIONS[text.strip()]
    if _MEMBER.match(text):
        return "member"
    return "ignored" if _IGNORED.match(text) else ""


def _add_call(frames: list[Frame], number: int, text: str) -> None:
    """A line of a traceback: a call, or the source of the last one and the marks below it."""
    if call := _FRAME.fullmatch(text):
        frames.append(Frame(call[1], int(call[2]), call[3] or "", (number,)))
    elif frames and len(frames[-1].numbers) < CALL_LINES:
        last = frames[-1]
        frames[-1] = replace(last, numbers=(*last.numbers, number), source=last.source or text.strip())


def frame_groups(frames: Iterable[Frame]) -> list[tuple[tuple[str, ...], list[Frame]]]:
    """Consecutive frames together: of libraries with the packages they lie in, of other code without any."""
    groups: list[tuple[tuple[str, ...], list[Frame]]] = []
    for frame in frames:
        if groups and bool(groups[-1][0]) == (frame.package is not None):
            packages, own = groups.pop()
            own.append(frame)
        else:
            packages, own = (), [frame]
        if frame.package is not None and frame.package not in packages:
            packages = (*packages, frame.package)
        groups.append((packages, own))
    return groups
