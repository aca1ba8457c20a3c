"""How many nodes the formulas of deep and wide models need: in proportion to their length."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.benchmarks import inputs

from apet.api import compile_text


def nested_uses(levels: int) -> str:
    """Different resources within each other, each with an operation of its own."""
    return "L = " + "".join(f"use(r{k}, {{ a{k}[1]; " for k in range(levels)) + "b[1]" + " })" * levels + ";\n"


def nested_delays(levels: int) -> str:
    """`{ delay(x); { delay(y) || … } }`, nested, with parameters of their own."""
    head = "".join(f"param x{k}; param y{k}; " for k in range(levels))
    return (
        head
        + "L = "
        + "".join(f"{{ delay(x{k}); {{ delay(y{k}) || " for k in range(levels))
        + "a[1]"
        + " } }" * levels
        + ";"
    )


SHAPES = [nested_uses, nested_delays, inputs.nested_branches, inputs.nested_loops, inputs.mixed, inputs.calls]


@pytest.mark.parametrize("make", SHAPES, ids=lambda make: make.__name__)
def test_twice_the_model_takes_no_more_than_twice_the_nodes(make: Callable[[int], str]) -> None:
    one, two = (len(compile_text(make(size)).graph) for size in (100, 200))
    assert two < 2.2 * one


def test_nothing_runs_beside_a_sequence_so_that_no_time_before_a_use_is_made() -> None:
    app = compile_text("L = " + "; ".join(f"op{k}[{k}]" for k in range(200)) + ";")
    assert len(app.graph) < 200 * 4 + 10  # a number, an item, what is left of P, and a sum


def test_time_that_is_counted_once_needs_no_serial_bound() -> None:
    contended = compile_text("L = a[1] || b[1] || c[2];")
    assert str(contended.upper) == "max(t_c[2], t_a[1] + t_b[1])"
    nested = compile_text("resource r; L = use(r, a[1]) || use(r, b[2]) || c[1];")
    assert nested.upper != contended.upper
    either = compile_text("param q; resource r; L = if (q) use(r, 5) else a[1] || use(r, 1) || b[1];")
    assert either.upper.evaluate({"q": 0}, lambda *_: 7) <= either.serial.evaluate({"q": 0}, lambda *_: 7)


def test_one_iteration_is_set_against_all_of_them_with_an_index_of_its_own() -> None:
    text = "param P; L = par (i = 1, 2) { seq (j = i, 1) { use(3, 1); use(P + 1 - j, 1) } };"
    app = compile_text(text)
    assert app.upper.evaluate({"P": 3}) == app.serial.evaluate({"P": 3}) == 2


def test_requirements_do_not_multiply_with_the_ways_to_an_equation() -> None:
    levels = [f"f{i}[p] = {{ if (a{i}) f{i + 1}[p]; if (b{i}) f{i + 1}[p] }};" for i in range(6)]
    parameters = " ".join(f"param {name}{i} in [0, 1];" for i in range(6) for name in "ab")
    text = f"{parameters} param x; L = f0[1]; {' '.join(levels)} f6[p] = if (x) work[p];"
    assert [r.kind for r in compile_text(text).requirements] == ["probability"]
