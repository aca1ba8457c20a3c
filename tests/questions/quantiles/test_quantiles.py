"""Laws of draws: they stay within what is guaranteed, follow the exact distributions, and depend on the seed only."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.machine_table import Table
from tests.strategies import Case, Features, cases

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.prediction import Predictor
from apet.prediction.binding import bind
from apet.questions.quantiles import Sampler
from apet.questions.quantiles.independent import Walk
from apet.questions.quantiles.uncertainty import NOISES, Uncertainty

SKEWED = [1.0] * 17 + [1.5, 4.0, 9.0]


def machines(w: str = "[1.0, 3.0]", count: int = 4, more: str = "", network: str = "") -> Machines:
    text = f'schema = 1\n[[machine]]\nname = "a"\ncount = {count}\n{more}\n[machine.op_s]\nw = {w}\nv = 0.5\n{network}'
    return parse_machines(Source("unsure.toml", text))


def machines_of(table: Table, topology: str) -> Machines:
    return parse_machines(Source("case.toml", table.toml().replace("[network]", f'[network]\ntopology = "{topology}"')))


def drawn(text: str, made: Machines, levels: tuple[float, ...] = (0.5,), **asked: Any) -> Uncertainty:
    given = {name: asked.pop(name) for name in list(asked) if name in ("q", "n", "x", "p")}
    P = asked.pop("P", None)
    predictor = Predictor(apet.compile_text(text), made)
    return Sampler(predictor, levels, **asked).uncertainty(predictor.predict(P, given), given)


@settings(max_examples=30)
@given(cases(Features(branches=True)), st.sampled_from(NOISES), st.integers(0, 1000))
def test_no_draw_leaves_what_is_guaranteed(case: Case, noise: str, seed: int) -> None:
    made = machines_of(case.table, case.topology)
    predictor = Predictor(apet.compile_text(case.text, network=case.topology), made)
    prediction = predictor.predict(case.table.P)
    sampler = Sampler(predictor, (0.5,), 64, seed, noise)
    columns = sampler.columns(case.table.P, bind(predictor.app, case.table.P, {}))
    ends = {"estimate": prediction.estimate, "lower": prediction.guaranteed, "upper": prediction.guaranteed}
    for name, within in ends.items():
        slack = 1e-9 * (1 + float(within.hi))
        assert float(within.lo) - slack <= columns[name].min()
        assert columns[name].max() <= float(within.hi) + slack
    assert (columns["lower"] <= columns["upper"] * (1 + 1e-9) + 1e-9).all()


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("chunk", [4, 12, 1000])
def test_draws_do_not_depend_on_how_they_are_cut(noise: str, chunk: int) -> None:
    text = "L = par (p = 1, P) { seq (i = 1, 100) w[p]; v[p]; send[p, 1](1000 * x); }; param P; param x in [0, 9];"
    network = "[network]\nlatency_s = { samples = [0.1, 0.2, 0.9] }\nbandwidth_B_per_s = [1e3, 2e3]\n"
    made = machines('{ quantiles = { "0" = 1.0, "1" = 5.0 } }', more="load = [0.0, 0.3]", network=network)
    asked: dict[str, Any] = {"draws": 501, "noise": noise, "x": Interval(0, 9), "levels": (0.1, 0.9)}
    assert drawn(text, made, chunk=chunk, **asked) == drawn(text, made, **asked)


def test_another_seed_draws_other_times_and_the_same_seed_the_same() -> None:
    found = [drawn("L = w[1];", machines(), seed=s).quantities["estimate"] for s in (1, 2, 1)]
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize(("noise", "power"), [("systematic", 1.0), ("processor", 0.25), ("independent", 0.25)])
def test_quantiles_of_a_maximum_are_the_exact_ones_within_their_intervals(noise: str, power: float) -> None:
    """With a time per processor the greatest of four uniform times has F = u⁴; with one for all, F = u."""
    levels = (0.05, 0.25, 0.5, 0.75, 0.95)
    inside = 0
    for seed in range(20):
        found = drawn("param P; L = par (p = 1, P) w[p];", machines(), levels, draws=2000, seed=seed, noise=noise)
        for q in found.quantities["estimate"].quantiles:
            inside += q.low <= 1 + 2 * q.level**power <= q.high
    assert 90 <= inside <= 100  # of 100, each with probability 95 % or a little more


def test_a_sum_of_independent_executions_concentrates() -> None:
    for n in (1, 10, 400):
        found = drawn(f"L = seq (i = 1, {n}) w[1];", machines(), noise="independent").quantities["estimate"]
        assert found.mean == pytest.approx(2 * n, abs=4 * math.sqrt(n / 3) / 100)
        assert found.deviation == pytest.approx(math.sqrt(n / 3), rel=0.03)
    systematic = drawn("L = seq (i = 1, 400) w[1];", machines()).quantities["estimate"]
    assert systematic.deviation == pytest.approx(400 / math.sqrt(3), rel=0.03)


@pytest.mark.parametrize("n", [5, 10_000])
def test_every_execution_meets_a_load_of_its_own(n: int) -> None:
    """The mean of 1 / (1 - load) for a load from 0 to 0.8 is ln(5) / 0.8, not 1 / (1 - 0.4)."""
    loaded = machines("1.0", more="load = [0.0, 0.8]")
    estimate = drawn(f"L = seq (i = 1, {n}) w[1];", loaded, noise="independent", draws=20_000).quantities["estimate"]
    assert estimate.mean == pytest.approx(n * math.log(5) / 0.8, rel=0.005)
    second = 1 / (1 - 0.8)  # of the square: the integral of (1 - x)^-2 / 0.8 is (5 - 1) / 0.8
    variance = (second - 1) / 0.8 - (math.log(5) / 0.8) ** 2
    assert estimate.deviation == pytest.approx(math.sqrt(n * variance), rel=0.03)


@pytest.mark.parametrize("n", [5, 40, 1000])
def test_the_mean_of_few_or_many_skewed_executions_has_the_right_quantiles(n: int) -> None:
    rng = np.random.default_rng(n)
    truth = rng.choice(SKEWED, (5_000, n)).sum(axis=1)
    found = drawn(
        f"L = seq (i = 1, {n}) w[1];", machines(f"{{ samples = {SKEWED} }}"), (0.05, 0.5, 0.95), noise="independent"
    )
    for q in found.quantities["estimate"].quantiles:
        assert q.seconds == pytest.approx(float(np.quantile(truth, q.level)), rel=0.04)


def test_samples_are_drawn_as_often_as_they_are_given() -> None:
    found = drawn("L = w[1];", machines("{ samples = [1.0, 2.0, 2.0, 7.0] }"), (0.2, 0.3, 0.7, 0.8)).quantities
    assert [q.seconds for q in found["estimate"].quantiles] == [1.0, 2.0, 2.0, 7.0]
    assert found["estimate"].mean == pytest.approx(3.0, abs=0.1)


def test_external_load_is_drawn_beside_the_time_itself() -> None:
    found = drawn("L = w[1];", machines("2.0", more="load = [0.0, 0.5]"), (0.25, 0.5)).quantities["estimate"]
    for q in found.quantiles:
        assert q.low <= 2 / (1 - 0.5 * q.level) <= q.high


def test_a_message_draws_latency_and_bandwidth() -> None:
    network = "[network]\nlatency_s = 1.0\nbandwidth_B_per_s = [10.0, 20.0]\n"
    found = drawn("L = send[1, 2](100);", machines(network=network), (0.5,)).quantities["estimate"].quantiles[0]
    assert found.low <= 1 + 100 / 15 <= found.high


def test_ranges_of_parameters_are_drawn_uniformly_and_whole_where_they_must_be() -> None:
    found = drawn("param q; L = if (q) v[1];", machines(), (0.25, 0.75), q=Interval(0, 1)).quantities["estimate"]
    assert all(q.low <= 0.5 * q.level <= q.high for q in found.quantiles)
    whole = drawn("param n; L = seq (i = 1, n) v[1];", machines(), (0.1, 0.5), n=Interval(1, 5)).quantities["estimate"]
    assert [q.seconds for q in whole.quantiles] == [0.5, 1.5]


def test_a_default_moves_with_the_range_that_it_depends_on() -> None:
    found = drawn("param x; param y = 2 * x; L = delay(y - x);", machines(), (0.5,), x=Interval(0, 1))
    assert found.quantities["estimate"].quantiles[0].seconds == pytest.approx(0.5, abs=0.05)


def test_a_range_may_end_a_loop_without_closed_form() -> None:
    text = "param n; L = seq (i = 1, n) { seq (j = 1, i ^ 2 % 7) w[1 + j % 3] };"
    both, fewest, most = (drawn(text, machines(), (0.5,), n=n).quantities["estimate"] for n in (Interval(1, 5), 1, 5))
    assert fewest.least <= both.least < most.least
    assert fewest.greatest < both.greatest <= most.greatest


# Expectations


def expected(text: str, made: Machines, **asked: Any) -> Any:
    return drawn(text, made, (), expected=True, **asked).expected


@pytest.mark.parametrize("n", [2, 30, 1000, 10**6])
def test_the_expected_greatest_of_uniform_branches_is_known(n: int) -> None:
    found = expected(f"L = par (i = 1, {n}) w[1];", machines())
    assert found.candidates["T0"][0] == pytest.approx(1 + 2 * n / (n + 1), abs=1e-3)
    assert found.candidates["T[cpu]"] == pytest.approx((2.0 * n, math.sqrt(n / 3)))
    assert found.by == "T[cpu]"


def test_the_mean_of_maxima_is_above_the_maximum_of_means() -> None:
    text = "param P; L = par (p = 1, P) seq (i = 1, 10) w[p];"
    found = expected(text, machines())
    rng = np.random.default_rng(1)
    truth = (1 + 2 * rng.random((50_000, 4, 10))).sum(axis=2).max(axis=1)
    assert found.by in ("T0", "T[cpu]")
    assert found.mean == pytest.approx(float(truth.mean()), rel=2e-3)
    assert found.deviation == pytest.approx(float(truth.std()), rel=2e-2)
    assert found.mean > apet.predict(apet.compile_text(text), machines()).estimate.middle


def test_messages_branches_and_uses_of_a_program_are_as_simulated() -> None:
    text = """param P; param q = 0.3; resource s;
    L = par (p = 1, P) { send[0, p](1000); seq (i = 1, 20) { w[p]; if (q) v[p]; }; use(s, w[p]); };"""
    network = "[network]\nlatency_s = [1.0, 2.0]\nbandwidth_B_per_s = [500.0, 1000.0]\n"
    made = machines(f"{{ samples = {SKEWED} }}", network=network)
    found = expected(text, made)
    rng, runs = np.random.default_rng(2), 40_000
    w = rng.choice(SKEWED, (runs, 4, 21))
    v = 0.5 * (rng.random((runs, 4, 20)) < 0.3)
    sent = 1 + rng.random((runs, 4)) + 1000 / (500 + 500 * rng.random((runs, 4)))
    truth = (sent + w.sum(axis=2) + v.sum(axis=2)).max(axis=1)
    mean, deviation = found.candidates["T0"]
    assert mean == pytest.approx(float(truth.mean()), rel=5e-3)
    assert deviation == pytest.approx(float(truth.std()), rel=3e-2)
    assert found.candidates["T[s]"][0] == pytest.approx(4 * float(np.mean(SKEWED)))
    assert found.candidates["T[s]"][1] == pytest.approx(2 * float(np.std(SKEWED)))


def certain(table: Table) -> Table:
    """The same machines with every figure at its least."""
    op_s = {p: {op: (lo, lo) for op, (lo, _) in times.items()} for p, times in table.op_s.items()}
    latency, bandwidth = table.latency_s[0], table.bandwidth_B_per_s[0]
    return replace(table, op_s=op_s, latency_s=(latency, latency), bandwidth_B_per_s=(bandwidth, bandwidth))


@settings(max_examples=60)
@given(cases(Features(nested=False)))
def test_where_nothing_is_left_to_chance_the_greatest_candidate_is_the_estimate(case: Case) -> None:
    made = machines_of(certain(case.table), case.topology)
    predictor = Predictor(apet.compile_text(case.text, network=case.topology), made)
    prediction = predictor.predict(case.table.P)
    found = Sampler(predictor, (), expected=True).uncertainty(prediction, {}).expected
    assert found is not None
    assert found.candidates[found.by][0] == pytest.approx(float(prediction.estimate.lo), rel=1e-9, abs=1e-12)
    assert found.deviation == pytest.approx(0.0, abs=1e-9)
    slack = 1e-9 * (1 + float(prediction.upper.lo))
    assert float(prediction.estimate.lo) - slack <= found.mean <= float(prediction.upper.lo) + slack


@pytest.mark.parametrize(
    ("branches", "seconds"), [("best", 1.0), ("worst", 4.0), ("average", 2.5), ("probability", 1.3)]
)
def test_branches_are_read_as_the_estimate_reads_them(branches: str, seconds: float) -> None:
    app = apet.compile_text("L = if (0.1) delay(4) else delay(1);", branches=branches)
    predictor = Predictor(app, machines())
    found = Sampler(predictor, (), expected=True).uncertainty(predictor.predict(), {}).expected
    assert found is not None
    assert found.mean == pytest.approx(seconds)


def test_a_free_branch_takes_the_probability_that_is_set() -> None:
    predictor = Predictor(apet.compile_text("L = if delay(4) else delay(1);"), machines())
    values = {"q_1": 0.5}
    found = Sampler(predictor, (), expected=True).uncertainty(predictor.predict(None, values), values).expected
    assert found is not None
    assert found.mean == pytest.approx(2.5)
    assert found.deviation == pytest.approx(1.5)


def test_executions_are_counted_where_they_happen() -> None:
    text = """param P; L = par (p = 1, P) { seq (i = 1, 10^12) w[p]; seq (i = 1, p) { v[p]; if (0.25) v[1]; };
    send[p, 1](8); send[p, 1](8); };"""
    network = "[network]\nlatency_s = 1.0\nbandwidth_B_per_s = 1.0\n"
    app, _ = Predictor(apet.compile_text(text), machines(count=3, network=network)).on_process
    found = Walk(app, machines(count=3, network=network).configure(), {"P": 3}, "static").parts().counts
    assert {k: n for k, n in found.items() if k[0] == "w"} == {("w", p): 10**12 for p in (1, 2, 3)}
    assert found[("v", 1)] == pytest.approx(1 + 0.25 * 6)
    assert (found[("v", 3)], found[("send", 2, 1)]) == (3, 2)
    assert ("send", 1, 1) not in found


def test_a_loop_of_too_many_different_iterations_is_refused() -> None:
    with pytest.raises(ApetError, match="the iterations over i differ"):
        expected("L = seq (i = 1, 10^9) { seq (j = 1, i) w[1] };", machines())


def test_several_servers_share_the_load() -> None:
    found = expected("resource s servers 4; L = par (i = 1, 100) use(s, w[1 + i % 4]);", machines())
    assert found.candidates["T[s]"][0] == pytest.approx(50.0)


def test_the_public_function_answers_as_the_sampler() -> None:
    app, made = apet.compile_text("L = w[1];"), machines()
    found = apet.quantiles(app, made, levels=(0.5,), draws=1000, seed=3, expected=True)
    assert found == Sampler(Predictor(app, made), (0.5,), 1000, 3, expected=True).uncertainty(
        apet.predict(app, made), {}
    )
    with pytest.raises(ApetError, match="noise cannot be 'loud'"):
        apet.quantiles(app, made, noise="loud")
    assert found.quantities["estimate"].least >= 1


@pytest.mark.slow
def test_a_million_draws_of_a_sample_stay_in_bounded_memory(root: Any) -> None:
    import tracemalloc

    app, lab = apet.compile(root / "samples" / "pamela" / "pi.pam"), apet.load_machines("join-2005")
    tracemalloc.start()
    apet.quantiles(app, lab, P=32, draws=1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250 * 2**20
