"""`data`: what is assumed to grow, the replay on more or less of it, and bounds that hold it at every amount."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.joblogs.spark_logs import JobShape, SparkRun, StageShape, random_jobs, run_spark

import apet
from apet.cli.main import main
from apet.ground.interval import Number
from apet.joblogs.cost_model import joblog_model
from apet.joblogs.data import with_data
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.read import read_job_log
from apet.joblogs.rules.work_graph import work_graph
from apet.joblogs.what_if import on_cores

TOLERANCE = 0.001


def _reading(run: SparkRun, stages: set[int]) -> SparkRun:
    """The run with tasks of these stages reading input."""
    for _, _, event in run.events:
        if event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stages:
            event["Task Metrics"] |= {"Input Metrics": {"Bytes Read": 1_000}}
    return run


def _question(folder: Path, run: SparkRun) -> JobLogQuestion:
    path = folder / "log"
    path.write_text(run.text(), encoding="utf-8")
    return JobLogQuestion(path)


def _jobs(tasks: int, factor: int) -> list[JobShape]:
    """A stage that reads, one behind it, and a job of its own that does not read."""
    reads, behind = StageShape([400] * tasks), StageShape([150 * factor] * 6, [0])
    return [JobShape([reads, behind]), JobShape([StageShape([300] * 4)])]


def test_stages_that_read_have_more_tasks_and_those_behind_them_longer_ones(tmp_path: Path) -> None:
    question = _question(tmp_path, _reading(run_spark(_jobs(8, 1), 4), {0}))
    for data in (2, 4, 7):
        truth = run_spark(_jobs(8 * data, data), 16).wall / 1000
        (prediction,) = question.with_data(Fraction(data)).answer([16]).predictions
        assert prediction.estimate == pytest.approx(truth, abs=0.002)
    assert (
        "2 stages are taken to grow in proportion to data, 1 of them" in question.with_data(Fraction(2)).log.notes[-1]
    )


def test_where_no_stage_is_logged_as_reading_all_take_longer(tmp_path: Path) -> None:
    question = _question(tmp_path, run_spark(_jobs(8, 1), 4))
    truth = run_spark([JobShape([StageShape([3 * t for t in s.durations], s.parents) for s in job.stages])
                       for job in _jobs(8, 1)], 4).wall  # fmt: skip
    (prediction,) = question.with_data(Fraction(3)).answer([4]).predictions
    assert prediction.estimate == pytest.approx(truth / 1000, abs=0.002)


def test_tasks_whose_number_a_setting_fixes_do_not_become_more(tmp_path: Path) -> None:
    run = run_spark(_jobs(8, 1), 4, properties={"spark.default.parallelism": "8"})
    question = _question(tmp_path, _reading(run, {0}))
    assert question.with_data(Fraction(4)).work.tasks == question.work.tasks


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    cores=st.sampled_from((1, 2, 3, 8, 40)),
    data=st.sampled_from(("0.01", "0.3", "0.99", "1", "1.01", "1.5", "2", "3.7", "60")),
    spread=st.sampled_from(("0", "0.1")),
)
def test_bounds_in_data_hold_the_replay(
    seed: int, cores: int, data: str, spread: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = random.Random(seed)
    run = run_spark(random_jobs(source, jobs=2, most_tasks=12), source.choice((2, 4)))
    path = tmp_path_factory.mktemp("data") / "log"
    path.write_text(_reading(run, set(source.sample(range(8), 3))).text(), encoding="utf-8")

    log = read_job_log(path)
    work = work_graph(log)
    model = joblog_model("log", work)
    values: dict[str, Number] = {"cores": cores, "spread": Fraction(spread), "jobs": 1, "data": Fraction(data)}
    makespan = on_cores(with_data(work, Fraction(data)), cores).makespan / 1e6
    assert float(model.lower.evaluate(values)) - TOLERANCE <= makespan
    assert makespan <= float(model.upper.evaluate(values)) + TOLERANCE


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.sampled_from(("0.2", "2", "5.5")), again=st.sampled_from(("0.5", "3")))
def test_data_may_be_changed_in_steps(
    seed: int, data: str, again: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Of data d, the model of the work on d is that of the log: their work at any other amount is the same."""
    source = random.Random(seed)
    path = tmp_path_factory.mktemp("steps") / "log"
    run = run_spark(random_jobs(source, jobs=1, most_tasks=9), 3)
    path.write_text(_reading(run, {0}).text(), encoding="utf-8")
    work = work_graph(read_job_log(path))

    both = Fraction(data) * Fraction(again)
    stepwise = with_data(with_data(work, Fraction(data)), both)
    assert stepwise.work == pytest.approx(with_data(work, both).work, abs=len(stepwise.units) * 100)


def test_a_log_is_a_model_in_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = _question(tmp_path, _reading(run_spark(_jobs(8, 1), 4), {0}))
    model = apet.load_model(question.path)
    truth = run_spark(_jobs(32, 4), 8).wall / 1000
    bounds = apet.predict(model, None, cores=8, data=4).guaranteed
    assert bounds.lo <= truth <= bounds.hi
    assert main(["solve", question.path, "--deadline", "6", "--for", "data", "--set", "cores=8"]) == 0
    assert "  met  " in capsys.readouterr().out


@pytest.mark.parametrize("data", ["0", "1e9", "-1"])
def test_data_beyond_what_a_log_can_tell_is_refused(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = _question(tmp_path, run_spark(_jobs(8, 1), 4))
    assert main(["jobs", question.path, "--set", f"data={data}"]) == 2
    assert "beyond what a log can tell" in capsys.readouterr().err
