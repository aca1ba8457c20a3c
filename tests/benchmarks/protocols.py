"""How predictions from runs are judged: which points of a measured curve are given, and which are asked for.

Size: the five smallest (each 1.2 times the one before), asked up to 4 times the largest. Processors: the four smallest
(1.9 times, or 1.4, or 1.05), asked up to 4 times. Interpolation: four spread over the range, asked the others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from apet.runs.measurements import Curve, Run

CURVES = Path(__file__).resolve().parents[1] / "data" / "scaling" / "curves.json"
Points = list[dict[str, Any]]


class Task(NamedTuple):
    """A curve of the given points, the n asked for with their measured times, and where it comes from."""

    curve: Curve
    n: list[float]
    t: list[float]
    group: str


class Figures(NamedTuple):
    """Errors of curves in per cent: median, mean with each at most 100, 90th percentile; coverage, median width, and
    the rank correlation of the own uncertainty with the error of the same target."""

    median: float
    mean: float
    high: float
    coverage: float
    width: float
    correlation: float


def thin(points: Points, ratio: float) -> Points:
    """Points by successive ratios of n."""
    kept = [points[0]]
    for p in points[1:]:
        if p["n"] >= kept[-1]["n"] * ratio - 1e-9:
            kept.append(p)
    return kept


def size(points: Points) -> tuple[Points, Points]:
    """Five small sizes; larger ones."""
    kept = thin(points, 1.2)
    return kept[:5], [p for p in kept[5:] if p["n"] <= 4.01 * kept[4]["n"]] if len(kept) > 5 else []


def procs(points: Points) -> tuple[Points, Points]:
    """Four small numbers of processors; larger ones."""
    for ratio in (1.9, 1.4, 1.05):
        train = thin(points, ratio)[:4]
        asked = [p for p in points if train[-1]["n"] < p["n"] <= 4.01 * train[-1]["n"]]
        if len(train) == 4 and asked:
            break
    return train, asked


def interpolation(points: Points) -> tuple[Points, Points]:
    """Four spread over the range; all others."""
    x = [math.log(p["n"]) for p in points]
    places = (x[0] + (x[-1] - x[0]) * j / 3 for j in range(4))
    at = sorted({min(range(len(x)), key=lambda i: abs(x[i] - place)) for place in places})
    return [points[i] for i in at], [p for i, p in enumerate(points) if i not in at]


SPLITS: dict[str, tuple[str, Callable[[Points], tuple[Points, Points]]]] = {
    "size": ("size", size),
    "procs": ("procs", procs),
    "interpolation": ("procs", interpolation),
}


def tasks(name: str) -> Iterator[Task]:
    """The tasks of a protocol."""
    kind, split = SPLITS[name]
    for c in json.loads(CURVES.read_text(encoding="utf-8")):
        given, asked = split(c["points"]) if c["kind"] == kind else ([], [])
        if len(given) < 4 or not asked:
            continue
        runs = tuple(Run(p["n"], p["t"], tuple(p.get("reps", ())), p.get("phases", {})) for p in given)
        yield Task(Curve(c["id"], kind, runs), [p["n"] for p in asked], [p["t"] for p in asked], c["group"])


def judged(
    found: Sequence[Sequence[float]], low: Sequence[Sequence[float]], high: Sequence[Sequence[float]],
    spread: Sequence[Sequence[float]], tried: Sequence[Task],
) -> Figures:  # fmt: skip
    """The figures of predictions (curves by targets); intervals and spreads may be empty."""
    each = [np.abs(np.array(f) - task.t) / task.t for f, task in zip(found, tried, strict=True)]
    errors = sorted(float(np.minimum(e, 1).mean()) for e in each)
    middle, mean = 100 * float(np.median(errors)), 100 * float(np.mean(errors))
    high_end = 100 * errors[int(0.9 * (len(errors) - 1))]
    if not low:
        return Figures(middle, mean, high_end, math.nan, math.nan, math.nan)
    inside = [np.mean((np.array(a) <= k.t) & (k.t <= np.array(b))) for a, b, k in zip(low, high, tried, strict=True)]
    counts = [len(k.t) for k in tried]
    width = float(np.median(np.concatenate([np.array(b) / np.array(a) for a, b in zip(low, high, strict=True)])))
    own = [float(np.mean(s)) for s in spread]
    correlation = _ranked(own, [float(e.mean()) for e in each])
    return Figures(middle, mean, high_end, float(np.average(inside, weights=counts)), width, correlation)


def _ranked(a: Sequence[float], b: Sequence[float]) -> float:
    ranks = [np.argsort(np.argsort(x)) for x in (a, b)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
