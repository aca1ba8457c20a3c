"""What was fitted to an experiment."""

from __future__ import annotations

from dataclasses import dataclass

from apet.ground.interval import Interval
from apet.ground.notes import Note
from apet.runs.experiments import Experiment
from apet.runs.fit.surface.intervals import Design
from apet.runs.surface_law import SurfaceLaw


@dataclass(frozen=True, slots=True)
class SurfacePoint:
    """A prediction: `t` seconds, the interval that shall hold 90 % of such runs, the deviation of ln t that it comes
    from, and seconds by phase; the interval if the program goes on to follow its law, where it is narrower."""

    x: tuple[float, ...]
    t: float
    interval: Interval
    spread: float
    phases: dict[str, float]
    law_interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class SurfaceFit:
    """What was fitted to an experiment: predictions, "high", "fair" or "low" trust, the likeliest formula, and what
    speaks against them."""

    experiment: Experiment
    predictions: tuple[SurfacePoint, ...]
    trust: str
    law: SurfaceLaw
    notes: tuple[Note, ...]
    design: Design
