"""The methods by name, and what each needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notes import Note, NoteKind
from apet.runs import errors
from apet.runs.measurements import ENOUGH_RUNS, Curve, Extrapolation

Predict = Callable[[Curve, Sequence[float]], Extrapolation]


class FitMethod(NamedTuple):
    """How many runs a method needs, and for which kinds of curves it is."""

    runs: int
    kinds: tuple[str, ...]


FARTHEST, NEARLY = 4, 2.5e-3
"""Times the largest run: intervals are calibrated up to there, and a target just beyond is no farther."""
BOTH = ("size", "procs")
METHODS = {
    "auto": FitMethod(3, BOTH),
    "fractal": FitMethod(3, ("size",)),
    "adept": FitMethod(3, ("procs",)),
    "powerlaw": FitMethod(3, BOTH),
    "amdahl": FitMethod(2, ("procs",)),
    "usl": FitMethod(3, ("procs",)),
}


def _method(name: str) -> Predict:
    """The method of a name; imported when it is used, since most need numpy."""
    match name:
        case "auto":
            from apet.runs.fit.blended import extrapolate as predict
        case "fractal":
            from apet.runs.fit.fractal import fractal as predict
        case "adept":
            from apet.runs.fit.adept import adept as predict
        case "powerlaw":
            from apet.runs.fit.fractal import powerlaw as predict
        case "amdahl":
            from apet.runs.fit.linear import amdahl as predict
        case _:
            from apet.runs.fit.linear import universal as predict

    return predict


def names(kind: str) -> list[str]:
    """The methods for a kind of curve, the default first."""
    return [name for name, method in METHODS.items() if kind in method.kinds]


def extrapolate(runs: Curve, to: Iterable[float], method: str = "auto") -> Extrapolation:
    """Predict run times at other sizes or numbers of processors, with intervals for 90 % of such runs, in seconds.

    `method` is "auto", "powerlaw", for sizes also "fractal", for processors "adept", "amdahl" or "usl". Raises
    `ApetError` where there are too few runs for the method.
    """
    curve, targets = runs, list(to)
    needs = METHODS.get(method)
    if needs is None or curve.kind not in needs.kinds:
        choices = names(curve.kind)
        what = f"method for {'sizes' if curve.kind == 'size' else 'processors'}"
        raise ApetError(errors.UnknownRunName(None, None, what, method, nearest(method, choices), ", ".join(choices)))
    if len(curve.runs) < needs.runs:
        raise ApetError(_too_few(curve, method, needs.runs))

    try:
        result = _method(method)(curve, targets)
    except OverflowError:
        raise _out_of_reach(curve, max(targets, default=curve.runs[-1].n)) from None
    for p in result.predictions:
        if not (0 < p.t < math.inf and math.isfinite(p.interval.hi) and p.interval.lo >= 0):
            raise _out_of_reach(curve, p.n)

    outside = _outside(curve, targets)
    trust = "low" if any(f.kind is NoteKind.FAR for f in outside) else result.trust
    return replace(result, method=method, flags=(*result.flags, *outside), trust=trust)


def _out_of_reach(curve: Curve, n: float) -> ApetError:
    return ApetError(errors.OutOfReach(None, None, f"{n:.6g}", f"{curve.runs[-1].n:.6g}"))


def _outside(curve: Curve, targets: Sequence[float]) -> list[Note]:
    """Flags for targets outside what the methods were tried on."""
    first, last = curve.runs[0].n, curve.runs[-1].n
    flags = []
    if targets and max(targets) > FARTHEST * last * (1 + NEARLY):
        reach = f"intervals hold up to {FARTHEST} times"
        flags.append(Note(NoteKind.FAR, f"{max(targets) / last:.3g} times beyond the largest run; {reach}"))
    if targets and min(targets) < first:
        flags.append(Note(NoteKind.BELOW, "smaller than the smallest run"))
    return flags


def _too_few(curve: Curve, method: str, needed: int) -> errors.TooFew:
    count = len(curve.runs)
    runs = f"is 1, at n = {curve.runs[0].n:.12g}" if count == 1 else f"are {count}"
    able = [name for name in names(curve.kind) if METHODS[name].runs <= count]
    enough = ENOUGH_RUNS[curve.kind]
    largest = curve.runs[-1].n
    more = ", ".join(f"{largest * 2.0**k:.12g}" for k in range(1, enough - count + 1))
    instead = f"; {', '.join(able)} can do with {count}" if able else ""
    advised = f"run also n = {more}: {enough} runs are what intervals are made for{instead}"
    return errors.TooFew(None, None, method, needed, runs, advised)
