"""Laws of the replay and of the bounds: a generated run is reproduced, on its own cores and on others."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.joblogs.spark_logs import JobShape, StageShape, random_jobs, run_spark

import apet
from apet.cost import CostModel
from apet.ground.interval import Number
from apet.joblogs.copies import end_times, several
from apet.joblogs.cost_model import joblog_model
from apet.joblogs.job_log import MS
from apet.joblogs.read import read_job_log
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.rules.work_graph import work_graph
from apet.joblogs.trust import own_error
from apet.joblogs.what_if import changed, on_cores

CORES = (1, 2, 3, 4, 8, 16, 64)
SEEDS = st.integers(0, 10**6)
MILLISECOND = Fraction(1, 1000)


def _work(folder: Path, jobs: list[JobShape], cores: int) -> WorkGraph:
    path = folder / "log"
    path.write_text(run_spark(jobs, cores).text(), encoding="utf-8")
    return work_graph(read_job_log(path))


def _ends(model: CostModel, cores: int, spread: Fraction = Fraction(0), jobs: int = 1) -> tuple[Fraction, Fraction]:
    values: dict[str, Number] = {"cores": cores, "spread": spread, "jobs": jobs, "data": 1}
    return Fraction(model.lower.evaluate(values)), Fraction(model.upper.evaluate(values))


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from((2, 4, 8)))
def test_a_run_is_reproduced_on_its_own_cores(tmp_path_factory: pytest.TempPathFactory, seed: int, cores: int) -> None:
    work = _work(tmp_path_factory.mktemp("own"), random_jobs(random.Random(seed)), cores)
    assert work.cores == cores
    assert abs(own_error(work)) <= 0.02


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from((2, 4, 8)), st.sampled_from(CORES))
def test_runs_on_other_cores_lie_within_the_bounds(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cores: int, other: int
) -> None:
    jobs = random_jobs(random.Random(seed))
    work = _work(tmp_path_factory.mktemp("other"), jobs, cores)
    model = joblog_model("log", work)
    wall = Fraction(run_spark(jobs, other).wall * MS, 1_000_000)
    replayed = Fraction(on_cores(work, other).makespan, 1_000_000)
    for time in (replayed,) if work.following else (wall, replayed):
        low, high = _ends(model, other)
        slack = MILLISECOND * (1 + len(work.units))
        assert low - slack <= time <= high + slack


@settings(max_examples=8, deadline=None)
@given(SEEDS)
def test_bounds_fall_with_cores_and_widen_with_spread(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    model = joblog_model("log", _work(tmp_path_factory.mktemp("falls"), random_jobs(random.Random(seed), jobs=1), 5))
    ends = [_ends(model, cores) for cores in CORES]
    assert [low for low, _ in ends] == sorted((low for low, _ in ends), reverse=True)
    # One more core may put tasks in another order that takes longer (Graham 1969); many more never do.
    assert ends[-1][1] <= ends[1][1]
    wide = _ends(model, 4, Fraction(1, 20))
    assert wide[0] <= _ends(model, 4)[0] <= _ends(model, 4)[1] <= wide[1]


def test_a_long_task_is_the_floor(tmp_path: Path) -> None:
    work = _work(tmp_path, [JobShape([StageShape([100] * 20 + [5_000])])], 4)
    model = joblog_model("log", work)
    assert 5 <= _ends(model, 1000)[0] <= Fraction("5.2")


def test_jobs_side_by_side_are_independent(tmp_path: Path) -> None:
    """Two jobs of one task each, submitted together: on two cores they take as long as one of them."""
    stage = [StageShape([2_000])]
    work = _work(tmp_path, [JobShape(stage, at=10), JobShape(stage, at=20)], 1)
    assert on_cores(work, 1).makespan > 4_000 * MS
    assert on_cores(work, 2).makespan < 2_200 * MS


def test_copies_share_cores_fairly_or_in_turn(tmp_path: Path) -> None:
    work = _work(tmp_path, [JobShape([StageShape([100] * 30)])], 3)
    in_turn, fair = (end_times(list(on_cores(several(work, 3, fair), 3).ended), 3) for fair in (False, True))
    assert max(fair) - min(fair) <= 200 * MS  # two tasks: cores that are offered together go to the first pool
    assert max(in_turn) - min(in_turn) > 1_500 * MS
    low, high = _ends(joblog_model("log", work), 3, jobs=3)
    for makespan in (max(in_turn), max(fair)):
        assert low <= Fraction(makespan, 1_000_000) <= high


def test_more_tasks_split_the_longest_and_no_skew_makes_all_equal(tmp_path: Path) -> None:
    work = _work(tmp_path, [JobShape([StageShape([100] * 7 + [900])])], 2)
    split = changed(work, {"partitions.0": Fraction(16)})
    stage = next(unit for unit in split.units if unit.holds)
    assert len(stage.holds) == 16
    assert stage.work == work.work
    assert stage.longest == 450 * MS

    even = changed(work, {"skew.0": Fraction(1)})
    assert {hold for unit in even.units for hold in unit.holds} == {200 * MS}


def test_numbers_of_tasks_that_follow_the_cores_are_scaled(tmp_path: Path) -> None:
    work = _work(tmp_path, [JobShape([StageShape([400] * 12), StageShape([400] * 8, [0])])], 4)
    assert work.following
    assert on_cores(work, 8).makespan < 0.6 * work.measured
    model = joblog_model("log", work)
    for cores in CORES:
        low, high = _ends(model, cores)
        assert low <= Fraction(on_cores(work, cores).makespan, 1_000_000) <= high


def test_numbers_of_tasks_that_a_setting_fixes_do_not_follow(tmp_path: Path) -> None:
    path = tmp_path / "log"
    run = run_spark([JobShape([StageShape([400] * 12)])], 4, properties={"spark.sql.shuffle.partitions": "12"})
    path.write_text(run.text(), encoding="utf-8")
    assert not work_graph(read_job_log(path)).following


def test_executors_that_come_late_are_replayed_as_they_came(tmp_path: Path) -> None:
    run = run_spark([JobShape([StageShape([100] * 40)])], 4)
    late = {"Event": "SparkListenerExecutorAdded", "Timestamp": 1_800_000_000_000 + 600, "Executor ID": "late"}
    run.events.append((600, 10**6, {**late, "Executor Info": {"Total Cores": 4}}))
    path = tmp_path / "log"
    path.write_text(run.text(), encoding="utf-8")
    work = work_graph(read_job_log(path))
    assert work.cores == 8
    assert [slots for _, slots in work.profile] == [4, 8]
    assert on_cores(work, 8, own_run=True).makespan > on_cores(work, 8).makespan


def test_jobs_are_served_in_the_order_of_their_submission_whichever_copy_they_are_of(tmp_path: Path) -> None:
    """Each copy is two jobs in turn: the second job of the first copy waits for the first job of the others."""
    jobs = [JobShape([StageShape([100] * 30)]), JobShape([StageShape([100] * 30)])]
    work = _work(tmp_path, jobs, 3)
    ends = end_times(on_cores(several(work, 3), 3).ended, 3)
    alone = on_cores(work, 3).makespan
    assert min(ends) > 1.9 * alone


def test_executors_times_their_cores_are_the_cores(tmp_path: Path) -> None:
    work = _work(tmp_path, [JobShape([StageShape([100] * 30)])], 4)
    model = joblog_model("log", work)
    by_executors = apet.predict(model, None, executors=3 * work.cores // work.per_executor)
    assert by_executors.guaranteed == apet.predict(model, None, cores=12).guaranteed
    assert apet.predict(model, None, executors=5, executor_cores=1).parameters["cores"] == 5
