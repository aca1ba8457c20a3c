"""Laws of the published models of jobs with precedence, of their trees and moments, and of the simulation."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.job_methods import moments, reference_amva
from tests.benchmarks.job_methods.moments import Moments
from tests.benchmarks.job_methods.trees import Leaf, Series, TimelineBlock, Tree, TreeFork, tree

from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import (
    Circulation,
    Distribution,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    Scenario,
    Variant,
)
from apet.queueing.methods.answer import solved
from apet.queueing.methods.precedence.simulation import simulate

TIMES = st.floats(0.05, 5.0)


def exponential(mean: float) -> Moments:
    return Moments(mean, mean * mean)


def scenario(tasks: list[JobTask], jobs: int = 1, think: float = 0.0, stations: int = 2, kind: str = "PS") -> Scenario:
    places = tuple(JobStation(f"s{k}", kind) for k in range(stations))
    return Scenario(places, (Circulation("c", jobs, think, (Variant(1.0, tuple(tasks)),)),))


@given(TIMES, TIMES)
def test_the_greater_of_two_exponential_times_is_known(a: float, b: float) -> None:
    found = moments.parallel([exponential(a), exponential(b)])
    assert found.mean == pytest.approx(a + b - 1 / (1 / a + 1 / b))
    assert moments.before(exponential(a), exponential(b)) == pytest.approx(b / (a + b))


@given(st.lists(st.tuples(TIMES, st.floats(0.01, 3.0)), min_size=1, max_size=5))
def test_a_maximum_is_no_less_than_its_parts_and_no_more_than_their_sum(parts: list[tuple[float, float]]) -> None:
    found = moments.parallel([Moments(m, c * m * m) for m, c in parts])
    assert max(m for m, _ in parts) <= found.mean * (1 + 1e-9)
    assert found.mean <= sum(m for m, _ in parts) * (1 + 1e-9)
    assert found.variance >= 0


def test_the_fork_join_operator_is_the_harmonic_number() -> None:
    assert moments.harmonic([exponential(2.0)] * 4).mean == pytest.approx(2 * (1 + 1 / 2 + 1 / 3 + 1 / 4))


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> object:
    if depth == 3 or draw(st.booleans()):
        return "t"
    parts = [draw(trees(depth + 1)) for _ in range(draw(st.integers(2, 3)))]
    return (draw(st.sampled_from("SP")), parts)


def _laid(shape: object, tasks: list[JobTask], first: tuple[int, ...]) -> tuple[int, ...]:
    """Add the tasks of a shape; the last ones."""
    if shape == "t":
        tasks.append(JobTask(f"t{len(tasks)}", (), first))
        return (len(tasks) - 1,)
    assert isinstance(shape, tuple)
    if shape[0] == "S":
        for part in shape[1]:
            first = _laid(part, tasks, first)
        return first
    return tuple(t for part in shape[1] for t in _laid(part, tasks, first))


def _ordered(node: Tree) -> set[tuple[int, int]]:
    """The pairs of which the first is before the second."""
    match node:
        case Leaf() | TimelineBlock():
            return set()
        case TreeFork(parts):
            return set().union(*map(_ordered, parts))
        case Series(parts):
            rows = [_members(p) for p in parts]
            found = {(a, b) for i, row in enumerate(rows) for later in rows[i + 1 :] for a in row for b in later}
            return found.union(*map(_ordered, parts))


def _members(node: Tree) -> list[int]:
    match node:
        case Leaf(task):
            return [task]
        case TimelineBlock(tasks):
            return list(tasks)
        case TreeFork(parts) | Series(parts):
            return [t for p in parts for t in _members(p)]


@given(trees())
def test_a_tree_of_tasks_is_found_again(shape: object) -> None:
    tasks: list[JobTask] = []
    _laid(shape, tasks, ())
    ancestors: list[set[int]] = []
    for task in tasks:
        ancestors.append(set(task.predecessors).union(*(ancestors[p] for p in task.predecessors)))
    found = tree(tasks)
    assert _ordered(found) == {(a, b) for b, before in enumerate(ancestors) for a in before}
    assert sorted(_members(found)) == list(range(len(tasks)))


def test_what_is_no_tree_is_kept_together() -> None:
    steps = (JobStep(0, 1.0),)
    crossed = [JobTask("a", steps), JobTask("b", steps), JobTask("c", steps, (0,)), JobTask("d", steps, (0, 1))]
    assert tree(crossed) == TimelineBlock((0, 1, 2, 3))


@pytest.mark.parametrize("method", ["reference", "forkjoin"])
def test_a_lone_chain_of_tasks_takes_the_sum_of_its_demands(method: str) -> None:
    tasks = [
        JobTask("a", (JobStep(0, 1.0),)),
        JobTask("b", (JobStep(1, 2.0),), (0,)),
        JobTask("c", (JobStep(0, 0.5),), (1,)),
    ]
    assert reference_amva.solve(scenario(tasks), method).classes[0].response_time == pytest.approx(3.5)


@pytest.mark.parametrize("branches", [2, 4, 7])
def test_a_lone_fork_of_equal_branches_at_stations_of_their_own_takes_harmonic_time(branches: int) -> None:
    tasks = [JobTask(f"t{k}", (JobStep(k, 1.5),)) for k in range(branches)]
    want = 1.5 * sum(1 / i for i in range(1, branches + 1))
    one = scenario(tasks, stations=branches)
    assert reference_amva.solve(one, "forkjoin").classes[0].response_time == pytest.approx(want)
    assert reference_amva.solve(one, "reference").classes[0].response_time == pytest.approx(want, rel=0.02)


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_published_models_converge_and_use_no_station_more_than_there_is(seed: int) -> None:
    random = Random(seed)
    tasks: list[JobTask] = []
    for t in range(random.randint(1, 7)):
        before = tuple(p for p in range(t) if random.random() < 0.3)
        tasks.append(JobTask(f"t{t}", (JobStep(random.randrange(2), random.uniform(0.1, 2.0)),), before))
    one = scenario(tasks, random.randint(1, 6), random.choice((0.0, 4.0)), kind=random.choice(("PS", "FCFS")))
    for method in ("reference", "forkjoin"):
        found = reference_amva.solve(one, method)
        assert found.converged
        assert 0 < found.iterations < 2_000
        longest = max(t.response_time for v in found.classes[0].variants for t in v)
        assert found.classes[0].response_time >= longest * (1 - 1e-6)
        cycle = found.classes[0].response_time + one.classes[0].think
        assert found.classes[0].throughput * cycle == pytest.approx(one.classes[0].population)


def test_a_model_that_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_amva, "MOST_ROUNDS", 2)
    tasks = [JobTask("a", (JobStep(0, 1.0),)), JobTask("b", (JobStep(0, 2.0),))]
    with pytest.raises(ApetError) as refused:
        reference_amva.solve(scenario(tasks, 3), "reference")
    assert "did not converge" in str(refused.value)


# The simulation


def test_a_simulation_repeats_itself_and_agrees_with_what_is_exact() -> None:
    tasks = [JobTask("a", (JobStep(0, 0.4), JobStep(1, 0.7)))]
    one = scenario(tasks, 4, 2.0, kind="FCFS")
    first, again, exact = simulate(one, 20_000, 3), simulate(one, 20_000, 3), solved(one)
    assert first == again
    assert isinstance(exact, JobsResult)
    assert first.classes[0].response_time == pytest.approx(exact.classes[0].response_time, rel=0.03)
    for a, b in zip(first.stations, exact.stations, strict=True):
        assert a.utilization == pytest.approx(b.utilization, rel=0.03)


@pytest.mark.parametrize("shape", [Distribution("det"), Distribution("erlang", 3), Distribution("hyperexp", 1, 4.0)])
def test_simulated_demands_have_their_mean(shape: Distribution) -> None:
    one = scenario([JobTask("a", (JobStep(0, 2.0, shape),))])
    spread = math.sqrt(shape.variation) * 2 / math.sqrt(18_000)
    assert simulate(one, 20_000, 1).classes[0].response_time == pytest.approx(2.0, abs=5 * spread + 1e-9)
