"""Formulas as Python source: our own output is compiled and run here."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from tests.formula.expressions import Case, cases, quantity
from tests.work import run_source

import apet
from apet.answers.formulas import EMITTERS
from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import max_over, sum_over
from apet.formula.graph.nodes import Load, Peak
from apet.formula.show.python_source import python_source


def compiled(graph: Graph, node: int, name: str = "cost") -> Callable[..., Any]:
    with TemporaryDirectory() as folder:
        function: Callable[..., Any] = run_source(python_source(graph, node, name), Path(folder))[name]
    return function


def _quantities(names: tuple[str, ...]) -> dict[str, Callable[..., int]]:
    return {name: lambda *given, name=name: quantity(name, given, ()) for name in names}


@settings(max_examples=250)
@given(cases())
def test_the_function_gives_the_exact_value(case: Case) -> None:
    formula = Formula(case.graph, case.node)
    given_values = {p: case.values[p] for p in formula.parameters}
    result = compiled(case.graph, case.node)(**given_values, **_quantities(formula.operations))
    expected = case.evaluated()
    assert result == expected
    assert not isinstance(result, float)


@settings(max_examples=60)
@given(cases(inexact=True, families=False))
def test_the_function_gives_roots_and_logarithms(case: Case) -> None:
    formula = Formula(case.graph, case.node)
    given_values = {p: case.values[p] for p in formula.parameters}
    result = compiled(case.graph, case.node)(**given_values, **_quantities(formula.operations))
    assert result == pytest.approx(float(case.evaluated()), rel=1e-12, abs=1e-12)


def test_names_that_python_does_not_allow_are_renamed_and_the_docstring_says_so() -> None:
    graph = Graph()
    names = ["if", "a$b", "a_b", "max", "Fraction", "1x", 'q"""\\', "\u017f", "s", "cost"]
    node = graph.plus(*(graph.symbol(n) for n in names), graph.item("t_class$", [graph.symbol("if")]))
    function = compiled(graph, node)
    count = function.__code__.co_argcount
    taken = function.__code__.co_varnames[:count]
    assert count == len(names) + 1
    assert all(n.isidentifier() and not keyword.iskeyword(n) for n in taken)
    assert function(*range(len(names)), lambda p: 100) == sum(range(len(names))) + 100
    assert function.__doc__ is not None
    assert "if_: the parameter `if`" in function.__doc__
    assert "the quantity `t_class$[s1]`" in function.__doc__


@pytest.mark.parametrize("name", ["", "2x", "for", "a b", "f(): pass\ndef g"])
def test_a_function_name_that_is_no_name_is_refused(name: str) -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="is no name for a Python function"):
        python_source(graph, graph.one, name)


def test_what_several_places_share_is_computed_once() -> None:
    graph = Graph()
    shared = graph.call("floor", [graph.over(graph.symbol("n"), graph.symbol("P"))])
    node = graph.maximum([graph.times(shared, graph.symbol("a")), graph.plus(shared, graph.symbol("b"))])
    assert python_source(graph, node).count("math.floor") == 1


def test_what_a_loop_does_not_change_is_computed_before_it() -> None:
    graph = Graph()
    n, p = graph.symbol("n"), graph.symbol("P")
    i = graph.index("i", graph.one, n)
    slow = graph.call("floor", [graph.over(n, p)])
    node = sum_over(graph, i, graph.one, n, graph.item("t_x", [graph.times(slow, i)]))
    source = python_source(graph, node)
    assert source.index("math.floor(over") < source.index("for i in")


def test_long_sums_and_deep_formulas_compile() -> None:
    graph = Graph()
    symbols = [graph.symbol(f"x{k}") for k in range(10_000)]
    assert compiled(graph, graph.plus(*symbols))(*[1] * 10_000) == 10_000
    node = graph.symbol("x")
    for k in range(1000):
        node = graph.maximum([graph.scale(graph.shift(node, k), 2), graph.symbol("y")])
    expected = Formula(graph, node).evaluate({"x": 1, "y": 1})
    assert compiled(graph, node)(1, 1) == expected


def test_exact_values_stay_exact_and_floats_are_allowed() -> None:
    graph = Graph()
    n, tasks = graph.symbol("n"), graph.symbol("tasks")
    function = compiled(graph, graph.over(n, tasks))
    assert function(1, 3) == Fraction(1, 3)
    assert function(1.5, 3) == 0.5


def test_loops_of_one_name_inside_each_other_keep_apart() -> None:
    graph = Graph()
    n = graph.symbol("n")
    outer = graph.index("i", graph.one, n)
    inner = graph.index("i", graph.one, outer)
    body = max_over(graph, inner, graph.one, outer, graph.item("t_x", [inner, outer]))
    node = sum_over(graph, outer, graph.one, n, body)
    assert compiled(graph, node)(3, lambda i, j: 10 * i + j) == 11 + 22 + 33


def test_a_family_without_members_is_one_resource() -> None:
    graph = Graph()
    load = Load((), (), graph.symbol("w"), graph.symbol("h"), graph.zero, True)
    node = graph.intern(Peak((load, load), (), graph.const(2)))
    assert compiled(graph, node)(h=3, w=5) == 8


def test_quantities_are_called_with_subscripts_then_arguments() -> None:
    graph = Graph()
    node = graph.item("t_send", [graph.zero, graph.symbol("p")], [graph.const(8)])
    assert compiled(graph, node, "time")(5, lambda *given: given) == (0, 5, 8)


@pytest.mark.parametrize(
    ("text", "values", "seconds"),
    [
        ("param m; param n; L = par (i = m - 1, n, m - 4) use(s[1], 1 / m);", {"m": 0, "n": 4}, 0),
        ("param m; param n; L = par (i = m - 1, n, m - 4) use(s[1], 1 / m);", {"m": 5, "n": 4}, Fraction(1, 5)),
        ("param m; L = par (n = 0, -m) E[0]; E[i] = a[1.5];", {"m": 3}, 0),
    ],
)
def test_code_of_a_model_asks_for_nothing_that_does_not_run(
    text: str, values: dict[str, int], seconds: Fraction, tmp_path: Path
) -> None:
    functions = run_source(EMITTERS["python"](apet.compile_text(text)), tmp_path)
    for name in ("T", "lower", "upper"):
        wanted = functions[name].__code__.co_varnames[: functions[name].__code__.co_argcount]
        assert functions[name](**{k: values.get(k, (1, 2).__getitem__) for k in wanted}) == seconds


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("L = par (i = 0, 1) seq (j = 0, ceil(i / 2)) use(r[j % 2], 1);", {}),
        ("param n; L = par (i = 0, 4) if (i == 0) delay(1) else use(r[4 % i >= n], i);", {"n": 2}),
        ("L = par (i = 1, 4) use(r[i], i) || seq (i = 1, 2) seq (j = 1, i) use(r[1 + (j + i) % 4], j);", {}),
    ],
)
def test_code_of_loads_gives_what_is_predicted(text: str, values: dict[str, int], tmp_path: Path) -> None:
    app = apet.compile_text(text)
    predicted = apet.predict(app, P=1, values=values)
    functions = run_source(EMITTERS["python"](app), tmp_path)
    found = [float(functions[name](**values)) for name in ("T", "lower", "upper")]
    assert found == [predicted.estimate.hi, predicted.lower.hi, predicted.upper.hi]
