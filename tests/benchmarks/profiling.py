"""Runs with counters beside plain runs of the same size, as whole processes: kernels, and task graphs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.benchmarks.measure import PYTHON, ROOT, Row, Run, Spread, Table, process, seconds

APET = (*PYTHON, "-m", "apet.cli.main")
MACHINES = "zen5-openjdk17"
KERNELS = {
    "java-training": {
        "Polynomials": 60_000,
        "MatrixVector": 900,
        "EscapeTimes": 240,
        "QuickSort": 100_000,
        "EditDistance": 1_200,
        "Hanoi": 20,
        "MergeSum": 200_000,
        "OpenAddressing": 150_000,
        "XorShift": 2_000_000,
    },
    "java-strangers": {
        "LruLinked": 100_000,
        "StreamGroups": 30_000,
        "WordFrequency": 30_000,
        "TrieWords": 30_000,
        "GenericTree": 30_000,
        "Visitors": 30_000,
    },
}
"""Numeric loops, recursion, objects and library calls, each at one size."""
GRAPHS = ("clusters", "counter", "orders", "reach", "words")
FACTOR, MORE_S = 3.0, 2.0
"""A run with counters should take no more than so many plain runs and so many seconds."""


def profiling(quick: bool) -> Table:
    """`apet profile` and `apet predict --profile` of kernels, `predict --profile` of task graphs."""
    table = Table("profile", "Runs with counters beside plain runs of the same size")
    repeats = 1 if quick else 3
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for data, sizes in KERNELS.items():
            for name, n in list(sizes.items())[: 1 if quick else None]:
                ratios += _kernel(table, ROOT / "tests" / "data" / data / f"{name}.java", n, folder, repeats)
        for name in GRAPHS[: 1 if quick else None]:
            ratios += _graph(table, ROOT / "samples" / "pasl" / "objects" / f"{name}.pasl", folder)

    inside = sum(r <= 1 for r in ratios)
    table.notes.append(
        f"{inside} of {len(ratios)} take at most {FACTOR:g} plain runs and {MORE_S:g} s; "
        f"the longest takes {max(ratios):.2f} times as long."
    )
    table.notes.append("A plain run is a JVM that prepares and runs once what has been compiled before.")
    return table


def _kernel(table: Table, path: Path, n: int, folder: str, repeats: int) -> list[float]:
    """Rows of one kernel; the time of either run with counters over the longest one allowed."""
    from apet.java.jvm import SOURCES, find_jdk

    jdk, name = find_jdk(), path.stem
    kernel = [str(SOURCES / "Kernel.java")] if path.parent.name != "java" else []
    plain_source = str(Path(__file__).with_name("Plain.java"))
    process((jdk.javac, "-d", folder, "-sourcepath", str(path.parent), str(path), *kernel, plain_source))

    plain = [process((jdk.java, "-Xss64m", "-cp", folder, "Plain", name, str(n))) for _ in range(repeats)]
    size = ("--set", f"n={n}")
    counted = [process((*APET, "profile", str(path), *size)) for _ in range(repeats)]
    timed = [process((*APET, "predict", str(path), "--machines", MACHINES, "--profile", *size)) for _ in range(repeats)]
    return _rows(table, f"{name}, n = {n:,}", plain, {"apet profile": counted, "apet predict --profile": timed})


def _graph(table: Table, path: Path, folder: str) -> list[float]:
    """The same of a task graph, whose plain run is that of all its tasks by one worker, in turn."""
    from apet import load_machines
    from apet.ground.source_files import read_source
    from apet.java.jvm import find_jdk
    from apet.java.validate.running import RunEffort, compile_application, run_application
    from apet.trials.workloads import workload

    jdk = find_jdk()
    work = workload(read_source(str(path)), load_machines(MACHINES).configure(1), "static", {})
    classes = str(Path(folder) / path.stem)
    compile_application(jdk, [batch.file for batch in work.batches], classes)

    wall = seconds(lambda: run_application(jdk, classes, work, "C2", RunEffort(0.0, 0, 1, 600.0)))
    timed = process((*APET, "predict", str(path), "--machines", MACHINES, "--profile", "-P", "1"))
    return _rows(table, path.name, [Run(wall, wall, 0, "")], {"apet predict --profile": [timed]})


def _rows(table: Table, title: str, plain: list[Run], ways: dict[str, list[Run]]) -> list[float]:
    base = Spread.of([run.wall for run in plain])
    table.rows.append(Row(f"{title}: plain", base))
    longest = FACTOR * base.middle + MORE_S
    ratios = []

    for name, runs in ways.items():
        wall = Spread.of([run.wall for run in runs])
        ratios.append(wall.middle / longest)
        value = "" if wall.middle <= longest else f"{wall.middle - longest:.1f} s over"
        table.rows.append(Row(f"{title}: {name}", wall, None, None, None, "plain", wall.middle / base.middle, value))
    return ratios
