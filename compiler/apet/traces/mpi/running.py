"""Running a program on many ranks within a time limit; at its end nothing of it is left."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

from apet.ground import children
from apet.ground.diagnostics import ApetError
from apet.ground.timed_run import end_group
from apet.ground.tools import absolute_program
from apet.traces.mpi import errors

KEPT = 40
LONGEST = 400
MOST_LINES = 4
USUAL = re.compile(r"=|-|\d+ +/|This typically refers to|Please see the FAQ")
"""Beginnings of lines that say nothing of the program."""


class Ran(NamedTuple):
    """Seconds by the clock, exit status, whether it was ended at the limit, the end of what it said, and the signal
    to APET that ended it."""

    seconds: float
    code: int
    stopped: bool
    output: str
    ended_by: str = ""


def run(command: Sequence[str], limit: float, show: bool = False, environment: Mapping[str, str] | None = None) -> Ran:
    """Run a command without a shell; what it prints is shown on standard error, or thrown away but for its end.

    At the limit, and on an interrupt, it ends with all its descendants, in whatever session they are.
    """
    start = time.perf_counter()
    try:
        process = children.start(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=None if environment is None else {**os.environ, **environment},
        )
    except OSError as error:
        raise ApetError(errors.NoProgram(None, None, command[0], error.strerror or str(error))) from None

    assert process.stdout is not None
    output = list[bytes]()
    reader = threading.Thread(target=_read, args=(process.stdout, output, show), daemon=True)
    reader.start()
    stopped = False
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        stopped = True
        end(process.pid)
    except BaseException:
        end(process.pid)
        raise

    seconds = time.perf_counter() - start
    reader.join(2.0)
    code = process.wait() if stopped else process.returncode
    return Ran(seconds, code, stopped, _telling(b"".join(output).decode("utf-8", "replace")))


def _telling(output: str) -> str:
    """The end of what was said, without what MPI says whenever a program fails."""
    lines = [line.strip() for line in output.splitlines()]
    unusual = [line for line in lines if line and not USUAL.match(line)]
    return "; ".join(unusual[-MOST_LINES:])[-LONGEST:]


def run_for_output(command: Sequence[str], limit: float) -> str:
    """What a command prints; `ApetError` if it fails or takes longer."""
    name = os.path.basename(command[-1] if len(command) < 8 else command[0])
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:  # what crashes leaves its core file there
        process: subprocess.Popen[str] = children.start(
            [absolute_program(command[0]), *command[1:]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

        try:
            output, wrong = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            end(process.pid)
            raise ApetError(errors.TookTooLong(None, None, name, limit, "")) from None
        except BaseException:
            end(process.pid)
            raise

    if process.returncode:
        text = _telling(wrong or output)
        raise ApetError(errors.Failed(None, None, name, process.returncode, text, "does this MPI run at all?"))

    return output


def end(pid: int) -> None:
    """End a process and all that descends from it."""
    below = _descendants(pid)
    end_group(pid)
    for each in below:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    """The processes below one, by the parents that /proc names."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
                parents.setdefault(parent, []).append(int(name))
    descendants = list[int]()
    left = [pid]
    while left:
        below = parents.get(left.pop(), [])
        descendants += below
        left += below

    return descendants


def _read(stream: IO[bytes], output: list[bytes], show: bool) -> None:
    with stream:
        for line in stream:
            output.append(line)
            del output[:-KEPT]
            if show:
                sys.stderr.write(line.decode("utf-8", "replace"))
                sys.stderr.flush()
