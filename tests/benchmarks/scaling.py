"""Predictions from a few runs: errors on measured curves, beside baselines and Extra-P in the same run.

python -m tests.benchmarks -k scaling
python -m tests.benchmarks.scaling [TRIALS]     as found without the group judged, and curve by curve against each other
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.measure import Row, Spread, Table
from tests.benchmarks.protocols import Figures, Task, judged, tasks
from tests.benchmarks.scaling_constants import TRIALS, cross_validated, error

from apet.runs.fit import blend
from apet.runs.fit.methods import extrapolate
from apet.runs.measurements import Extrapolation

Point = Callable[[Task], Sequence[float]]
METHODS = {
    "size": ("auto", "fractal", "powerlaw"),
    "procs": ("auto", "adept", "amdahl", "usl"),
    "interpolation": ("auto", "adept", "amdahl", "usl"),
}
FEW = 8


def scaling(quick: bool) -> Table:
    """The three protocols, each method beside the others."""
    table = Table("scaling", "Predicting from a few measured runs: 94 curves")
    for protocol, methods in METHODS.items():
        tried = list(tasks(protocol))[: FEW if quick else None]
        for method in methods:
            table.rows.append(_own(protocol, method, tried))
        for name, predict in _baselines().items():
            table.rows.append(_baseline(protocol, name, tried, predict))
    return table


def _own(protocol: str, method: str, tried: Sequence[Task]) -> Row:
    found, seconds = list[Extrapolation](), list[float]()
    for task in tried:
        start = time.perf_counter()
        found.append(extrapolate(task.curve, task.n, method))
        seconds.append(time.perf_counter() - start)
    figures = judged(
        [[p.t for p in f.predictions] for f in found],
        [[float(p.interval.lo) for p in f.predictions] for f in found],
        [[float(p.interval.hi) for p in f.predictions] for f in found],
        [[p.spread for p in f.predictions] for f in found],
        tried,
    )
    return Row(f"{protocol}: {method}", Spread.of(seconds), value=_shown(figures))


def _baseline(protocol: str, name: str, tried: Sequence[Task], predict: Point) -> Row:
    found, seconds = list[Sequence[float]](), list[float]()
    for task in tried:
        start = time.perf_counter()
        found.append(predict(task))
        seconds.append(time.perf_counter() - start)
    return Row(f"{protocol}: {name}", Spread.of(seconds), value=_shown(judged(found, [], [], [], tried)))


def _shown(f: Figures) -> str:
    text = f"{f.median:.1f} / {f.mean:.1f} / {f.high:.1f} %"
    if math.isnan(f.coverage):
        return text
    return f"{text}; covers {f.coverage:.0%}, width {f.width:.2f}, rank correlation {f.correlation:.2f}"


def _baselines() -> dict[str, Point]:
    """Straight lines in logarithms, a Gaussian process, and Extra-P where it is installed."""
    found: dict[str, Point] = {"last two, log-log": partial(_line, 2), "last three, log-log": partial(_line, 3)}
    found["Gaussian process, log-log"] = _gaussian
    if find_spec("extrap") is not None:
        from tests.benchmarks.peers.extrap_models import predict

        found["Extra-P"] = predict
    return found


def _arrays(task: Task) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """ln n and ln t relative to the largest run, and ln n of the targets."""
    n, t = (np.array([getattr(r, name) for r in task.curve.runs], dtype=float) for name in "nt")
    return np.log(n / n[-1]), np.log(t), np.log(np.array(task.n) / n[-1])


def _line(points: int, task: Task) -> Sequence[float]:
    """The straight line in logarithms through the last runs; with two also between runs, through the neighbours."""
    z, y, at = _arrays(task)
    if points == 2:
        return [float(x) for x in np.exp(blend.line(z, y, at))]
    return [float(x) for x in np.exp(np.polyval(np.polyfit(z[-points:], y[-points:], 1), at))]


def _gaussian(task: Task) -> Sequence[float]:
    """A line in logarithms and a squared exponential deviation; its reach by the marginal likelihood."""
    z, y, at = _arrays(task)
    best, found = -math.inf, at
    basis, there = np.stack([np.ones_like(z), z], axis=1), np.stack([np.ones_like(at), at], axis=1)
    for reach in (0.5, 1.0, 2.0, 4.0):
        for noise in (1e-4, 1e-3, 1e-2):
            covariance = np.exp(-0.5 * ((z[:, None] - z) / reach) ** 2) + noise * np.eye(len(z))
            inverse = np.linalg.inv(covariance)
            line = np.linalg.solve(basis.T @ inverse @ basis, basis.T @ inverse @ y)
            left = y - basis @ line
            scale = float(left @ inverse @ left) / len(z) + 1e-12
            likelihood = -0.5 * (len(z) * math.log(scale) + float(np.linalg.slogdet(covariance)[1]))
            if likelihood > best:
                cross = np.exp(-0.5 * ((at[:, None] - z) / reach) ** 2)
                best, found = likelihood, there @ line + cross @ inverse @ left
    return [float(x) for x in np.exp(found)]


def compared(
    tried: Sequence[Task], ours: Sequence[NDArray[np.float64]], name: str, theirs: Sequence[Sequence[float]]
) -> str:
    """Errors side by side, and on how many curves which is better; p by the signed-rank test (F. Wilcoxon, 1945)."""
    from scipy.stats import wilcoxon

    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.array([error(task, np.log(t)) for task, t in zip(tried, ours, strict=True)])
        b = np.array([error(task, np.log(np.maximum(t, 1e-300))) for task, t in zip(tried, theirs, strict=True)])
    chance = float(wilcoxon(a, b).pvalue) if np.any(a != b) else 1.0
    figures = judged(theirs, [], [], [], tried)
    return f"  {name:28} {_shown(figures):26} better on {np.mean(a < b):.0%} of curves, p = {chance:.2g}"


def main() -> int:
    """Print what constants give on groups that had no part in finding them, beside all others."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS
    for protocol, methods in METHODS.items():
        found = cross_validated(protocol, trials)
        print(f"{protocol}: {_shown(found.figures)}", flush=True)
        rivals = {m: partial(_named, m) for m in methods[1:]} | _baselines()
        for name, predict in rivals.items():
            print(compared(found.tried, found.found, name, [predict(task) for task in found.tried]), flush=True)
    return 0


def _named(method: str, task: Task) -> Sequence[float]:
    return [p.t for p in extrapolate(task.curve, task.n, method).predictions]


if __name__ == "__main__":
    sys.exit(main())
