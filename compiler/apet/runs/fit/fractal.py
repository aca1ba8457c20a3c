"""FRACTAL: one power law for each phase, and the whole run from the shares of the phases.

R. Escobar and R. V. Boppana, Performance prediction of parallel applications based on small-scale executions, 2018.
With b_i = N_i / N and y_i = ln T_i regressed on ln(b_i / b_L): the slope is the fractal dimension c, e to the intercept
the time at N_L, and T = a N^c.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.ground.notes import Note, NoteKind
from apet.runs.fit.student import prediction, quantile
from apet.runs.measurements import Curve, Extrapolation, Run
from apet.runs.scaling_laws import Law, PhaseSum, Power, Sum, seconds

Array = NDArray[np.float64]
MAIN_SHARE = 0.7
"""The phases are the functions that together make up more than this."""
MOST_PHASES = 8
STABLE_WITHIN = 0.05
"""Of the run time: a share that changes by more has not settled."""
LEAST_RUNS = 3
POOR_FIT = 0.9
"""Share of variance explained below which a phase does not follow its law."""
LEAST_SPREAD = 0.01
"""Of ln t: runs repeat no better than to one per cent."""
BENT = 0.15
"""Deviation of ln t from the line from which it is no line."""


class PowerFit(NamedTuple):
    """T = a N^c by least squares in logarithms; the residual's deviation, and the share of variance explained."""

    a: float
    c: float
    deviation: float
    determination: float
    sizes: tuple[float, ...]

    def spread(self, n: float) -> float:
        """The standard deviation of ln T of a further run at n."""
        x = np.log(np.array(self.sizes))
        around = float(np.sum((x - x.mean()) ** 2))
        return self.deviation * math.sqrt(1 + 1 / len(x) + (math.log(n) - float(x.mean())) ** 2 / max(around, 1e-12))


def power_law(n: Array, t: Array) -> PowerFit:
    """The straight line in logarithms, relative to the largest run."""
    x, y = np.log(n / n[-1]), np.log(t)
    middle = float(x.mean())
    slope = float(np.sum((x - middle) * (y - y.mean())) / np.sum((x - middle) ** 2))
    start = float(y.mean()) - slope * middle
    left = y - start - slope * x

    total = float(np.sum((y - y.mean()) ** 2))
    freedom = max(len(n) - 2, 1)
    explained = 1.0 - float(np.sum(left**2)) / total if total > 1e-24 else 1.0
    deviation = max(math.sqrt(float(np.sum(left**2)) / freedom), LEAST_SPREAD)
    return PowerFit(math.exp(start - slope * math.log(float(n[-1]))), slope, deviation, explained, tuple(map(float, n)))


def powerlaw(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """One power law for the whole run."""
    return _predicted("powerlaw", curve, targets, {"whole": power_law(*_times(curve.runs, None))}, (1.0, 0.0), ())


def fractal(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """A power law for each phase, and for the whole run where it was not profiled."""
    names = main_phases(curve.runs)
    if not names:
        profiled = any(r.phases for r in curve.runs)
        flags = () if profiled else (Note(NoteKind.PHASES, "the runs were not profiled; one law for the whole"),)
        fits = {"whole": power_law(*_times(curve.runs, None))}
        return _predicted("fractal", curve, targets, fits, (1.0, 0.0), flags)

    first = stable_from(curve.runs, names)
    runs = curve.runs[first:]
    left_out = Note(NoteKind.PHASES, f"shares are stable from n = {runs[0].n:.12g} on; smaller runs were left out")
    flags = () if first == 0 else (left_out,)
    if not _stable(runs, names):
        flags = (*flags, Note(NoteKind.PHASES, "shares still change by more than 5 % at the largest runs"))

    fits = {name: power_law(*_times(runs, name)) for name in names}
    n = np.array([r.n for r in runs])
    shares = np.array([sum(r.phases[name] for name in names) / r.t for r in runs])
    slope = float(np.polyfit(n / n[-1], shares, 1)[0]) / float(n[-1])
    start = float(shares.mean()) - slope * float(n.mean())
    return _predicted("fractal", curve, targets, fits, (start, slope), flags)


def main_phases(runs: Sequence[Run]) -> tuple[str, ...]:
    """The fewest functions that make up more than 70 % of the largest run, all measured in every run."""
    common = [name for name in runs[-1].phases if all(r.phases.get(name, 0.0) > 0 for r in runs)]
    longest = sorted(common, key=lambda name: -runs[-1].phases[name])[:MOST_PHASES]
    chosen, share = list[str](), 0.0
    for name in longest:
        chosen.append(name)
        share += runs[-1].phases[name] / runs[-1].t
        if share > MAIN_SHARE:
            return tuple(chosen)
    return ()


def stable_from(runs: Sequence[Run], names: Sequence[str]) -> int:
    """The first run from which on no share changes by more than 5 % of the run time; at least three runs stay."""
    for first in range(len(runs) - LEAST_RUNS + 1):
        if _stable(runs[first:], names):
            return first
    return 0


def _stable(runs: Sequence[Run], names: Sequence[str]) -> bool:
    shares = np.array([[r.phases[name] / r.t for name in names] for r in runs])
    return bool(np.all(np.abs(np.diff(shares, axis=0)) <= STABLE_WITHIN))


def _times(runs: Sequence[Run], phase: str | None) -> tuple[Array, Array]:
    n = np.array([r.n for r in runs], dtype=float)
    return n, np.array([r.t if phase is None else r.phases[phase] for r in runs], dtype=float)


def _predicted(
    method: str,
    curve: Curve,
    targets: Sequence[float],
    fits: Mapping[str, PowerFit],
    share: tuple[float, float],
    flags: Sequence[Note],
) -> Extrapolation:
    laws: tuple[Law, ...] = tuple(Sum((Power(f.a, f.c),)) for f in fits.values())
    law: Law = laws[0] if share == (1.0, 0.0) and len(laws) == 1 else PhaseSum(tuple(fits), laws, share)
    freedom = len(next(iter(fits.values())).sizes) - 2

    predictions = []
    for x in targets:
        each = [f.a * x**f.c for f in fits.values()]
        weighted = sum(t * f.spread(x) for t, f in zip(each, fits.values(), strict=True))
        spread = weighted / sum(each) if sum(each) > 0 else 1.0
        predictions.append(prediction(x, seconds(law, x), spread, quantile(freedom)))

    poor = [name for name, f in fits.items() if f.determination < POOR_FIT]
    bent = [name for name, f in fits.items() if f.deviation > BENT]
    badly = dict.fromkeys([*poor, *bent])
    notes = [*flags, *(Note(NoteKind.FIT, f"a power law does not describe {name}") for name in badly)]
    trust = "low" if poor or bent else "fair" if any(f.deviation > BENT / 3 for f in fits.values()) else "high"
    described = {
        name: {"a": f.a, "c": f.c, "deviation": f.deviation, "r2": f.determination} for name, f in fits.items()
    }
    return Extrapolation(method, trust, tuple(notes), tuple(predictions), described, law)
