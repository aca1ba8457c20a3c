"""Predictions from a few runs: errors on measured curves, beside baselines and Extra-P in the same run.

python -m tests.benchmarks -k scaling
python -m tests.benchmarks.scaling        constants by cross-validation: search without a group, judge on it
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import product

import numpy as np
from tests.benchmarks.measure import Row, Spread, Table
from tests.benchmarks.protocols import Figures, Task, judged, tasks

from apet.analysis.runs import Extrapolation
from apet.backends.scaling import blend, blended
from apet.backends.scaling.methods import extrapolate

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
        for name, predict in {"last points, log-log": _last_points, "Extra-P": _extrap()}.items():
            if predict is not None:
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


def _last_points(task: Task) -> Sequence[float]:
    """The straight line in logarithms through the last two runs; between runs, through the neighbours."""
    n, t = np.array([r.n for r in task.curve.runs], float), np.array([r.t for r in task.curve.runs])
    x = np.log(np.array(task.n) / n[-1])
    return [float(y) for y in np.exp(blend.line(np.log(n / n[-1]), np.log(t), x))]


def _extrap() -> Point | None:
    """Extra-P's default model, of t for sizes and of t p for processors; None where it is not installed."""
    if find_spec("extrap") is None:
        return None
    from tests.benchmarks.peers.extrap_models import predict

    return predict


@contextmanager
def constants(kind: str, reach: float, noise: float, between: float, chord: float) -> Iterator[None]:
    """The blend with other constants."""
    before = blend.CONSTANTS[kind], blend.REACH_BETWEEN[kind], blended.CHORD[kind]
    blend.CONSTANTS[kind] = before[0]._replace(reach=reach, noise=noise)
    blend.REACH_BETWEEN[kind], blended.CHORD[kind] = between, chord
    try:
        yield
    finally:
        blend.CONSTANTS[kind], blend.REACH_BETWEEN[kind], blended.CHORD[kind] = before


def cross_validated(protocol: str) -> tuple[Figures, Figures]:
    """Errors of the constants as shipped, and of constants searched for without the group that they are judged on."""
    tried = list(tasks(protocol))
    kind = tried[0].curve.kind
    shipped = blend.CONSTANTS[kind]
    grid = list(
        product((0.6, 0.9, 1.2, 1.6, 2.2, 2.7, 3.2), (0.5, 1, 3), (0.0, 0.2, 0.42) if protocol[0] == "i" else (0.0,))
    )
    predictions, errors = [], []
    for reach, noise, chord in grid:
        with constants(kind, reach, shipped.noise * noise, reach, chord):
            found = [[p.t for p in extrapolate(task.curve, task.n).predictions] for task in tried]
        predictions.append(found)
        each = (np.abs(np.array(f) - k.t) / k.t for f, k in zip(found, tried, strict=True))
        errors.append([float(np.log(np.minimum(e, 1).mean() + 0.02)) for e in each])
    table, groups = np.array(errors), np.array([k.group for k in tried])
    chosen = list[list[float]]()
    for k, task in enumerate(tried):
        best = int(table[:, groups != task.group].mean(axis=1).argmin())
        chosen.append(predictions[best][k])
    plain = [[p.t for p in extrapolate(task.curve, task.n).predictions] for task in tried]
    return judged(plain, [], [], [], tried), judged(chosen, [], [], [], tried)


def main() -> int:
    """Print both figures of each protocol."""
    for protocol in METHODS:
        shipped, validated = cross_validated(protocol)
        print(f"{protocol}: as shipped {_shown(shipped)}; cross-validated over groups {_shown(validated)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
