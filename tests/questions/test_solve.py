"""Laws of inverse questions: what is said to meet a deadline does, and nothing that is said to be sure is undecided."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apet
import apet.api
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.prediction.prediction import Prediction
from apet.questions.solve.machine_figures import machines_with
from apet.questions.solve.solution import ALL, BISECTION, GRID, Solution
from apet.questions.solve.solve import Question, curve, frontier, solve

LAB = """
schema = 1
[[machine]]
name = "slow"
count = 3
cost_per_hour = 0.5
op_s.w = [8.0, 9.0]
[[machine]]
name = "fast"
count = 3
cost_per_hour = 2
op_s.w = [1.0, 1.5]
[network]
topology = "bus"
latency_s = [1e-3, 2e-3]
bandwidth_B_per_s = [1e6, 2e6]
"""
EVEN = "param P; param n = 10 in [0, 100]; param x = 1; L = par (p = 1, P) seq (k = 1, n) { w[p]; delay(x / P); };"
SHARED = "param P; param tasks = 12; L = par (p = 1, P) seq (k = 1, share[p]) w[p];"
WAVE = "param P; param k = 3 in [1, 40]; L = seq (i = 1, 10 + k % 7) w[1];"
UNPROVED = "param P; param x in [0, 8]; L = delay(abs(x * x - 4 * x + 2) + 1);"


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


def check(solution: Solution, value: Number, found: Prediction) -> None:
    """The kind that a value is said to be of is the one that its prediction has."""
    enough, never = (any(value in part for part in parts) for parts in (solution.enough, solution.not_enough))
    if enough:
        assert found.guaranteed.hi <= solution.deadline
    elif never:
        assert found.guaranteed.lo > solution.deadline
    else:
        assert any(value in part for part in solution.undecided)
        assert found.guaranteed.lo <= solution.deadline < found.guaranteed.hi


@settings(max_examples=15)
@given(st.sampled_from([SHARED, EVEN, WAVE]), st.fractions(Fraction(1, 10), 200))
def test_every_number_of_processors_is_of_the_kind_it_is_said_to_be(text: str, deadline: Fraction) -> None:
    app, lab = apet.compile_text(text), parse_machines(Source("lab.toml", LAB))
    solution = apet.solve(app, lab, deadline)
    assert solution.certificate == ALL
    for P in range(1, 7):
        check(solution, P, apet.predict(app, lab, P))


@settings(max_examples=15)
@given(st.sampled_from([(EVEN, "n"), (WAVE, "k"), (SHARED, "tasks")]), st.fractions(Fraction(1, 10), 300))
def test_every_whole_value_is_of_the_kind_it_is_said_to_be(asked: tuple[str, str], deadline: Fraction) -> None:
    app, lab = apet.compile_text(asked[0]), parse_machines(Source("lab.toml", LAB))
    solution = apet.solve(app, lab, deadline, asked[1], within=(1, 40), P=4)
    assert solution.certain
    for value in range(1, 41):
        check(solution, value, apet.predict(app, lab, 4, values={asked[1]: value}))


@settings(max_examples=15)
@given(st.fractions(Fraction(1, 10), 300), st.fractions(0, 100))
def test_a_real_value_is_of_the_kind_it_is_said_to_be(deadline: Fraction, value: Fraction) -> None:
    app, lab = apet.compile_text(EVEN), parse_machines(Source("lab.toml", LAB))
    solution = apet.solve(app, lab, deadline, "x", within=(0, 100))
    assert solution.certificate == BISECTION
    if not any(value in part for part in solution.undecided):
        check(solution, value, apet.predict(app, lab, x=value))
    for part in (*solution.enough, *solution.not_enough):
        for end in part:
            check(solution, end, apet.predict(app, lab, x=end))


def test_a_named_processor_can_be_asked_for(lab: Machines) -> None:
    solution = apet.solve(apet.compile_text("L = seq (i = 1, 3) w[fastest];"), lab, 5, "fastest", within=(1, 6))
    assert solution.not_enough == (Interval(1, 3),)
    assert solution.enough == (Interval(4, 6),)


def test_the_border_of_a_real_parameter_is_found_closely(lab: Machines) -> None:
    app = apet.compile_text("param x; L = delay(x);")
    solution = apet.solve(app, lab, 3, "x", within=(0, 100))
    assert solution.enough_up_to is not None
    assert 3 * (1 - 1e-11) <= solution.enough_up_to <= 3
    assert solution.direction == 1


def test_a_parameter_far_away_takes_few_predictions(lab: Machines) -> None:
    app = apet.compile_text("param n; L = seq (i = 1, n) w[1];")
    solution = apet.solve(app, lab, 10**15, "n", within=(1, 10**18))
    assert solution.certificate == BISECTION
    assert solution.enough == (Interval(1, 10**15 * 2 // 3),) or solution.enough_up_to is not None
    assert len(solution.predictions) <= 6


def test_more_processors_that_are_slower_may_miss_a_deadline(lab: Machines) -> None:
    solution = apet.solve(apet.compile_text("param P; L = par (p = 1, P) w[p];"), lab, 2)
    assert solution.enough == (Interval(1, 3),)
    assert solution.enough_from is None
    assert solution.enough_up_to == 3


def test_values_that_nothing_is_proved_of_are_tried_on_a_grid(lab: Machines) -> None:
    solution = apet.solve(apet.compile_text(UNPROVED), lab, 2, "x")
    assert solution.certificate == GRID
    assert not solution.certain
    assert solution.direction is None


def test_where_nothing_meets_the_deadline_there_is_no_least_value(lab: Machines) -> None:
    solution = apet.solve(apet.compile_text(SHARED), lab, Fraction(1, 1000))
    assert solution.enough_from is None
    assert solution.not_enough_below is None
    assert solution.undecided_between is None
    assert solution.not_enough == (Interval(1, 6),)


def test_the_cheapest_number_of_processors_meets_the_deadline_and_none_is_cheaper(lab: Machines) -> None:
    app = apet.compile_text(SHARED)
    solution = apet.solve(app, lab, 13, budget=Fraction(1, 10))
    assert solution.cheapest is not None
    costs = {}
    for P in range(1, 7):
        found = apet.predict(app, lab, P).guaranteed
        if found.hi <= 13:
            costs[P] = (2 * min(P, 3) + 0.5 * max(0, P - 3)) * float(found.hi) / 3600
    assert min(costs, key=lambda P: costs[P]) == solution.cheapest.processors
    assert float(solution.cheapest.cost.hi) == pytest.approx(costs[solution.cheapest.processors])
    assert solution.cheapest.within is True


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"unknown": "m"}, "no parameter 'm'"),
        ({"unknown": "idle", "within": (1, 2)}, "does not contain 'idle'"),
        ({"unknown": "n", "within": (5, 2)}, "lower end is above"),
        ({"unknown": "n"}, "in which range may n lie"),
        ({"unknown": "n", "within": (1, 2), "values": {"n": 3}}, "given a value and asked for"),
        ({"within": (0, 3)}, "has 1 to 6 processors"),
        ({"within": (Fraction(1, 2), 3)}, "is whole"),
        ({"deadline": 0}, "must be above 0"),
        ({"unknown": "n", "within": (1, 2), "budget": 3}, "a budget chooses"),
    ],
)
def test_a_question_without_an_answer_is_refused(lab: Machines, asked: dict[str, Any], message: str) -> None:
    app = apet.compile_text("param P; param n = 2; param idle = 1; L = par (p = 1, P) seq (i = 1, n) w[p];")
    with pytest.raises(apet.ApetError, match=message):
        apet.solve(app, lab, **{"deadline": 5, **asked})


def test_a_budget_needs_prices() -> None:
    lab = parse_machines(Source("lab.toml", LAB.replace("cost_per_hour = 2\n", "")))
    with pytest.raises(apet.ApetError, match="no cost_per_hour for fast"):
        apet.solve(apet.compile_text(SHARED), lab, 5, budget=1)


@given(st.integers(-100, 100), st.integers(-100, 100), st.integers(-100, 100))
def test_a_frontier_separates_neighbours(yes: int, no: int, border: int) -> None:
    if yes == no:
        return
    low, high = sorted((yes, no))
    border = min(max(border, low), high - 1)
    found = frontier(lambda v: (v <= border) == (yes <= border), yes, no, True)
    assert sorted(found) == [border, border + 1]


WORK = "param P; param n = 4; L = par (p = 1, P) { send[0, p](1 kB); seq (i = 1, n) w[p]; };"


@settings(max_examples=15)
@given(
    st.sampled_from([("t_w", 1e-3, 30.0), ("latency_s", 0.0, 3.0), ("bandwidth_B_per_s", 1.0, 1e6)]),
    st.fractions(Fraction(1, 10), 100),
    st.floats(0, 1),
)
def test_a_figure_of_the_machines_is_of_the_kind_it_is_said_to_be(
    asked: tuple[str, float, float], deadline: Fraction, place: float
) -> None:
    name, low, high = asked
    app, lab = apet.compile_text(WORK), parse_machines(Source("lab.toml", LAB))
    solution = apet.solve(app, lab, deadline, name, within=(low, high), P=4)
    assert solution.certificate == BISECTION
    value = low + place * (high - low)
    if any(value in part for part in (*solution.enough, *solution.not_enough)):
        check(solution, value, apet.predict(app, machines_with(lab, name, value), 4))


def test_how_fast_an_operation_must_be_is_found_in_closed_form(lab: Machines) -> None:
    """T = 4 t_w on every processor; the slow machines are as fast as the others then."""
    app = apet.compile_text("param P; L = par (p = 1, P) seq (i = 1, 4) w[p];")
    solution = apet.solve(app, lab, 10, "t_w")
    assert solution.unit == "s"
    assert solution.enough_up_to == pytest.approx(2.5, rel=1e-11)
    assert solution.space.low == pytest.approx(1e-3)
    assert solution.space.high == pytest.approx(9000)


def test_tasks_are_dealt_as_before_when_an_operation_is_asked_for(lab: Machines) -> None:
    shares = lab.configure().shares(60)
    assert machines_with(lab, "t_w", 1).configure().shares(60) == shares
    assert len(set(shares)) > 1


def test_every_link_gets_the_latency_and_bandwidth_that_is_asked_for() -> None:
    text = LAB + '[[network.link]]\nfrom = "slow"\nto = "fast"\nlatency_s = [5, 6]\nbandwidth_B_per_s = [1, 2]\n'
    lab = parse_machines(Source("lab.toml", text))
    changed = machines_with(machines_with(lab, "latency_s", 0.25), "bandwidth_B_per_s", 8)
    for pair in (("slow", "fast"), ("fast", "slow"), ("fast", "fast")):
        assert changed.network.between(*pair) == (Interval(0.25, 0.25), Interval(8, 8))


def test_the_best_reachable_is_said_where_the_deadline_is_not_met(lab: Machines) -> None:
    app = apet.compile_text(SHARED)
    solution = apet.solve(app, lab, Fraction(1, 1000))
    assert solution.best is not None
    value, found = solution.best
    everything = [apet.predict(app, lab, P).guaranteed.hi for P in range(1, 7)]
    assert found.guaranteed.hi == min(everything) == everything[int(value) - 1]
    assert solution.tried == 6


def test_a_curve_goes_from_end_to_end_through_the_ends_of_the_ranges(lab: Machines) -> None:
    question = Question(20, "x", Interval(0, 100))
    predictor = apet.api.predictor(apet.compile_text(EVEN), lab)
    solution = solve(predictor, question)
    drawn = curve(predictor, question, solution)
    values = [v for v, _ in drawn]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0, 100)
    assert set(solution.predictions) <= set(values)
    assert all(p == predictor.predict(None, {"x": v}) for v, p in drawn[::13])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"unknown": "t_call"}, "does not contain 't_call'"),
        ({"unknown": "t_ww"}, "did you mean 't_w'"),
        ({"unknown": "t_send"}, "depends on its size"),
        ({"unknown": "t_w", "within": (-1, 2)}, "0 or more"),
        ({"unknown": "t_w", "within": (3, 2)}, "lower end is above"),
        ({"unknown": "bandwidth_B_per_s", "within": (0, 2)}, "above 0"),
    ],
)
def test_a_figure_that_cannot_be_asked_for_is_refused(lab: Machines, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(apet.ApetError, match=message):
        apet.solve(apet.compile_text(WORK), lab, 5, **asked)


def test_a_latency_is_not_in_the_time_of_a_program_without_messages(lab: Machines) -> None:
    with pytest.raises(apet.ApetError, match="does not contain 'latency_s'"):
        apet.solve(apet.compile_text(SHARED), lab, 5, "latency_s")


def test_a_parameter_of_the_model_comes_before_a_figure_of_its_name(lab: Machines) -> None:
    app = apet.compile_text("param latency_s; L = delay(2 * latency_s);")
    solution = apet.solve(app, lab, 3, "latency_s", within=(0, 10))
    assert solution.enough_up_to == pytest.approx(1.5)
    assert solution.unit == ""
