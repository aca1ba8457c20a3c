"""The same queueing cases by APET, GNU Octave's package `queueing` and LINE's library, in one run: accuracy and time.

`python -m tests.benchmarks.queue_peers [LINE_PYTHON]` prints a table. Octave and its package come with the system
(Debian: `octave-queueing`); LINE is `pip install line-solver`, and LINE_PYTHON an interpreter that has it. What is not
installed is left out. References are exact: fractions, sums over all states, or the root of GI/M/1. Times are the least
of several calls of the library inside one process, the median over cases.
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

from apet.queueing.data.jobs import Distribution, Pool
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.methods.answer import queue

CASES, REPEATS = 20, 5
SHAPES = (Distribution("det"), Distribution("erlang", 4), Distribution("hyperexp", 1, 4.0))


class PeerCase(NamedTuple):
    """A network, what is compared (throughput or response time of the first class), its exact value, and the calls of
    the peers that compute it, as texts."""

    network: Network
    of: str
    exact: float
    octave: str
    line: str


def closed(random: Random, classes: int, servers: int) -> PeerCase:
    """A closed network; at stations of several servers all classes have one service time, and visits differ."""
    stations = random.randint(2, 4)
    number = [random.randint(1, servers) for _ in range(stations)]
    equal = [round(random.uniform(0.05, 1.0), 3) for _ in range(stations)]
    visits = [[float(random.randint(1, 3)) for _ in range(stations)] for _ in range(classes)]
    service = [[s if servers > 1 else round(random.uniform(0.05, 1.0), 3) for s in equal] for _ in range(classes)]
    jobs = [random.randint(2, 12 if classes == 1 else 4) for _ in range(classes)]
    think = [float(random.randint(0, 5)) for _ in range(classes)]
    network = Network(
        tuple(Station(f"s{k}", "queue", m) for k, m in enumerate(number)),
        tuple(JobClass(f"c{c}", n, z) for c, (n, z) in enumerate(zip(jobs, think, strict=True))),
        service,
        visits,
    )
    demands = [list(row) for row in zip(*network.demands(), strict=True)]

    rows = ", ".join((_rows(service), _rows(visits), _row(number), _row(think)))
    octave = f"[U,R,Q,X] = qncmmva({_row(jobs)}, {rows}); x = X(1,1) / {visits[0][0]};"
    if classes == 1:
        row = ", ".join((_row(service[0]), _row(visits[0]), _row(number)))
        octave = f"[U,R,Q,X] = qncsmva({jobs[0]}, {row}, {think[0]}); x = X(1) / {visits[0][0]};"
    arrays = f"array({demands}), array({jobs}, float), array({think})"
    line = f"pfqn.pfqn_mvams(zeros({classes}), {arrays}, ones({stations}), array({number}))[0].flat[0]"
    if servers == 1:
        line = f"pfqn.pfqn_mva({arrays})[0].flat[0]"
    return PeerCase(network, "throughput", float(_throughput(network)), octave, line)


def opened(random: Random, _: int, servers: int) -> PeerCase:
    """M/M/m."""
    m = random.randint(1, servers)
    rate = round(random.uniform(0.2, 0.95) * m, 3)
    network = Network((Station("s", "queue", m),), (JobClass("c", None, 0.0, rate),), [[1.0]], [[1.0]])
    weights, a = [Fraction(1)], Fraction(rate)
    for j in range(1, m + 1):
        weights.append(weights[-1] * a / j)
    tail = weights[-1] * m / (m - a)
    wait = tail / (sum(weights[:-1]) + tail) / (m - a)
    octave = f"[U,R] = qsmmm({rate}, 1, {m}); x = R;"
    return PeerCase(network, "response", float(1 + wait), octave, f"qsys.qsys_mmk({rate}, 1.0, {m})['W']")


def losing(random: Random, _: int, servers: int) -> PeerCase:
    """M/M/m/K."""
    m, rate = random.randint(1, servers), round(random.uniform(0.5, 4.0), 3)
    room = m + random.randint(0, 8)
    pool = (Pool("room", m, (0,), room - m),)
    network = Network((Station("s", "queue", m),), (JobClass("c", None, 0.0, rate),), [[1.0]], [[1.0]], pools=pool)
    weights = [Fraction(1)]
    for j in range(1, room + 1):
        weights.append(weights[-1] * Fraction(rate) / min(j, m))
    exact = Fraction(rate) * (1 - weights[-1] / sum(weights))
    octave = f"[U,R,Q,X] = qsmmmk({rate}, 1, {m}, {room}); x = X;"
    line = f"{rate} * (1 - qsys.qsys_mmck({rate}, 1.0, {m}, {room})['lossProbability'])"
    return PeerCase(network, "throughput", float(exact), octave, line)


def bursty(random: Random, _: int, __: int) -> PeerCase:
    """GI/M/1, of which all three have estimates or none: R = S / (1 - x), x = A((1 - x) / S) (D. G. Kendall, 1953)."""
    load, shape = round(random.uniform(0.3, 0.9), 3), random.choice(SHAPES)
    network = Network((Station("s"),), (JobClass("c", None, 0.0, load, shape),), [[1.0]], [[1.0]])
    x = 0.5
    for _round in range(5_000):
        x = float(shape.transform((1 - x) / load).real)
    deviation = math.sqrt(shape.variation)
    line = f"qsys.qsys_gig1_approx_klb({load}, 1.0, {deviation}, 1.0)[0]"
    return PeerCase(network, "response", 1 / (1 - x), "", line)


KINDS: dict[str, tuple[Callable[[Random, int, int], PeerCase], int, int]] = {
    "one class": (closed, 1, 1),
    "two or three classes": (closed, 3, 1),
    "several servers": (closed, 1, 5),
    "classes and servers": (closed, 2, 4),
    "open, M/M/m": (opened, 1, 12),
    "losses, M/M/m/K": (losing, 1, 6),
    "bursts, GI/M/1 (estimates)": (bursty, 1, 1),
}


def _throughput(network: Network) -> Fraction:
    """Of the first class, G(N - 1_1) / G(N), by convolution of exact weights."""
    jobs = tuple(c.population or 0 for c in network.classes)
    states = list(product(*(range(n + 1) for n in jobs)))
    rows = [([Fraction(c.think) for c in network.classes], None)]
    demands = [
        [Fraction(str(v)) * Fraction(str(s)) for v, s in zip(*r, strict=True)]
        for r in zip(network.visits, network.service, strict=True)
    ]
    rows += [([row[k] for row in demands], s.servers) for k, s in enumerate(network.stations)]  # type: ignore[misc]
    constants = {n: Fraction(not any(n)) for n in states}
    for demand, servers in rows:
        weights = {n: _weight(demand, n, servers) for n in states}
        constants = {
            n: sum(
                (
                    weights[h] * constants[tuple(a - b for a, b in zip(n, h, strict=True))]
                    for h in product(*(range(m + 1) for m in n))
                ),
                Fraction(0),
            )
            for n in states
        }
    return constants[(jobs[0] - 1, *jobs[1:])] / constants[jobs]


def _weight(demands: list[Fraction], jobs: tuple[int, ...], servers: int | None) -> Fraction:
    weight = Fraction(math.factorial(sum(jobs)))
    for demand, n in zip(demands, jobs, strict=True):
        weight *= demand**n / math.factorial(n)
    for j in range(1, sum(jobs) + 1):
        weight /= j if servers is None else min(j, servers)
    return weight


def _row(values: list[float] | list[int]) -> str:
    return "[" + " ".join(repr(v) for v in values) + "]"


def _rows(matrix: list[list[float]]) -> str:
    return "[" + "; ".join(_row(row)[1:-1] for row in matrix) + "]"


Outcome = tuple[float, float] | None
"""Value and seconds; None where the peer refuses the case, or fails."""


def by_apet(cases: list[PeerCase]) -> list[Outcome]:
    """In this process."""
    outcomes = list[Outcome]()
    for case in cases:
        seconds = []
        for _ in range(REPEATS):
            begin = time.perf_counter()
            result = queue(case.network)
            seconds.append(time.perf_counter() - begin)
        assert isinstance(result, NetworkResult)
        value = result.throughput[0] if case.of == "throughput" else result.system_response_time[0]
        outcomes.append((value, min(seconds)))
    return outcomes


def by_octave(cases: list[PeerCase]) -> list[Outcome]:
    """In one process of Octave."""
    program = shutil.which("octave-cli")
    if program is None:
        return [None] * len(cases)
    lines = ["pkg load queueing;"]
    for case in cases:
        timed = f"for k = 1:{REPEATS} tic; {case.octave} t(k) = toc; end; printf('%.17g %.9g\\n', x, min(t));"
        lines.append(f"try; {timed} catch; printf('nan nan\\n'); end" if case.octave else "printf('nan nan\\n');")
    ran = subprocess.run([program, "--eval", "\n".join(lines)], capture_output=True, text=True, check=False)
    return _outcomes(ran.stdout, len(cases))


LINE = """
import sys, json, time
from numpy import array, zeros, ones
from line_solver.api import pfqn, qsys
for call in json.load(sys.stdin):
    try:
        seconds = []
        for _ in range({repeats}):
            begin = time.perf_counter(); x = float(eval(call)); seconds.append(time.perf_counter() - begin)
        print(repr(x), min(seconds))
    except Exception:
        print("nan nan")
"""


def by_line(cases: list[PeerCase], python: str) -> list[Outcome]:
    """In one process of an interpreter that has LINE."""
    script = LINE.format(repeats=REPEATS)
    calls = json.dumps([case.line for case in cases])
    ran = subprocess.run([python, "-c", script], input=calls, capture_output=True, text=True, check=False)
    return _outcomes(ran.stdout, len(cases))


def _outcomes(printed: str, number: int) -> list[Outcome]:
    pairs = [tuple(map(float, line.split())) for line in printed.splitlines() if len(line.split()) == 2]
    outcomes: list[Outcome] = [None if math.isnan(value) else (value, seconds) for value, seconds in pairs[-number:]]
    return outcomes or [None] * number


def cell(cases: list[PeerCase], outcomes: list[Outcome]) -> str:
    """Greatest and mean relative error, how many answers are missing or off by more than a thousandth, and time."""
    pairs = [(abs(o[0] / c.exact - 1), o[1]) for c, o in zip(cases, outcomes, strict=True) if o is not None]
    if not pairs:
        return "-"
    worst, missing = max(e for e, _ in pairs), len(cases) - len(pairs)
    error = f"{worst:.0e}" if worst < 1e-6 else f"{worst:.1%}, mean {statistics.mean(e for e, _ in pairs):.1%}"
    refused = f", {missing} of {len(cases)} refused" if missing else ""
    return f"{error}{refused}; {1e3 * statistics.median(t for _, t in pairs):.2g} ms"


def main(line_python: str | None) -> None:
    """Print the table."""
    header = ["case", "APET", "octave-queueing", "LINE"]
    for row in (header, ["---"] * len(header)):
        print(f"| {' | '.join(row)} |")
    for name, (make, classes, servers) in KINDS.items():
        random = Random(name)
        cases = [make(random, classes, servers) for _ in range(CASES)]
        by = [by_apet(cases), by_octave(cases)]
        by.append(by_line(cases, line_python) if line_python else [None] * CASES)
        print(f"| {name} | {' | '.join(cell(cases, outcomes) for outcomes in by)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
