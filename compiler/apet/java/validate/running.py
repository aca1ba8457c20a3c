"""Runs an application on this machine: a coordinator and workers, each a JVM pinned to a core, joined by sockets."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.ground import children, host
from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import MODES, MOST_SAID, SOURCES, Jdk, compile_java, end, pinned
from apet.java.profile.workload import TimedWorkload, Workload

FLAGS = ("-XX:+UseSerialGC", "-Xms256m", "-Xss16m")
RUNTIME = ("ApetArguments", "ApetInstances", "ApetTask", "ApetWorker", "ApetCoordinator")
TASK_FAILED = 3


class RunEffort(NamedTuple):
    """Seconds of warm-up and the fewest runs in it, runs that are timed, and a limit for all of it in seconds."""

    warm_s: float
    warm_runs: int
    runs: int
    limit: float


def compile_application(jdk: Jdk, files: Sequence[str], folder: str) -> None:
    """Tasks with what runs them; other classes that they name are found beside them."""
    own = list(dict.fromkeys(os.path.abspath(f) for f in files))
    beside = os.pathsep.join(dict.fromkeys(map(os.path.dirname, own)))
    runtime = [SOURCES / f"{name}.java" for name in RUNTIME]
    compile_java(jdk, ["-parameters", "-sourcepath", beside, *own, *runtime], folder, "the tasks")


def run_application(jdk: Jdk, folder: str, work: Workload, mode: str, effort: RunEffort) -> TimedWorkload:
    """Start the JVMs, run the application, and end them, whatever happens.

    Raises `ApetError` where a task throws, where a JVM fails, and where the limit is reached.
    """
    java = [*jdk.machine(folder), *MODES[mode], *FLAGS, "-cp", folder]
    title = f"{work.name} on {work.workers} workers" if work.workers else work.name
    with _Watched(effort.limit, title) as jvms:
        ports = jvms.ports([[*pinned(core), *java, "ApetWorker"] for core in cores_of(work.workers)])
        numbers = [f"{effort.warm_s:g}", str(effort.warm_runs), str(effort.runs), *ports]
        out = jvms.answer([*pinned(_coordinator_core()), *java, "ApetCoordinator", *numbers], work.plan)

    rows = [line.split() for line in out.splitlines()]
    runs = [(float(r[1]), float(r[2])) for r in rows if r[0] == "run"]
    results = {r[1]: float(r[2]) for r in rows if r[0] == "result"}
    return TimedWorkload(tuple(r[0] for r in runs), tuple(r[1] for r in runs), results)


def cores_of(workers: int) -> list[int | None]:
    """The core of each worker: from the last one downwards, then again; None where there is but one."""
    allowed = _allowed()
    return [allowed[-1 - w % len(allowed)] if len(allowed) > 1 else None for w in range(workers)]


def _coordinator_core() -> int | None:
    allowed = _allowed()
    return allowed[0] if len(allowed) > 1 else None


def _allowed() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(host.cores()))


class _Watched:
    """JVMs that are killed together: at the limit, at an error, and at the end."""

    def __init__(self, limit: float, what: str) -> None:
        self.limit, self.what = limit, what
        self.running: list[subprocess.Popen[str]] = []
        self.late = False
        self.timer = threading.Timer(limit, self._stop)
        self.timer.daemon = True  # a process that ends must not wait for the limit

    def __enter__(self) -> _Watched:
        self.timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()
        for one in self.running:
            end(one)

    def _stop(self) -> None:
        self.late = True
        for one in list(self.running):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(one.pid, signal.SIGKILL)

    def _start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        if self.late:
            self._refuse(1, "")
        pipe = subprocess.PIPE
        one = children.start(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.running.append(one)
        return one

    def ports(self, commands: Sequence[Sequence[str]]) -> Iterator[str]:
        """Start servers at once; the ports that they print."""
        started = [self._start(c) for c in commands]
        for one in started:
            assert one.stdout is not None
            port = one.stdout.readline().strip()
            if not port.isdecimal():
                _, err = one.communicate()
                self._refuse(one.returncode, err)
            yield port

    def answer(self, command: Sequence[str], plan: str) -> str:
        """What a JVM prints."""
        one = self._start(command)
        out, err = one.communicate(plan)
        if one.returncode or self.late:
            self._refuse(one.returncode, err)
        return out

    def _refuse(self, code: int, reason: str) -> None:
        if self.late:
            raise ApetError(errors.TooSlow(None, None, self.what, self.limit))
        reason = " ".join(reason.split())[:MOST_SAID]
        if code == TASK_FAILED:
            raise ApetError(errors.TaskFailed(None, None, self.what, reason))
        raise ApetError(errors.RunFailed(None, None, self.what, code, reason))
