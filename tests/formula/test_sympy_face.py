"""Formulas as sympy expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from sympy.functions.elementary.piecewise import ExprCondPair
from tests.formula.expressions import Case, cases, new_graph, quantity

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import max_over, sum_over
from apet.formula.graph.nodes import Binder, Interference, Item, Load, Peak, Reduce
from apet.formula.show.sympy_face import to_sympy
from apet.formula.show.sympy_objects import IndexedMax, IndexedMin, Iverson, Quantity, as_number
from apet.ground.diagnostics import ApetError


def with_quantities(expression: sympy.Expr, values: Callable[..., Any]) -> sympy.Expr:
    """The expression with every quantity whose subscripts and arguments are numbers replaced, and done.

    `values(name, subscripts, arguments)` gives an int, a fraction, a float or a sympy number.
    """
    for _ in range(expression.count(Quantity) + 2):
        replaced = expression.replace(
            lambda e: isinstance(e, Quantity) and _is_numeric(e),
            lambda e: as_number(values(e.name, e.subscripts, e.arguments)),
        ).doit()
        if replaced == expression:
            break
        expression = replaced
    return expression


def _is_numeric(e: Quantity) -> bool:
    return all(a.is_number for a in (*e.subscripts, *e.arguments)) and not e.atoms(Quantity) - {e}


def _number(case: Case) -> Any:
    shown = to_sympy(case.graph, case.node)
    values = {s: sympy.Rational(Fraction(case.values[s.name])) for s in shown.free_symbols}
    return with_quantities(shown.subs(values).doit(), quantity)


@settings(max_examples=60)
@given(cases(depth=3))
def test_with_numbers_put_in_the_expression_has_the_exact_value(case: Case) -> None:
    found = _number(case)
    assert found.is_Rational, found
    assert Fraction(int(found.p), int(found.q)) == case.evaluated()


@settings(max_examples=30)
@given(cases(depth=2, families=False, inexact=True))
def test_roots_and_logarithms_agree_to_twelve_digits(case: Case) -> None:
    assert float(_number(case)) == pytest.approx(float(case.evaluated()), rel=1e-12, abs=1e-12)


def _maximum() -> tuple[Graph, Any, Any]:
    """2 n + the maximum of a quantity over p = 1..P, beside T0 = 7 n."""
    graph = new_graph()
    n, processors = graph.symbol("n"), graph.symbol("P")
    p = graph.index("p", graph.one, processors)
    body = graph.plus(graph.times(n, graph.item("t_x", [p])), graph.item("t_send", [graph.zero, p], [graph.const(8)]))
    node = graph.maximum([graph.scale(n, 7), max_over(graph, p, graph.one, processors, body)])
    shown = to_sympy(graph, node)
    return graph, shown, {s.name: s for s in shown.free_symbols}


def test_an_indexed_maximum_prints_like_the_formula() -> None:
    _, shown, _ = _maximum()
    assert str(shown) == "Max(7*n, max_{1<=p<=P}(n*t_x[p] + t_send[0, p](8)))"
    inner = r"\max_{1 \le p \le P}\left(n t_{\mathrm{x}, p} + t_{\mathrm{send}, 0, p}(8)\right)"
    assert sympy.latex(shown) == rf"\max\left(7 n, {inner}\right)"


def test_an_indexed_maximum_is_free_only_in_what_is_not_bound() -> None:
    _, shown, symbols = _maximum()
    assert set(symbols) == {"n", "P"}
    inner = next(iter(shown.atoms(IndexedMax)))
    bound = set(inner.bound_symbols)
    assert {s.name for s in bound} == {"p"}
    assert inner.subs(next(iter(bound)), 5) == inner


def test_putting_in_a_bound_name_does_not_bind_it() -> None:
    i, n = sympy.Symbol("i", integer=True), sympy.Symbol("n")
    found = IndexedMax(i * n, (i, 1, 3)).subs(n, i)
    assert found.free_symbols == {i}
    assert found.subs(i, 5).doit() == 15


def test_a_maximum_over_a_known_range_is_the_maximum_of_its_values() -> None:
    _, shown, symbols = _maximum()
    done = shown.subs({symbols["P"]: 2, symbols["n"]: 1}).doit()
    assert done.args == sympy.Max(7, _quantity(1), _quantity(2)).args
    assert with_quantities(done, lambda name, s, a: 10 * s[-1]) == 40


def _quantity(p: int) -> Any:
    return Quantity("t_x", [p]) + Quantity("t_send", [0, p], [8])


def test_a_maximum_can_be_differentiated() -> None:
    _, shown, symbols = _maximum()
    inner = next(iter(shown.atoms(IndexedMax)))
    assert shown.diff(symbols["n"]).has(sympy.Derivative(inner, symbols["n"]))
    slope = shown.subs(symbols["P"], 2).diff(symbols["n"]).subs(symbols["n"], 1)
    values = {"t_x": 9, "t_send": 1}
    assert with_quantities(slope, lambda name, s, a: values[name]) == 9
    assert with_quantities(slope, lambda name, s, a: 0) == 7


def test_a_formula_can_be_differentiated_by_a_quantity() -> None:
    t = Quantity("t_x", [1])
    n = sympy.Symbol("n")
    assert (n * t**2).diff(t) == 2 * n * t
    assert t.diff(n) == 0


def test_quantities_are_never_negative_and_shares_are_whole() -> None:
    assert Quantity("t_x", [1]).is_nonnegative
    assert Quantity("share", [1]).is_integer
    assert Quantity("t_x", [1]).is_integer is None


def test_an_empty_range_gives_zero_or_infinity() -> None:
    i = sympy.Symbol("i", integer=True)
    assert IndexedMax(i, (i, 3, 1)).doit() == 0
    assert IndexedMin(i, (i, 3, 1)).doit() == sympy.oo


def test_evalf_does_the_maximum() -> None:
    i = sympy.Symbol("i", integer=True)
    assert IndexedMax(sympy.sqrt(i), (i, 1, 2)).evalf(30) == sympy.sqrt(2).evalf(30)


def _read(text: str, names: Any) -> sympy.Expr:
    """What a program of the user reads: the constructors, with no more than sympy's own names."""
    expression = sympy.sympify(text)
    assert expression == eval(text, {"__builtins__": {}, **vars(sympy), "ExprCondPair": ExprCondPair})
    assert {s.name for s in expression.free_symbols} <= set(names)
    return expression


def _has_sympy_form(formula: Formula) -> bool:
    kinds = {type(formula.graph.nodes[n]) for n in formula.nodes()}
    try:
        formula.srepr("T0")
    except ApetError as error:
        assert re.search(r"T0 has no sympy form: .* for (max|min|peak|others)", str(error))  # noqa: PT017
        assert kinds & {Peak, Interference, Reduce}
        return False
    return True


@settings(max_examples=40)
@given(cases(depth=3))
def test_what_sympy_reads_from_the_constructors_has_the_exact_value_or_the_part_without_a_form_is_named(
    case: Case,
) -> None:
    formula = Formula(case.graph, case.node)
    if not _has_sympy_form(formula):
        return
    shown = formula.srepr()
    subscripted = {n.name: len(n.subscripts) for n in case.graph.nodes if isinstance(n, Item)}
    expression = _read(shown, {*case.values, *subscripted})
    numbers = {
        s: sympy.Rational(Fraction(case.values[s.name])) for s in expression.free_symbols if s.name in case.values
    }
    found = expression.subs(numbers).doit()
    for _ in range(4):  # quantities stand in the subscripts and arguments of others
        for name, many in subscripted.items():
            found = found.replace(
                lambda e, name=name: (
                    (e.func.__name__ if e.is_Function else getattr(e, "name", None)) == name
                    and all(a.is_number for a in e.args)
                ),
                lambda e, name=name, many=many: as_number(quantity(name, e.args[:many], e.args[many:])),
            ).doit()
    assert found.is_Rational, found
    assert Fraction(int(found.p), int(found.q)) == case.evaluated()


@pytest.mark.parametrize("name", ["N", "S", "E", "I", "Q", "pi", "beta", "lambda", "Max", "Symbol", "oo"])
def test_a_parameter_named_as_something_of_sympy_is_that_parameter(name: str) -> None:
    graph = new_graph()
    shown = Formula(graph, graph.times(graph.const(3), graph.power(graph.symbol(name), 2))).srepr()
    symbol = next(iter(_read(shown, {name}).free_symbols))
    assert _read(shown, {name}).subs(symbol, 5) == 75


def test_a_wide_maximum_is_read_without_comparing_its_operands_pairwise() -> None:
    graph = Graph()
    branches = [graph.plus(*(graph.symbol(f"x{k}_{j}") for j in range(20))) for k in range(64)]
    shown = Formula(graph, graph.maximum(branches)).srepr()
    expression = sympy.sympify(shown)
    assert len(expression.args) == 64
    assert expression.xreplace({s: int(s.name.split("_")[1]) for s in expression.free_symbols}) == 190


def test_a_sum_over_a_range_that_may_be_empty_is_zero_there() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    i = graph.index("i", graph.const(3), n)
    shown = to_sympy(graph, sum_over(graph, i, graph.const(3), n, graph.item("t_x", [i])))
    symbol = next(iter(shown.free_symbols))
    assert shown.subs(symbol, 0).doit() == 0
    assert shown.subs(symbol, 4).doit() == Quantity("t_x", [3]) + Quantity("t_x", [4])


def test_a_family_prints_its_loads() -> None:
    graph = new_graph()
    p = graph.index("p", graph.one, graph.symbol("P"))
    q = graph.index("q", graph.one, graph.symbol("P"))
    load = Load((Binder(p, graph.one, graph.symbol("P")),), (p,), graph.item("t_x", [p]), graph.zero, graph.zero, True)
    cores = graph.item("cores", [q])
    peak = to_sympy(graph, graph.intern(Peak((load,), (q,), cores)))
    others = to_sympy(graph, graph.intern(Interference((load,), (load, load), (q,), cores)))
    assert str(peak) == "peak([p] t_x[p], 1<=p<=P)/cores[q]"
    assert str(others) == "others([p] t_x[p], 1<=p<=P | [p] t_x[p], 1<=p<=P; [p] t_x[p], 1<=p<=P)/cores[q]"
    assert r"\operatorname{peak}" in sympy.latex(peak)
    assert peak.free_symbols == {sympy.Symbol("P", integer=True, positive=True)}
    assert peak.diff(sympy.Symbol("z")) == 0


def test_symbols_carry_what_is_assumed_of_them() -> None:
    graph = new_graph()
    graph.assume("d", None)
    found = {s.name: s for s in to_sympy(graph, graph.plus(*map(graph.symbol, ("n", "P", "d", "x")))).free_symbols}
    assert found["n"].is_integer
    assert found["n"].is_nonnegative
    assert found["P"].is_positive
    assert found["d"].is_nonnegative is None
    assert found["x"].is_nonnegative
    assert found["x"].is_integer is None


def test_a_wide_maximum_is_built_at_once_and_simplifies_with_numbers() -> None:
    graph = Graph()
    branches = [graph.plus(*(graph.symbol(f"x{k}_{j}") for j in range(20))) for k in range(64)]
    shown = Formula(graph, graph.maximum(branches)).sympy()
    assert len(shown.args) == 64
    values = {s: int(s.name.split("_")[1]) for s in shown.free_symbols}
    assert shown.xreplace(values) == 190


def test_a_comparison_is_one_or_nothing_once_both_sides_are_numbers() -> None:
    n = sympy.Symbol("n")
    shown = Iverson("<=", n, 3)
    assert str(2 * shown) == "2*[n <= 3]"
    assert sympy.latex(shown) == r"\left[n \le 3\right]"
    assert [shown.subs(n, k) for k in (2, 3, 4)] == [1, 1, 0]
    assert [Iverson(operator, 1, 1) for operator in ("<=", "<", "==", "!=")] == [1, 0, 1, 0]
    assert shown.diff(n) == 0
    assert shown.rewrite(sympy.Piecewise) == sympy.Piecewise((1, n <= 3), (0, True))


def test_text_is_no_value() -> None:
    with pytest.raises(TypeError, match="is no number"):
        with_quantities(Quantity("t_x"), lambda *_: "__import__('os')")
