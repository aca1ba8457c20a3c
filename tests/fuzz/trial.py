"""One input read under a limit of CPU time, and what became of it."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError

SECONDS = 10.0
ANSWER, REFUSAL = "answer", "refusal"


class TakesTooLong(BaseException):
    """Raised where the time is up; no `except Exception` catches it."""


class TrialOutcome(NamedTuple):
    """`kind` is "answer", "refusal" or what is wrong, alike for what has the same cause; `detail` the end of a trace of
    calls; `placed` says whether all diagnostics have a line."""

    kind: str
    detail: str = ""
    placed: bool = False

    @property
    def fine(self) -> bool:
        """Whether that is how it should be."""
        return self.kind in (ANSWER, REFUSAL)


def outcome(read: Callable[[str], object], path: str, seconds: float = SECONDS) -> TrialOutcome:
    """What reading a file comes to."""
    try:
        with _limited(seconds):
            read(path)
        return TrialOutcome(ANSWER)
    except ApetError as error:
        placed = all(d.span is not None for d in error.diagnostics)
        return TrialOutcome(REFUSAL, placed=placed) if str(error) else TrialOutcome("a refusal without a word")
    except TakesTooLong as error:
        return TrialOutcome(f"more than {seconds:g} s", _where(error))
    except MemoryError as error:
        return TrialOutcome("more than 2 GB", _where(error))
    except (Exception, SystemExit) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        file = frame.filename.rpartition("compiler/")[2]
        return TrialOutcome(f"{type(error).__name__} in {file}:{frame.name}", _where(error))


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TakesTooLong

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _where(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-4))[-2_000:]
