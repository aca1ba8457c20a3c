"""Observations that do not fit their neighbours, and patterns in which processors help.

Anomalies as in ADEPT (A. Deshmeh, J. Machina and A. Sodan, 2010): with R_i = ((t_i n_i / n_{i+1}) / t_{i+1}) (1 +
(n_{i+1} - n_i) / n_{i+1}), a rise of R from one pair to the next makes both runs candidates; one whose absence makes
the curve of R smoother is an anomaly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit import downey

Array = NDArray[np.float64]
RISE = 0.1
"""Of ln R: more than noise makes it rise."""
LEAST_RUNS = 4
IMPROVED = 0.5
"""An anomaly's absence halves what R rises by."""
STEP_RUNS, FAVOURED_RUNS = 5, 9
"""Runs from which two models, or a class of processors, differ from chance."""
STEP_GAIN, STEP_ERROR = 0.1, 0.03
"""Two models leave a tenth of the squared error, where one is off by three per cent or more."""
CLASS_RUNS, CLASS_ERROR, OTHERS_SLOWER = 4, 0.05, 0.1
"""Runs in a class, their relative error under one model, and by how much all others are slower."""
MULTIPLES = (2, 3, 4, 5, 6, 8, 12, 16)


def anomalies(n: Array, t: Array) -> list[int]:
    """The numbers of runs that are off, at most a quarter of them; none with fewer than four."""
    if len(n) < LEAST_RUNS:
        return []
    off = list[int]()
    rest = list(range(len(n)))

    while len(rest) >= LEAST_RUNS and len(off) < len(n) // 4:
        worst = _worst(n[rest], t[rest])
        if worst is None:
            break
        off.append(rest.pop(worst))
    return sorted(off)


def _worst(n: Array, t: Array) -> int | None:
    """The candidate whose absence smooths R the most, if it halves what R rises by."""
    rises = _rises(n, t)
    candidates = {i for k in np.flatnonzero(rises > RISE) for i in (int(k) + 1, int(k) + 2)}
    whole = float(rises.sum())
    if not candidates:
        return None

    left = {i: float(_rises(np.delete(n, i), np.delete(t, i)).sum()) for i in candidates if i < len(n) - 1}
    if not left:
        return None
    best = min(left, key=lambda i: (left[i], i))
    return best if left[best] <= IMPROVED * whole and whole - left[best] > RISE else None


def _rises(n: Array, t: Array) -> Array:
    """By how much ln R grows from one pair of neighbours to the next; falling R is as it should be."""
    r = (t[:-1] * n[:-1] / n[1:]) / t[1:] * (1 + (n[1:] - n[:-1]) / n[1:])
    return np.maximum(np.diff(np.log(r)), 0.0)


class TwoSteps(NamedTuple):
    """Where a new step begins (number of the run), and the fits before and from there."""

    at: int
    before: downey.Downey
    after: downey.Downey


def steps(n: Array, t: Array, whole: downey.Downey) -> TwoSteps | None:
    """Two models, one for each step, where five runs or more are described far better by two than by one."""
    if len(n) < STEP_RUNS or whole.error < STEP_ERROR**2:
        return None
    best: TwoSteps | None = None
    for at in range(2, len(n) - 1):
        before, after = downey.fit(n[:at], t[:at]), downey.fit(n[at:], t[at:])
        error = (before.error * at + after.error * (len(n) - at)) / len(n)
        if error <= STEP_GAIN * whole.error and (best is None or error < _error(best, len(n))):
            best = TwoSteps(at, before, after)

    if best is None:
        return None
    first, second = (_widest(n[part], t[part]) for part in (slice(best.at), slice(best.at, None)))
    return TwoSteps(best.at, first, second)


def _widest(n: Array, t: Array) -> downey.Downey:
    return downey.most_parallel(n, t, None, downey.SearchRange(1.0, downey.MOST_PARALLELISM * float(n[-1])))


def _error(steps: TwoSteps, count: int) -> float:
    return (steps.before.error * steps.at + steps.after.error * (count - steps.at)) / count


class Favoured(NamedTuple):
    """Counts of processors on which the program runs better: in words, which runs, and the fit on those."""

    words: str
    runs: tuple[int, ...]
    fit: downey.Downey


def favoured(n: Array, t: Array) -> Favoured | None:
    """Powers of two, squares or multiples that follow one model while all others are slower; nine runs or more."""
    if len(n) < FAVOURED_RUNS or not np.all(n == np.round(n)):
        return None
    for words, inside in _classes(n):
        if not CLASS_RUNS <= int(inside.sum()) <= len(n) - 2:
            continue
        model = downey.fit(n[inside], t[inside])

        off = t / model.seconds(n) - 1
        others = off[~inside & (n > n[inside].min())]
        slower = len(others) > 1 and float(np.median(others)) > OTHERS_SLOWER
        if slower and model.error < CLASS_ERROR**2 and np.mean(others > OTHERS_SLOWER / 2) > 0.8:
            return Favoured(words, tuple(int(i) for i in np.flatnonzero(inside)), model)
    return None


def _classes(n: Array) -> list[tuple[str, NDArray[np.bool_]]]:
    whole = n.astype(np.int64)
    classes = [("powers of two", (whole & (whole - 1)) == 0), ("squares", np.round(np.sqrt(n)) ** 2 == n)]
    return [*classes, *((f"multiples of {m}", (whole % m == 0) | (whole == 1)) for m in MULTIPLES)]
