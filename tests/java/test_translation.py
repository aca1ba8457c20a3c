"""Laws of the Java front end: what it translates compiles, both parsers agree, counts are those of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.java.translated import flat, invoked

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate
from apet.machine import parse_machines

DATA = Path(__file__).resolve().parents[1] / "data" / "java"
KERNELS = sorted(DATA.glob("K_*.java"))
SAMPLES = sorted((DATA.parents[2] / "samples" / "java").glob("*.java"))
ENTRIES = {"MatrixTask": "MatrixTask.multiply"}
"""Where to begin in files that have neither main nor run."""
Golden = Callable[[Path, str], None]


def java(path: Path) -> Source:
    return Source(str(path), path.read_text(encoding="utf-8"))


def counted(text: str, operation: str, **parameters: int | float) -> float:
    """How often an operation runs on average: a machine on which it takes one second and nothing else takes time."""
    app = apet.compile_text(text)
    names = invoked(text) - set(app.model.equations)
    times = "\n".join(f"{n} = {int(n == operation)}" for n in sorted(names | {operation}))
    lab = parse_machines(
        Source("m.toml", f'schema = 1\nname = "m"\n[[machine]]\nname = "a"\n[machine.op_s]\n{times}\n')
    )
    return float(apet.predict(app, lab, values=parameters).estimate.lo)


@pytest.mark.parametrize("level", ["flat", "core"])
@pytest.mark.parametrize("path", [*KERNELS, *SAMPLES, DATA / "Published.java"], ids=lambda p: p.stem)
def test_a_translation_compiles_and_stays_as_it_was(path: Path, level: str, assert_golden: Golden) -> None:
    text = translate(java(path), ENTRIES.get(path.stem), level).text
    apet.compile_text(text)
    assert_golden(DATA / "golden" / f"{path.stem}.{level}.pam", text)


@pytest.mark.parametrize("path", [*KERNELS, *SAMPLES], ids=lambda p: p.stem)
def test_both_parsers_lead_to_the_same_model(path: Path) -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter-java is not installed")
    entry = ENTRIES.get(path.stem)
    one, other = (translate(java(path), entry, "flat", parser).text for parser in ("javalang", "tree-sitter"))
    assert one == other


def test_the_published_figure_translates_as_published() -> None:
    text = translate(java(DATA / "Published.java"), None, "flat").text
    wanted = "seq (i = 1, 100000) { call_Published_block2 assign_double access_double sum_double compare }"
    method = text[text.index("method[p] =") :].replace("[p]", "").replace(";", "")
    assert " ".join(method.split()) == f"method = {{ assign_double assign_double access compare {wanted} }}"


LOOPS = st.tuples(
    st.integers(-5, 5), st.integers(-5, 12), st.integers(1, 4), st.sampled_from(["<", "<=", ">", ">="]), st.booleans()
)


@settings(max_examples=60)
@given(st.lists(LOOPS, min_size=1, max_size=3))
def test_rounds_of_nested_loops_are_those_of_a_run(loops: list[tuple[int, int, int, str, bool]]) -> None:
    java_text, python_text, inner = "", "", "x = x * y;"
    for k, (low, high, step, relation, dependent) in enumerate(loops):
        up = relation.startswith("<")
        start, limit = (low, high) if up else (high, low)
        shown = f"i{k - 1} + {limit}" if dependent and k else str(limit)
        sign = "+" if up else "-"
        java_text += f"for (int i{k} = {start}; i{k} {relation} {shown}; i{k} {sign}= {step}) "
    text = f"class T {{ void run() {{ double x = 1, y = 2; {java_text} {{ {inner} }} }} }}"
    assert counted(flat(text), "mpy_double") == run_loops(loops, 0, 0), python_text


def run_loops(loops: list[tuple[int, int, int, str, bool]], k: int, outer: int) -> int:
    """The same loops, run."""
    if k == len(loops):
        return 1
    low, high, step, relation, dependent = loops[k]
    start, limit = (low, high) if relation.startswith("<") else (high, low)
    limit += outer if dependent and k else 0
    holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}[relation]
    total, i = 0, start
    while holds(i, limit):
        total += run_loops(loops, k + 1, i)
        i += step if relation.startswith("<") else -step
    return total


@pytest.mark.parametrize("n", [0, 1, 2, 5, 12, 20])
def test_the_calls_of_fibonacci_are_counted_exactly(n: int) -> None:
    text = "class T { int n; int f(int k) { if (k < 2) return k; return f(k - 1) + f(k - 2); } void run() { f(n); } }"
    calls = [1, 1]
    for k in range(2, n + 1):
        calls.append(1 + calls[k - 1] + calls[k - 2])
    assert counted(flat(text), "call", n=n) == pytest.approx(calls[n])


@pytest.mark.parametrize("n", [1, 2, 7, 10])
def test_a_linear_recursion_counts_its_calls(n: int) -> None:
    text = "class T { int n; void h(int k) { if (k > 0) { h(k - 1); h(k - 1); } } void run() { h(n); } }"
    assert counted(flat(text), "call", n=n) == pytest.approx(2 ** (n + 1) - 1)


@pytest.mark.parametrize("n", [1, 2, 8, 64])
def test_halving_recursions_count_their_calls(n: int) -> None:
    text = "class T { int n; void h(int k) { if (k < 2) return; h(k / 2); h(k / 2); } void run() { h(n); } }"
    assert counted(flat(text), "call", n=n) == pytest.approx(2 * n - 1)


def test_a_recursion_without_a_known_recurrence_has_a_parameter_for_its_calls() -> None:
    text = flat("class T { void h(int k) { if (k > 0) { while (k % 3 > 0) h(k * k); } } void run() { h(5); } }")
    assert "param calls_h" in text
    assert "T.java:1: calls of h" in text


def test_break_is_a_probability_in_each_round() -> None:
    text = flat("class T { void run(int[] a, int n) { for (int i = 0; i < n; i++) { if (a[i] == 7) break; } } }")
    assert counted(text, "array_access", n=10, q_1=0.5) == pytest.approx(2 * (1 - 0.5**10))


def test_continue_skips_the_rest_of_the_round() -> None:
    body = "for (int i = 0; i < n; i++) { if (a[i] == 7) continue; x = x * x; }"
    text = flat(f"class T {{ void run(int[] a, int n) {{ double x = 2; {body} }} }}")
    assert counted(text, "mpy_double", n=10, q_1=0.25) == pytest.approx(7.5)


def test_rounds_that_are_not_whole_count_as_a_mean() -> None:
    text = flat("class T { void run(long v) { while (v != 1) { v = v * 3; } } }")
    assert counted(text, "mpy_long", rounds_1=3.25) == pytest.approx(3.25)


@pytest.mark.parametrize(
    ("left", "right", "operation"),
    [
        ("byte", "short", "mpy_int"),
        ("char", "int", "mpy_int"),
        ("int", "long", "mpy_long"),
        ("long", "float", "mpy_float"),
        ("float", "double", "mpy_double"),
        ("Integer", "double", "mpy_double"),
    ],
)
def test_operands_are_promoted_as_the_language_says(left: str, right: str, operation: str) -> None:
    assert operation in flat(f"class T {{ void run({left} a, {right} b, double c) {{ c = a * b; }} }}")


def test_an_unknown_call_is_an_operation_of_its_own_that_says_where_it_stands() -> None:
    text = flat("class T { void run(int[] a) { java.util.Arrays.sort(a); } }")
    assert "call_Arrays_sort[p]" in text
    assert "//   call_Arrays_sort (T.java:1)" in text


@pytest.mark.parametrize(("given", "wanted"), [("int", "f_int"), ("double", "f_double")])
def test_overloads_are_told_apart(given: str, wanted: str) -> None:
    text = flat(f"class T {{ void f(int a) {{ }} void f(double a) {{ }} void run({given} x) {{ f(x); }} }}")
    assert f"{wanted}[p]" in text


NEW = """record Point(int x, int y) { }
class T {
    sealed interface S permits A { }
    record A(int v) implements S { }
    int run(Object o, int n) {
        int k = switch (n) { case 1, 2 -> 5; default -> { yield 6; } };
        if (o instanceof Point p && p.x() > k) return 1;
        Runnable r = () -> System.out.println("x");
        var f = (java.util.function.IntFunction<int[][]>) int[][]::new;
        return k;
    }
}"""


def test_java_beyond_version_8_translates_and_says_what_is_only_counted() -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter-java is not installed")
    found = translate(Source("T.java", NEW), "T.run", "flat")
    apet.compile_text(found.text)
    assert [a.text.split(" is ")[0] for a in found.advice] == ["a method reference without one source"]


@pytest.mark.parametrize(("expression", "sums"), [("1" + " + x" * 5000, 5000), ("(" * 400 + "x" + ")" * 400, 0)])
def test_long_and_deep_expressions_translate(expression: str, sums: int) -> None:
    assert counted(flat(f"class T {{ void run(double x) {{ x = {expression}; }} }}"), "sum_double") == sums


def test_nesting_has_a_bound() -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter-java is not installed")
    with pytest.raises(ApetError, match="nests more than 1000 levels deep"):
        flat(f"class T {{ void run(double x) {{ x = {'(' * 3000}x{')' * 3000}; }} }}")


def test_files_have_a_bound() -> None:
    with pytest.raises(ApetError, match=r"T\.java is larger than 2 MiB"):
        flat("class T { void run() { } } //" + "x" * (2 << 20))


def test_a_large_file_costs_what_its_entry_needs() -> None:
    methods = "\n".join(f"double m{k}(double x) {{ return x * {k}; }}" for k in range(20_000))
    text = flat(f"class T {{ void run() {{ m3(2); }}\n{methods} }}")
    assert text.count(" = {") + text.count("[p] =") < 10


BAD = {
    "class A { void run() { int x = 3; ": "reached end of file while parsing",
    "class A { void run(int a) { for (int i = 0; i < 3; i++ { } } }": "')' expected",
    "class A { void run() { int x = 3 } }": "';' expected",
    "class A { void run() { char c = '\"'; String s = \"abc; } }": "T.java:1:49: error: unclosed string",
    'class A { String s = "/*"; // "\n /* void run() { } }': "T.java:2:2: error: unclosed comment",
    "class A { 0x": "T.java:1:9: error: this is no Java that can be read",
    "class A {\n void run() { double x = 1e": "T.java:2:24: error: this is no Java that can be read",
    "class A { void run() { int x = 09; } }": "T.java:1:32: error: '09' is no int of Java",
    "class A { void run() { int x = 0b; } }": "T.java:1:32: error: '0b' is no int of Java",
    "class A { void run() { int x = 2147483649; } }": "'2147483649' is no int of Java",
    f"class A {{ void run() {{ int x = {'1' * 5000}; }} }}": "'111111111111111111111111…' is no int of Java",
    "class A { void run() { double x = 1e999999999; } }": "T.java:1:35: error: '1e999999999' is no double of Java",
    "class A { void run() { double x = 1e-999999999; } }": "'1e-999999999' is no double of Java",
    "class A { void run() { double x = 0x1p99999; } }": "'0x1p99999' is no double of Java",
    "": "there is no class in this file",
    "class A { void a() { } void b() { } }": "there is no main or run method to begin with",
    "class A { abstract int run(); }": "there is no main or run method to begin with",
}


@pytest.mark.parametrize("parser", ["auto", "javalang"])
@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_what_is_no_task_is_told(text: str, parser: str) -> None:
    with pytest.raises(ApetError) as found:
        translate(Source("T.java", text), None, "flat", parser)
    assert BAD[text] in str(found.value)


@pytest.mark.parametrize("parser", ["auto", "javalang"])
@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("017", 15),
        ("0b1_01", 5),
        ("0xFFFF_FFFF", -1),
        ("0xFFFFFFFFL", 2**32 - 1),
        ("0x1f", 31),
        ("1__2", 12),
        ("2147483648", 2**31),
        ("1.5f", 2),
        ("1f", 1),
        ("0e999999999", 0),
    ],
)
def test_literals_have_the_value_that_java_gives_them(literal: str, value: int, parser: str) -> None:
    task = f"class T {{ void run(double x) {{ for (int i = 0; i < {literal}; i++) x += 1; }} }}"
    assert f"seq (i = 1, {value})" in translate(Source("T.java", task), None, "flat", parser).text


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("T.rum", "there is no method 'T.rum' in this file; did you mean 'T.run'?"),
        ("U.run", "there is no class 'U' in this file"),
        ("T.f", "several methods could be the entry: T.f(int), T.f(double)"),
        ("T.g", "the method 'T.g()' has no body to translate"),
    ],
)
def test_an_entry_that_is_not_there_is_told(entry: str, said: str) -> None:
    with pytest.raises(ApetError) as found:
        flat("abstract class T { void run() { } void f(int a) { } void f(double a) { } abstract void g(); }", entry)
    assert said in str(found.value)


def test_an_overload_is_chosen_by_its_types() -> None:
    assert "T.f(double)" in flat("class T { void f(int a) { } void f(double a) { } }", "T.f(double)")


@pytest.mark.parametrize("opening", ["if (x > {0}) x = x + 1; if (y > {0}) ", "for (int i{0} = 0; i{0} < n; i{0}++) "])
def test_what_is_nested_deeply_is_written_in_little_text(opening: str) -> None:
    nest = "".join(opening.format(k) for k in range(200))
    source = Source("T.java", f"class T {{ void run(double x, double y, int n) {{ {nest} x = 2 * x; }} }}")
    text = translate(source, "T.run", "core").text
    assert len(text) < 600_000
    apet.compile_text(text)


def test_names_with_unicode_escapes_are_the_names_themselves() -> None:
    plain = "class T { int n; double[] ab; double total; void run() { for (int i = 0; i < n; i++) total += ab[i]; } }"
    escaped = plain.replace("ab[i]", r"\u0061b[i]").replace("< n", r"< \uu006e").replace("total +=", r"tot\u0061l +=")
    assert flat(escaped, "T.run") == flat(plain, "T.run")


def test_the_equation_of_a_counted_recursion_has_the_name_of_its_method() -> None:
    java = """class Walk {
        static int[] next = new int[9];
        static int follow(int from) { return from < 0 ? 0 : 1 + follow(next[from] - from / 2); }
        static int run(int from) { return follow(from); }
    }"""
    text = translate(Source("Walk.java", java), "Walk.follow", "flat").text
    assert "\nfollow[p]" in text
