"""How near predictions from one log are to runs on other numbers of cores: fresh random jobs of sleeping tasks.

    python -m tests.benchmarks.joblogs --jobs 4 --seed 7 --markdown docs/evidence/accuracy.md

Each job runs on every number of cores with Dask (of the extra `dask`), and with Spark where `pyspark` is installed,
there also three times at once; every log is asked for all runs. Tasks sleep, so that one machine stands for any number
of cores. A run whose tasks took 1.1 times as long as in the quietest run of the same job shows the machine, and is left
out. Takes some minutes for each job; `--add-to` gathers the jobs of several calls, such as those of a busy machine's
quiet moments, with a seed each.
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
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import host, rendering
from tests.benchmarks.sparklens import sparklens

from apet.joblogs.job_log import US, JobLog, LoggedTasks
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.read import read_job_log
from apet.joblogs.read.neutral import neutral_text

COMMAND = "python -m tests.benchmarks.joblogs"
SparkJob = list[tuple[list[float], list[int]]]
Steps = list[list[SparkJob]]
"""As `spark_runs` takes them: jobs that are submitted together, of stages with their sleeps and the stages before."""
DASK_CORES, SPARK_CORES, TOGETHER_CORES = (4, 8, 16), (8, 16, 32, 64), (8, 16, 32)
LONGEST = 4.0
SPREAD = Fraction(1, 20)
WARMING: SparkJob = [([0.01] * 600, []), ([0.01] * 300, [0])]
MOST_BUSY = 1.1
"""Task times over those of the quietest run of the same job, beyond which a run is left out."""
OWN, AGAIN, OTHER = "its own run", "its cores, another run", "other cores"
BESIDE, TOGETHER = "other cores, jobs side by side", "three at once"


class LoggedRun(NamedTuple):
    """A run on so many cores: what its log answers, its seconds, and the seconds of all tasks."""

    cores: int
    question: JobLogQuestion
    wall: float
    work: float


class LogTrial(NamedTuple):
    """One log asked for one run: errors as shares, also of the peer for Spark; whether the bounds held, with a spread
    of none and of 5 %; upper over lower."""

    engine: str
    what: str
    error: float
    peer: float | None = None
    held: tuple[bool, bool] | None = None
    width: float | None = None


def seconds(source: random.Random, count: int, mean: float) -> list[float]:
    """Sleeps with a heavy tail, or of similar length."""
    if source.random() < 0.5:
        return [min(LONGEST, mean * 0.4 * source.paretovariate(1.6)) for _ in range(count)]
    return [min(LONGEST, mean * source.lognormvariate(0, 0.4)) for _ in range(count)]


def spark_steps(source: random.Random, beside: bool) -> Steps:
    """Two or three steps of a job, or of jobs side by side."""
    return [
        [_spark_job(source, 2 if beside else 1) for _ in range(source.randint(2, 3) if beside else 1)]
        for _ in range(source.randint(2, 3))
    ]


def _spark_job(source: random.Random, parts: int) -> SparkJob:
    """A chain of stages, or some side by side with one that reads them all."""
    count, chain = source.randint(2, 3), source.random() < 0.5
    before = [[k - 1] if chain and k else list(range(k)) if k == count - 1 else [] for k in range(count)]
    return [(seconds(source, source.choice((12, 30, 50, 80)) // parts, 0.5), after) for after in before]


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


def run_dask(graph: Mapping[str, Any], wanted: Sequence[str], cores: int, log: Path) -> LoggedRun:
    """A graph on workers of four threads."""
    distributed: Any = import_module("distributed")

    from apet.joblogs.dask_plugin import log_to

    cluster = distributed.LocalCluster(
        n_workers=cores // 4, threads_per_worker=4, processes=False, dashboard_address=None, protocol="inproc"
    )
    with cluster, distributed.Client(cluster) as client:
        log_to(client, str(log))
        client.get(dict(graph), list(wanted))
    return _logged(cores, log)


def run_spark(
    steps: Steps, cores: int, folder: Path, copies: int = 1, mode: str = "FIFO"
) -> tuple[LoggedRun, list[float]]:
    """The steps on `local[N]` after one that warms up the virtual machine, which the log is without; response times."""
    folder.mkdir()
    (folder / "log").mkdir()
    plan = folder / "plan.json"
    plan.write_text(json.dumps([[WARMING], *steps]), encoding="utf-8")
    command = [sys.executable, "-m", "tests.benchmarks.spark_runs", str(plan), f"local[{cores}]", str(folder / "log")]
    call = [*command, str(copies), f"spark.scheduler.mode={mode}", "spark.driver.host=127.0.0.1"]
    result = subprocess.run(call, check=True, timeout=900, capture_output=True, text=True)

    (log,) = (folder / "log").iterdir()
    neutral = folder / "log.json"
    neutral.write_text(neutral_text(after_first_job(read_job_log(log))), encoding="utf-8")
    return _logged(cores, neutral), json.loads(result.stdout.splitlines()[-1])


def after_first_job(log: JobLog) -> JobLog:
    """From the end of the first job to that of the last one, without what starts and ends a JVM."""
    first, *jobs = log.jobs
    start, end = first.end, max(job.end for job in jobs)
    stages = [stage for stage in log.stages if stage.job != first.number]
    tasks, numbers = LoggedTasks(), {stage.number for stage in stages}
    for row in zip(*(getattr(log.tasks, name) for name in LoggedTasks.COLUMNS), strict=True):
        number, index, executor, launched, freed, finished, run, ok = row
        if number in numbers:
            tasks.add((number, index, executor, launched - start, freed - start, finished - start, run, ok))
    return replace(
        log,
        end=end - start,
        executors=tuple(e._replace(start=0, end=end - start) for e in log.executors),
        jobs=tuple(job._replace(start=job.start - start, end=job.end - start) for job in jobs),
        stages=tuple(s._replace(submitted=s.submitted - start, completed=s.completed - start) for s in stages),
        tasks=tasks,
    )


def _logged(cores: int, path: Path) -> LoggedRun:
    question = JobLogQuestion(path)
    return LoggedRun(cores, question, question.log.end / US, question.work.work / US)


def quiet(runs: Sequence[LoggedRun]) -> list[LoggedRun]:
    """Those whose tasks took about as long as they sleep."""
    least = min(run.work for run in runs)
    return [run for run in runs if run.work <= MOST_BUSY * least]


def trials(engine: str, runs: Sequence[LoggedRun], other: str = OTHER) -> Iterator[LogTrial]:
    """All predictions of all logs of one job."""
    for log in runs:
        counts = sorted({run.cores for run in runs})
        narrow, wide = (log.question.answer(counts, spread=spread).predictions for spread in (Fraction(0), SPREAD))
        for n, p, q in zip(counts, narrow, wide, strict=True):
            for run in (run for run in runs if run.cores == n):
                what = OWN if run is log else AGAIN if n == log.cores else other
                held = _held(p, run.wall), _held(q, run.wall)
                peer = abs(sparklens(log.question.log, n) / run.wall - 1) if engine == "spark" else None
                width = p.upper / p.lower if p.upper and p.lower else None
                yield LogTrial(
                    engine, what, abs(p.estimate / run.wall - 1), peer, None if p.lower is None else held, width
                )


def _held(prediction: Any, wall: float) -> bool:
    return prediction.lower is not None and prediction.lower - 0.001 <= wall <= prediction.upper + 0.001


def dask_trials(source: random.Random, runs: int) -> Iterator[LogTrial]:
    """One graph, so many times on each number of threads."""
    graph, wanted = dask_graph(source)
    with tempfile.TemporaryDirectory() as folder:
        done = [run_dask(graph, wanted, n, Path(folder) / f"{n}-{k}.jsonl") for n in DASK_CORES for k in range(runs)]
    yield from trials("dask", quiet(done))


def spark_trials(source: random.Random, runs: int) -> Iterator[LogTrial]:
    """One job, so many times on each number of cores, and three times at once."""
    beside = source.random() < 0.5
    steps, mode = spark_steps(source, beside), source.choice(("FIFO", "FAIR"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = [run_spark(steps, n, folder / f"{n}-{k}")[0] for n in SPARK_CORES for k in range(runs)]
        three = [run_spark(steps, n, folder / f"three-{n}", 3, mode) for n in TOGETHER_CORES]
    done = quiet(done)
    yield from trials("spark", done, BESIDE if beside else OTHER)

    most = 3 * MOST_BUSY * min(run.work for run in done)
    for together, responses in three:
        for log in done if together.work <= most else ():
            (p,) = log.question.answer([together.cores], jobs=3, fair=mode == "FAIR").predictions
            for estimate, response in zip(sorted(p.responses), sorted(responses), strict=True):
                yield LogTrial("spark", TOGETHER, abs(estimate / response - 1))


ENGINES: Mapping[str, Callable[[random.Random, int], Iterator[LogTrial]]] = {"dask": dask_trials, "spark": spark_trials}


def markdown(results: Sequence[LogTrial], about: Mapping[str, str]) -> str:
    """One row per engine and kind of question."""
    lines = [f"Measured by `{COMMAND}` with " + ", ".join(f"{k} {v}" for k, v in about.items()) + ".", ""]
    errors = "median, mean, 90 %, worst"
    head = ("engine", "asked for", "predictions", errors, "Sparklens", "bounds hold, ± 5 %", "upper/lower")
    lines += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    order = (OWN, AGAIN, OTHER, BESIDE, TOGETHER)
    ordered = sorted(results, key=lambda r: (r.engine, order.index(r.what)))
    for (engine, what), group in groupby(ordered, key=lambda r: (r.engine, r.what)):
        some = list(group)
        peers = [r.peer for r in some if r.peer is not None]
        held, widths = [r.held for r in some if r.held], [r.width for r in some if r.width]
        bounds = ", ".join(f"{statistics.mean(each):.0%}" for each in zip(*held, strict=True))
        width = f"{statistics.median(widths):.2f}" if widths else ""
        cells = (engine, what, str(len(some)), _errors([r.error for r in some]), _errors(peers), bounds, width)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines).replace("%", " %").replace("  %", " %") + "\n"


def _errors(values: Sequence[float]) -> str:
    """The figures of the heading."""
    if not values:
        return ""
    ordered = sorted(values)
    figures = (statistics.median(values), statistics.mean(values), ordered[round(0.9 * (len(values) - 1))], ordered[-1])
    return ", ".join(f"{100 * figure:.1f}" for figure in figures) + "%"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, predict, print, write."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Hold predictions from logs against runs.")
    parser.add_argument("--jobs", type=int, default=3, help="random jobs of each engine")
    parser.add_argument("--runs", type=int, default=1, help="of each job on each number of cores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", action="append", choices=list(ENGINES), help="this one only; may be repeated")
    parser.add_argument("--add-to", type=Path, metavar="F", help="add to the results of earlier calls")
    parser.add_argument("--markdown", type=Path, metavar="F", help="put the table between the markers of a page")
    options = parser.parse_args(arguments)

    engines = options.engine or [e for e in ENGINES if e != "spark" or find_spec("pyspark")]
    source, results = random.Random(options.seed), list[LogTrial]()
    for engine in engines:
        for number in range(options.jobs):
            results += ENGINES[engine](source, options.runs)
            print(f"{engine}: {number + 1} of {options.jobs} jobs", file=sys.stderr, flush=True)
    if options.add_to:
        lines = options.add_to.read_text(encoding="utf-8").splitlines() if options.add_to.exists() else []
        results = [LogTrial(*json.loads(line)) for line in lines] + results
        options.add_to.write_text("".join(f"{json.dumps(trial)}\n" for trial in results), encoding="utf-8")
    text = markdown(results, host.describe())
    print(text)
    if options.markdown:
        rendering.insert(options.markdown, text, "job logs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
