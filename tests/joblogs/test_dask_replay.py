"""The rules of Dask's scheduler that the replay follows, each on a graph small enough to follow by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apet.joblogs.dask_replay import dask_replay
from apet.joblogs.rules.work import WorkGraph, WorkUnit

Task = tuple[str, float, Sequence[int]]
"""A group, seconds, and the places of the tasks before it; the first of all has the highest priority."""


def _begins(
    tasks: Sequence[Task], workers: int, threads: int, *, latency: float = 0, turnaround: float = 0
) -> list[float]:
    """When each task begins, in seconds; inputs take a latency for each worker that they come from."""
    units = tuple(
        WorkUnit(
            f"stage {k}", 0, k, tuple(before), _us(latency if before else 0), 0, [_us(s)], [_us(s)], (k,), group=group
        )
        for k, (group, s, before) in enumerate(tasks)
    )
    graph = WorkGraph(units, units, workers * threads, _us(turnaround), 0, "dask", per_executor=threads)
    return [time / 1e6 for time in dask_replay(graph, workers * threads, keep=False).first]


def _us(seconds: float) -> int:
    return round(seconds * 1e6)


def test_few_tasks_without_inputs_go_to_workers_at_once() -> None:
    """Four on two workers of a thread: two each, though the second worker has done its own after two seconds."""
    begins = _begins([("a", 0.1, ()), ("b", 0.2, ()), ("c", 0.1, ()), ("d", 0.1, ())], workers=2, threads=1)
    assert begins == [0, 0, 0.1, 0.2]


def test_many_alike_wait_for_room_and_let_go_first_what_follows() -> None:
    """Twelve roots on one thread, which has one of them ahead: what follows the first one goes before all others."""
    tasks: list[Task] = [("root", 1, ()), ("next", 1, (0,)), *[("root", 1, ()) for _ in range(11)]]
    begins = _begins(tasks, workers=1, threads=1)
    assert sorted(begins) == list(range(13))
    assert begins[:3] == [0, 1, 2]


def test_what_follows_runs_where_its_input_is() -> None:
    """The other worker is free, but a chain stays where it began; stealing would gain nothing."""
    begins = _begins([("a", 1, ()), ("b", 0.1, ()), ("a", 1, (0,)), ("a", 1, (2,))], workers=2, threads=1)
    assert begins == [0, 0, 1, 2]


def test_idle_workers_steal_once_a_second() -> None:
    """Three long tasks and three short ones in turn: the third long one waits behind the others until it is stolen."""
    tasks: list[Task] = [("a", 10, ()), ("a", 1, ()), ("a", 10, ()), ("a", 1, ()), ("a", 10, ()), ("a", 1, ())]
    begins = _begins(tasks, workers=2, threads=2)
    assert begins[:4] == [0, 0, 0, 0]
    assert begins[4] in (1.5, 2.5, 3.5)  # requests for tasks that run are refused
    assert begins[5] == 1


def test_a_thread_turns_around_to_a_task_that_waited() -> None:
    begins = _begins([("a", 1, ()), ("b", 1, ()), ("c", 1, (0,))], workers=1, threads=1, turnaround=0.01)
    assert begins == [0, 1.01, 2.02]


def test_inputs_from_more_workers_take_longer() -> None:
    """Of latencies that differ by up to half, the middle one of all replays counts."""
    tasks: list[Task] = [*[("a", 1, ()) for _ in range(4)], ("all", 1, range(4))]
    lags = [_begins(tasks, workers, 4 // workers, latency=0.1)[-1] - 1 for workers in (1, 2, 4)]
    assert lags == pytest.approx([0.1, 0.2, 0.4], rel=0.1)


@pytest.mark.parametrize(("workers", "threads"), [(1, 4), (2, 2), (4, 1), (3, 4)])
def test_every_task_is_run_after_its_inputs(workers: int, threads: int) -> None:
    leaves: list[Task] = [("leaf", 0.1 + 0.01 * k, ()) for k in range(40)]
    pairs: list[Task] = [("pair", 0.2, (2 * k, 2 * k + 1)) for k in range(20)]
    tasks: list[Task] = [*leaves, *pairs, ("all", 0.5, range(40, 60))]
    begins = _begins(tasks, workers, threads)
    for (_, _, before), begin in zip(tasks, begins, strict=True):
        assert all(begins[p] + tasks[p][1] <= begin + 1e-9 for p in before)
