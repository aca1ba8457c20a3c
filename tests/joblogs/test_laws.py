"""Laws of every answer, over random Spark logs of runs that were disturbed, and what runs without disturbance take."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from tests.joblogs.disturbed_logs import DisturbedRun
from tests.joblogs.spark_logs import JobShape, StageShape, random_jobs, run_spark

from apet.joblogs.answer import JobLogAnswer
from apet.joblogs.question import JobLogQuestion

CORES = (1, 2, 3, 4, 6, 8, 12, 16, 64)
LOGS = 12
"""Of 200, the own run of two is missed: a retry that had to wait is replayed as if it could begin at once."""
CLOSE = 0.002
"""Seconds to which times of logs, in whole milliseconds, agree."""


def _disturbed(seed: int) -> DisturbedRun:
    source = random.Random(seed)
    return DisturbedRun(
        source, random_jobs(source, jobs=source.randint(1, 3), most_tasks=40), 8, source.choice([1, 2, 4])
    )


def _asked(folder: Path, text: str) -> JobLogAnswer:
    path = folder / "log"
    path.write_text(text, encoding="utf-8")
    return JobLogQuestion(path).answer(CORES)


@pytest.fixture(params=range(LOGS))
def disturbed(request: pytest.FixtureRequest) -> DisturbedRun:
    """A run of its own seed."""
    return _disturbed(request.param)


def _assert_laws(answer: JobLogAnswer) -> None:
    """What agrees within an answer: estimates with bounds, neighbours, limits and what was measured."""
    bounds = [(p.lower, p.estimate, p.upper) for p in answer.predictions]
    for p, (lower, estimate, upper) in zip(answer.predictions, bounds, strict=True):
        if lower is not None and upper is not None:
            assert lower <= estimate <= upper
        assert answer.floor <= estimate + CLOSE
        assert p.used <= 1 + 1e-9
    for (low, before, high), (lower, estimate, upper) in pairwise(bounds):
        if low is not None and high is not None and lower is not None and upper is not None:
            assert lower <= low
            assert upper <= high
        anomaly = any("cores take longer than" in note for note in answer.notes)
        assert estimate <= before * 1.001 or anomaly

    own = next(p for p in answer.predictions if p.cores == answer.cores)
    assert answer.own_runs[-1].seconds == pytest.approx(own.estimate)
    assert sum(limit.share for limit in answer.limits) == pytest.approx(1)
    assert sum(limit.seconds for limit in answer.limits) == pytest.approx(own.estimate, abs=CLOSE)
    idle = answer.waste
    assert idle.total + answer.work == pytest.approx(own.estimate * answer.cores, rel=1e-6, abs=CLOSE)
    assert answer.driver <= own.estimate + CLOSE


def test_an_own_run_is_replayed_and_the_quiet_run_is_within_bounds(disturbed: DisturbedRun, tmp_path: Path) -> None:
    answer = _asked(tmp_path, disturbed.run.text())
    _assert_laws(answer)
    assert answer.sure
    assert abs(answer.error) <= 0.01
    assert len(answer.own_runs) > 1 or not disturbed.lost
    for p in answer.predictions:
        truth = run_spark(disturbed.quiet, p.cores).wall / 1000
        assert p.lower is not None
        assert p.upper is not None
        assert p.lower - CLOSE <= truth <= p.upper + CLOSE
        assert p.estimate == pytest.approx(truth, abs=CLOSE)


def test_a_log_without_some_of_its_events_is_not_guaranteed(disturbed: DisturbedRun, tmp_path: Path) -> None:
    answer = _asked(tmp_path, disturbed.without_some(random.Random(1)))
    _assert_laws(answer)
    tasks = sum(len(stage.durations) for job in disturbed.quiet for stage in job.stages)
    assert answer.tasks == tasks


WORK, OVERHEAD = 40_000, 33
"""Milliseconds of all tasks, and what each takes beside its own run, in the mean."""


def _parted(folder: Path, count: int) -> tuple[JobLogQuestion, float]:
    """A log of the same work in so many tasks, on four cores, and its seconds."""
    source = random.Random(count)
    own = [max(1, round(WORK / count * source.uniform(0.8, 1.2))) for _ in range(count)]
    run = run_spark([JobShape([StageShape([t + source.randint(16, 50) for t in own])])], 4)
    for _, _, event in run.events:
        if event["Event"].endswith("TaskEnd"):
            event["Task Metrics"]["Executor Run Time"] = own[event["Task Info"]["Index"]]
    path = folder / f"{count}.log"
    path.write_text("".join(json.dumps(event) + "\n" for _, _, event in sorted(run.events, key=lambda e: e[:2])))
    return JobLogQuestion(path), run.wall / 1000


def test_other_numbers_of_partitions_take_what_runs_with_as_many_took(tmp_path: Path) -> None:
    runs = {count: _parted(tmp_path, count) for count in (160, 1600, 4000)}
    assert runs[4000][1] > 3 * runs[160][1]
    for question, _ in runs.values():
        for count, (_, truth) in runs.items():
            (prediction,) = question.changed({"partitions.0": Fraction(count)}).answer([4]).predictions
            assert prediction.estimate == pytest.approx(truth, rel=0.02)
