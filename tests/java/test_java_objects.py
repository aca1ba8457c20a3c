"""Laws of lambdas, inner classes, mutual recursion and long chains of conditions in translated Java."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.java.test_translation import counted
from tests.java.translated import flat

import apet
from apet.ground.source import Source
from apet.java import translate

FUNCTIONS = "import java.util.function.*; import java.util.stream.*; "


def task(body: str, members: str = "") -> str:
    return flat(f"{FUNCTIONS} class T {{ int n; double[] a; {members} void run() {{ {body} }} }}")


@pytest.mark.parametrize("parser", ["javalang", "tree-sitter"])
@pytest.mark.parametrize(
    ("body", "members", "times"),
    [
        ("DoubleUnaryOperator f = x -> x * 3.0; f.applyAsDouble(2.0); f.applyAsDouble(4.0);", "", 2),
        ("Op f = (x) -> { return x * x; }; each(f);", "void each(Op o) { for (int i = 0; i < 5; i++) o.of(2.0); }", 5),
        ("each(x -> x * x); each(x -> x + x);", "void each(Op o) { o.of(2.0); }", 1),
        ("each(T::twice);", "void each(Op o) { o.of(1.0); } static double twice(double x) { return x * 2; }", 1),
        ("Op f = new Op() { public double of(double x) { return x * x * x; } }; f.of(3.0);", "", 2),
        ("class In { double h(double x) { return x * x; } } In in = new In(); in.h(2.0);", "", 1),
        ("IntStream.range(0, n).forEach(i -> a[i] = a[i] * 2.0);", "", 7),
        ("double k = IntStream.rangeClosed(0, n).mapToDouble(i -> a[i] * 2.0).sum();", "", 8),
        ("f.of(2.0);", "final Op f = x -> x * x;", 1),
        ("Base b = new Sub(); b.g();", "static class Base { double g() { return 1; } } "
         "static class Sub extends Base { double g() { double v = 2; return v * v; } }", 1),
    ],
)  # fmt: skip
def test_what_a_functional_object_does_is_counted_where_it_is_called(
    body: str, members: str, times: int, parser: str
) -> None:
    if parser == "tree-sitter":
        pytest.importorskip("tree_sitter_java", reason="tree-sitter-java is not installed")
    members = f"int n; double[] a; {members} interface Op {{ double of(double x); }}"
    text = f"{FUNCTIONS} class T {{ {members} void run() {{ {body} }} }}"
    model = translate(Source("T.java", text), "T.run", "flat", parser).text
    given = {"n": 7} if "param n;" in model else {}
    assert counted(model, "mpy_double", **given) == times


def test_a_lambda_that_a_library_calls_runs_as_often_as_a_parameter_says() -> None:
    text = task("new Thread(() -> a[0] = a[0] * 2.0).start();")
    assert "calls of lambda_1 by new Thread, on average" in text
    assert counted(text, "mpy_double", calls_1=2.5) == pytest.approx(2.5)


@given(st.integers(1, 12))
@settings(max_examples=12)
def test_mutual_recursion_counts_the_calls_of_the_first(calls: int) -> None:
    members = "void even(int k) { a[0] = a[0] * 2; if (k > 0) odd(k - 1); } void odd(int k) { if (k > 0) even(k - 1); }"
    text = task("even(n);", members)
    assert counted(text, "mpy_double", calls_even=calls, q_1=1, q_1_2=1) == pytest.approx(calls)


def test_a_method_of_a_cycle_that_is_called_from_outside_calls_the_cycle() -> None:
    members = "void even(int k) { a[0] = a[0] * 2; if (k > 0) odd(k - 1); } void odd(int k) { if (k > 0) even(k - 1); }"
    text = task("even(n); odd(n);", members)
    names = {"calls_even": 3, "q_1": 1, "q_1_2": 1}
    assert counted(text, "mpy_double", **names) == pytest.approx(6)


def test_static_initialisers_run_before_main() -> None:
    text = flat("class T { static double x; static { x = 2; x = x * x; } public static void main(String[] a) { } }")
    assert counted(text, "mpy_double") == 1


@pytest.mark.parametrize("level", ["flat", "core"])
@pytest.mark.parametrize("name", ["call", "compare", "mul", "cache"])
def test_a_method_that_is_named_like_an_operation_is_none(name: str, level: str) -> None:
    text = f"class T {{ void run() {{ {name}(2); }} void {name}(int k) {{ while (k % 5 > 1) k = k * 3; }} }}"
    made = translate(Source("T.java", text), "T.run", level).text
    apet.compile_text(made)
    assert f"T_{name}[p]" in made


def test_an_overload_is_not_named_like_an_operation_on_its_type() -> None:
    text = "class T { void run() { sum(2); } void sum(int k) { k = k * 3; } void sum(double k) { } }"
    assert counted(translate(Source("T.java", text), "T.run", "flat").text, "mpy_int") == 1


@pytest.mark.parametrize("level", ["flat", "core"])
@pytest.mark.parametrize("statement", ["if (a[{k}] > x) return {k};", "if (a[{k}] > x) x = x * a[{k}] + {k};"])
def test_a_model_grows_with_the_source_and_not_with_its_ways(statement: str, level: str) -> None:
    def size(count: int) -> int:
        body = " ".join(statement.replace("{k}", str(k)) for k in range(count))
        loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
        text = f"class T {{ double run(double[] a, int n, double x) {{ {loop} return x; }} }}"
        made = translate(Source("T.java", text), None, level).text
        apet.compile_text(made)
        return len(made)

    small, large = size(20), size(80)
    assert large < 6 * small


def test_factors_that_are_named_have_the_value_of_what_they_stand_for() -> None:
    chain = " ".join(f"if (a[{k}] > x) return;" for k in range(12))
    text = flat(
        f"class T {{ void run(double[] a, double x) {{ for (int i = 0; i < 3; i++) {{ {chain} x = x * 2; }} }} }}"
    )
    assert "param part_1" in text
    names = {"q_1": 0.1} | {f"q_1_{k}": 0.1 for k in range(2, 13)}
    stay = 0.9**12
    assert counted(text, "mpy_double", **names) == pytest.approx(stay + stay**2 + stay**3)
