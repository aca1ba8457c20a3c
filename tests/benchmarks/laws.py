"""Curves whose law is known, without noise and with it, predicted beyond the runs; beside Extra-P where installed.

python -m tests.benchmarks -k laws
python -m tests.benchmarks.laws [SEED]     laws of another seed
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from statistics import mean, median
from typing import NamedTuple

from tests.benchmarks.measure import Row, Spread, Table
from tests.benchmarks.protocols import Task

from apet.runs.fit.methods import extrapolate
from apet.runs.measurements import Curve, Run

Law = Callable[[float], float]
SEED = 41
CURVES, FEW = {"size": 120, "procs": 40}, 6
NOISES = {"none": (0.0, 1), "1 %": (0.01, 1), "3 %, three repetitions": (0.03, 3)}
TIMES = (2, 4, 8)
CONSTANTS = (0.0, 0.0, 0.001, 0.01, 0.1, 0.5)


class Known(NamedTuple):
    """A task whose times at the targets are those of its law."""

    noise: str
    task: Task


def _size_law(r: random.Random, top: float) -> Law:
    """A constant and one term, or two terms; shares of the largest run."""
    constant, share = r.choice(CONSTANTS), r.choice((0.05, 0.2, 0.5))
    i, j = r.choice((0.5, 2 / 3, 1, 1.5, 2, 2.5, 3)), r.choice((0, 1, 2))
    low = r.choice((1, 1, 1, 1, 1, 1, share))
    steeper = r.choice((2, 3))

    def law(n: float) -> float:
        if low == share:
            grown = share * (n / top) + (1 - share) * (n / top) ** steeper
        else:
            grown = (n / top) ** i * (math.log2(n) / math.log2(top)) ** j
        return constant + (1 - constant) * grown

    return law


def _processor_law(r: random.Random) -> Law:
    """Amdahl's law with communication, or weak scaling."""
    if r.random() < 0.2:
        slope, root = r.choice((0.02, 0.1, 0.3)), r.random() < 0.5
        return lambda p: 1 + slope * (p**0.5 - 1 if root else math.log2(p))
    serial, logarithm = r.choice((0, 0.001, 0.005, 0.02, 0.1)), r.choice((0, 0, 0.002, 0.01))
    linear = r.choice((0, 0, 0.0002, 0.001, 0.005))
    return lambda p: 1 / p + serial + logarithm * math.log2(p) + linear * p


def known_laws(seed: int, kind: str, noise: str, count: int) -> Iterator[Known]:
    """Curves of 4 to 8 runs, doubled or evenly spaced."""
    r = random.Random(f"{seed} {kind} {noise}")
    deviation, repetitions = NOISES[noise]
    for _ in range(count):
        first = r.choice((16, 64, 100, 1000, 10000)) if kind == "size" else 1
        steps = r.choice((4, 5, 6, 8))
        doubled = r.random() < 0.5
        sizes = [float(first * (2**k if doubled else k + 1)) for k in range(steps)]
        law, scale = _size_law(r, sizes[-1]) if kind == "size" else _processor_law(r), 10 ** r.uniform(-1, 2)
        runs = []
        for n in sizes:
            times = [scale * law(n) * math.exp(deviation * r.gauss(0, 1)) for _ in range(repetitions)]
            runs.append(Run(n, median(times), tuple(times) if repetitions > 1 else ()))
        targets = [k * sizes[-1] for k in TIMES]
        yield Known(noise, Task(Curve("law", kind, tuple(runs)), targets, [scale * law(n) for n in targets], "law"))


def laws(quick: bool, seed: int = SEED) -> Table:
    """Errors by noise; of APET also coverage and width of the 90 % interval."""
    table = Table("laws", f"Predicting from runs of a known law (seed {seed})")
    for kind, count in CURVES.items():
        for noise in NOISES:
            tried = [known.task for known in known_laws(seed, kind, noise, FEW if quick else count)]
            table.rows.append(_own(f"{kind}, noise {noise}: auto", tried))
            if find_spec("extrap") is not None:
                from tests.benchmarks.peers.extrap_models import predict

                table.rows.append(_peer(f"{kind}, noise {noise}: Extra-P", tried, predict))
    return table


def _own(name: str, tried: Sequence[Task]) -> Row:
    seconds, times, inside, widths = list[float](), list[Sequence[float]](), list[bool](), list[float]()
    for task in tried:
        start = time.perf_counter()
        found = extrapolate(task.curve, task.n).predictions
        seconds.append(time.perf_counter() - start)
        times.append([p.t for p in found])
        inside += [p.interval.lo <= t <= p.interval.hi for p, t in zip(found, task.t, strict=True)]
        widths.append(float(found[1].interval.hi / found[1].interval.lo))
    return Row(
        name,
        Spread.of(seconds),
        value=f"{_errors(tried, times)}; covers {mean(inside):.0%}, width {median(widths):.2f}",
    )


def _peer(name: str, tried: Sequence[Task], predict: Callable[[Task], Sequence[float]]) -> Row:
    seconds, times = list[float](), list[Sequence[float]]()
    for task in tried:
        start = time.perf_counter()
        times.append(predict(task))
        seconds.append(time.perf_counter() - start)
    return Row(name, Spread.of(seconds), value=_errors(tried, times))


def _errors(tried: Sequence[Task], times: Sequence[Sequence[float]]) -> str:
    """Median and 90th percentile at each multiple of the largest run."""
    texts = []
    for k, multiple in enumerate(TIMES):
        off = sorted(100 * abs(t[k] / task.t[k] - 1) for task, t in zip(tried, times, strict=True))
        texts.append(f"{multiple}x {median(off):.2g} / {off[int(0.9 * (len(off) - 1))]:.2g} %")
    return ", ".join(texts)


if __name__ == "__main__":
    for row in laws(quick=False, seed=int(sys.argv[1]) if len(sys.argv) > 1 else SEED).rows:
        print(f"{row.name:45} {row.value}")
