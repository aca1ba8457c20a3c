"""Pages of untrusted texts, made in a process of their own with limits of time and memory.

The process also ends by itself: when the server is gone, whatever ended it, and when one page takes far too long.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from typing import Any

from apet import api
from apet.api.arguments import BRANCHES, one_of, parse_value
from apet.cost import analyse, deep_recursion
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.resources import data_path
from apet.ground.source import Source
from apet.ground.values import NotAllowed
from apet.machine import Machines, load_machines, parse_machines, shipped_machines
from apet.model.pamela import parse
from apet.prediction import setting_of

MOST_SECONDS = 20.0
MOST_BYTES = 2 << 30


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The input of a page: texts, and settings as they were typed."""

    model: str
    machines: str
    settings: tuple[str, ...] = ()
    branches: str = "probability"
    schedule: str = "static"
    thorough: bool = False


@dataclass(frozen=True, slots=True)
class PageDiagnostic:
    """A diagnostic for the page: line and column from 1, or 0 where there is no place in the model."""

    line: int
    column: int
    end: int
    severity: str
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """A page as HTML, or diagnostics."""

    page: str
    diagnostics: tuple[PageDiagnostic, ...]

    def plain(self) -> list[dict[str, Any]]:
        """The diagnostics as data for JSON."""
        return [asdict(diagnostic) for diagnostic in self.diagnostics]


class Worker:
    """One process that makes pages one after the other, started at need."""

    def __init__(self, seconds: float = MOST_SECONDS, memory: int = MOST_BYTES) -> None:
        self.seconds = seconds
        self.memory = memory
        self._lock = threading.Lock()
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lifeline: Connection | None = None

    def make(self, request: PageRequest) -> PageAnswer:
        """The page, or the diagnostics, of which a timeout is one."""
        with self._lock:
            pipe = self._started()
            try:
                pipe.send((request, self.seconds))
                if pipe.poll(self.seconds):
                    answer: PageAnswer = pipe.recv()
                    return answer
                reason = f"this model takes more than {self.seconds:g} seconds to predict"
            except (EOFError, OSError):
                reason = "this model takes more memory than is allowed here"

            self._end()
            return _failed(reason, "use the command line for it: apet predict")

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _started(self) -> Connection:
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            self._end()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._lifeline, watched = context.Pipe()
            self._process = context.Process(target=_work, args=(theirs, watched, self.memory), daemon=True)
            self._process.start()
            theirs.close()
            watched.close()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        for end in (self._pipe, self._lifeline):
            if end is not None:
                end.close()
        self._process = self._pipe = self._lifeline = None


def _work(pipe: Connection, lifeline: Connection, memory: int) -> None:
    """Answer until the other side has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is over
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _limit(memory)

    while True:
        try:
            request, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        # the server gives up after `seconds`; where it cannot any more, this process ends by itself
        _set_alarm(math.ceil(2 * seconds) + 1)
        try:
            pipe.send(made_of(request))
        except MemoryError:
            return
        _set_alarm(0)


def _end_with(lifeline: Connection) -> None:
    """End this process, in the midst of whatever it does, as soon as the server's end of the pipe is closed.

    The system closes it however the server ended. A signal at the parent's death would not do: it comes at the end of
    the thread that started this process, and there is none outside Linux.
    """
    try:
        lifeline.recv()
    finally:
        os._exit(1)


def _set_alarm(seconds: int) -> None:
    """End this process after so long, even within a long call of C, which no thread interrupts; 0: never."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def made_of(request: PageRequest) -> PageAnswer:
    """The page about a model in a text on a machine model in a text, or a shipped one by name."""
    source = Source("model", request.model)
    try:
        return PageAnswer(_page(source, request), ())
    except ApetError as error:
        return PageAnswer("", tuple(_placed(diagnostic, source) for diagnostic in error.diagnostics))
    except RecursionError:
        return _failed("this model nests too deeply to be shown here")
    except MemoryError:
        raise
    except Exception as error:  # a bug must not look like an error of the model
        return _failed(f"apet failed: {type(error).__name__}: {error}", "this is a bug in APET; please report it")


def _failed(reason: str, advice: str = "") -> PageAnswer:
    """A diagnostic without a place in the model."""
    return PageAnswer("", (PageDiagnostic(0, 0, 0, "error", reason, advice),))


def _page(source: Source, request: PageRequest) -> str:
    with deep_recursion():
        model = parse(source)
        machines = _machines(request.machines)
        app = analyse(model, setting_of(machines, one_of("branches", request.branches, BRANCHES)))
        values: dict[str, Any] = {}
        for text in request.settings:
            key, _, value = (part.strip() for part in text.partition("="))
            values[key] = parse_value(key, value)

        return api.report_page(
            app, machines, schedule=request.schedule, thorough=request.thorough, title="model", values=values
        )


def _machines(text: str) -> Machines:
    """A machine model in a text, or a shipped one by its name: no other file is read, and nothing is measured."""
    if "\n" in text or "=" in text:
        return parse_machines(Source("machines", text))
    name = text.strip()
    if name not in shipped_machines():
        one = f"{', '.join(shipped_machines())}; or write a machine file's text"
        raise ApetError(NotAllowed(None, None, "machines", name, one))

    return load_machines(data_path("machines", f"{name}.toml"))


def _placed(diagnostic: Diagnostic, source: Source) -> PageDiagnostic:
    """A diagnostic with its place in the model, or with the place in another text before its words."""
    where = f"{diagnostic.source.name}: " if diagnostic.source is not None else ""
    if diagnostic.source is not None and diagnostic.span is not None and diagnostic.span.start >= 0:
        line, column = diagnostic.source.position(diagnostic.span.start)
        if diagnostic.source is source:
            last, end = source.position(max(diagnostic.span.end, diagnostic.span.start + 1))
            end = end if last == line else len(source.line(line)) + 1
            return PageDiagnostic(line, column, end, diagnostic.severity, diagnostic.text, diagnostic.advice)
        where = f"{diagnostic.source.name}, line {line}: "

    return PageDiagnostic(0, 0, 0, diagnostic.severity, f"{where}{diagnostic.text}", diagnostic.advice)
