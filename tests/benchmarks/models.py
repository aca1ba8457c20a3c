"""How fast models compile, how wide their bounds, how right mean times are: `python -m tests.benchmarks.models`.

Prints tables in Markdown: the shipped samples; programs of one text for all processors in which conditions guard; and
programs with stragglers, beside the mean of simulated runs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean, median, stdev

import apet

SAMPLES = Path(__file__).parents[2] / "samples" / "pamela"
COMPILED = 7
"""Times that a model is compiled; the median counts."""
RUNS = 4000
"""Simulated runs that a mean is of."""
CLUSTER = "cores=64, op.work=10ms, latency=50us, bandwidth=1Gbit/s"
SHIPPED = {
    "blocks": ("join-2005", 8, {"N": 100}),
    "file-server": (CLUSTER, 64, {}),
    "gpu-offload": (CLUSTER, 1, {}),
    "halo": (CLUSTER, 64, {}),
    "machine-repair": ("two-nodes", 2, {"M": 32}),
    "map-reduce": (CLUSTER, 16, {}),
    "neighbours": ("join-2005", 8, {"points": 800, "steps": 20}),
    "nested-use": ("two-nodes", 2, {}),
    "pi": ("join-2005", 8, {"n": 10_000}),
    "pipeline": (CLUSTER, 1, {}),
    "round-robin": ("join-2005", 8, {"N": 1001}),
    "servers": ("two-nodes", 2, {"k": 4}),
    "tables": ("two-nodes", 2, {}),
    "task-graph": (CLUSTER, 1, {}),
}
"""The machine model, the processors, and parameters, by the name of a sample."""

GUARDED = {
    "shift to the right": "par (p = 1, P) { work[p]; if (p < P) send[p, p + 1](8 kB); work[p] }",
    "both neighbours": (
        "seq (t = 1, 5) par (p = 1, P) { if (p > 1) send[p, p - 1](8 kB); if (p < P) send[p, p + 1](8 kB); work[p] }"
    ),
    "all to all": "par (p = 1, P) { work[p]; seq (q = 1, P) if (q != p) send[p, q](8 kB) }",
    "odd and even": "seq (t = 1, 4) par (p = 1, P) if ((p + t) % 2 == 0) work[p] else use(p, 2 ms)",
    "one reads": "{ par (p = 1, P) if (p == 1) use(disk, 1 s) else work[p]; par (p = 1, P) work[p] }",
    "triangle": "par (p = 1, P) seq (k = 1, P) if (k <= p) work[p]",
    "grid": (
        "par (x = 1, R) par (y = 1, R) { if (x < R) send[x + R * (y - 1), x + 1 + R * (y - 1)](8 kB); "
        "work[x + R * (y - 1)] }"
    ),
}
"""Programs of one text for all processors, by what they do; `R * R` is `P`."""

STRAGGLERS = {
    "rare and slow": "par (i = 1, 40) if (0.03) delay(30) else delay(4)",
    "five in a row": "par (i = 1, 12) seq (j = 1, 5) if (0.1) delay(20) else delay(2)",
    "two processors": "par (i = 1, 30) use(1 + i % 2, if (0.05) delay(40) else delay(5))",
    "a barrier every step": "seq (t = 1, 10) par (p = 1, 16) if (0.02) delay(9) else delay(1)",
    "dealt to four": "par (i = 1, 20) use(1 + i % 4, if (0.1) delay(15) else delay(2))",
    "other chances": "par (i = 1, 25) if (i / 50) delay(20) else delay(1)",
    "a task graph": (
        "graph { x[i = 1, 10]: if (0.1) delay(20) else delay(2); r: delay(3) after x; s: delay(9) after x[3]; }"
    ),
    "neighbours wait": (
        "graph { x[t = 1, 8, p = 1, 4]: if (0.1) delay(6) else delay(1) "
        "after x[t - 1, p - 1], x[t - 1, p], x[t - 1, p + 1]; }"
    ),
    "a queue between": (
        "par (i = 1, 10) { if (0.3) delay(4) else delay(1); use(d, 1); if (0.05) delay(60) else delay(2) }"
    ),
    "nested": "par (i = 1, 6) if (0.5) { if (0.1) delay(30) else delay(10) } else delay(1)",
    "three stations": "par (i = 1, 8) seq (j = 1, 3) use(s[1 + (i + j) % 3], if (0.15) delay(8) else delay(1))",
}
"""Programs of which parts are rarely but much slower, by what they do."""


def samples() -> Iterator[str]:
    """Rows of the shipped samples."""
    yield "| sample | compile | lower | simulated | upper | upper / lower |\n|---|--:|--:|--:|--:|--:|"
    for name, (machines, processors, values) in SHIPPED.items():
        lab, times = apet.load_machines(machines), []
        for _ in range(COMPILED):
            began = time.perf_counter()
            app = apet.compile(SAMPLES / f"{name}.pam")
            times.append(time.perf_counter() - began)
        row = _row(app, lab, processors, values)
        yield f"| {name} | {1000 * median(times):.1f} ms | {row}"


def guarded() -> Iterator[str]:
    """Rows of programs in which conditions guard, on 4, 16 and 64 processors."""
    yield "| program | P | lower | simulated | upper | upper / lower |\n|---|--:|--:|--:|--:|--:|"
    lab = apet.load_machines(CLUSTER)
    for name, process in GUARDED.items():
        text = f"param R; param P = R * R; resource disk; L = {process};"
        for processors in (4, 16, 64):
            row = _row(apet.compile_text(text, network="switch"), lab, processors, {})
            yield f"| {name} | {processors} | {row}"


def _row(app: apet.Application, lab: apet.Machines, processors: int, values: Mapping[str, float]) -> str:
    prediction = apet.predict(app, lab, processors, values=values)
    run = apet.simulate(app, lab, processors, values=values, end="tmin").makespan
    low, high = prediction.lower.lo, prediction.upper.lo
    return f"{low:.4g} s | {run:.4g} s | {high:.4g} s | {high / low:.2f} |"


def stragglers() -> Iterator[str]:
    """Rows of programs with stragglers: the estimate, the expected time, the mean of simulated runs."""
    yield "| program | estimate | expected | mean of runs | error |\n|---|--:|--:|--:|--:|"
    lab = apet.load_machines("cores=4")
    for name, process in STRAGGLERS.items():
        app = apet.compile_text(f"L = {process};")
        prediction = apet.predict(app, lab)
        expected = prediction.estimate.lo if prediction.expectation is None else prediction.expectation.seconds.lo
        runs = [apet.simulate(app, lab, seed=seed).makespan for seed in range(10_000, 10_000 + RUNS)]
        mean, error = fmean(runs), 1.96 * stdev(runs) / RUNS**0.5
        off = f"{100 * (expected / mean - 1):+.1f} %"
        yield f"| {name} | {prediction.estimate.lo:.1f} s | {expected:.1f} s | {mean:.1f} ± {error:.1f} s | {off} |"


if __name__ == "__main__":
    for table in (samples, guarded, stragglers):
        if not sys.argv[1:] or table.__name__ in sys.argv[1:]:
            print(*table(), sep="\n", end="\n\n", flush=True)
