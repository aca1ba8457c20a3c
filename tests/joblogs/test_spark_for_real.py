"""Spark itself: its event logs of small jobs are read, predicted for other cores and more data, and compared with runs.

Needs pyspark, which is in no extra that other tests need since it is a download of 460 MB, and Java 17:

    .venv/bin/pip install --editable '.[spark]' && .venv/bin/pytest tests/joblogs/test_spark_for_real.py
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from apet.api.job_logs import JobLogQuestion

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install --editable '.[spark]'")

ROOT = Path(__file__).resolve().parents[2]
SOURCE = random.Random(5)
SLEEPS = [
    [[0.0] * 8],
    [[0.1 * SOURCE.randint(2, 9) for _ in range(10)], [0.3] * 5],
    [[0.2, 0.2, 0.2, 1.5, 0.2], [0.4] * 4, [0.3, 0.1]],
]
"""Jobs of stages one after the other, of seconds that tasks sleep, 14 in all; the first one starts Python's workers."""
MOST_UNLIKE = 1.1
"""Task times of one run over those of another, beyond which the machine was too busy to compare them."""


def _run(folder: Path, plan: Sequence[Any], cores: int) -> JobLogQuestion:
    """The plan on `local[N]`, in a JVM of its own."""
    folder.mkdir()
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    (folder / "log").mkdir()
    command = [sys.executable, "-m", "tests.benchmarks.spark_runs", str(folder / "plan.json"), str(cores)]
    subprocess.run(
        [*command, str(folder / "log")],
        check=True,
        timeout=120,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    (log,) = (folder / "log").iterdir()
    return JobLogQuestion(log)


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
    return {cores: _run(folder / str(cores), SLEEPS, cores) for cores in (2, 4)}


def _span(question: JobLogQuestion) -> float:
    """From the end of the first job to the end of the last one, without what starts and ends a JVM and its workers."""
    jobs = question.log.jobs
    return (jobs[-1].end - jobs[0].end) / 1e6


def _busy(question: JobLogQuestion) -> float:
    """How much longer the tasks of the later jobs took than they slept."""
    tasks = question.log.tasks
    took = sum(end - start for s, start, end in zip(tasks.stage, tasks.launched, tasks.freed, strict=True) if s > 0)
    return took / 1e6 / sum(sum(stage) for job in SLEEPS for stage in job)


def test_the_log_has_all_stages_and_tasks(runs: dict[int, JobLogQuestion]) -> None:
    log = runs[2].log
    assert (log.engine, log.cores, log.complete) == ("Spark", 2, True)
    counts = [list(log.tasks.stage).count(stage.number) for stage in log.stages]
    assert counts == [len(stage) for job in SLEEPS for stage in job]
    assert _busy(runs[2]) >= 1


def test_the_replay_of_the_own_run_is_the_run(runs: dict[int, JobLogQuestion]) -> None:
    for question in runs.values():
        assert abs(question.answer([question.work.cores]).error) <= 0.03


def test_a_run_on_other_cores_is_predicted(runs: dict[int, JobLogQuestion]) -> None:
    unlike = max(map(_busy, runs.values())) / min(map(_busy, runs.values()))
    if unlike > MOST_UNLIKE:
        pytest.skip(f"the machine is busy: tasks of one run took {unlike:.2f} times as long as those of the other")
    for cores, others in ((2, 4), (4, 2)):
        question, truth = runs[cores], _span(runs[others])
        (prediction,) = question.answer([others], spread=Fraction(1, 10)).predictions
        outside = question.log.end / 1e6 - _span(question)
        assert prediction.lower is not None
        assert prediction.upper is not None
        assert prediction.lower - outside <= truth <= prediction.upper - outside
        assert prediction.estimate - outside == pytest.approx(truth, rel=0.1)


def test_stages_that_read_files_are_known_and_grow_with_them(tmp_path: Path) -> None:
    """Words of three files, then of six: the tasks that read are twice as many, those behind them as many."""
    plan = [_text_files(tmp_path / "three", 3), _text_files(tmp_path / "six", 6)]
    question = _run(tmp_path / "run", plan, 2)
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
