"""One run of sleeping jobs with PySpark on `local[N]`, which leaves its event log in a folder.

    python -m tests.benchmarks.spark_runs PLAN.json 4 FOLDER

The plan is a list of jobs, each a list of stages, each a list of the seconds that its tasks sleep; a job that is the
name of a folder counts the words of its files, with real tasks that read, shuffle and write.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from operator import add
from pathlib import Path
from typing import Any


def main(plan: str, cores: str, folder: str) -> None:
    """Jobs one after the other, their stages with a shuffle between."""
    from pyspark import SparkConf, SparkContext

    conf = SparkConf().setMaster(f"local[{cores}]").setAppName("sleeping").set("spark.ui.enabled", "false")
    for name, value in (("enabled", "true"), ("dir", f"file://{folder}"), ("rolling.enabled", "false")):
        conf.set(f"spark.eventLog.{name}", value)
    context = SparkContext(conf=conf)
    for stages in json.loads(Path(plan).read_text(encoding="utf-8")):
        if isinstance(stages, str):
            words = context.textFile(stages).flatMap(str.split).map(lambda word: (word, 1))
            words.reduceByKey(add, 3).sortByKey(numPartitions=2).collect()
            continue

        data: Any = context.parallelize(range(len(stages[0])), len(stages[0])).mapPartitionsWithIndex(_pause(stages[0]))
        for sleeps in stages[1:]:
            pairs = data.map(lambda x: (x, x)).partitionBy(len(sleeps))
            data = pairs.mapPartitionsWithIndex(_pause(sleeps)).map(lambda x: x[0])
        data.count()
    context.stop()


def _pause(sleeps: list[float]) -> Callable[[int, Iterator[Any]], Iterator[Any]]:
    def pause(index: int, items: Iterator[Any]) -> Iterator[Any]:
        time.sleep(sleeps[index])
        return items

    return pause


if __name__ == "__main__":
    main(*sys.argv[1:])
