"""Limits of time and memory that a call sets for itself; it ends with a diagnostic that says what it was doing.

At a limit a signal interrupts Python between two of its instructions, and everything that was begun is cleaned up as
after Ctrl-C. A library that does not return to Python within the grace is ended together with the
process; nothing half-written is left then, and no process that was started.
"""

from __future__ import annotations

import errno
import faulthandler
import math
import os
import signal
import sys
import threading
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, Self

from apet.cli.errors import bad_option
from apet.ground import activity
from apet.ground.diagnostics import ApetError, Diagnostic, render, visible
from apet.ground.notation import duration
from apet.ground.posix import need_posix
from apet.ground.values import number

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

PERIOD = 0.02
"""Seconds between two looks at the memory in use."""
MOST_FREE = 64 * 10**6
"""Bytes of a limit that stay free at most."""
QUIET, GRACE = 2.5, 5.0
"""Seconds between the signal and another one, and the end of the process: longer than it takes to end processes."""
LONGEST, LEAST_MEMORY = 10**8, 10**8
"""Seconds that a timer can wait; bytes that Python takes with the libraries of a prediction."""
WRONG = 2


class TimeRanOut(Diagnostic):
    """The limit of time that a call was given."""

    message = "stopped after {time} (--time-limit){during}"
    hint = "{advice_text}allow more time"


class MemoryRanOut(Diagnostic):
    """The limit of memory that a call was given, or what the system has."""

    message = "memory ran out{at}{during}"
    hint = "{advice_text}allow more memory"


class Stopped(KeyboardInterrupt):
    """A limit is reached. Whatever cleans up on Ctrl-C does so now; no handler of errors takes it for one."""

    def __init__(self, diagnostic: Diagnostic, limits: CallLimits) -> None:
        super().__init__(diagnostic.text)
        self.diagnostic, self.limits = diagnostic, limits


class CallLimits:
    """The limits of one call; a context in which they hold."""

    def __init__(self, time: str | None, memory: str | None) -> None:
        self.time, self.memory = time, memory
        self.seconds = math.inf if time is None else _time(time)
        self.bytes = math.inf if memory is None else _memory(memory)
        self._until = monotonic() + self.seconds
        self._quiet_until = 0.0
        self._usual_hook = sys.unraisablehook
        self._last = threading.Timer(0, self._end)

    def __enter__(self) -> Self:
        if self.bytes < math.inf:
            _allow_memory(int(self.bytes))
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._check)
            signal.siginterrupt(signal.SIGALRM, False)  # calls of the C core are taken up again
            sys.unraisablehook = self._take_lost
            signal.setitimer(signal.ITIMER_REAL, PERIOD if self.bytes < math.inf else self.seconds, PERIOD)
        if self.seconds < math.inf:
            self._begin_last_resort(GRACE if hasattr(signal, "setitimer") else 0)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> None:
        self.lift()
        if self.bytes < math.inf and out_of_memory(error):
            raise ApetError(memory_ran_out(error, self._at())) from None

    def lift(self) -> None:
        """The limits hold no more. It may be called again: a signal may come just where it is called."""
        self._quiet_until = math.inf
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.unraisablehook = self._usual_hook
        if self.seconds < math.inf:
            self._last.cancel()
            faulthandler.cancel_dump_traceback_later()
        if self.bytes < math.inf:
            _allow_memory(None)

    def _begin_last_resort(self, grace: float) -> None:
        self._last = threading.Timer(self.seconds + grace, self._end)
        self._last.daemon = True
        self._last.start()
        # A library that holds the interpreter's lock keeps even that thread from running: a fault, shown as one.
        faulthandler.dump_traceback_later(self.seconds + 2 * GRACE, exit=True, file=2)

    def _check(self, number: int, frame: FrameType | None) -> None:
        """What the timer does: Python itself may abort where no memory at all is left, so a part of it stays free.

        It is silent while everything is cleaned up, and speaks again in case that its exception was lost.
        """
        now = monotonic()
        if now < self._quiet_until:
            return
        if self.bytes < math.inf and _memory_in_use() > self.bytes - min(self.bytes / 6, MOST_FREE):
            self._quiet_until = now + QUIET
            raise Stopped(memory_ran_out(None, self._at()), self)
        if now >= self._until:
            self._quiet_until = now + QUIET
            raise Stopped(self._time_ran_out(), self)

    def _take_lost(self, lost: UnraisableHookArgs) -> None:
        """Python drops an exception that comes in `__del__` or the like; the next signal brings it again."""
        if isinstance(lost.exc_value, Stopped):
            self._quiet_until = 0.0
        else:
            self._usual_hook(lost)

    def _at(self) -> str:
        return f": more than {self.memory} (--memory-limit)"

    def _time_ran_out(self) -> Diagnostic:
        during, advice = _during(activity.description())
        time = f"{self.time} s" if self.time and self.time.strip()[-1].isdigit() else str(self.time)
        return TimeRanOut(None, None, time, during, advice)

    def _end(self) -> NoReturn:
        """The last resort: the main thread has not come back from a library."""
        from apet.ground import children, whole_files

        os.write(2, f"{render(self._time_ran_out())}\n".encode(errors="backslashreplace"))
        whole_files.discard_unfinished()
        children.end_all()
        os._exit(WRONG)


def out_of_memory(error: BaseException | None) -> bool:
    """Whether an error comes from a lack of memory; libraries wrap it in errors of their own."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        error = error.__cause__ or error.__context__
    return False


def memory_ran_out(error: BaseException | None, at: str = "") -> Diagnostic:
    """The diagnostic of a lack of memory."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    notes: list[str] = getattr(error, "__notes__", [])
    during, advice = _during(notes[0] if notes else activity.description())
    return MemoryRanOut(None, None, at, during, advice)


def _during(description: str) -> tuple[str, str]:
    """What was being done and what makes it smaller, as parts of the two sentences of a diagnostic."""
    advice = activity.advice()
    return f" while {visible(description)}" if description else "", f"{advice}, or " if advice else ""


def _time(text: str) -> float:
    value = float(duration("--time-limit", text))
    if not 0 < value < LONGEST:
        raise ApetError(bad_option("--time-limit", text, "it should be above 0 and finite"))
    return value


def _memory(text: str) -> int:
    need_posix("--memory-limit")
    value = math.floor(number("--memory-limit", text))
    if not LEAST_MEMORY <= value < 2**62:
        reason = f"APET itself takes up to {LEAST_MEMORY // 10**6} MB"
        raise ApetError(bad_option("--memory-limit", text, reason))
    return value


def _allow_memory(size: int | None) -> None:
    """Limit the memory of this process; None: as before. Processes that it starts are not limited."""
    import resource

    from apet.ground import children

    # Linux counts only what can be written as data; elsewhere all addresses are counted, with those of libraries.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    before = children.system_limits.pop(kind, resource.getrlimit(kind))
    if size is None:
        resource.setrlimit(kind, before)
        return
    hard = before[1]
    children.system_limits[kind] = before
    resource.setrlimit(kind, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def _memory_in_use() -> int:
    """Bytes of this process; elsewhere than on Linux, the most there have been."""
    import resource

    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
