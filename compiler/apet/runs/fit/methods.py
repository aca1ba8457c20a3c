"""The methods by name, and what each needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, nearest
from apet.runs.fit import errors
from apet.runs.measurements import Curve, Extrapolation

Predict = Callable[[Curve, Sequence[float]], Extrapolation]


class Method(NamedTuple):
    """How it predicts, how many runs it needs, and for which kinds of curves it is."""

    load: Callable[[], Predict]
    runs: int
    kinds: tuple[str, ...]


def _blend() -> Predict:
    from apet.runs.fit.blended import extrapolate

    return extrapolate


def _fractal() -> Predict:
    from apet.runs.fit.fractal import fractal

    return fractal


def _powerlaw() -> Predict:
    from apet.runs.fit.fractal import powerlaw

    return powerlaw


def _adept() -> Predict:
    from apet.runs.fit.adept import adept

    return adept


def _amdahl() -> Predict:
    from apet.runs.fit.linear import amdahl

    return amdahl


def _universal() -> Predict:
    from apet.runs.fit.linear import universal

    return universal


FARTHEST, NEARLY = 4, 2.5e-3
BOTH = ("size", "procs")
METHODS = {
    "auto": Method(_blend, 3, BOTH),
    "fractal": Method(_fractal, 3, ("size",)),
    "adept": Method(_adept, 3, ("procs",)),
    "powerlaw": Method(_powerlaw, 3, BOTH),
    "amdahl": Method(_amdahl, 2, ("procs",)),
    "usl": Method(_universal, 3, ("procs",)),
}
PUBLISHED = {"size": "fractal", "procs": "adept"}
"""The published method that is shown beside the default."""


def names(kind: str) -> list[str]:
    """The methods for a kind of curve, the default first."""
    return [name for name, method in METHODS.items() if kind in method.kinds]


def extrapolate(curve: Curve, targets: Sequence[float], method: str = "auto") -> Extrapolation:
    """Predict run times at the targets (above 0); `ApetError` where there are too few runs for the method."""
    found = METHODS.get(method)
    if found is None or curve.kind not in found.kinds:
        known = names(curve.kind)
        kind = "sizes" if curve.kind == "size" else "processors"
        raise ApetError(errors.UnknownMethod(None, None, kind, method, nearest(method, known), ", ".join(known)))
    if len(curve.runs) < found.runs:
        raise ApetError(_too_few(curve, method, found.runs))
    try:
        result = found.load()(curve, targets)
    except OverflowError:
        raise _out_of_reach(curve, max(targets, default=curve.runs[-1].n)) from None
    for p in result.predictions:
        if not (0 < p.t < math.inf and math.isfinite(p.interval.hi) and p.interval.lo >= 0):
            raise _out_of_reach(curve, p.n)
    outside = _outside(curve, targets)
    trust = "low" if any(f.startswith("far") for f in outside) else result.trust
    return result._replace(method=method, flags=(*result.flags, *outside), trust=trust)


def _out_of_reach(curve: Curve, n: float) -> ApetError:
    return ApetError(errors.OutOfReach(None, None, f"{n:.6g}", f"{curve.runs[-1].n:.6g}"))


def _outside(curve: Curve, targets: Sequence[float]) -> list[str]:
    """What is to be said where targets lie outside what methods were tried on."""
    first, last = curve.runs[0].n, curve.runs[-1].n
    flags = []
    if targets and max(targets) > FARTHEST * last * (1 + NEARLY):
        flags.append(
            f"far: {max(targets) / last:.3g} times beyond the largest run; intervals hold up to {FARTHEST} times"
        )
    if targets and min(targets) < first:
        flags.append("below: smaller than the smallest run")
    return flags


def _too_few(curve: Curve, method: str, needed: int) -> errors.TooFew:
    count = len(curve.runs)
    there = f"is 1, at n = {curve.runs[0].n:.12g}" if count == 1 else f"are {count}"
    able = [name for name in names(curve.kind) if METHODS[name].runs <= count]
    enough = 4 if curve.kind == "procs" else 5
    largest = curve.runs[-1].n
    more = ", ".join(f"{largest * 2.0**k:.12g}" for k in range(1, enough - count + 1))
    instead = f"; {', '.join(able)} can do with {count}" if able else ""
    advised = f"run also n = {more}: {enough} runs are what intervals are made for{instead}"
    return errors.TooFew(None, None, method, needed, there, advised)
