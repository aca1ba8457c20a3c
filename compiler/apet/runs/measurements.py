"""Measured runs, and what is predicted from them: the data that readers, methods and reports share.

Times are in seconds, other metrics in the unit of the curve; n is the size of the input or the number of processors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from apet.ground.interval import Interval
from apet.ground.notes import Note

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from apet.runs.scaling_laws import Law

    Array = NDArray[np.float64]


QUANTITIES = {"s": "run time", "B": "bytes", "J": "energy", "W": "power", "flop": "operations"}
"""What was measured, by its unit; plain numbers are values."""
ENOUGH_RUNS = {"size": 5, "procs": 4}
"""By kind of curve, the runs that intervals are calibrated for."""


def quantity(unit: str) -> str:
    """What values of a unit are called."""
    return QUANTITIES.get(unit, "value")


class Run(NamedTuple):
    """Runs at one n: `t` seconds (the representative one), all repetitions where known, in seconds, and seconds by
    phase where profiled."""

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

    def arrays(self) -> tuple[Array, Array]:
        """n and t in seconds, each (runs,)."""
        import numpy as np

        return np.array([r.n for r in self.runs], dtype=float), np.array([r.t for r in self.runs], dtype=float)

    @property
    def has_whole_n(self) -> bool:
        """Whether every n is a whole number, so that predicted ones should be."""
        return all(r.n == round(r.n) for r in self.runs)


class Extrapolated(NamedTuple):
    """One predicted run: `t` seconds, the interval that shall hold 90 % of such runs, in seconds, and the standard
    deviation of ln t; the narrower 90 % interval if the program goes on to follow its law, where that may well be."""

    n: float
    t: float
    interval: Interval
    spread: float
    law_interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """Predictions by a method, how far it trusts itself ("high", "fair", "low"), and what speaks against it.

    `fit` says in words and numbers what was fitted, by phase; `law` is the fit as a formula, or the likeliest one where
    several are averaged. `advice` names runs that would help, `unusual` the n of runs that were given less weight.
    """

    method: str
    trust: str
    flags: tuple[Note, ...]
    predictions: tuple[Extrapolated, ...]
    fit: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    law: Law | None = None
    advice: tuple[str, ...] = ()
    unusual: tuple[float, ...] = ()
