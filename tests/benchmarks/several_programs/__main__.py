"""Measure all programs: python -m tests.benchmarks.several_programs FOLDER. It takes some ten minutes of one processor.

Needs a C compiler; SimGrid's smpicc and smpirun for the parallel ones; and OPENBLAS_NUM_THREADS=1, since threads that
wait count as processor time. A file is a table `n,P,t,…` of three repetitions
over a grid of five values each, and at twice and four times the largest, in one parameter and in both.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

HERE = Path(__file__).parent
REPETITIONS = 3
NOISE = 0.03
"""Standard deviation of ln t among repetitions of a simulated run, which itself is always the same."""
PROCESSORS = (1, 2, 4, 8, 16, 32, 64)
CLUSTERS = {
    "switched": '<cluster id="c" prefix="h" suffix="" radical="0-63" speed="5Gf" bw="1.25GBps" lat="4us"/>',
    "shared": '<cluster id="c" prefix="h" suffix="" radical="0-63" speed="5Gf" bw="1.25GBps" lat="10us"'
    ' bb_bw="10GBps" bb_lat="2us"/>',
}
DOCTYPE = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'


class Study(NamedTuple):
    """A program, the names and values of its parameters, and the names of what is measured."""

    name: str
    parameters: tuple[str, str]
    values: tuple[Sequence[int], Sequence[int]]
    columns: tuple[str, ...] = ("t",)
    cluster: str = ""


GIVEN = 5
"""Values that runs are made of; the others are predicted."""
BEYOND = {(2, 5), (2, 6), (4, 5), (4, 6), (5, 2), (6, 2), (5, 4), (6, 4), (5, 5), (5, 6), (6, 5), (6, 6)}


def doubled(first: int) -> tuple[int, ...]:
    """Seven values, each twice the one before."""
    return tuple(first << k for k in range(7))


def _places(study: Study) -> Iterator[tuple[int, int]]:
    """The values of both parameters at the points to measure."""
    for i, n in enumerate(study.values[0]):
        for j, m in enumerate(study.values[1]):
            if max(i, j) < GIVEN or (i, j) in BEYOND:
                yield n, m


def _parallel(name: str, first: int, cluster: str, *phases: str) -> Study:
    columns = ("t", *(f"phase:{phase}" for phase in ("compute", *phases)))
    return Study(name, ("n", "P"), (doubled(first), PROCESSORS), columns, cluster)


PARALLEL = (
    _parallel("panels", 64, "switched", "broadcast", "rest"),
    _parallel("sample_sort", 1 << 14, "switched", "exchange", "samples"),
    _parallel("wavefront", 1000, "shared", "wait", "send"),
    _parallel("conjugate_gradients", 10_000, "switched", "gather", "reduce"),
    _parallel("all_pairs", 64, "shared", "broadcast", "rest"),
    _parallel("monte_carlo", 20_000, "shared", "collect", "finish"),
    _parallel("clusters", 8_000, "shared", "reduce", "collect"),
    _parallel("heat", 128, "shared", "borders", "residual"),
    _parallel("spectral", 64, "switched", "exchange", "energy"),
    _parallel("ring_product", 64, "switched", "shift", "barrier"),
    _parallel("task_farm", 16, "shared", "hand_out", "wait"),
    _parallel("ranking", 16_000, "switched", "scatter", "loose"),
    _parallel("selection", 32_000, "shared", "distribute", "prefix"),
    _parallel("faces", 12, "switched", "faces", "step"),
    _parallel("transposition", 16_000, "shared", "exchange", "wait"),
    _parallel("training", 16, "switched", "gradients", "loss"),
    _parallel("frames", 16, "shared", "wait", "send"),
    _parallel("bodies", 2_000, "switched", "boxes", "balance"),
    _parallel("snapshots", 20_000, "shared", "borders", "pack"),
    _parallel("triangle", 128, "switched", "broadcast", "end"),
)
KERNELS = (
    Study("knapsack", ("items", "capacity"), (doubled(25), doubled(2_000))),
    Study("hash_join", ("build", "probe"), (doubled(8_000), doubled(8_000))),
    Study("convolution", ("n", "m"), (doubled(40), (3, 4, 6, 8, 12, 24, 48))),
    Study("equations", ("n", "m"), ((20, 30, 45, 70, 100, 200, 400), doubled(8))),
    Study("merging", ("length", "lists"), (doubled(250), doubled(8))),
    Study("centres", ("points", "centres"), (doubled(500), doubled(4))),
    Study("searching", ("letters", "word"), (doubled(8_000), doubled(4))),
    Study("digital_tree", ("keys", "wanted"), (doubled(4_000), doubled(8_000))),
    Study("sweeps", ("n", "turns"), (doubled(24), doubled(4))),
    Study("distance", ("letters", "others"), (doubled(100), doubled(100))),
    Study("largest", ("keys", "wanted"), (doubled(8_000), doubled(16))),
    Study("counting", ("keys", "range"), (doubled(8_000), doubled(1_000))),
    Study("flood", ("rows", "columns"), (doubled(40), doubled(40))),
)


def _fourier(n: int, m: int) -> Callable[[], object]:
    table = np.random.default_rng(1).random((n, m))
    return lambda: np.fft.fft2(table)


def _least_squares(n: int, m: int) -> Callable[[], object]:
    draws = np.random.default_rng(1)
    matrix, right = draws.random((n + m, m)), draws.random(n + m)
    return lambda: np.linalg.lstsq(matrix, right, rcond=None)


def _words(n: int, m: int) -> Callable[[], object]:
    draws = random.Random(1)
    words = [str(draws.randrange(m)) for _ in range(n)]

    def count() -> list[tuple[str, int]]:
        counts = dict[str, int]()
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        return sorted(counts.items(), key=lambda item: -item[1])

    return count


def _product(n: int, m: int) -> Callable[[], object]:
    draws = np.random.default_rng(1)
    left, right = draws.random((n, m)), draws.random((m, n))
    return lambda: left @ right


def _records(n: int, m: int) -> Callable[[], object]:
    rows = [{f"column {k}": (7 * i + k) % 1001 for k in range(m)} for i in range(n)]
    return lambda: json.loads(json.dumps(rows))


def _common(n: int, m: int) -> Callable[[], object]:
    draws = random.Random(1)
    left, right = ([draws.randrange(4 * n) for _ in range(count)] for count in (n, m))
    return lambda: sorted(set(left) & set(right)) + sorted(set(left) - set(right))


def _smoothed(n: int, m: int) -> Callable[[], object]:
    draws = np.random.default_rng(1)
    signal, window = draws.random(n), draws.random(m)
    return lambda: np.convolve(signal, window)


def _groups(n: int, m: int) -> Callable[[], object]:
    draws = random.Random(1)
    rows = [(draws.randrange(m), draws.random()) for _ in range(n)]

    def medians() -> list[float]:
        groups = dict[int, list[float]]()
        for key, value in rows:
            groups.setdefault(key, []).append(value)
        return [sorted(values)[len(values) // 2] for _, values in sorted(groups.items())]

    return medians


def _text(n: int, m: int) -> Callable[[], object]:
    draws = random.Random(1)
    lines = [" ".join(f"{draws.randrange(5000)}" for _ in range(m)) for _ in range(n)]
    return lambda: sorted({word for line in lines for word in line.replace("7", "seven").split()})


PYTHON = {
    Study("fourier", ("rows", "columns"), (doubled(16), doubled(16))): _fourier,
    Study("least_squares", ("rows", "columns"), (doubled(100), doubled(4))): _least_squares,
    Study("words", ("words", "distinct"), (doubled(2_000), doubled(100))): _words,
    Study("product", ("n", "m"), (doubled(32), doubled(32))): _product,
    Study("records", ("rows", "columns"), (doubled(50), doubled(4))): _records,
    Study("common", ("left", "right"), (doubled(2_000), doubled(2_000))): _common,
    Study("smoothed", ("values", "window"), (doubled(2_000), doubled(16))): _smoothed,
    Study("groups", ("rows", "groups"), (doubled(2_000), doubled(50))): _groups,
    Study("text", ("lines", "words"), (doubled(200), doubled(8))): _text,
}


def _simulated(study: Study, folder: Path) -> Iterator[list[float]]:
    """Rows of a simulated program, with noise."""
    program, platform, hosts = folder / "parallel", folder / f"{study.cluster}.xml", folder / "hosts"
    if not program.exists():
        subprocess.run(["smpicc", "-O2", "-o", str(program), str(HERE / "parallel.c"), "-lm"], check=True)
        hosts.write_text("".join(f"h{k}\n" for k in range(64)))
    platform.write_text(f'{DOCTYPE}<platform version="4.1">{CLUSTERS[study.cluster]}</platform>')
    draws = random.Random(study.name)
    options = ["--cfg=smpi/host-speed:5Gf", "--log=root.thres:critical", "--cfg=smpi/simulate-computation:no"]

    for n, p in _places(study):
        command = ["smpirun", "-np", str(p), "-platform", str(platform), "-hostfile", str(hosts), *options]
        done = subprocess.run([*command, str(program), study.name, str(n)], check=True, capture_output=True, text=True)
        times = [float(word) for word in done.stdout.split()]
        for _ in range(REPETITIONS):
            yield [n, p, *(t * draws.lognormvariate(0, NOISE) for t in times)]


def _measured(study: Study, folder: Path) -> Iterator[list[float]]:
    program = folder / "kernels"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "kernels.c"), "-lm"], check=True)
    for n, m in _places(study):
        for _ in range(REPETITIONS):
            command = [str(program), study.name, str(n), str(m)]
            yield [n, m, float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)]


def _interpreted(study: Study, make: Callable[[int, int], Callable[[], object]]) -> Iterator[list[float]]:
    for n, m in _places(study):
        call = make(n, m)
        call()
        for _ in range(REPETITIONS):
            start = time.process_time_ns()
            call()
            yield [n, m, (time.process_time_ns() - start) * 1e-9]


def _write(study: Study, rows: Iterator[list[float]], into: Path) -> None:
    lines = [",".join([*study.parameters, *study.columns])]
    lines += [",".join(f"{v:.6g}" for v in row) for row in rows]
    (into / f"{study.name}.csv").write_text("\n".join(lines) + "\n")
    print(study.name, len(lines) - 1, flush=True)


def main(into: str, *names: str) -> None:
    """Measure all, or those named."""
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        sys.exit("set OPENBLAS_NUM_THREADS=1")
    target = Path(into)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for study in PARALLEL:
            if not names or study.name in names:
                _write(study, _simulated(study, folder), target)
        for study in KERNELS:
            if not names or study.name in names:
                _write(study, _measured(study, folder), target)
        for study, make in PYTHON.items():
            if not names or study.name in names:
                _write(study, _interpreted(study, make), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
