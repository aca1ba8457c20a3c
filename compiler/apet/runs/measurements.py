"""Measured runs, and what is predicted from them: the data that front ends, back ends and reports share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from apet.ground.interval import Interval

if TYPE_CHECKING:
    from apet.runs.scaling_laws import Law


class Run(NamedTuple):
    """Runs of one size or number of processors `n`: `t` seconds (the representative one), all repetitions where known,
    and seconds by phase where profiled."""

    n: float
    t: float
    repetitions: tuple[float, ...] = ()
    phases: Mapping[str, float] = {}


class Curve(NamedTuple):
    """Runs of one program over sizes ("size") or processors ("procs"), by ascending n; each n once, all times above
    0."""

    name: str
    kind: str
    runs: tuple[Run, ...]
    unit: str = "s"


class Extrapolated(NamedTuple):
    """One predicted run: `t` seconds, the interval that shall hold 90 % of such runs, and how uncertain ln t is."""

    n: float
    t: float
    interval: Interval
    spread: float


class Extrapolation(NamedTuple):
    """Predictions by a method, how far it trusts itself ("high", "fair", "low"), and what speaks against it.

    `fit` says in words and numbers what was fitted, by phase; `law` is the fit as a formula, or the likeliest one where
    several are averaged. `advice` names runs that would help, `unusual` runs that were given less weight.
    """

    method: str
    trust: str
    flags: tuple[str, ...]
    predictions: tuple[Extrapolated, ...]
    fit: Mapping[str, Mapping[str, float]] = {}
    law: Law | None = None
    advice: tuple[str, ...] = ()
    unusual: tuple[float, ...] = ()
