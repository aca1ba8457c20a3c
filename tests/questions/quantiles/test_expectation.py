"""The expectation beside a prediction: near the mean of simulated runs where the estimate is far below it."""

from __future__ import annotations

from statistics import fmean

import pytest

import apet
from apet.answers.text import text as as_text
from apet.cost import Chance
from apet.ground.interval import Interval
from apet.prediction.prediction import Expectation
from apet.questions.compare.report import comparison_answer
from apet.questions.expected import with_expectations
from apet.questions.quantiles.expectation import ExpectedRun, SimulatedRun, mean_of_runs

CLUSTER = "cores=64, latency=50us, bandwidth=1Gbit/s, op.w=1ms..2ms"
STRAGGLERS = {
    "delays": "L = par (i = 1, 100) if (0.02) delay(9 s) else delay(1 s);",
    "processors": "param P; L = par (i = 1, P) { if (0.15) use(i, 8) else use(i, 2); use(i, 1) };",
    "shared processors": "param P; L = par (i = 1, 120) if (0.1) use(1 + i % P, 20) else use(1 + i % P, 4);",
    "a pool": "resource s servers 6; L = par (i = 1, 70) use(s, if (0.1) delay(30) else delay(5));",
    "two pools": "resource s servers 4; resource t servers 5; L = par (i = 1, 30) {"
    " use(s, if (0.2) delay(9) else delay(2)); use(t, if (0.1) delay(20) else delay(3)) };",
    "phases": "L = seq (t = 1, 6) par (i = 1, 40) if (0.03) delay(12) else delay(2);",
    "a server first": "resource d; param P; L = par (i = 1, P) { use(d, 0.5); if (0.1) use(i, 40) else use(i, 8) };",
    "rare and very dear": "L = par (i = 1, 50) if (0.004) delay(1000) else delay(10);",
    "rounds": "L = par (i = 1, 12) seq (k = 1, 8) if (0.2) delay(7) else delay(1);",
    "an uneven pair": "L = { if (0.3) delay(50) else delay(5) || seq (k = 1, 4) if (0.4) delay(9) else delay(2) };",
    "messages": "param P; L = par (i = 1, P) { if (0.2) use(i, 30) else use(i, 3); send[i, 0](50 MB) };",
    "a graph": "L = graph { a: if (0.2) delay(30) else delay(3); b: if (0.2) delay(20) else delay(4);"
    " c: delay(2) after a, b; d: if (0.1) delay(40) else delay(5) after a; };",
    "a tree": "L = { par (i = 1, 16) s[i]; par (i = 1, 8) s[i]; par (i = 1, 4) s[i]; par (i = 1, 2) s[i] };"
    " s[i] = if (0.1) use(i, 10) else use(i, 1);",
}
PROCESSORS, RUNS = 24, 60


def predicted(text: str, **options: str) -> tuple[apet.Application, apet.Machines, apet.Prediction]:
    app = apet.compile_text(text, network="switch", **options)
    cluster = apet.load_machines(CLUSTER)
    return app, cluster, apet.predict(app, cluster, PROCESSORS)


@pytest.mark.parametrize("name", STRAGGLERS)
def test_the_expectation_is_the_mean_of_runs_where_the_estimate_is_far_below(name: str) -> None:
    app, cluster, prediction = predicted(STRAGGLERS[name])
    assert prediction.expectation is not None
    runs = [apet.simulate(app, cluster, PROCESSORS, seed=1000 + k).makespan for k in range(RUNS)]
    mean = fmean(runs)
    noise = 3 * (fmean([(r - mean) ** 2 for r in runs]) / RUNS) ** 0.5
    assert prediction.expectation.seconds.lo == pytest.approx(mean, abs=0.05 * mean + noise)
    assert prediction.expectation.seconds.lo >= prediction.estimate.lo * (1 - 1e-6)
    assert prediction.guaranteed.lo <= prediction.expectation.seconds.lo <= prediction.guaranteed.hi


@pytest.mark.parametrize("n", [2, 64, 10**6])
def test_equal_copies_have_a_closed_form(n: int) -> None:
    _, _, prediction = predicted(f"L = par (i = 1, {n}) if (0.05) delay(50 s) else delay(10 s);")
    assert prediction.expectation is not None
    assert prediction.expectation.seconds.lo == pytest.approx(50 - 40 * 0.95**n, rel=2e-3)
    assert prediction.expectation.runs == 0


def test_both_ends_of_operation_times_have_one() -> None:
    _, _, prediction = predicted("L = par (i = 1, 20) if (0.1) { seq (k = 1, 9) w[i] } else w[i];")
    expected = [t * (9 - 8 * 0.9**20) for t in (0.001, 0.002)]
    assert prediction.expectation is not None
    assert [*prediction.expectation.seconds] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("L = if (0.5) delay(9) else delay(1);", {}),
        ("L = seq (i = 1, 9) if (0.5) delay(9) else delay(1);", {}),
        ("L = par (i = 1, 9) if (i == 3) delay(9) else delay(1);", {}),
        ("L = par (i = 1, 9) if (0.5) delay(9) else delay(1);", {"branches": "worst"}),
        ("L = par (i = 1, 9) if (0.5) delay(9) else delay(8.5);", {}),
    ],
)
def test_there_is_none_where_the_estimate_cannot_mislead(text: str, options: dict[str, str]) -> None:
    assert predicted(text, **options)[2].expectation is None


def test_a_range_of_a_parameter_has_none() -> None:
    app = apet.compile_text("param q; L = par (i = 1, 9) if (q) delay(9) else delay(1);")
    assert apet.predict(app, values={"q": (0.1, 0.3)}).expectation is None


def test_too_many_different_rounds_have_none_and_take_no_time() -> None:
    text = "param P; L = par (i = 1, 250000) if (0.5) use(1 + i % P, i) else use(1 + i % P, 1);"
    assert predicted(text)[2].expectation is None


SERVER = """param P = 8; param steps = 10; param q = 0.05 in [0, 1];
resource down; resource up;
L = seq (t = 1, steps) par (w = 1, P) { use(down, 80 ms); if (q) use(w, 2 s) else use(w, 0.4 s); use(up, 80 ms) };"""
"""A parameter server with stragglers."""


def test_a_row_of_a_list_is_what_it_is_alone() -> None:
    app, cluster = apet.compile_text(SERVER), apet.load_machines("cores=64")
    alone = [apet.predict(app, cluster, P) for P in range(4, 33, 4)]
    predictor = apet.predictor(app, cluster)
    listed = with_expectations(predictor, [predictor.predict(P) for P in range(4, 33, 4)])
    assert listed == alone
    assert all(row.expectation is not None and row.expectation.runs > 0 for row in listed)


@pytest.mark.parametrize(("P", "steps", "mean"), [(4, 10, 10.77), (32, 10, 36.91), (8, 1000, 1569), (32, 100, 370)])
def test_long_runs_are_simulated_too(P: int, steps: int, mean: float) -> None:
    app, cluster = apet.compile_text(SERVER), apet.load_machines("cores=64")
    expectation = apet.predict(app, cluster, P, steps=steps).expectation
    assert expectation is not None
    assert expectation.waiting
    assert expectation.seconds.lo == pytest.approx(mean, rel=0.03)
    uncertainty = apet.quantiles(app, cluster, P, [], values={"steps": steps}, expected=True)
    assert uncertainty.expected is not None
    assert uncertainty.expected.mean == pytest.approx(mean, rel=0.03)


def test_what_is_too_long_to_simulate_stays_in_its_bounds_and_says_so() -> None:
    app, cluster = apet.compile_text(SERVER), apet.load_machines("cores=64")
    prediction = apet.predict(app, cluster, 32, steps=20000)
    assert prediction.expectation is not None
    assert (prediction.expectation.runs, prediction.expectation.waiting) == (0, False)
    assert prediction.guaranteed.lo <= prediction.expectation.seconds.lo <= prediction.guaranteed.hi


@pytest.mark.parametrize("change", [{"q": 0}, {"q": 0.2}])
def test_a_comparison_of_what_depends_on_chance_is_by_mean_run_times(change: dict[str, float]) -> None:
    app, cluster = apet.compile_text(SERVER), apet.load_machines("cores=64")
    comparison = apet.compare((app, cluster), (app, cluster), [8, 32], changes=change)
    winner = "B" if change["q"] == 0 else "A"
    assert [pair.estimated_winner for pair in comparison.pairs] == [winner, winner]
    text = as_text(comparison_answer(comparison), 100)
    assert "equal" not in text
    assert f"By the expected time {winner} is faster at every P" in text


def test_the_same_call_gives_the_same_figures() -> None:
    first, second = (predicted(STRAGGLERS["two pools"])[2] for _ in range(2))
    assert first == second
    assert first.expectation is not None
    assert first.expectation.runs > 0


def test_chance_is_found_behind_calls_of_what_runs_at_once() -> None:
    hidden = "L = par (i = 1, 9) a; a = { b; c }; b = delay(1); c = if (0.5) delay(2) else delay(1);"
    assert apet.compile_text(hidden).chance == Chance.AT_ONCE
    assert apet.compile_text(hidden.replace("par", "seq")).chance == Chance.IN_TURN


def test_known_work_corrects_the_mean_of_runs() -> None:
    runs = [SimulatedRun(10.0 + 2 * work, {"r": work, "other": 5.0}) for work in (1.0, 2.0, 6.0) * 2]
    corrected = mean_of_runs(runs, ExpectedRun(0.0, 2.5, frozenset({"r"}), exact=False))
    assert corrected.seconds == pytest.approx(15.0)
    assert corrected.error == pytest.approx(0.0, abs=1e-6)
    assert mean_of_runs(runs, None).seconds == pytest.approx(16.0)


def test_a_tenth_of_the_estimate_is_the_limit() -> None:
    expectation = Expectation(Interval(1.0, 2.2))
    assert expectation.differs(Interval(1.0, 1.9))
    assert not expectation.differs(Interval(0.95, 2.1))
    prediction = predicted(STRAGGLERS["delays"])[2]
    assert prediction.may_mislead
    assert not prediction.replace(upper=prediction.estimate, lower=prediction.estimate).may_mislead
