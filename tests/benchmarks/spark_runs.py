"""One run of sleeping jobs with PySpark, which leaves its event log in a folder and prints response times.

    python -m tests.benchmarks.spark_runs PLAN.json MASTER FOLDER [COPIES] [NAME=VALUE …]

A plan is a list of steps, one after the other. A step is a list of jobs that threads submit together; a job is a list
of stages, each the seconds that its tasks sleep and the places of the stages before it. A step that is the name of a
folder counts the words of its files, with real tasks that read, shuffle and write; one that is a number runs so many
empty tasks. Tasks sleep in the virtual machine (`Sleeping.java`), since workers of Python would keep a small machine
busy. After the first step, which loads what tasks need, so many COPIES of the others run at once, each in a pool of its
own; the response times of all are printed in seconds, as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import add
from pathlib import Path
from typing import Any

Stages = Sequence[tuple[list[float], list[int]]]


def main(plan: str, master: str, folder: str, copies: str = "1", *settings: str) -> None:
    """Run all steps."""
    from pyspark import SparkConf, SparkContext

    conf = SparkConf().setMaster(master).setAppName("sleeping").set("spark.ui.enabled", "false")
    for name, value in (("enabled", "true"), ("dir", f"file://{folder}"), ("rolling.enabled", "false")):
        conf.set(f"spark.eventLog.{name}", value)
    classes = str(compiled(Path(plan).parent))
    for name in ("driver", "executor"):
        conf.set(f"spark.{name}.extraClassPath", classes)
    for setting in settings:
        conf.set(*setting.split("=", 1))

    context = SparkContext(conf=conf)
    first, *others = json.loads(Path(plan).read_text(encoding="utf-8"))
    _step(context, first, "")
    begun = time.monotonic()

    def copy(number: int) -> float:
        for step in others:
            _step(context, step, f"pool {number}")
        return time.monotonic() - begun

    print(json.dumps(_together(copy, range(int(copies)))))
    context.stop()


def _together(call: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
    """The results of calls in threads of their own."""
    with ThreadPoolExecutor(max(1, len(arguments))) as pool:
        return list(pool.map(call, arguments))


def _step(context: Any, step: str | int | Sequence[Stages], pool: str) -> None:
    if isinstance(step, int):
        context._jsc.parallelize(context._jvm.java.util.ArrayList(), step).count()  # in the virtual machine alone
        return
    if isinstance(step, str):
        words = context.textFile(step).flatMap(str.split).map(lambda word: (word, 1))
        words.reduceByKey(add, 3).sortByKey(numPartitions=2).collect()
        return

    def run(job: Stages) -> None:
        context.setLocalProperty("spark.scheduler.pool", pool or None)
        _job(context, job)

    _together(run, step)


def _job(context: Any, stages: Stages) -> None:
    """The last stage is that of the result. Of several stages before one, each is read by a part of its tasks."""
    sleeping, partitioner = context._jvm.sleeping.Sleeping, context._jvm.org.apache.spark.HashPartitioner
    data = list[Any]()
    for sleeps, before in stages:
        count, task = len(sleeps), sleeping(sleeps)
        parts = [count // len(before) + (k < count % len(before)) for k in range(len(before))]
        pairs = zip(before, parts, strict=True)
        shuffled = [data[p].mapToPair(task).partitionBy(partitioner(part)).values() for p, part in pairs]
        items = context._jsc.parallelize(list(range(count)), count) if not before else shuffled[0]
        for other in shuffled[1:]:
            items = items.union(other)
        data.append(items.mapPartitionsWithIndex(task, True))
    data[-1].count()


def compiled(folder: Path) -> Path:
    """A folder with the classes of tasks that sleep, for the class path."""
    import pyspark

    classes = folder / "classes"
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    source = Path(__file__).with_name("Sleeping.java")
    classes.mkdir(parents=True, exist_ok=True)
    command = ["javac", "-cp", str(jars), "-d", str(classes.resolve()), str(source.resolve())]
    subprocess.run(command, cwd=classes, check=True)
    return classes


if __name__ == "__main__":
    main(*sys.argv[1:])
