"""Changes of regime: runs that follow one law up to some n, and another one from there on.

A change is taken where the two laws together explain the runs far better than one law with a smooth deviation, and the
upper runs follow theirs exactly or up to noise. Between which runs it lies is told by the evidence of each place.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from apet.runs.fit.laws.averaged import fitted
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
