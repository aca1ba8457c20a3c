"""Predictions over several parameters: errors beyond the runs, by design; Extra-P beside them where it is installed.

python -m tests.benchmarks.several DATA [DESIGN ...]

DATA is JSON: `{"sets": [{"name", "program", "parameters": [{"name", "role"}], "points": [{"x", "seconds", "truth",
"phases"}], "designs": {name: [index of a point]}, "targets": [[index of a point, kind]]}]}`. Kinds `inside` and
`interp` lie among the runs, all others beyond them. A folder of tables, such as `tests/data/several`, is judged under
the same designs: of seven values of two parameters five are measured.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.benchmarks.peers import extrap_surfaces

from apet.runs.experiments import DesignPoint, Experiment, RunParameter
from apet.runs.fit.surface.fitted import SurfaceFit
from apet.runs.fit.surface.surface import fit_surface
from apet.runs.read import read_experiment

DESIGNS = ("full", "cross1", "few8", "cross")
LINES = [(0, k) for k in range(5)] + [(k, 0) for k in range(1, 5)]
PLACES = {
    "full": [(i, j) for i in range(5) for j in range(5)],
    "cross1": [*LINES, (4, 4)],
    "few8": [(0, 0), (0, 4), (4, 0), (4, 4), (2, 2), (2, 4), (4, 2), (3, 3)],
    "cross": LINES,
}
"""Of designs of tables, by the numbers of the values of both parameters."""
TARGETS = {
    **dict.fromkeys([(2, 1), (1, 3), (3, 2), (2, 3)], "inside"),
    **dict.fromkeys([(2, 5), (4, 5), (5, 2), (5, 4)], "one2"),
    **dict.fromkeys([(2, 6), (4, 6), (6, 2), (6, 4)], "one4"),
    **dict.fromkeys([(5, 6), (6, 5)], "pair"),
    (5, 5): "joint2",
    (6, 6): "joint4",
}
INSIDE = ("inside", "interp")
MOST = 1.0
"""The error that counts at most: all of it."""
Predictor = Callable[[Experiment, Sequence[Sequence[float]]], Any]


class Study(NamedTuple):
    """A data set under a design: its runs, and the targets that it lacks, with their kinds and true seconds."""

    name: str
    runs: Experiment
    targets: list[tuple[float, ...]]
    kinds: list[str]
    truth: np.ndarray


class SurfaceFigures(NamedTuple):
    """Mean errors of each set, beyond its runs, among them and four times beyond in all parameters; whether intervals
    held, how wide they were, and seconds for each set."""

    beyond: list[float]
    inside: list[float]
    joint: list[float]
    held: list[bool]
    widths: list[float]
    seconds: list[float]


def sets_of(path: Path) -> list[Any]:
    """The data sets of a file, or of the tables of a folder."""
    if path.is_dir():
        return [_of_table(table) for table in sorted(path.glob("*.csv"))]
    sets: list[Any] = json.loads(path.read_text(encoding="utf-8"))["sets"]
    return sets


def _of_table(path: Path) -> dict[str, Any]:
    own = read_experiment(path, parameters=path.read_text(encoding="utf-8").split(",", 2)[:2]).experiment
    axes = [own.values(k) for k in range(2)]
    places = {tuple(axis.index(v) for axis, v in zip(axes, p.x, strict=True)): k for k, p in enumerate(own.points)}
    points = [{"x": p.x, "seconds": p.repetitions, "truth": p.t, "phases": p.paths} for p in own.points]
    return {
        "name": path.stem,
        "program": path.stem,
        "parameters": [p._asdict() for p in own.parameters],
        "points": points,
        "designs": {name: [places[at] for at in chosen] for name, chosen in PLACES.items()},
        "targets": [[places[at], kind] for at, kind in TARGETS.items()],
    }


def studies(sets: Sequence[Any], design: str) -> list[Study]:
    """The data sets that have this design."""
    return [_study(each, design) for each in sets if design in each["designs"]]


def _study(each: Any, design: str) -> Study:
    chosen = each["designs"][design]
    points = [_point(each["points"][k]) for k in chosen]
    parameters = tuple(RunParameter(p["name"], p["role"]) for p in each["parameters"])
    runs = Experiment(each["name"], parameters, tuple(sorted(points, key=lambda p: p.x)), {})
    targets = [(each["points"][k], kind) for k, kind in each["targets"] if k not in set(chosen)]
    truth = np.array([p["truth"] for p, _ in targets])
    return Study(each["name"], runs, [tuple(p["x"]) for p, _ in targets], [kind for _, kind in targets], truth)


def _point(point: Any) -> DesignPoint:
    phases = {
        name: statistics.median(s if isinstance(s, list) else [s]) for name, s in (point.get("phases") or {}).items()
    }
    return DesignPoint(tuple(point["x"]), statistics.median(point["seconds"]), tuple(point["seconds"]), phases)


def judged(of: Sequence[Study], predict: Predictor) -> SurfaceFigures:
    """The figures of a predictor, which gives a fit or seconds."""
    figures = SurfaceFigures([], [], [], [], [], [])
    for study in of:
        start = time.perf_counter()
        answer = predict(study.runs, study.targets)
        figures.seconds.append(time.perf_counter() - start)

        fit = answer if isinstance(answer, SurfaceFit) else None
        times = np.array([p.t for p in fit.predictions]) if fit else answer
        errors = np.minimum(np.abs(times / study.truth - 1), MOST)
        beyond = np.array([kind not in INSIDE for kind in study.kinds])
        joint = np.array([kind == "joint4" for kind in study.kinds])
        for chosen, into in ((beyond, figures.beyond), (~beyond, figures.inside), (joint, figures.joint)):
            if chosen.any():
                into.append(float(errors[chosen].mean()))
        for p, true, far in zip(fit.predictions if fit else (), study.truth, beyond, strict=False):
            if far:
                figures.held.append(bool(float(p.interval.lo) <= true <= float(p.interval.hi)))
                figures.widths.append(float(p.interval.hi) / float(p.interval.lo))
    return figures


def line(name: str, figures: SurfaceFigures) -> str:
    """Median / mean / 90th percentile of the errors in per cent, and what else was measured."""
    errors = sorted(100 * e for e in figures.beyond)
    spread = (
        f"{statistics.median(errors):.1f} / {statistics.mean(errors):.1f} / {errors[int(0.9 * (len(errors) - 1))]:.0f}"
    )
    joint = f"{100 * statistics.mean(figures.joint):.0f}" if figures.joint else "-"
    inside = f"{100 * statistics.median(figures.inside):.1f}" if figures.inside else "-"
    intervals = ""
    if figures.held:
        intervals = f", holds {statistics.mean(figures.held):.2f}, width {statistics.median(figures.widths):.2f}"
    milliseconds = 1000 * statistics.median(figures.seconds)
    return f"{name:<34} beyond {spread}, joint 4x {joint}, inside {inside}{intervals}, {milliseconds:.0f} ms"


def peers() -> dict[str, Predictor]:
    """Extra-P's ways, where it is installed."""
    if find_spec("extrap") is None:
        return {}

    def way(negative: bool, by_phase: bool) -> Predictor:
        return partial(extrap_surfaces.predicted, negative=negative, by_phase=by_phase)

    return {
        "Extra-P": way(negative=False, by_phase=False),
        "Extra-P, negative exponents": way(negative=True, by_phase=False),
        "Extra-P, negative, by phase": way(negative=True, by_phase=True),
        "Extra-P of t P": extrap_surfaces.of_work,
    }


def main(arguments: Sequence[str]) -> None:
    """Print a line for each design and predictor."""
    path, *designs = arguments
    sets = sets_of(Path(path))
    for design in designs or DESIGNS:
        of = studies(sets, design)
        print(f"{design}: {len(of)} sets")
        for name, predict in {"APET": fit_surface, **peers()}.items():
            print(f"  {line(name, judged(of, predict))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
