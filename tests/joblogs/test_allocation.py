"""Executors that come and go: schedules worked out by hand from Spark's rules, and bounds of random ones."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError
from apet.joblogs.question import JobLogQuestion

S = 1_000_000
COUNTS, TIMES = ("min", "initial", "max"), ("backlog", "sustained", "idle")
RULES = {"min": 0, "initial": 1, "max": 100, "backlog": 1, "sustained": 1, "idle": 60}


def _log(folder: Path, stages: Sequence[tuple[float, list[float]]], slots: int = 1) -> JobLogQuestion:
    """A log of one executor, whose stages are jobs: each begins so many seconds after the one before."""
    jobs, rows, tasks, now = list[object](), list[object](), list[list[int]](), 0.0
    for number, (wait, times) in enumerate(stages):
        begin = now + wait
        free = [begin] * slots
        for index, time in enumerate(times):
            start = heappop(free)
            heappush(free, start + time)
            tasks.append([number, index, 0, *(round(t * S) for t in (start, start + time, start + time, time)), 1])
        now = max(free)
        jobs.append([number, round(begin * S), round(now * S), ""])
        rows.append([number, number, "", [], round(begin * S), round(now * S), [], False])

    names = ("stage", "index", "executor", "launched", "freed", "finished", "run", "ok")
    content = {
        **{"job log": 1, "name": "built", "engine": "Spark", "version": "3.5", "order": "fifo"},
        **{"end": round(now * S), "complete": True, "partitions": sorted({len(times) for _, times in stages})},
        **{"executors": [["0", slots, 0, round(now * S)]], "jobs": jobs, "stages": rows},
        "allocation": [*(RULES[k] for k in COUNTS), *(RULES[k] * S for k in TIMES), False],
        "tasks": dict(zip(names, map(list, zip(*tasks, strict=True)), strict=True)),
    }
    path = folder / "built.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return JobLogQuestion(path)


def _seconds(question: JobLogQuestion, most: int, **settings: float) -> float:
    changes = {f"allocation.{name}": Fraction(str(value)) for name, value in {"startup": 2, **settings}.items()}
    return question.changed(changes).answer([most]).predictions[0].estimate


# Four tasks of 10 s; with 1 executor: 1 begins at 0, requests go out at 1 s (for one), 2 s (for two) and 3 s.
@pytest.mark.parametrize(
    ("most", "settings", "seconds"),
    [
        (4, {}, 14),  # they begin at 0, 3, 4 and 4
        (2, {}, 23),  # at 0, 3, 10 and 13
        (1, {}, 40),
        (4, {"initial": 2}, 14),  # at 0, 0, 3 and 4
        (4, {"backlog": 5}, 18),  # at 0, 7, 8 and 8
        (4, {"sustained": 3}, 16),  # at 0, 3, 6 and 6
        (4, {"min": 4}, 10),
        (4, {"startup": 0}, 12),  # at 0, 1, 2 and 2
    ],
)
def test_requests_double_while_tasks_wait(
    most: int, settings: dict[str, float], seconds: float, tmp_path: Path
) -> None:
    question = _log(tmp_path, [(0, [10.0] * 4)])
    assert _seconds(question, most, **settings) == pytest.approx(seconds)


def test_executors_without_work_are_given_back(tmp_path: Path) -> None:
    """Two jobs of one task each, 100 s apart: the executor is gone after 60 s, and asked for again after 1 s."""
    question = _log(tmp_path, [(0, [10.0]), (100, [10.0])])
    assert _seconds(question, 4) == pytest.approx(110 + 1 + 2 + 10)
    assert _seconds(question, 4, idle=101) == pytest.approx(120)
    assert _seconds(question, 4, min=1) == pytest.approx(120)


def test_slots_of_an_executor_are_filled_before_more_are_asked_for(tmp_path: Path) -> None:
    """Four tasks on executors of two slots need two executors: the second is asked for at 1 s."""
    question = _log(tmp_path, [(0, [10.0] * 4)], slots=2)
    assert _seconds(question, 8) == pytest.approx(13)


def test_estimates_lie_within_their_bounds(tmp_path: Path) -> None:
    draw = random.Random(4)
    choices = {"min": [0, 1, 3], "initial": [0, 2], "idle": [3, 60], "startup": [0, 5]}
    choices |= {"backlog": [0, 1], "sustained": [1, 8]}
    for _ in range(8):
        sizes = [draw.choice([1, 3, 12]) for _ in range(3)]
        stages = [(draw.choice([0, 1, 90]), [draw.uniform(0.2, 9) for _ in range(size)]) for size in sizes]
        question = _log(tmp_path, stages, slots=draw.choice([1, 2]))
        rules = {f"allocation.{name}": Fraction(draw.choice(values)) for name, values in choices.items()}
        for prediction in question.changed(rules).answer([2, 4, 12]).predictions:
            assert prediction.lower is not None
            assert prediction.upper is not None
            assert prediction.lower <= prediction.estimate <= prediction.upper


def test_bounds_fall_with_executors_also_where_another_round_of_requests_begins(tmp_path: Path) -> None:
    question = _log(tmp_path, [(0, [3.0] * 30), (5, [1.0, 9.0]), (90, [2.0] * 9)], slots=2)
    for least in (0, 3):
        changes = {"allocation.min": Fraction(least), "allocation.startup": Fraction(2)}
        predictions = question.changed(changes).answer(range(1, 40)).predictions
        uppers = [p.upper for p in predictions if p.upper is not None]
        assert len(uppers) == 39
        assert uppers == sorted(uppers, reverse=True)
        assert all(p.lower is not None and p.lower <= p.estimate for p in predictions)
        assert all(p.upper is not None and p.estimate <= p.upper for p in predictions)


@pytest.mark.parametrize(
    ("name", "value"), [("allocation.min", "1/2"), ("allocation.idle", "-1"), ("allocation.speed", "1")]
)
def test_rules_out_of_range_are_refused(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(ApetError, match="allocation"):
        _log(tmp_path, [(0, [1.0])]).changed({name: Fraction(value)})
