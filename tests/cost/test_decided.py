"""A condition of value 0 or 1 takes its side in all results; what stands under it is checked where it holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.test_members import ENDS, machines

import apet
from apet.ground.diagnostics import ApetError
from apet.prediction.prediction import Prediction
from apet.simulator.simulation import simulate

MODES = ("probability", "average", "best", "worst")
SIDES = ("a[1]", "b[2]", "use(s, 2)", "{ use(s, 1); a[1] }", "delay(3)", "use(r[1], 3)", "use(r[n], 1)", "{ }")


def predicted(text: str, mode: str = "probability", **values: float) -> Prediction:
    return apet.predict(apet.compile_text(text, branches=mode), machines(), values=values)


@pytest.mark.parametrize("mode", MODES)
def test_a_comparison_decides_the_bounds(mode: str) -> None:
    one_dear = predicted("param P; L = par (p = 1, P) if (p == 1) delay(10 s) else delay(1 s);", mode)
    assert one_dear.guaranteed == one_dear.estimate == apet.Interval(10.0, 10.0)
    others = "param P; L = par (p = 1, P) seq (q = 1, P) if (p != q) use(bus, 1);"
    assert predicted(others, mode).guaranteed == apet.Interval(12.0, 12.0)


@given(
    sides=st.lists(st.sampled_from(SIDES), min_size=2, max_size=2),
    loop=st.sampled_from(["", "seq (i = 1, 3) ", "par (i = 1, 3) "]),
    mode=st.sampled_from(MODES),
    taken=st.sampled_from([0, 1]),
    condition=st.sampled_from(["q", "q * q", "n * q", "q % 2", "q == 1", "(q == 1) + (q == 2)", "max(q, 0)"]),
)
def test_a_branch_that_is_certain_is_its_side(
    sides: list[str], loop: str, mode: str, taken: int, condition: str
) -> None:
    names = "param q in [0, 1]; param n in [1, 2]; "
    beside = "delay(1) || use(r[1], 1)"
    with_branch = f"{names}L = {{ {beside} || {loop}if ({condition}) {sides[0]} else {sides[1]} }};"
    without = f"{names}L = {{ {beside} || {loop}{sides[1 - taken]} }};"
    found, want = (predicted(text, mode, q=taken, n=1) for text in (with_branch, without))
    assert found.estimate == want.estimate
    assert found.guaranteed.lo == pytest.approx(want.guaranteed.lo)
    if "use" not in sides[taken]:  # else it may wait for what it would use
        assert found.guaranteed.hi == pytest.approx(want.guaranteed.hi)
    app = apet.compile_text(with_branch, branches=mode)
    for end, low, high in zip(ENDS, want.lower, found.upper, strict=True):
        run = simulate(app.model, machines().configure(), end, {"P": 4, "q": taken, "n": 1}, "none", mode)
        assert low <= run.makespan * (1 + 1e-12)
        assert run.makespan <= high * (1 + 1e-12)


def test_only_what_lies_between_is_a_chance() -> None:
    text = "param q in [0, 1]; L = if (q) delay(1) else delay(4);"
    assert predicted(text, q=0.5).guaranteed == apet.Interval(1.0, 4.0)
    assert predicted(text, "worst", q=1).estimate == apet.Interval(1.0, 1.0)
    assert predicted(text, "average", q=0).estimate == apet.Interval(4.0, 4.0)
    assert predicted(text, "average", q=0.25).estimate == apet.Interval(2.5, 2.5)


@pytest.mark.parametrize(
    "guarded",
    [
        "par (x = 1, P) if (x < P) a[x + 1]",
        "par (x = 0, P) if (x > 2) a[x - 3]",
        "par (x = 1, P) if (x < P) send[x, x + 1](P - 1 - x)",
        "par (x = 0, P) if (x > 0) use(d[x], 1)",
        "par (x = 1, P) if (x < P) delay(1 / (P - x))",
        "if (n > 3) a[-1]",
        "if (n > 3) use(e[1 / 2], 1)",
        "if (n > 3) delay(-1)",
        "if (1 > 3) delay(-1)",
        "if (q) a[P + 1] else a[P]",
    ],
)
def test_what_a_condition_rules_out_is_no_mistake(guarded: str) -> None:
    text = f"param P; param n = 2; param q = 0 in [0, 1]; resource d[k] servers k; L = {guarded};"
    apet.predict(apet.compile_text(text), machines("switch"))
    with pytest.raises(ApetError):
        apet.predict(
            apet.compile_text(text.replace("if (", "if (1 + 0 * (").replace(")) ", "))) ")), machines("switch")
        )


@pytest.mark.parametrize(
    ("process", "reason"),
    [
        ("par (x = 1, P) a[x + 1]", "there is no processor 5; there are 0 to 4 (x + 1 where x = 4)"),
        ("par (x = 1, P) if (x != 3) a[x - 2]", "there is no processor -1; there are 0 to 4 (x - 2 where x = 1)"),
        (
            "par (x = 1, 3) seq (y = 1, x) b[x + y]",
            "there is no processor 5; there are 0 to 4 (x + y where x = 3, y = 2)",
        ),
        ("par (x = 1, P) step[2 * x]", "there is no processor 6; there are 0 to 4 (j = 6)"),
        ("use(n * n, 1)", "there is no processor 9; there are 0 to 4"),
    ],
)
def test_a_processor_that_does_not_exist_is_told_with_the_rounds_of_loops(process: str, reason: str) -> None:
    with pytest.raises(ApetError) as caught:
        predicted(f"param P; param n = 3; L = {process}; step[j] = a[j];")
    (mistake,) = caught.value.diagnostics
    assert mistake.text == reason
    assert mistake.span is not None
