"""One timed run of a command: wall and CPU time, peak memory, in a process group of its own that can be ended whole."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

from apet.ground import children, run_errors
from apet.ground.diagnostics import ApetError
from apet.ground.posix import need_posix
from apet.ground.records import NamedTuple

with contextlib.suppress(ImportError):  # a system without it has no limits either
    import resource

GRACE = 2.0
"""Seconds between asking a process group to end and killing it."""
BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024
LONGEST_SHOWN = 400
OWN = "/proc/thread-self/schedstat"
ALONE, HELPERS = 0.95, 0.25
"""Of all processors' time, the part from which the first thread is the whole program; seconds that others may take,
such as the shell script that starts it."""


class Timed(NamedTuple):
    """Seconds by the clock, seconds of all processors, bytes of the largest process; `stopped` at the limit.

    `queued` are seconds in which it could have run, but other programs had the cores; None where the system does not
    tell, or tells only of a part of its threads and processes. `preempted` counts how often a core was taken from it.
    """

    wall: float
    cpu: float
    peak: int
    stopped: bool
    queued: float | None = None
    preempted: int = 0

    @property
    def undisturbed(self) -> float:
        """Seconds by the clock without those in which it waited for a core: its time on a machine of its own, as far as
        the system tells. Where it waits for something else, it does so there, too."""
        return self.wall if self.queued is None else max(self.wall - self.queued, min(self.cpu, self.wall))


def run_once(command: Sequence[str], limit: float, memory: int | None = None) -> Timed:
    """Run a command without a shell, its output thrown away; at the limit its process group is ended.

    `memory` are bytes of its own that each process may ask for. `ApetError` where it cannot be started or fails. On an
    interrupt the group is ended, too.
    """
    need_posix("measuring a command")
    start = time.perf_counter()
    try:
        process = children.start(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise ApetError(run_errors.CannotRun(None, None, command[0], error.strerror or str(error))) from None

    if memory is not None and sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory, memory))
    errors = list[bytes]()
    reader = threading.Thread(target=_read, args=(process, errors), daemon=True)
    reader.start()
    expired, reaped = threading.Event(), threading.Event()
    timer = threading.Timer(limit, _expire, args=(process.pid, expired, reaped))
    timer.daemon = True
    timer.start()
    try:
        before = _account(OWN)
        if hasattr(os, "waitid"):  # while it is not reaped, the system still has its account
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ended, after, account = time.perf_counter(), _account(OWN), _account(f"/proc/{process.pid}/schedstat")
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        end_group(process.pid)
        raise
    finally:
        reaped.set()
        timer.cancel()

    # Until it ended, this thread slept: what it waited for a core is between that end and the clock's reading.
    late = after[1] - before[1] if before is not None and after is not None else 0.0
    wall = max(ended - late - start, 0.0)
    process.returncode = os.waitstatus_to_exitcode(status)
    _kill(process.pid, signal.SIGKILL)  # what it left behind in its group
    reader.join(GRACE)
    if process.returncode != 0 and not expired.is_set():
        message = b"".join(errors).decode("utf-8", "replace").strip()[-LONGEST_SHOWN:]
        code = process.returncode
        raise ApetError(run_errors.CommandFailed(None, None, " ".join(command), code, message or "it printed no error"))

    cpu = usage.ru_utime + usage.ru_stime
    queued = account[1] if account is not None and account[0] >= ALONE * cpu - HELPERS else None
    return Timed(wall, cpu, usage.ru_maxrss * BYTES_PER_UNIT, expired.is_set(), queued, usage.ru_nivcsw)


def _account(path: str) -> tuple[float, float] | None:
    """Seconds that the first thread of a process ran, and those in which it waited for a core; None where the system
    does not tell. Linux, Documentation/scheduler/sched-stats.rst."""
    try:
        with open(path, encoding="ascii") as file:
            ran, waited, _ = map(int, file.read().split())
    except (OSError, ValueError):
        return None
    return ran * 1e-9, waited * 1e-9


def end_group(pid: int) -> None:
    """End a process group: ask, wait for two seconds at most, then kill, and reap its leader."""
    _kill(pid, signal.SIGTERM)
    until = time.monotonic() + GRACE
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < until and os.waitpid(pid, os.WNOHANG) == (0, 0):
            time.sleep(0.02)
    _kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _expire(pid: int, expired: threading.Event, reaped: threading.Event) -> None:
    """The limit is reached; the leader is reaped by whoever waits for it."""
    expired.set()
    _kill(pid, signal.SIGTERM)
    if not reaped.wait(GRACE):
        _kill(pid, signal.SIGKILL)


def _kill(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _read(process: subprocess.Popen[bytes], errors: list[bytes]) -> None:
    """The end of what the command says went wrong."""
    assert process.stderr is not None
    with process.stderr:
        for line in process.stderr:
            errors.append(line)
            del errors[:-20]
