"""The states of one job: the examples of the docstrings, and means that are known in closed form."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.benchmarks.job_methods import chain as chains
from tests.benchmarks.job_methods.mean_field import empty_field
from tests.benchmarks.job_methods.phases import local_states
from tests.benchmarks.job_methods.state_space import StateSpace, TooManyStates

from apet.queueing.data.jobs import JobStation, JobStep, JobTask

NO_QUEUES = frozenset[int]()


def test_two_tasks_without_order_have_the_states_of_the_example() -> None:
    tasks = [JobTask("a", (JobStep(0, 2.0),)), JobTask("b", (JobStep(1, 3.0),))]
    space = StateSpace(tasks, NO_QUEUES, 2, 100)
    assert space.states == [(1, 1), (2, 1), (1, 2), (2, 2)]
    assert Counter((t.source, t.target) for t in space.transitions) == Counter([(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)])


def test_exchangeable_tasks_are_one_state_with_the_weight_of_both() -> None:
    tasks = [JobTask(name, (JobStep(0, 2.0),)) for name in "ab"]
    space = StateSpace(tasks, NO_QUEUES, 1, 100)
    assert space.states == [(1, 1), (1, 2), (2, 2)]
    assert [t.weight for t in space.transitions] == [1.0, 2.0, 1.0]


def test_sixteen_equal_tasks_of_two_phases_have_fewer_states_than_subsets() -> None:
    tasks = [JobTask(f"t{i}", (JobStep(0, 1.0), JobStep(1, 1.0))) for i in range(16)]
    space = StateSpace(tasks, NO_QUEUES, 2, 1_000)
    assert len(space.states) == 153  # C(18, 2) ways to be in three local states
    with pytest.raises(TooManyStates):
        StateSpace(tasks, NO_QUEUES, 2, 100)


def test_a_step_at_a_queue_has_the_local_states_of_the_example() -> None:
    task = JobTask("a", (JobStep(0, 1.0), JobStep(1, 1.0)))
    states = local_states(task, frozenset([1]))
    assert len(states.phases) == 5
    assert states.done == 6
    assert (states.entries[1].blocked, states.entries[1].lead, states.entries[1].again) == (2, 3, 4)


def test_the_longer_of_two_exponential_times_has_the_mean_that_is_known() -> None:
    tasks = [JobTask("a", (JobStep(0, 2.0),)), JobTask("b", (JobStep(1, 3.0),))]
    stations = (JobStation("x"), JobStation("y"))
    means = chains.solve(chains.build(tasks, NO_QUEUES, 2, 100), stations, empty_field(stations, 4))
    assert means.response == pytest.approx(2 + 3 - 1 / (1 / 2 + 1 / 3))
    assert np.allclose(means.active, [2.0, 3.0])
