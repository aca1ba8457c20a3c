"""How each call path grows: its share of the run now and at a target, its formula, and whether its work grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from apet.ground.interval import Interval
from apet.runs.experiments import PROCESSORS, Experiment, parent
from apet.runs.fit.surface.average import Averaged, CurveData
from apet.runs.fit.surface.intervals import BEYOND, design_of
from apet.runs.fit.surface.phases import fitted_phase, repetition_noise
from apet.runs.fit.surface.surface import law_terms
from apet.runs.fit.surface.term_library import library
from apet.runs.surface_law import PhaseLaw

LEAST_SHARE = 0.03
MOST_PATHS = 60
STEP = 2.0
"""Growth is that over the last doubling of a parameter."""
GROWING = 0.14
"""Exponent of P from which time x P grows by more than a tenth with each doubling."""


@dataclass(frozen=True, slots=True)
class CallPathFit:
    """A call path with all it calls: shares of the run at the largest run and at the target, the interval of the
    latter, its formula, the exponents over the last doubling of each parameter, and whether time x P grows."""

    path: str
    share_now: float
    share: float
    interval: Interval
    law: PhaseLaw
    growth: dict[str, float]
    work_grows: bool


def call_tree(experiment: Experiment, target: Sequence[float]) -> tuple[tuple[CallPathFit, ...], int]:
    """Paths that are 3 % of the run or more now or at the target, in the order of the tree; and how many are not."""
    x = np.array([p.x for p in experiment.points], dtype=float)
    whole = np.array([p.t for p in experiment.points])
    corner = int(np.argmax(np.log(x).sum(axis=1)))
    table = {q: np.array([p.paths.get(q, 0.0) for p in experiment.points]) for q in experiment.paths}
    shares = {q: float((t / whole).max()) for q, t in table.items()}
    ranked = sorted((q for q in table if shares[q] >= LEAST_SHARE / 2), key=lambda q: -shares[q])[:MOST_PATHS]

    run = CurveData(x, whole, repetition_noise(experiment.points))
    counts = [len(experiment.values(k)) for k in range(len(experiment.parameters))]
    terms = library(experiment.parameters, counts, experiment.largest)
    halves = [[v / STEP if j == k else v for j, v in enumerate(target)] for k in range(len(target))]
    at = np.array([target, *halves], dtype=float)
    fits = {q: fitted_phase(experiment, run, table[q], at, terms) for q in ranked}

    # a share is one of the whole run, whatever part of it no path covers
    outer = [q for q in fits if parent(q, fits) is None]
    parts = [fits[q] for q in outer]
    rest = whole - sum(table[q] for q in outer)
    if float((rest / whole).max()) >= LEAST_SHARE:
        parts.append(fitted_phase(experiment, run, np.maximum(rest, 0.0), at, terms))
    total = sum(math.exp(fit.logs[0]) for fit in parts)

    rows = [_row(experiment, q, fit, float(table[q][corner] / whole[corner]), total) for q, fit in fits.items()]
    rows = [row for row in rows if max(row.share_now, row.share) >= LEAST_SHARE]
    shares = {r.path: r.share for r in rows}  # a list is empty while it is sorted
    rows.sort(key=lambda r: _order(r.path, shares))
    return tuple(rows), len(table) - len(rows)


def _row(experiment: Experiment, path: str, fit: Averaged, share_now: float, total: float) -> CallPathFit:
    """A path whose fit is at the target, then at half of each parameter; `total` are the seconds of the run there."""
    share = min(math.exp(fit.logs[0]) / total, 1.0)
    steps = enumerate(experiment.parameters, start=1)
    growth = {p.name: float(fit.logs[0] - fit.logs[k]) / math.log(STEP) for k, p in steps}
    work_grows = any(p.role == PROCESSORS and growth[p.name] + 1 > GROWING for p in experiment.parameters)
    # in the order of their seconds at the largest run: that in which they were found differs between versions of numpy
    terms = sorted(fit.likeliest, key=lambda term: -term[0])
    law = PhaseLaw(path, law_terms(terms, experiment.largest))
    interval = _interval(experiment, share, float(fit.spread[0]))
    return CallPathFit(path, share_now, share, interval, law, growth, work_grows)


def _interval(experiment: Experiment, share: float, spread: float) -> Interval:
    """A share between 0 and 1 keeps its odds within the spread."""
    error = BEYOND[design_of(experiment)]
    width = spread + 0.02
    odds = share / max(1 - share, 1e-6)
    low, high = odds * math.exp(error.below * width), odds * math.exp(error.above * width)
    return Interval(low / (1 + low), high / (1 + high))


def _order(path: str, shares: dict[str, float]) -> tuple[tuple[float, str], ...]:
    """Parents before children, larger shares first."""
    parts = path.split("/")
    prefixes = ["/".join(parts[: k + 1]) for k in range(len(parts))]
    return tuple((-shares.get(p, 0.0), p) for p in prefixes)
