"""Laws of comparisons: a thing equals itself, a sure winner wins every run, the order of the two only swaps them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
import apet.api
from apet.ground.interval import AskedRange, Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.questions.compare.compare import compare
from apet.questions.compare.comparison import Verdict

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
    found = apet.compare((app, lab), (app, lab), changes={"n": m}, values={"n": n})
    back = apet.compare((app, lab), (app, lab), changes={"n": n}, values={"n": m})
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
    found = apet.compare((short, lab), (long, lab), [2], values={"n": 3})
    assert found.difference is not None
    assert str(found.difference["T0"]) == "n t_w[2]"
    assert not found.same


def test_formulas_for_different_networks_have_no_difference(lab: Machines) -> None:
    app, other = apet.compile_text(SPREAD), parse_machines(Source("b.toml", LAB.replace('"bus"', '"switch"')))
    assert apet.compare((app, lab), (app, other)).difference is None


@settings(max_examples=10)
@given(st.integers(1, 64), st.integers(1, 64))
def test_every_number_of_processors_has_the_verdict_of_its_stretch(n: int, m: int) -> None:
    lab = parse_machines(Source("lab.toml", LAB))
    spread, alone = apet.compile_text(SPREAD), apet.compile_text(ALONE)
    found = apet.compare((spread, lab), (alone, lab), [2], changes={"n": m}, values={"n": n})
    assert [p.P for p in found.scanned] == list(range(1, 9))
    for pair in found.scanned:
        (stretch,) = [s for s in found.stretches if s.low <= pair.P <= s.high]
        assert stretch.verdict == pair.verdict
        assert stretch.certain
    assert [s.low for s in found.stretches[1:]] == [s.high + 1 for s in found.stretches[:-1]]
    assert all(a.verdict != b.verdict for a, b in itertools.pairwise(found.stretches))


@settings(max_examples=15)
@given(st.sampled_from([("n", 1, 1000), ("x", 0, 50)]), st.integers(1, 5), st.data())
def test_what_is_sure_over_a_stretch_is_sure_at_each_of_its_values(
    varied: tuple[str, int, int], factor: int, data: st.DataObject
) -> None:
    name, low, high = varied
    lab = parse_machines(Source("lab.toml", LAB))
    one = "param P; param n = 16; param x = 3; L = par (p = 1, P) { send[0, p](8); seq (i = 1, n) w[p]; delay(x); };"
    two = f"param n = 16; param x = 3; L = {{ seq (i = 1, n) w[1]; delay({factor} * x / 2); delay(2); }};"
    sides = [apet.api.predictor(apet.compile_text(text), lab) for text in (one, two)]
    found = compare(sides[0], sides[1], [4], vary=(name, Interval(low, high))).varied
    assert found is not None
    assert (found.stretches[0].low, found.stretches[-1].high) == (low, high)
    for stretch in found.stretches:
        if stretch.verdict.sure and stretch.certain:
            if name == "n":
                value: Any = data.draw(st.integers(int(stretch.low), int(stretch.high)))
            else:
                value = data.draw(st.floats(float(stretch.low), float(stretch.high)))
            a, b = (side.predict(4, {name: value}).guaranteed for side in sides)
            assert (a.hi < b.lo) if stretch.verdict.winner == "A" else (b.hi < a.lo)


def test_the_border_of_a_parameter_is_found_closely(lab: Machines) -> None:
    """Delays cross where x = 6 - x."""
    sides = [apet.api.predictor(apet.compile_text(f"param x = 1; L = delay({d});"), lab) for d in ("x", "6 - x")]
    found = compare(sides[0], sides[1], [1], vary=("x", Interval(0, 6)))
    assert found.stretches[0].verdict == Verdict("A", True)
    varied = found.varied
    assert varied is not None
    first, *_, last = varied.stretches
    assert (first.verdict, last.verdict) == (Verdict("A", True), Verdict("B", True))
    assert float(first.high) == pytest.approx(3, rel=2e-6)
    assert float(last.low) == pytest.approx(3, rel=2e-6)


def test_an_operation_that_both_use_can_be_varied(lab: Machines) -> None:
    sides = [apet.api.predictor(apet.compile_text(f"L = {d};"), lab) for d in ("w[1]", "delay(2 s)")]
    found = compare(sides[0], sides[1], [1], vary=("t_w", Interval(1, 3))).varied
    assert found is not None
    assert found.stretches[0].verdict == Verdict("A", True)
    assert float(found.stretches[0].high) == pytest.approx(2, rel=2e-6)


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        (("z", Interval(1, 2)), "no parameter 'z'"),
        (("n", (3, 2)), "lower end is above"),
        (("t_v", Interval(1, 2)), "did you mean 't_w'"),
        (("n", Interval(-3, 2)), "negative"),
    ],
)
def test_what_cannot_be_varied_is_refused(vary: tuple[str, AskedRange], message: str, lab: Machines) -> None:
    side = apet.api.predictor(apet.compile_text(SPREAD), lab)
    with pytest.raises(apet.ApetError, match=message):
        compare(side, side, [2], vary=vary)


def test_what_is_set_cannot_be_varied(lab: Machines) -> None:
    side = apet.api.predictor(apet.compile_text(SPREAD), lab)
    with pytest.raises(apet.ApetError, match="given a value and asked for"):
        compare(side, side, [2], ({"n": 3}, {"n": 4}), vary=("n", Interval(1, 2)))
