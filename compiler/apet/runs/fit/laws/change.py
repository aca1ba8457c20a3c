"""Changes of regime: runs that follow one law up to some n, and another one from there on.

A change is taken where the two laws together explain the runs far better than one law with a smooth deviation, and the
upper runs follow theirs exactly or up to noise. Between which runs it lies is told by the evidence of each place.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.laws.averaged import by_pure_laws, fitted
from apet.runs.measurements import Curve, Run

LEAST_RUNS, LEAST_ABOVE = 7, 4
"""In all, and of the last regime: a law of two terms, and two runs that could disagree with it."""
MOST_RUNS = 16
"""Thinned out to so many, since each place needs two fits."""
FAR_BETTER = math.log(100)
AS_LIKELY = math.log(20)
"""Places of less evidence by this are out of question."""
LIKELY, POSSIBLE = 0.5, 0.2
"""Chances that the runs leave every law, and that those above follow one. Of 36 drawn changes with noise of 1 and 3 %,
21 were found, all between their runs; of 36 laws without a change none had one."""

FAR_OFF, CLEARLY_OFF = 5.0, 0.1
"""Standard deviations, and of ln t: a last run farther from the law of the others has left it, or was disturbed."""

Array = NDArray[np.float64]


class Change(NamedTuple):
    """The regime begins above the run at `after` and at the latest at `before`; `first` is the n of its first run that
    is used."""

    after: float
    before: float
    first: float


@lru_cache(maxsize=8)
def _change(kind: str, runs: tuple[tuple[float, float, tuple[float, ...]], ...]) -> Change | None:
    curve = Curve("", kind, tuple(Run(*run) for run in runs))
    whole = fitted(curve)
    if whole.bent < LIKELY:
        return None

    evidences = dict[int, float]()
    for at in range(1, len(runs) - LEAST_ABOVE + 1):
        below, above = (fitted(curve._replace(runs=part)) for part in (curve.runs[:at], curve.runs[at:]))
        if float(above.weights[above.pure].sum()) >= POSSIBLE:
            evidences[at] = below.evidence + above.evidence
    best = max(evidences.values(), default=-math.inf)
    if best - math.log(len(evidences) or 1) < whole.evidence + FAR_BETTER:
        return None

    places = [at for at, evidence in evidences.items() if evidence >= best - AS_LIKELY]
    return Change(curve.runs[min(places) - 1].n, curve.runs[max(places)].n, curve.runs[max(places)].n)


def change_of_regime(curve: Curve) -> Change | None:
    """The last change of regime of a curve, None where it shows none."""
    count = len(curve.runs)
    if count < LEAST_RUNS:
        return None
    used = curve.runs
    if count > MOST_RUNS:
        used = tuple(used[round(k * (count - 1) / (MOST_RUNS - 1))] for k in range(MOST_RUNS))
    return _change(curve.kind, tuple((r.n, r.t, r.repetitions) for r in used))


def last_leaves(curve: Curve, at: Array) -> Array | None:
    """ln t beyond a last run that alone leaves the law of the others, (branches, targets); None where it does not.

    The law goes on, and that run was disturbed; all takes longer by its factor from there on; or what it takes more
    grows in proportion from the run before.
    """
    *others, last = curve.runs
    if len(others) < LEAST_ABOVE or fitted(curve).bent < LIKELY:
        return None
    found = by_pure_laws(curve._replace(runs=tuple(others)), np.array([last.n, *at]))
    if found is None:
        return None
    (law, *beyond), (spread, *_) = found
    off = math.log(last.t) - law
    if abs(off) <= max(FAR_OFF * spread, CLEARLY_OFF):
        return None

    more, grown = last.t - math.exp(law), np.array(beyond)
    steps = (at - others[-1].n) / (last.n - others[-1].n)
    steeper = np.log(np.maximum(np.exp(grown) + more * steps, np.exp(grown) * math.exp(-abs(off))))
    return np.where(at > last.n, [grown, grown + off, steeper], np.nan)
