"""Laws of explanations: shares sum to 1, elasticities say what happens, crossovers are where terms change."""

from __future__ import annotations

import pytest

import apet
from apet.machine import Machines, parse_machines
from apet.source import Source

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
    assert [(t.name, t.seconds, t.share) for t in found.tmax.terms] == list(predicted.limits)
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
    found = apet.explain(app, lab, P=1, **now)
    more = apet.predict(app, lab, P=1, **{**now, name: now[name] * 101 // 100}).estimate.hi
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
