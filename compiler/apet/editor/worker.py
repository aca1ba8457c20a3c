"""Work for untrusted texts in a process of its own, which is ended when it takes too long or too much memory."""

from __future__ import annotations

import multiprocessing
import threading
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from apet import api
from apet.api.arguments import BRANCHES, one_of, parse_value
from apet.cost import analyse, deep_recursion
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source
from apet.ground.source import Source as Text
from apet.ground.values import NotAllowed
from apet.machine import parse_machines
from apet.model.pamela import parse
from apet.prediction import setting_of

MOST_SECONDS = 20.0
MOST_BYTES = 2 << 30


class Asked(NamedTuple):
    """What a page shall be made of: texts, and settings as they were typed."""

    model: str
    machines: str
    settings: tuple[str, ...] = ()
    branches: str = "probability"
    schedule: str = "static"
    thorough: bool = False


class Mistake(NamedTuple):
    """A diagnostic for the page: line and column from 1, or 0 where there is no place in the model."""

    line: int
    column: int
    end: int
    severity: str
    text: str
    advice: str


class Made(NamedTuple):
    """A page, or what is wrong."""

    page: str
    mistakes: tuple[Mistake, ...]


class Worker:
    """One process that makes pages one after the other, started at need."""

    def __init__(self, seconds: float = MOST_SECONDS, memory: int = MOST_BYTES) -> None:
        self.seconds = seconds
        self.memory = memory
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def make(self, asked: Asked) -> Made:
        """The page, or the mistakes; that it took too long is one."""
        with self._lock:
            pipe = self._started()
            try:
                pipe.send(asked)
                if pipe.poll(self.seconds):
                    made: Made = pipe.recv()
                    return made
                reason = f"this model takes more than {self.seconds:g} seconds to predict"
            except (EOFError, OSError):
                reason = "this model takes more memory than is allowed here"

            self._end()
            return Made("", (Mistake(0, 0, 0, "error", reason, "use the command line for it: apet predict"),))

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _started(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            self._end()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_work, args=(theirs, self.memory), daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _work(pipe: Connection, memory: int) -> None:
    """Answer until the other side has gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is over
    _limit(memory)
    while True:
        try:
            asked = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(made_of(asked))
        except MemoryError:
            return


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def made_of(asked: Asked) -> Made:
    """The page about a model in a text on a machine model in a text, or a shipped one by name."""
    source = Source("model", asked.model)
    try:
        return Made(_page(source, asked), ())
    except ApetError as error:
        return Made("", tuple(_mistake(d, source) for d in error.diagnostics))
    except RecursionError:
        return Made("", (Mistake(0, 0, 0, "error", "this model nests too deeply to be shown here", ""),))


def _page(source: Source, asked: Asked) -> str:
    with deep_recursion():
        model = parse(source)
        shipped = "\n" not in asked.machines and "=" not in asked.machines
        name = asked.machines.strip()
        if shipped and not name.replace("-", "").replace("_", "").isalnum():
            raise ApetError(NotAllowed(None, None, "machines", name, "the name of a shipped machine model, or a text"))
        machines = api.load_machines(name) if shipped else parse_machines(Text("machines", asked.machines))
        app = analyse(model, setting_of(machines, one_of("branches", asked.branches, BRANCHES)))
        values: dict[str, Any] = {}
        for text in asked.settings:
            key, _, value = (part.strip() for part in text.partition("="))
            values[key] = parse_value(key, value)

        return api.report_page(
            app, machines, schedule=asked.schedule, thorough=asked.thorough, title="model", values=values
        )


def _mistake(found: Diagnostic, source: Source) -> Mistake:
    if found.source is source and found.span is not None and found.span.start >= 0:
        line, column = source.position(found.span.start)
        last, end = source.position(max(found.span.end, found.span.start + 1))
        end = end if last == line else len(source.line(line)) + 1
        return Mistake(line, column, end, found.severity, found.text, found.advice)
    where = f"{found.source.name}: " if found.source is not None else ""
    if found.source is not None and found.span is not None and found.span.start >= 0:
        where = f"{found.source.name}, line {found.source.position(found.span.start)[0]}: "
    return Mistake(0, 0, 0, found.severity, f"{where}{found.text}", found.advice)
