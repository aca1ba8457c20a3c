"""Laws of explanations: shares sum to 1, elasticities say what happens, crossovers are where terms change."""

from __future__ import annotations

import re
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.answers.text import text as as_text
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.questions.adjusted import ScaledEnvironment
from apet.questions.explain import explain
from apet.questions.explain import inputs as varied_inputs
from apet.questions.explain.explain import Explainer
from apet.questions.explain.explanation import Explanation
from apet.questions.explain.report import explanation_answer, idle_sentences
from apet.questions.explain.tornado import UncertainInputs
from apet.show.context import PredictionContext

LAB = """
schema = 1
name = "two"
[[machine]]
name = "one"
count = 2
[machine.op_s]
w = [1.0, 2.0]
v = [0.5, 0.5]
[network]
topology = "bus"
latency_s = [1e-3, 2e-3]
bandwidth_B_per_s = [1e6, 2e6]
"""
FARM = """param P; param n = 100; param b = 8; param double = 2 * n;
L = par (p = 1, P) { send[0, p](b); use(p, seq (i = 1, n) w[p]; seq (i = 1, double) v[p]); };"""


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


def test_terms_are_those_of_the_prediction(lab: Machines) -> None:
    app = apet.compile_text(FARM)
    found, predicted = apet.explain(app, lab), apet.predict(app, lab)
    limits = [(limit.name, limit.seconds, limit.share) for limit in predicted.limits]
    assert [(t.name, t.seconds, t.share) for t in found.tmax.terms] == limits
    assert (found.tmin.seconds, found.tmax.seconds) == tuple(predicted.estimate)
    assert {"tmin": found.tmin.dominant, "tmax": found.tmax.dominant} == predicted.dominant
    for t in found.tmax.terms:
        assert t.margin == pytest.approx(1 - t.share)
        assert t.margin_s == pytest.approx(found.tmax.seconds - t.seconds)


def test_contributions_sum_to_one_where_all_times_are_of_operations(lab: Machines) -> None:
    found = apet.explain(apet.compile_text(FARM), lab)
    for side in (found.tmin, found.tmax):
        assert sum(side.contributions.values()) == pytest.approx(1, rel=1e-12)


def test_a_fixed_duration_is_what_contributions_lack(lab: Machines) -> None:
    found = apet.explain(apet.compile_text("L = { w[1]; delay(6 s); };"), lab)
    assert found.tmax.contributions == {"t_w": pytest.approx(0.25)}


@pytest.mark.parametrize("name", ["n", "b"])
def test_an_elasticity_is_the_relative_change(name: str, lab: Machines) -> None:
    app = apet.compile_text(FARM)
    now = {"n": 1000, "b": 10**9, "double": 7}
    found = apet.explain(app, lab, P=1, values=now)
    more = apet.predict(app, lab, P=1, values={**now, name: now[name] * 101 // 100}).estimate.hi
    relative = (float(more) / found.tmax.seconds - 1) / 0.01
    assert found.tmax.elasticities[name] == pytest.approx(relative, rel=1e-6)


def test_another_term_is_the_greatest_from_a_crossover_on(lab: Machines) -> None:
    text = "param a = 3; param b = 4; resource r; resource s; L = use(r, a) || use(s, b);"
    app = apet.compile_text(text)
    found = apet.explain(app, lab)
    assert found.tmax.dominant == "T[s]"
    assert found.without_effect == ("a",)
    up = next(c for c in found.crossovers if c.name == "a")
    assert (up.relation, up.dominant) == (">=", "T[r]")
    assert up.at == pytest.approx(4, rel=1e-6)
    assert apet.predict(app, lab, a=up.at * 1.001).dominant["tmax"] == "T[r]"
    assert apet.predict(app, lab, a=up.at * 0.999).dominant["tmax"] == "T[s]"


CHAIN = """param n = 7; param m = 2 * n + 3; param k = m * m / n; param b = 1000;
L = { delay(n); delay(m); delay(k * m); delay(0 * b); };"""


@settings(max_examples=25)
@given(st.integers(1, 10**6))
def test_an_elasticity_includes_the_defaults_that_are_computed_from_it(n: int) -> None:
    """T = n + m + m^3/n with m = 2n + 3."""
    found = apet.explain(apet.compile_text(CHAIN), parse_machines(Source("lab.toml", LAB)), values={"n": n}).tmax
    m = 2 * n + 3
    total = n + m + m**3 / n
    by_n = 1 - m**3 / n**2 + 2 * (1 + 3 * m**2 / n)
    assert found.elasticities["n"] == pytest.approx(by_n * n / total, rel=1e-9, abs=1e-9)
    assert found.elasticities["m"] == pytest.approx((1 + 3 * m**2 / n) * m / total, rel=1e-9)
    assert found.elasticities["k"] == pytest.approx(m**3 / n / total, rel=1e-9)


def test_a_default_that_is_given_a_value_does_not_move(lab: Machines) -> None:
    found = apet.explain(apet.compile_text(CHAIN), lab, values={"n": 10, "m": 5}).tmax
    assert found.elasticities["n"] == pytest.approx((10 - 125 / 10) / (10 + 5 + 125 / 10))


def test_tasks_act_through_their_shares_and_so_does_what_they_are_computed_from(lab: Machines) -> None:
    text = "param P; param n = 50; param tasks = 2 * n; L = par (p = 1, P) seq (k = 1, share[p]) w[p];"
    found = apet.explain(apet.compile_text(text), lab).tmax
    assert found.elasticities["tasks"] == pytest.approx(1)
    assert found.elasticities["n"] == pytest.approx(1)


def test_latency_and_bandwidth_share_the_elasticity_of_messages(lab: Machines) -> None:
    found = apet.explain(apet.compile_text("param P; L = par (p = 1, P) send[0, p](3000);"), lab).tmax
    latency, sending = 2e-3, 3000 / 1e6
    assert found.elasticities["latency_s"] == pytest.approx(latency / (latency + sending))
    assert found.elasticities["bandwidth_B_per_s"] == pytest.approx(-sending / (latency + sending))
    assert found.elasticities["t_send"] == pytest.approx(1)


def test_what_has_no_effect_has_one_from_its_onset_on(lab: Machines) -> None:
    text = "param a = 3; param b = 4; L = delay(a) || delay(b) || { send[1, 2](100 kB); v[1]; };"
    found = apet.explain(apet.compile_text(text), lab)
    idle = {i.name: i for i in found.idle}
    assert set(idle) == {"a", "t_v", "t_send", "latency_s", "bandwidth_B_per_s"}
    assert idle["a"].above == pytest.approx(4, rel=1e-8)
    assert idle["t_v"].above == pytest.approx(4 - 0.102, rel=1e-8)
    assert idle["t_send"].above == pytest.approx(3.5, rel=1e-8)
    assert idle["latency_s"].above == pytest.approx(3.4, rel=1e-8)
    assert idle["bandwidth_B_per_s"].below == pytest.approx(1e5 / (3.5 - 0.002), rel=1e-8)
    assert all(i.proved for i in found.idle)
    assert all(i.below is None for name, i in idle.items() if name != "bandwidth_B_per_s")


def test_what_is_zero_and_counts_from_there_on_is_called_so() -> None:
    app = apet.compile_text("param late = 0 in [0, 1];\nL = delay(2 + late);")
    assert idle_sentences(apet.explain(app), "T") == ["late is 0 here; T depends on it as soon as it is not."]


def test_an_operation_takes_over_at_the_factor_in_closed_form(lab: Machines) -> None:
    text = "resource r; resource s; L = use(r, w[1]) || use(r, w[2]) || use(s, v[1]);"
    found = [c for c in apet.explain(apet.compile_text(text), lab).crossovers if c.kind == "operation"]
    assert [(c.name, c.relation, c.dominant, c.proved) for c in found] == [
        ("t_v", ">=", "T[cpu[1]]", True),
        ("t_w", "<=", "T[cpu[1]]", True),
    ]
    assert [c.at for c in found] == pytest.approx([2.0, 0.5], rel=1e-8)  # 2 + v > 4 and 2 w + 0.5 > 4 w


def test_processors_beyond_those_that_there_are_are_more_of_the_slowest(lab: Machines) -> None:
    text = "param P; L = { delay(100 ms); par (p = 1, P) send[0, p](8); };"
    (found,) = [c for c in apet.explain(apet.compile_text(text), lab, P=1).crossovers if c.kind == "processors"]
    t_send = 2e-3 + 8e-6
    expected = next(P for P in range(1, 10**4) if P * t_send > 0.1 + t_send)
    assert (found.relation, found.at, found.dominant, found.proved) == (">=", expected, "T[bus]", True)


@settings(max_examples=8)
@given(cases(Features(branches=True)))
def test_crossovers_are_where_the_term_changes_and_what_is_proved_holds_before(case: Case) -> None:
    machines = parse_machines(Source("case.toml", case.table.toml()))
    explainer = Explainer(apet.compile_text(case.text), machines)
    with mock.patch.object(varied_inputs, "MOST_PROCESSORS", 32):
        found = explainer.explain(None, {})
    now = found.tmax.dominant.split("[")[0]
    for c in found.crossovers:
        if c.kind == "parameter":
            after = explainer.predict(None, {c.name: c.at})
            assert after.dominant["tmax"].split("[")[0] != now or c.dominant.split("[")[:2] != [now]
        elif c.kind == "operation" and c.name != "t_send" and c.proved:
            for part in (0.0, 0.3, 0.7, 1.0):
                factor = 1 + part * (c.after / c.now - 1)
                seconds = _terms_with(explainer, found.parameters, c.name, factor)
                assert max(seconds) <= seconds[_place(explainer, found)] * (1 + 1e-9)


def _place(explainer: Explainer, found: Explanation) -> int:
    names = ["T0", *(f"T[{r.label}]" for r in explainer.app.resources)]
    best = max(t.seconds for t in found.tmax.terms)
    seconds = _terms_with(explainer, found.parameters, "", 1.0)
    return max(range(len(names)), key=lambda k: (seconds[k] >= best * (1 - 1e-12), k > 0, -k))


def _terms_with(explainer: Explainer, values: Any, name: str, factor: float) -> list[float]:
    configuration = explainer.deployed(values["P"]).configuration
    assert configuration is not None
    environment = ScaledEnvironment(configuration, "tmax", values, "static", {name: factor})
    return [float(v) for v in explainer._plan.run(environment)[1:]]


def test_a_swing_is_what_an_input_does_alone(lab: Machines) -> None:
    app = apet.compile_text("param q = 0.5 in [0, 1]; L = { w[1]; w[1]; v[1]; send[1, 2](1000); if (q) delay(8 s); };")
    found = {s.name: s for s in apet.explain(app, lab, values={"q": (0.25, 0.75)}).swings}
    base = 3.0 + 0.5 + 1.5e-3 + 1000 / 1.5e6 + 4
    assert [s.base for s in found.values()] == pytest.approx([base] * 4)
    assert set(found) == {"t_w", "latency_s", "bandwidth_B_per_s", "q"}
    assert found["t_w"].swing == pytest.approx(2)
    assert found["q"].swing == pytest.approx(4)
    assert found["latency_s"].swing == pytest.approx(1e-3)
    assert found["bandwidth_B_per_s"].low == pytest.approx(base - 1000 / 1.5e6 + 1000 / 2e6)
    assert [s.name for s in apet.explain(app, lab, values={"q": (0.25, 0.75)}).swings][:2] == ["q", "t_w"]


def test_a_parameter_that_does_not_move_one_way_swings_between_its_extremes(lab: Machines) -> None:
    app = apet.compile_text("param x in [0, 4]; L = delay(1 + x * (4 - x));")
    (found,) = apet.explain(app, lab, values={"x": (0, 3)}).swings
    assert found.low == pytest.approx(1)
    assert found.high == pytest.approx(5, rel=1e-5)


@settings(max_examples=10)
@given(cases(Features(branches=True)), st.data())
def test_no_place_in_one_interval_leaves_its_swing(case: Case, data: st.DataObject) -> None:
    machines = parse_machines(Source("case.toml", case.table.toml()))
    explainer = Explainer(apet.compile_text(case.text), machines)
    inputs = UncertainInputs(explainer.app, explainer.deployed(), {})
    for swing in inputs.swings():
        seconds = inputs.seconds({swing.name: data.draw(st.floats(0, 1))})
        assert swing.low * (1 - 1e-9) <= seconds <= swing.high * (1 + 1e-9)


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("param d = 8 in [0, 30]; param e = 1 s; L = seq (i = 1, 2^d) delay(e / 2^d);", "d", "changes T|change T"),
        ("param d = 8 in [0, 30]; L = delay(3 + 0 * d) || delay(1 + floor(d / 40));", "d", "nor anywhere from 0 to 30"),
    ],
)
def test_independence_is_claimed_only_where_it_is_proved(text: str, name: str, sentence: str) -> None:
    explanation = apet.explain(apet.compile_text(text), apet.load_machines("cores=4"))
    idle = [each for each in explanation.idle if each.name == name]
    for each in idle:
        told = " ".join(idle_sentences(explanation, "T"))
        assert ("does not depend" in told) <= each.proved
        assert re.search(sentence, told)
    near = [each for each in idle if not each.proved]
    assert all(each.below is not None and each.below > 7.5 for each in near)


def test_differences_stand_for_derivatives_of_long_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "param n = 900; param a = 1.5; L = seq (i = 1, n) delay((i * a)^0.5 * 1 us);"
    app, cluster = apet.compile_text(text), apet.load_machines("cores=2")
    slopes = apet.explain(app, cluster).tmax.elasticities
    monkeypatch.setattr(explain, "MOST_ROUNDS", 0)
    differences = apet.explain(app, cluster).tmax.elasticities
    assert differences["a"] == pytest.approx(slopes["a"], rel=1e-5)
    assert differences["n"] == pytest.approx(1.5, rel=1e-2)


@pytest.mark.parametrize(("seconds", "misleads"), [(10, True), (1e-3, False)])
def test_mean_run_times_are_mentioned_only_where_they_may_be_far_from_the_estimate(
    seconds: float, misleads: bool
) -> None:
    app = apet.compile_text(f"L = par (i = 1, 8) {{ delay(1); if (1 / 2) delay({seconds}) }};")
    explanation = apet.explain(app, apet.load_machines("join-2005"), P=8)
    assert explanation.tmin.room == explanation.tmax.room == misleads
    context = PredictionContext.on(app, None, "static")
    assert ("mean run time" in as_text(explanation_answer(context, explanation), 100)) == misleads
