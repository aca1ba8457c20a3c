"""Spark itself: its event logs of small jobs are read, predicted for other cores and more data, and compared with runs.

Needs pyspark, which is in no extra that other tests need since it is a download of 460 MB, and Java 17:

    .venv/bin/pip install --editable '.[spark]' && .venv/bin/pytest tests/joblogs/test_spark_for_real.py
"""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.joblogs import after_first_job

from apet.joblogs.question import JobLogQuestion
from apet.joblogs.read import read_job_log
from apet.joblogs.read.neutral import neutral_text

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed: pip install --editable '.[spark]'")

ROOT = Path(__file__).resolve().parents[2]
SOURCE = random.Random(5)
STARTING: list[Any] = [[([0.0] * 8, [])]]
"""A step that starts Python's workers."""
SLEEPS: list[Any] = [
    [([0.1 * SOURCE.randint(2, 9) for _ in range(10)], []), ([0.3] * 5, [0])],
    [([0.2, 0.2, 0.2, 1.5, 0.2], []), ([0.4] * 4, [0]), ([0.3, 0.1], [1])],
]
"""Jobs of stages, each the seconds that its tasks sleep and the stages before, 14 in all."""
MOST_UNLIKE = 1.1
"""Task times of one run over those of another, beyond which the machine was too busy to compare them."""
LOCAL = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}


def _run(folder: Path, plan: Sequence[Any], master: str, *settings: str) -> Path:
    """The log of a plan on a master, in a JVM of its own."""
    (folder / "log").mkdir(parents=True)
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    command = [sys.executable, "-m", "tests.benchmarks.spark_runs", str(folder / "plan.json"), master]
    call = [*command, str(folder / "log"), "1", "spark.driver.host=127.0.0.1", *settings]
    subprocess.run(call, check=True, timeout=600, capture_output=True, cwd=ROOT, env=LOCAL)
    (log,) = (folder / "log").iterdir()
    return log


def _asleep(folder: Path, master: str, *settings: str) -> JobLogQuestion:
    """The sleeping jobs one after the other, without what starts and ends a JVM and its workers."""
    log = read_job_log(_run(folder, [STARTING, *([job] for job in SLEEPS)], master, *settings))
    (folder / "log.json").write_text(neutral_text(after_first_job(log)), encoding="utf-8")
    return JobLogQuestion(folder / "log.json")


def _text_files(folder: Path, count: int) -> str:
    folder.mkdir()
    for number in range(count):
        words = (f"{SOURCE.randint(0, 999)}" for _ in range(20_000))
        (folder / f"{number}.txt").write_text(" ".join(words), encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, JobLogQuestion]:
    """The sleeping jobs on 2 and on 4 cores."""
    folder = tmp_path_factory.mktemp("sleeping")
    return {cores: _asleep(folder / str(cores), f"local[{cores}]") for cores in (2, 4)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A standalone master with two workers of two cores each, on loopback."""
    folder, address = tmp_path_factory.mktemp("cluster"), ("127.0.0.1", _free_port())
    url = f"spark://{address[0]}:{address[1]}"
    spark = [f"{Path(pyspark.__file__).parent}/bin/spark-class", "org.apache.spark.deploy"]
    ports = ["--host", address[0], "--webui-port", "0"]
    worker = [*ports, "--cores", "2", "--memory", "1g", "--work-dir", str(folder), url]
    calls = [
        ["master.Master", *ports, "--port", str(address[1])],
        ["worker.Worker", *worker],
        ["worker.Worker", *worker],
    ]

    processes = []
    with (folder / "output.txt").open("w") as output:
        for name, *options in calls:
            call = [spark[0], f"{spark[1]}.{name}", *options]
            processes.append(subprocess.Popen(call, cwd=folder, env=LOCAL, stdout=output, stderr=output))
            _wait_for(address)
        try:
            yield url
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(30)


def _wait_for(address: tuple[str, int]) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(address) == 0:
                return
        time.sleep(0.2)
    pytest.fail("the master does not listen")


def _busy(question: JobLogQuestion) -> float:
    """How much longer the tasks took than they slept."""
    return question.work.work / 1e6 / sum(sum(sleeps) for job in SLEEPS for sleeps, _ in job)


def _assert_predicts(question: JobLogQuestion, cores: int, other: JobLogQuestion) -> None:
    """The run of `other` lies within what `question` predicts for its cores."""
    unlike = max(map(_busy, (question, other))) / min(map(_busy, (question, other)))
    if unlike > MOST_UNLIKE:
        pytest.skip(f"the machine is busy: tasks of one run took {unlike:.2f} times as long as those of the other")

    (prediction,) = question.answer([cores], spread=Fraction(1, 10)).predictions
    truth = other.log.end / 1e6
    assert prediction.lower is not None
    assert prediction.upper is not None
    assert prediction.lower <= truth <= prediction.upper
    assert prediction.estimate == pytest.approx(truth, rel=0.1)


def test_the_log_has_all_stages_and_tasks(runs: dict[int, JobLogQuestion]) -> None:
    log = runs[2].log
    assert (log.engine, log.cores, log.complete) == ("Spark", 2, True)
    counts = [list(log.tasks.stage).count(stage.number) for stage in log.stages]
    assert counts == [len(sleeps) for job in SLEEPS for sleeps, _ in job]
    assert _busy(runs[2]) >= 1


def test_the_replay_of_the_own_run_is_the_run(runs: dict[int, JobLogQuestion]) -> None:
    for question in runs.values():
        assert abs(question.answer([question.work.cores]).error) <= 0.03


@pytest.mark.parametrize(("cores", "others"), [(2, 4), (4, 2)])
def test_a_run_on_other_cores_is_predicted(runs: dict[int, JobLogQuestion], cores: int, others: int) -> None:
    _assert_predicts(runs[cores], others, runs[others])


def test_a_run_on_one_executor_predicts_one_on_two(tmp_path: Path, master: str) -> None:
    executor = ("spark.executor.cores=2", "spark.executor.memory=512m")
    one = _asleep(tmp_path / "one", master, *executor, "spark.cores.max=2")
    two = _asleep(tmp_path / "two", master, *executor)
    assert [len(question.log.executors) for question in (one, two)] == [1, 2]
    assert (two.work.per_executor, two.work.cores) == (2, 4)
    assert all(abs(question.answer([question.work.cores]).error) <= 0.03 for question in (one, two))
    _assert_predicts(two, 2, one)
    _assert_predicts(one, 4, two)


@pytest.mark.parametrize("codec", ["lz4", "lzf", "snappy", "zstd"])
def test_logs_are_read_as_spark_compresses_and_rolls_them(tmp_path: Path, codec: str) -> None:
    if codec in ("lz4", "snappy"):
        pytest.importorskip("cramjam")
    packed = (f"spark.eventLog.compression.codec={codec}", "spark.eventLog.compress=true")
    rolled = ("spark.eventLog.rolling.enabled=true", "spark.eventLog.rolling.maxFileSize=10m")
    tasks = 6000 if codec == "zstd" else 8  # 6000 make more than 10 MB of events
    path = _run(tmp_path, [tasks], "local[2]", *packed, *rolled)
    log = read_job_log(path)
    parts = [part for part in path.iterdir() if part.name.startswith("events_")]
    assert all(part.name.endswith(codec) for part in parts)
    assert log.complete
    assert (len(parts) > 1, len(log.tasks)) == (codec == "zstd", tasks)


def test_jobs_of_several_threads_overlap_in_the_log_and_in_the_replay(tmp_path: Path) -> None:
    plan = [STARTING, SLEEPS]
    question = JobLogQuestion(_run(tmp_path, plan, "local[3]", "spark.scheduler.mode=FAIR"))
    _, first, second = sorted(question.log.jobs)
    assert max(first.start, second.start) < min(first.end, second.end)
    answer = question.answer(range(1, 40))
    assert abs(answer.error) <= 0.03
    assert all(p.lower is not None and 0 < p.lower <= p.estimate for p in answer.predictions)
    estimates = [p.estimate for p in answer.predictions]
    assert estimates[-1] == pytest.approx(answer.floor, rel=0.05)


def test_stages_that_read_files_are_known_and_grow_with_them(tmp_path: Path) -> None:
    """Words of three files, then of six: the tasks that read are twice as many, those behind them as many."""
    plan = [_text_files(tmp_path / "three", 3), _text_files(tmp_path / "six", 6)]
    question = JobLogQuestion(_run(tmp_path / "run", plan, "local[2]"))
    assert abs(question.answer([2]).error) <= 0.03

    by_folder = list[list[tuple[bool, int]]]()
    counts = {stage.number: list(question.log.tasks.stage).count(stage.number) for stage in question.log.stages}
    for stage in question.log.stages:
        if stage.reads:
            by_folder.append([])
        by_folder[-1].append((stage.reads, counts[stage.number]))
    three, six = by_folder[0][0][1], by_folder[-1][0][1]
    assert six == 2 * three
    grown = {unit.stage: len(unit.holds) for unit in question.with_data(Fraction(2)).work.units if unit.holds}
    assert grown == {stage.number: counts[stage.number] * (2 if stage.reads else 1) for stage in question.log.stages}
