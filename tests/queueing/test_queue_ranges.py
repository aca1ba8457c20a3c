"""Laws of uncertain queueing problems: what is proved encloses every value, formulas agree with numbers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.queueing.data.jobs import (
    Circulation,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Scenario,
    Variant,
)
from apet.queueing.data.networks import JobClass, Network, NetworkBounds, NetworkResult, Station
from apet.queueing.data.problems import Ranges, Uncertain
from apet.queueing.methods.answer import queue, solved
from apet.queueing.methods.box_corners import ProblemBox, numbers
from apet.queueing.methods.mva.symbolic import queue_formulas
from apet.queueing.questions.population_curve import population_curve

SECONDS = st.floats(0.01, 2.0)


def _pair(values: tuple[float, float]) -> tuple[float, float]:
    return min(values), max(values)


@st.composite
def uncertain_networks(draw: st.DrawFn, classes: int = 1, open_: bool = False) -> Uncertain:
    """Networks whose service times, visits and think times all lie in intervals."""
    stations = tuple(
        Station(f"s{k}", draw(st.sampled_from(("queue", "queue", "delay"))), draw(st.integers(1, 3)))
        for k in range(draw(st.integers(1, 3)))
    )
    rows = [[_pair(draw(st.tuples(SECONDS, SECONDS))) for _ in stations] for _ in range(classes)]
    visits = [[_pair(draw(st.tuples(SECONDS, SECONDS))) for _ in stations] for _ in range(classes)]
    jobs = [draw(st.integers(1, 5)) for _ in range(classes)]
    thinks = [_pair(draw(st.tuples(SECONDS, SECONDS))) for _ in range(classes)]
    ends = []
    for end in (0, 1):
        if open_:
            who = tuple(JobClass(f"c{c}", None, 0.0, 0.02 * (1 + end) / len(jobs)) for c in range(classes))
        else:
            who = tuple(JobClass(f"c{c}", jobs[c], thinks[c][end]) for c in range(classes))
        service = [[pair[end] for pair in row] for row in rows]
        ends.append(Network(stations, who, service, [[pair[end] for pair in row] for row in visits]))
    return Uncertain(*ends)


def _inside(asked: Uncertain, seed: int) -> Network:
    """A network somewhere in the box."""
    random = Random(seed)
    low, high = asked
    assert isinstance(low, Network)
    assert isinstance(high, Network)

    def rows(name: str) -> list[list[float]]:
        pairs = zip(getattr(low, name), getattr(high, name), strict=True)
        return [[random.uniform(a, b) for a, b in zip(*row, strict=True)] for row in pairs]

    who = []
    for a, b in zip(low.classes, high.classes, strict=True):
        rate = None if a.arrival_rate is None else random.uniform(a.arrival_rate, b.arrival_rate or 0.0)
        who.append(JobClass(a.name, a.population, random.uniform(a.think, b.think), rate))
    return Network(low.stations, tuple(who), rows("service"), rows("visits"))


def _encloses(found: Ranges, one: object) -> None:
    for low, value, high in zip(numbers(found.low), numbers(one), numbers(found.high), strict=True):
        assert low <= value * (1 + 1e-9) + 1e-12
        assert value <= high * (1 + 1e-9) + 1e-12


@given(uncertain_networks(), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_what_is_proved_of_one_class_encloses_every_value(asked: Uncertain, seed: int) -> None:
    found = queue(asked)
    assert isinstance(found, Ranges)
    assert found.ends == "proved"
    _encloses(found, solved(_inside(asked, seed)))


@given(uncertain_networks(classes=2, open_=True), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_what_is_proved_of_open_classes_encloses_every_value(asked: Uncertain, seed: int) -> None:
    found = queue(asked)
    assert isinstance(found, Ranges)
    assert found.ends == "proved"
    _encloses(found, solved(_inside(asked, seed)))


@given(uncertain_networks(classes=2), st.integers(0, 10**6))
@settings(max_examples=6, deadline=None)
def test_what_is_guaranteed_of_two_classes_encloses_every_value(asked: Uncertain, seed: int) -> None:
    found, one = queue(asked), solved(_inside(asked, seed))
    assert isinstance(found, Ranges)
    assert found.ends == "searched"
    assert isinstance(one, NetworkResult)
    for values in zip(numbers(found.low), numbers(found.high), strict=True):
        assert values[0] <= values[1]
    if found.guaranteed:
        sure = found.guaranteed
        for c, (x, r) in enumerate(zip(one.throughput, one.system_response_time, strict=True)):
            assert sure.X_lower[c] <= x * (1 + 1e-9)
            assert x <= sure.X_upper[c] * (1 + 1e-9)
            assert sure.R_lower[c] <= r * (1 + 1e-9)
            assert r <= sure.R_upper[c] * (1 + 1e-9)


@given(uncertain_networks(), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_bounds_over_a_box_hold_for_every_value(asked: Uncertain, seed: int) -> None:
    assert isinstance(asked.low, Network)
    if any(s.is_delay or s.servers > 1 for s in asked.low.stations):  # what bounds call R leaves delays out
        return
    found, one = queue(asked, "bounds"), solved(_inside(asked, seed))
    assert isinstance(found, NetworkBounds)
    assert isinstance(one, NetworkResult)
    assert found.X_lower[0] <= one.throughput[0] * (1 + 1e-9) <= found.X_upper[0] * (1 + 1e-8)
    assert found.R_lower[0] <= one.system_response_time[0] * (1 + 1e-9) <= found.R_upper[0] * (1 + 1e-8)


@given(uncertain_networks(classes=2), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_formulas_of_closed_classes_agree_with_numbers(asked: Uncertain, seed: int) -> None:
    network = _inside(asked, seed)
    one = solved(network)
    assert isinstance(one, NetworkResult)
    symbolic = queue_formulas(network)
    formulas, values = symbolic.formulas, symbolic.values
    points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
    for c in range(2):
        assert float(formulas[f"X[c{c}]"].evaluate(points)) == pytest.approx(one.throughput[c], rel=1e-9)
        assert float(formulas[f"R[c{c}]"].evaluate(points)) == pytest.approx(one.system_response_time[c], rel=1e-7)


@given(uncertain_networks(classes=2, open_=True), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_formulas_of_open_classes_agree_with_numbers(asked: Uncertain, seed: int) -> None:
    network = _inside(asked, seed)
    one = solved(network)
    assert isinstance(one, NetworkResult)
    symbolic = queue_formulas(network)
    formulas, values = symbolic.formulas, symbolic.values
    points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
    for c in range(2):
        assert float(formulas[f"R[c{c}]"].evaluate(points)) == pytest.approx(one.system_response_time[c], rel=1e-9)


def test_the_range_of_a_formula_found_by_branch_and_bound_is_the_proved_one() -> None:
    stations = (Station("cpu"), Station("disk"))
    ends = [Network(stations, (JobClass("c", 3, z),), [[d, 0.3]], [[1.0, 1.0]]) for z, d in ((1.0, 0.1), (2.0, 0.2))]
    asked = Uncertain(*ends)
    found, symbolic = queue(asked), queue_formulas(asked)
    formulas, values = symbolic.formulas, symbolic.values
    assert isinstance(found, Ranges)
    assert isinstance(found.low, NetworkResult)
    assert isinstance(found.high, NetworkResult)
    for name, low, high in (
        ("X", found.low.throughput[0], found.high.throughput[0]),
        ("R", found.low.system_response_time[0], found.high.system_response_time[0]),
        ("Q[cpu]", found.low.queue_length[0][0], found.high.queue_length[0][0]),
    ):
        ends_ = formulas[name].enclose(values)
        assert float(ends_.lo) == pytest.approx(low, rel=1e-6)
        assert float(ends_.hi) == pytest.approx(high, rel=1e-6)


def test_throughput_falls_in_every_demand_by_the_gradient_too() -> None:
    network = Network((Station("a"), Station("b")), (JobClass("c", 4, 1.0),), [[0.3, 0.5]], [[1.0, 2.0]])
    symbolic = queue_formulas(network)
    formulas, values = symbolic.formulas, symbolic.values
    points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
    before = formulas["X"].evaluate(points)
    for name in points:
        assert formulas["X"].evaluate({**points, name: points[name] * 1.01}) < before


@pytest.mark.parametrize("steps", [2, 9])
def test_jobs_with_precedence_are_searched_over_corners(steps: int) -> None:
    def scenario(demand: float) -> Scenario:
        tasks = tuple(
            JobTask(f"t{i}", (JobStep(i % 2, demand * (1 + i / 10)),), (i - 1,) if i else ()) for i in range(steps)
        )
        stations = (JobStation("a"), JobStation("b", "FCFS"))
        return Scenario(stations, (Circulation("c", 2, 3.0, (Variant(1.0, tasks),)),))

    asked = Uncertain(scenario(0.5), scenario(0.6))
    found = queue(asked)
    assert isinstance(found, Ranges)
    assert found.ends == "searched"
    for end in asked:
        _encloses_classes(found, solved(end))
    assert found.points >= 5


def _encloses_classes(found: Ranges, one: object) -> None:
    for a, x, b in zip(found.low.classes, one.classes, found.high.classes, strict=True):  # type: ignore[union-attr, attr-defined]
        assert a.response_time <= x.response_time <= b.response_time


def _fork(rate: float, means: tuple[float, ...]) -> Scenario:
    stations = tuple(JobStation(f"queue {k}", "FCFS") for k in range(len(means)))
    tasks = tuple(JobTask(f"t{k}", (JobStep(k, mean),)) for k, mean in enumerate(means))
    return Scenario(stations, (Circulation("c", 0, 0.0, (Variant(1.0, tasks),), arrival_rate=rate),))


def test_a_fork_join_in_intervals_is_taken_at_its_ends() -> None:
    low, high = _fork(0.2, (1.0, 1.0)), _fork(0.4, (1.0, 1.2))
    found = queue(Uncertain(low, high))
    assert isinstance(found, Ranges)
    assert (found.ends, found.points) == ("proved", 2)
    _encloses_classes(found, solved(low))
    _encloses_classes(found, solved(high))


def test_a_corner_of_a_box_has_its_numbers_at_their_ends() -> None:
    low, high = _fork(0.2, (1.0, 2.0)), _fork(0.2, (1.5, 2.0))
    box = ProblemBox(low, high)
    assert len(box.places) == 1
    assert box.at(frozenset(box.places)) == high
    assert box.at(frozenset()) == low
    assert box.between(0.5) == _fork(0.2, (1.25, 2.0))


def test_formulas_and_curves_are_refused_where_there_are_none() -> None:
    network = Network((Station("a"),), (JobClass("c", 3000, 1.0),), [[0.3]], [[1.0]])
    mixed = Network(
        (Station("a"),), (JobClass("c", 3, 1.0), JobClass("o", None, 0.0, 0.1)), [[0.3], [0.2]], [[1.0], [1.0]]
    )
    for asked in (network, mixed, _fork(0.2, (1.0, 2.0))):
        with pytest.raises(ApetError):
            queue_formulas(asked)
    for asked in (mixed, _fork(0.2, (1.0, 2.0))):
        with pytest.raises(ApetError):
            population_curve(asked, (1,), solved)


@given(uncertain_networks(), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_a_curve_keeps_to_its_asymptotes(asked: Uncertain, seed: int) -> None:
    found = population_curve(_inside(asked, seed), range(1, 12), solved)
    for x, most, r, least in zip(
        found.throughput, found.throughput_most, found.response_time, found.response_least, strict=True
    ):
        assert x <= most * (1 + 1e-9)
        assert r >= least * (1 - 1e-9)
    assert all(a <= b * (1 + 1e-9) for a, b in zip(found.throughput, found.throughput[1:], strict=False))


def test_a_single_interval_is_searched_inside() -> None:
    """A station that slows down with every job is the fastest at neither end of the think time."""
    slower = tuple(1 / (1 + 0.15 * j) for j in range(10))
    low = Network((Station("db"),), (JobClass("a", 10, 1.0),), [[0.5]], [[1]], (slower,))
    found = queue(Uncertain(low, replace(low, classes=(JobClass("a", 10, 20.0),))))
    assert isinstance(found, Ranges)
    assert isinstance(found.high, NetworkResult)
    within = solved(replace(low, classes=(JobClass("a", 10, 4.8),)))
    assert isinstance(within, NetworkResult)
    assert found.ends == "searched"
    assert found.high.throughput[0] >= within.throughput[0] * 0.99
    formula = queue_formulas(Uncertain(low, replace(low, classes=(JobClass("a", 10, 20.0),))))
    ends = formula.formulas["X"].enclose(formula.values)
    assert isinstance(found.low, NetworkResult)
    assert float(ends.lo) <= found.low.throughput[0] * (1 + 1e-9)
    assert float(ends.hi) >= found.high.throughput[0] * (1 - 1e-9)


def test_ranges_of_jobs_hold_where_some_corners_are_simulated() -> None:
    """Seven parallel tasks beside many small ones: analysis misleads at some loads only."""
    from apet.answers.json_form import document
    from apet.queueing.data.unrolling import variants
    from apet.queueing.report.answers import queueing_answer

    fork = ParallelJob(tuple(JobTask("t", (JobStep(0, 1.0),)) for _ in range(7)))
    small = JobTask("s", (JobStep(0, 0.1),))
    classes = (Circulation("fork", 3, 60.0, variants(fork)), Circulation("small", 3, 1.0, variants(small)))
    low = Scenario((JobStation("cpu", "FCFS", 2),), classes)
    high = low._replace(classes=(classes[0]._replace(think=2.5), classes[1]))
    found = queue(Uncertain(high, low))
    assert isinstance(found, Ranges)
    answer = document(queueing_answer("x", Uncertain(high, low), found), "1")
    for name in ("fork", "small"):
        least, most = answer["classes"][name]["response_time"]
        assert least < most
    assert set(answer["classes"]["fork"]["percentiles"]) == {"50", "90", "95", "99"}
