"""Networks solved by the package `queueing` of GNU Octave, timed inside one Octave process."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]


class Timed(NamedTuple):
    """The throughput of the first class, and seconds per call, one figure per repetition."""

    throughput: float
    seconds: list[float]


def installed() -> bool:
    """Whether Octave and its package can be run."""
    program = shutil.which("octave-cli") or shutil.which("octave")
    if program is None:
        return False
    return subprocess.run([program, "--eval", "pkg load queueing"], capture_output=True, check=False).returncode == 0


def single(demands: Sequence[float], jobs: int, think: float, repeats: int) -> Timed:
    """Exact mean value analysis of one class (`qncsmva`)."""
    ones = f"ones(1, {len(demands)})"
    return _timed(f"[U, R, Q, X] = qncsmva({jobs}, {_row(demands)}, {ones}, {ones}, {think});", "X(1)", repeats)


def approximate(demands: Matrix, jobs: Sequence[int], think: Sequence[float], repeats: int) -> Timed:
    """Schweitzer's approximation of several classes (`qncmmvabs`), to 1e-6."""
    rows = "; ".join(_row(row)[1:-1] for row in demands)
    shape = f"ones({len(demands)}, {len(demands[0])})"
    servers = f"ones(1, {len(demands[0])})"
    call = f"[U, R, Q, X] = qncmmvabs({_row(jobs)}, [{rows}], {shape}, {servers}, {_row(think)}, 1e-6, 10000);"
    return _timed(call, "X(1, 1)", repeats)


def _row(values: Sequence[float]) -> str:
    return "[" + " ".join(repr(float(v)) for v in values) + "]"


def _timed(call: str, answer: str, repeats: int) -> Timed:
    program = shutil.which("octave-cli") or "octave"
    loop = f"for k = 1:{repeats + 1} tic; {call} t(k) = toc; end"
    script = f"pkg load queueing; {loop}; printf('%.17g ', {answer}, t(2:end));"
    printed = subprocess.run([program, "--eval", script], capture_output=True, text=True, check=True).stdout
    first, *times = map(float, printed.split())
    return Timed(first, times)
