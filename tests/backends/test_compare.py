"""Laws of comparisons: a thing equals itself, a sure winner wins every run, the order of the two only swaps them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.machine import Machines, parse_machines
from apet.source import Source

LAB = """
schema = 1
[[machine]]
name = "node"
count = 8
op_s.w = [1.0, 1.2]
[network]
topology = "bus"
latency_s = [0.1, 0.1]
bandwidth_B_per_s = [1e6, 1e6]
"""
SPREAD = "param P; param n = 16; L = par (p = 1, P) { send[0, p](8); seq (i = 1, n / P) w[p]; };"
ALONE = "param P; param n = 16; L = seq (i = 1, n / 4) w[1];"


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


@settings(max_examples=20)
@given(cases(Features(branches=True)))
def test_a_model_compared_with_itself_is_equal(case: Case) -> None:
    machines = parse_machines(Source("case.toml", case.table.toml()))
    one, two = (apet.compile_text(case.text) for _ in range(2))
    found = apet.compare((one, machines), (two, machines), [machines.processors])
    assert found.same
    assert found.pairs[0].winner == found.pairs[0].estimated_winner == "equal"
    assert found.crossovers == ()
    assert found.difference is not None
    assert all(f.node == f.graph.zero for f in found.difference.values())


@settings(max_examples=10)
@given(st.integers(1, 64), st.integers(1, 64))
def test_a_sure_winner_is_faster_at_all_ends(n: int, m: int) -> None:
    lab, app = parse_machines(Source("lab.toml", LAB)), apet.compile_text(SPREAD)
    found = apet.compare((app, lab), (app, lab), n=n, changes={"n": m})
    back = apet.compare((app, lab), (app, lab), n=m, changes={"n": n})
    swapped = {"A": "B", "B": "A", "equal": "equal", None: None}
    for pair, other in zip(found.pairs, back.pairs, strict=True):
        assert swapped[pair.winner] == other.winner
        assert swapped[pair.estimated_winner] == other.estimated_winner
        ratio = pair.guaranteed_ratio
        assert ratio is not None
        if pair.winner == "A":
            assert 1 < ratio.lo <= pair.second.lower.lo / pair.first.upper.hi * (1 + 1e-12)


def test_the_winner_changes_where_the_estimates_cross(lab: Machines) -> None:
    found = apet.compare((apet.compile_text(SPREAD), lab), (apet.compile_text(ALONE), lab))
    assert [pair.P for pair in found.pairs] == [1, 2, 4, 8]
    assert found.thorough
    assert found.crossovers
    for crossover in found.crossovers:
        for P, winner in ((crossover.before, crossover.loser), (crossover.after, crossover.winner)):
            a, b = (apet.predict(apet.compile_text(text), lab, P).estimate for text in (SPREAD, ALONE))
            assert (a.hi < b.hi) == (winner == "A")


def test_the_difference_of_two_models_has_the_difference_of_their_values(lab: Machines) -> None:
    short, long = (apet.compile_text(f"param n; L = seq (i = 1, n) {{ {body} }};") for body in ("w[1];", "w[1]; w[2];"))
    found = apet.compare((short, lab), (long, lab), [2], n=3)
    assert found.difference is not None
    assert str(found.difference["T0"]) == "n t_w[2]"
    assert not found.same


def test_formulas_for_different_networks_have_no_difference(lab: Machines) -> None:
    app, other = apet.compile_text(SPREAD), parse_machines(Source("b.toml", LAB.replace('"bus"', '"switch"')))
    assert apet.compare((app, lab), (app, other)).difference is None
