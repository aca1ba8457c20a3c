"""Closed models: fits of runs, queueing networks and compiled traces, asked as applications."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apet
from apet import api
from apet.cost.exchange import cost_model_from, cost_model_text
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.machine.fitted import FittedPieces
from apet.questions.regions.regions import Line
from apet.queueing.data.networks import JobClass, Network, Station
from apet.queueing.methods.mva.asymptotic_bounds import asymptotic, balanced
from apet.queueing.methods.mva.solve import solve as solve_network
from apet.queueing.questions.cost_model import queue_model
from apet.runs.straight_pieces import pieces_of
from apet.traces.cost_model import trace_model

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
KMEANS, SP = SAMPLES / "runs" / "kmeans.json", SAMPLES / "runs" / "sp-openmp.csv"
TERMINALS = SAMPLES / "queueing" / "terminals.toml"
RING, CLUSTER = SAMPLES / "traces" / "ring.txt", SAMPLES / "traces" / "cluster.xml"


def network(jobs: int, demands: list[float], think: float, servers: int = 1) -> Network:
    stations = [Station(f"s{k}", "queue", servers if k == 0 else 1) for k in range(len(demands))]
    return Network(tuple(stations), (JobClass("users", jobs, think),), [demands], [[1.0] * len(demands)])


# Runs


@pytest.mark.parametrize("method", ["auto", "fractal", "powerlaw"])
def test_a_model_of_runs_predicts_what_the_method_does(method: str) -> None:
    app, curve = apet.load_model(KMEANS, method=method), api.read_runs(KMEANS).curve
    for n in (1000, 3000, 16000, 20000, 64000, 500000):
        expected = api.extrapolate(curve, [n], method).predictions[0]
        found = apet.predict(app, n=n)
        assert found.estimate.lo == pytest.approx(expected.t, rel=2e-3)
        assert found.guaranteed.lo == pytest.approx(expected.interval.lo, rel=4e-3)
        assert found.guaranteed.hi == pytest.approx(expected.interval.hi, rel=4e-3)


def test_the_elasticity_of_a_power_law_is_its_exponent() -> None:
    app = apet.load_model(KMEANS, method="powerlaw")
    side = apet.explain(app, values={"n": 64000}).tmax
    below, above = (apet.predict(app, n=n).estimate.lo for n in (32000, 128000))
    assert side.elasticities["n"] == pytest.approx(math.log(above / below) / math.log(4), abs=1e-6)


def test_the_largest_n_in_a_deadline_is_where_the_interval_ends() -> None:
    app = apet.load_model(KMEANS)
    found = apet.solve(app, None, 0.1, "n")
    largest = found.enough[0].hi
    assert apet.predict(app, n=largest).guaranteed.hi <= 0.1 < apet.predict(app, n=largest + 1).guaranteed.hi
    assert found.certain


def test_runs_over_processors_are_asked_with_P() -> None:
    app = apet.load_model(SP, kind="procs", method="amdahl")
    one, four = (apet.predict(app, P=p).estimate.lo for p in (1, 4))
    assert one > four
    found = apet.solve(app, None, 30)
    first = int(found.enough[0].lo)
    assert found.name == "P"
    assert apet.predict(app, P=first).guaranteed.hi <= 30 < apet.predict(app, P=first - 1).guaranteed.hi


def test_phases_are_the_terms_of_a_fit_with_phases() -> None:
    side = apet.explain(apet.load_model(SAMPLES / "runs" / "cg.txt", method="fractal"), values={"n": 3000}).tmax
    assert len(side.terms) > 1
    assert sum(t.share for t in side.terms) == pytest.approx(1, abs=1e-6)


@given(
    st.lists(st.floats(0.1, 10), min_size=2, max_size=6),
    st.floats(1, 1000),
)
@settings(max_examples=50, deadline=None)
def test_pieces_meet_a_piecewise_power_law(exponents: list[float], first: float) -> None:
    knots = tuple(first * 2.0**k for k in range(len(exponents) + 1))
    values = [1.0]
    for e in exponents:
        values.append(values[-1] * 2.0**e)
    true = FittedPieces(knots, tuple(values))
    (found,) = pieces_of(lambda ns: [(true.at(n),) for n in ns], knots)
    for n in (first * 1.3, knots[-1] * 0.7, knots[-1]):
        assert found.at(n) == pytest.approx(true.at(n), rel=2e-3)


@given(st.lists(st.floats(0.1, 10), min_size=2, max_size=8))
def test_rising_ends_enclose_the_curve(values: list[float]) -> None:
    pieces = FittedPieces(tuple(float(k + 1) for k in range(len(values))), tuple(values))
    low, high = pieces.rising(upward=False), pieces.rising(upward=True)
    for n in (1.0, 1.5, 2.0, len(values) - 0.3):
        assert low.at(n) <= pieces.at(n) * (1 + 1e-12)
        assert high.at(n) >= pieces.at(n) * (1 - 1e-12)
    assert list(low.seconds) == sorted(low.seconds)
    assert list(high.seconds) == sorted(high.seconds)


# Queues


@given(
    jobs=st.integers(1, 8),
    demands=st.lists(st.floats(0.01, 2.0), min_size=1, max_size=3),
    think=st.floats(0, 5),
    servers=st.integers(1, 3),
)
@settings(max_examples=10, deadline=None)
def test_response_and_throughput_are_those_of_the_exact_solution(
    jobs: int, demands: list[float], think: float, servers: int
) -> None:
    problem = network(jobs, demands, think, servers)
    exact = solve_network(problem, "exact")
    response, rate = queue_model("q.toml", problem), queue_model("q.toml", problem, "throughput")
    assert apet.predict(response).estimate.lo == pytest.approx(exact.system_response_time[0], rel=1e-9)
    assert apet.predict(rate).estimate.lo == pytest.approx(exact.throughput[0], rel=1e-9)
    more = solve_network(replace(problem, classes=(JobClass("users", jobs + 3, think),)), "exact")
    assert apet.predict(response, N=jobs + 3).estimate.lo == pytest.approx(more.system_response_time[0], rel=1e-9)


@given(jobs=st.integers(1, 2000), demands=st.lists(st.floats(0.01, 2.0), min_size=1, max_size=4), think=st.floats(0, 5))
@settings(max_examples=15, deadline=None)
def test_bounds_in_any_number_of_jobs_are_those_of_the_back_end(jobs: int, demands: list[float], think: float) -> None:
    problem = network(jobs, demands, think)
    found = apet.predict(queue_model("q.toml", problem, "bounds"))
    known = balanced(problem)
    assert found.lower.lo == pytest.approx(known.R_lower[0], rel=1e-9)
    assert found.upper.hi == pytest.approx(known.R_upper[0], rel=1e-9)
    assert found.estimate.lo == pytest.approx(asymptotic(problem).R_lower[0], rel=1e-9)


def test_the_elasticity_in_jobs_is_that_of_one_more_and_one_less() -> None:
    app = apet.load_model(TERMINALS)
    around = [apet.predict(app, N=n, D_disk=0.225).estimate.lo for n in (7, 8, 9)]
    expected = (around[2] - around[0]) / 2 * 8 / around[1]
    assert apet.explain(app, values={"N": 8}).tmax.elasticities["N"] == pytest.approx(expected, rel=1e-9)


def test_an_interval_of_the_file_holds_unless_it_is_asked_for() -> None:
    app = apet.load_model(TERMINALS)
    wide, one = apet.predict(app), apet.predict(app, D_disk=0.2)
    assert wide.estimate.lo < one.estimate.lo < wide.estimate.hi
    assert apet.solve(app, None, 2, "D_disk").name == "D_disk"


def test_a_throughput_is_to_be_reached() -> None:
    found = apet.solve(apet.load_model(TERMINALS, of="throughput"), None, 3, "N", values={"D_disk": 0.2})
    assert found.at_least
    assert found.enough_from is not None
    assert found.not_enough[0].hi == found.enough_from - 1


def test_an_open_network_needs_a_steady_state(tmp_path: Path) -> None:
    file = tmp_path / "open.toml"
    file.write_text(
        '[[stations]]\nname = "cpu"\n[[classes]]\nname = "web"\narrival_rate = 5.0\nservice = { cpu = 0.1 }\n'
    )
    app = apet.load_model(file)
    assert apet.predict(app).estimate.lo == pytest.approx(0.2)
    found = apet.solve(app, None, 1, "rate")
    assert found.enough[0].hi == pytest.approx(9, rel=1e-3)
    with pytest.raises(ApetError, match="saturated"):
        apet.predict(app, rate=5, D_cpu=0.3)


@pytest.mark.parametrize("service", [0.1, 0.3, [0.06, 0.07]])
def test_the_border_of_a_steady_state_is_a_number_that_can_be_written(service: object, tmp_path: Path) -> None:
    file = tmp_path / "open.toml"
    file.write_text(
        f'[[stations]]\nname = "cpu"\n[[classes]]\nname = "web"\narrival_rate = 0.7\nservice = {{ cpu = {service} }}\n'
    )
    app = apet.load_model(file)
    demand = service if isinstance(service, float) else 0.07
    line = apet.regions(app, None, {"rate": None}, values={"D_cpu": demand})
    assert isinstance(line, Line)
    border = float(line.axis.high)
    assert Fraction(f"{border:.6g}") == line.axis.high
    apet.predict(app, rate=border, D_cpu=demand)
    with pytest.raises(ApetError):
        apet.predict(app, rate=border * 1.0001, D_cpu=demand)


# Traces


def test_a_trace_is_bounded_as_by_its_compiled_formulas() -> None:
    app = apet.load_model(RING, platform=CLUSTER)
    platform, hosts = api.read_platform(CLUSTER)
    compiled = api.compile_trace(api.read_trace(RING), platform, hosts)
    for bandwidth in (0.1, 1, 3):
        found, known = apet.predict(app, bandwidth=bandwidth), compiled.at({"bandwidth": (bandwidth, bandwidth)})
        assert found.guaranteed.lo == pytest.approx(known.lower_s)
        assert found.guaranteed.hi == pytest.approx(known.upper_s)
    wide = apet.predict(app, bandwidth=(0.5, 2)).guaranteed
    assert wide.lo == pytest.approx(apet.predict(app, bandwidth=2).guaranteed.lo)
    assert wide.hi == pytest.approx(apet.predict(app, bandwidth=0.5).guaranteed.hi)


def test_terms_are_named_by_what_they_are_made_of() -> None:
    platform, hosts = api.read_platform(CLUSTER)
    app = trace_model("ring.txt", api.compile_trace(api.read_trace(RING), platform, hosts))
    assert [r.label for r in app.resources] == ["path 1", "path 2", "links"]


@pytest.mark.parametrize(("trace", "is_wide"), [("ring.txt", False), ("stencil.xz", True)])
def test_wide_formulas_of_a_trace_name_the_narrower_bounds(trace: str, is_wide: bool) -> None:
    app = apet.load_model(SAMPLES / "traces" / trace, platform=CLUSTER)
    assert any("'apet predict' bounds" in note.text for note in app.notes) == is_wide


# All


@pytest.mark.parametrize("of", ["response", "throughput", "utilization"])
def test_a_written_model_predicts_the_same(of: str) -> None:
    app = apet.load_model(TERMINALS, of=of)
    again = cost_model_from(json.loads(json.dumps(cost_model_text(app))))
    assert apet.predict(again, D_disk=0.2, N=9).guaranteed == apet.predict(app, D_disk=0.2, N=9).guaranteed
    assert again.unit == app.unit


def test_a_sweep_gives_what_predictions_give(tmp_path: Path) -> None:
    app = apet.load_model(RING, platform=CLUSTER)
    found = apet.sweep(app, None, {"bandwidth": [0.5, 1, 2], "speed": [1, 2]}, output=tmp_path / "rows.csv")
    assert found.names == ("bandwidth", "speed")
    header, *rows = (tmp_path / "rows.csv").read_text().splitlines()
    assert header.startswith("bandwidth,speed,estimate_tmin_s")
    one = apet.predict(app, bandwidth=2, speed=2)
    assert float(rows[-1].split(",")[2]) == pytest.approx(one.estimate.lo, rel=1e-12)


def test_two_workers_sweep_a_queue_as_one_does() -> None:
    from apet.questions.sweep.build import SweepRequest, build
    from apet.questions.sweep.evaluator import Evaluator
    from apet.questions.sweep.notation import axis_of

    app = apet.load_model(TERMINALS)
    request = SweepRequest(app, [None], ["terminals.toml"], [axis_of("N", [4, 8, 12])], {"D_disk": 0.2})
    task, advice = build(request)
    here, there = (e.rows(*task.space.bounds(0)) for e in (Evaluator(task, app), Evaluator(replace(task))))
    assert not advice
    assert (here.times["estimate_tmax"] == there.times["estimate_tmax"]).all()


def test_regions_of_a_fit_with_phases_show_the_whole_time() -> None:
    app = apet.load_model(SAMPLES / "runs" / "cg.txt", method="fractal")
    found = apet.regions(app, None, {"n": (100, 5000)})
    assert isinstance(found, Line)
    assert found.regions[0].seconds[0] == pytest.approx(apet.predict(app, n=100).estimate.lo)


# A fitted operation


def test_a_fitted_operation_takes_the_ends_of_the_interval() -> None:
    app, lab = apet.compile(SAMPLES / "runs" / "cluster.pam"), apet.load_machines(SAMPLES / "runs" / "fitted.toml")
    curve = api.read_runs(KMEANS).curve
    expected = api.extrapolate(curve, [50_000], "fractal").predictions[0].interval
    found = apet.predict(app, lab, P=2).estimate
    assert found.lo == pytest.approx(expected.lo + 1e-6, rel=4e-3)
    assert found.hi == pytest.approx(expected.hi + 2e-6, rel=4e-3)


def test_a_fitted_operation_rises_with_an_interval_of_its_argument() -> None:
    app, lab = apet.compile(SAMPLES / "runs" / "cluster.pam"), apet.load_machines(SAMPLES / "runs" / "fitted.toml")
    low, high = (apet.predict(app, lab, P=2, n=n).guaranteed for n in (50_000, 90_000))
    assert apet.predict(app, lab, P=2, n=(50_000, 90_000)).guaranteed == Interval(low.lo, high.hi)
    assert apet.solve(app, lab, 0.02, "n", within=(10_000, 10**6)).certain
