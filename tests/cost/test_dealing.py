"""`share[p](m)`: the tasks of processor p when m are dealt, beside `share[p]`, which deals the parameter `tasks`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.brute_force import brute_force

import apet
from apet.cost import Application
from apet.simulator.simulation import simulate

LAB = "join-2005"
SCHEDULES = st.sampled_from(["static", "join"])
FARM = "param P; param m; L = par (p = 1, P) use(p, seq (k = 1, share[p]{}) {{ sum_double[p]; sum_int[p] }});"


def app_of(text: str) -> Application:
    app: Application = apet.compile_text(text, network="bus")
    return app


@given(m=st.integers(0, 200), P=st.integers(1, 32), schedule=SCHEDULES)
def test_dealing_the_parameter_tasks_is_dealing_as_many(m: int, P: int, schedule: str) -> None:
    lab = apet.load_machines(LAB)
    plain, given_m = app_of(FARM.format("").replace("param m", "param tasks")), app_of(FARM.format("(m)"))
    one = apet.predict(plain, lab, P, schedule=schedule, tasks=m)
    other = apet.predict(given_m, lab, P, schedule=schedule, m=m)
    assert (one.estimate, one.lower, one.upper) == (other.estimate, other.lower, other.upper)


@given(m=st.integers(0, 300), half=st.booleans(), P=st.integers(1, 32), schedule=SCHEDULES)
def test_all_tasks_are_dealt_and_a_part_of_one_is_none(m: int, half: bool, P: int, schedule: str) -> None:
    app = app_of("param P; param m; L = delay(sum(p = 1, P, share[p](m)));")
    number = m + 0.5 if half else m
    assert apet.predict(app, apet.load_machines(LAB), P, schedule=schedule, m=number).estimate.hi == m


@settings(max_examples=20)
@given(m=st.integers(0, 30), tasks=st.integers(0, 30), P=st.integers(1, 8), schedule=SCHEDULES)
def test_a_prediction_agrees_with_unrolling_and_encloses_a_run(m: int, tasks: int, P: int, schedule: str) -> None:
    app = app_of(
        """param P; param m; param tasks;
        L = { par (p = 1, P) seq (k = 1, share[p](m)) { send[0, p](8); sum_double[p] };
              par (p = 1, P) use(p, seq (k = 1, share[p]) mpy_double[p]);
              par (p = 1, P) seq (k = 1, share[p](1)) { sum_int[p]; send[p, 0](share[p](m) * 1 kB) } };"""
    )
    lab = apet.load_machines(LAB)
    found, values = apet.predict(app, lab, P, schedule=schedule, m=m, tasks=tasks), {"m": m, "tasks": tasks}
    want = brute_force(app.model, lab.configure(P), "tmax", values, "bus", "probability", schedule)
    run = simulate(app.model, lab.configure(P), "tmax", {"P": P, **values}, "bus", "probability", schedule=schedule)
    assert found.estimate.hi == pytest.approx(want.estimate, rel=1e-9)
    assert found.lower.hi * (1 - 1e-9) <= run.makespan <= found.upper.hi * (1 + 1e-9)


@settings(max_examples=8)
@given(low=st.integers(0, 40), more=st.integers(0, 9), P=st.integers(1, 9), schedule=SCHEDULES)
def test_a_short_range_of_tasks_is_no_wider_than_its_members(low: int, more: int, P: int, schedule: str) -> None:
    app, lab = app_of("param P; param m; L = delay(share[P](m));"), apet.load_machines(LAB)
    found = apet.predict(app, lab, P, schedule=schedule, m=(low, low + more)).estimate
    each = [apet.predict(app, lab, P, schedule=schedule, m=m).estimate for m in range(low, low + more + 1)]
    assert (found.lo, found.hi) == (min(e.lo for e in each), max(e.hi for e in each))


@settings(max_examples=8)
@given(low=st.integers(0, 20), more=st.integers(0, 10), inside=st.integers(0, 10), P=st.integers(1, 4))
def test_a_range_of_tasks_encloses_every_number_in_it(low: int, more: int, inside: int, P: int) -> None:
    app, lab = app_of(FARM.format("(m)")), apet.load_machines(LAB)
    found = apet.predict(app, lab, P, m=(low, low + more)).estimate
    one = apet.predict(app, lab, P, m=low + min(inside, more)).estimate
    assert found.lo <= one.lo * (1 + 1e-9)
    assert one.hi <= found.hi * (1 + 1e-9)


def test_a_sweep_gives_the_rows_that_predictions_give() -> None:
    app, lab = app_of(FARM.format("(m)")), apet.load_machines(LAB)
    found = apet.sweep(app, lab, {"P": "1:8", "m": "5:30:5"}).best
    every = {(P, m): apet.predict(app, lab, P, m=m).guaranteed for P in range(1, 9) for m in range(5, 31, 5)}
    assert found is not None
    assert found.times["guaranteed_tmax"] == min(g.hi for g in every.values())


def test_a_negative_number_of_tasks_is_refused() -> None:
    app = app_of("param P; param m; L = par (p = 1, P) use(p, share[p](m - 5) * 1 s);")
    with pytest.raises(apet.ApetError):
        apet.predict(app, apet.load_machines(LAB), 3, m=2)


def test_two_numbers_of_tasks_are_refused() -> None:
    with pytest.raises(apet.ApetError, match="share"):
        app_of("param P; L = par (p = 1, P) use(p, share[p](1, 2) * 1 s);")
