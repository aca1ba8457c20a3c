"""How near predictions from one log are to runs on other numbers of cores: fresh random jobs of sleeping tasks.

    python -m tests.benchmarks.job_logs --jobs 4 --seed 7 --markdown docs/background/job-logs.md

Each job runs on every number of cores with Dask (of the extra `dask`), and with Spark where `pyspark` is installed;
every log is asked for all runs. Tasks sleep, so that one machine stands for any number of cores. Takes minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import host, rendering
from tests.benchmarks.sparklens import sparklens

from apet.api.job_logs import JobLogQuestion

COMMAND = "python -m tests.benchmarks.job_logs"
CORES = (4, 8, 16)
LONGEST = 3.0
SparkDag = list[list[list[float]]]
"""Jobs one after the other, of stages one after the other, of seconds that tasks sleep."""


class LogTrial(NamedTuple):
    """One log asked for one run: errors as shares, also of the peer for Spark, whether the bounds held, upper over
    lower."""

    engine: str
    own: bool
    error: float
    peer: float | None
    held: bool
    width: float


def seconds(source: random.Random, count: int, mean: float) -> list[float]:
    """Sleeps with a heavy tail."""
    return [min(LONGEST, mean * 0.4 * source.paretovariate(1.6)) for _ in range(count)]


def spark_dag(source: random.Random) -> SparkDag:
    """Two or three jobs of one to three stages."""
    return [
        [seconds(source, source.choice((10, 23, 40)), 0.25) for _ in range(source.randint(1, 3))]
        for _ in range(source.randint(2, 3))
    ]


def dask_graph(source: random.Random) -> tuple[dict[str, Any], list[str]]:
    """Chains, a tree, or layers that need all of the one before."""
    kind, graph = source.choice(("chains", "tree", "layers")), dict[str, Any]()
    if kind == "chains":
        for c in range(18):
            for k, pause in enumerate(seconds(source, 6, 0.2)):
                graph[f"c{c}-{k}"] = (_pause, pause, *([f"c{c}-{k - 1}"] if k else []))
        return graph, [f"c{c}-5" for c in range(18)]

    layer = list[str]()
    for number, count in enumerate((64, 32, 16, 8, 4, 2, 1) if kind == "tree" else (40, 24, 12)):
        names = [f"l{number}-{k}" for k in range(count)]
        for k, (name, pause) in enumerate(zip(names, seconds(source, count, 0.25), strict=True)):
            graph[name] = (_pause, pause, *(layer[2 * k : 2 * k + 2] if kind == "tree" else layer))
        layer = names
    return graph, layer


def _pause(duration: float, *_: object) -> None:
    time.sleep(duration)


def run_dask(source: random.Random, folder: Path) -> dict[int, Path]:
    """A graph on workers of four threads; logs by cores."""
    distributed: Any = import_module("distributed")

    from apet.joblogs.dask_plugin import log_to

    graph, wanted = dask_graph(source)
    logs = {}
    for cores in CORES:
        logs[cores] = folder / f"{cores}.jsonl"
        cluster = distributed.LocalCluster(
            n_workers=cores // 4, threads_per_worker=4, processes=False, dashboard_address=None, protocol="inproc"
        )
        with cluster, distributed.Client(cluster) as client:
            log_to(client, str(logs[cores]))
            client.get(graph, wanted)
    return logs


def run_spark(source: random.Random, folder: Path) -> dict[int, Path]:
    """Jobs on `local[N]`, each run in a process of its own; logs by cores."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps(spark_dag(source)), encoding="utf-8")
    logs = {}
    for cores in CORES:
        target = folder / str(cores)
        target.mkdir()
        command = [sys.executable, "-m", "tests.benchmarks.spark_runs", str(plan), str(cores), str(target)]
        subprocess.run(command, check=True, timeout=600, capture_output=True)
        (logs[cores],) = target.iterdir()
    return logs


ENGINES: Mapping[str, Callable[[random.Random, Path], dict[int, Path]]] = {"dask": run_dask, "spark": run_spark}


def trials(engine: str, source: random.Random) -> Iterator[LogTrial]:
    """All predictions of all logs of one job."""
    with tempfile.TemporaryDirectory() as folder:
        questions = {cores: JobLogQuestion(path) for cores, path in ENGINES[engine](source, Path(folder)).items()}
    walls = {cores: question.log.end / 1e6 for cores, question in questions.items()}
    for cores, question in questions.items():
        for p in question.answer(CORES).predictions:
            wall = walls[p.cores]
            if p.lower is None or p.upper is None:
                continue
            held = p.lower - 0.001 <= wall <= p.upper + 0.001
            peer = abs(sparklens(question.log, p.cores) / wall - 1) if engine == "spark" else None
            yield LogTrial(engine, p.cores == cores, abs(p.estimate / wall - 1), peer, held, p.upper / p.lower)


def markdown(results: Sequence[LogTrial], about: Mapping[str, str]) -> str:
    """One row per engine, for its own runs and for other cores."""
    lines = [f"Measured by `{COMMAND}` with " + ", ".join(f"{k} {v}" for k, v in about.items()) + ".", ""]
    head = ("engine", "asked for", "predictions", "median error", "greatest", "Sparklens", "bounds held", "upper/lower")
    lines += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for engine in ENGINES:
        for own, words in ((True, "its own run"), (False, "other cores")):
            some = [r for r in results if (r.engine, r.own) == (engine, own)]
            if some:
                errors = [r.error for r in some]
                peers = [r.peer for r in some if r.peer is not None]
                peer = f"{statistics.median(peers):.1%} (greatest {max(peers):.1%})" if peers else ""
                cells = (engine, words, str(len(some)), f"{statistics.median(errors):.1%}", f"{max(errors):.1%}", peer)
                held, width = statistics.mean(r.held for r in some), statistics.median(r.width for r in some)
                lines.append("| " + " | ".join((*cells, f"{held:.0%}", f"{width:.2f}")) + " |")
    return "\n".join(lines).replace("%", " %") + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, predict, print, write."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Hold predictions from logs against runs.")
    parser.add_argument("--jobs", type=int, default=3, help="random jobs of each engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", action="append", choices=list(ENGINES), help="this one only; may be repeated")
    parser.add_argument("--markdown", type=Path, metavar="F", help="put the table between the markers of a page")
    options = parser.parse_args(arguments)

    engines = options.engine or [e for e in ENGINES if e != "spark" or find_spec("pyspark")]
    source = random.Random(options.seed)
    results = [trial for engine in engines for _ in range(options.jobs) for trial in trials(engine, source)]
    text = markdown(results, host.describe())
    print(text)
    if options.markdown:
        rendering.insert(options.markdown, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
