"""What statements of C become in a model: loops count, jumps leave, macros and constants are resolved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.c.translated import body, parameters, translated

from apet.c import translate
from apet.c.profile.profiling import profile
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source

pytest.importorskip("clang.cindex")


def test_a_counting_loop_runs_over_its_counter() -> None:
    assert "seq (i = 1, n)" in body("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }")


def test_a_limit_from_a_macro_is_its_number() -> None:
    assert "seq (i = 1, 12)" in body("#define N (3 * 4)\nvoid f(double *a) { for (int i = 0; i < N; i++) a[i] = 0; }")


def test_a_counter_that_is_stepped_in_the_condition_counts() -> None:
    assert parameters("int f(unsigned n) { int s = 0; while (n--) s++; return s; }") == ["n"]


def test_a_loop_made_of_gotos_has_rounds_that_a_run_counts() -> None:
    model = translated("void f(int *a, int n) { again: a[0]++; if (a[0] < n) goto again; }", "f").text
    assert "rounds of `again: a[0]++" in model


def test_a_goto_out_of_a_nest_leaves_both_loops() -> None:
    text = "int f(int n, int *a) { int i, j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) if (a[j]) goto out;\n"
    assert "q_1" in parameters(text + "out: return i; }")


def test_arms_of_a_switch_have_a_probability_each() -> None:
    text = "int f(int k) { switch (k) { case 1: case 2: return k;\n case 3: return k * 2;\n default: return 0; } }"
    assert parameters(text) == ["q_1", "q_2"]


def test_names_that_hide_others_are_variables_of_their_own() -> None:
    text = "int f(int n) { int i = 3; { int i = n; (void) i; } int s = 0; for (int k = 0; k < i; k++) s++; return s; }"
    assert "param i = 3;" in translated(text, "f").text
    assert "seq (k = 1, i)" in body(text)


def test_members_of_a_structure_that_is_used_by_them_only_are_variables() -> None:
    text = "struct p { int x, y; }; int f(int n) { struct p q = { n, 2 }; int s = 0;\n"
    assert "seq (i = 1, n)" in body(text + "for (int i = 0; i < q.x; i++) s++; return s; }")


def test_what_has_an_address_is_known_no_longer() -> None:
    text = "void g(int *p); int f(void) { int n = 3; g(&n); int s = 0;\nfor (int i = 0; i < n; i++) s++; return s; }"
    assert parameters(text) == ["rounds_2"]


def test_unsigned_numbers_wrap_around() -> None:
    text = "int f(void) { unsigned n = 2; n = n - 3; int s = 0; for (unsigned i = 0; i < n; i++) s++; return s; }"
    assert "4294967295" in body(text)


def test_memory_from_malloc_is_a_call_of_the_library() -> None:
    model = translated("#include <stdlib.h>\ndouble *f(int n) { return malloc(n * sizeof(double)); }", "f").text
    assert "call_malloc (task.c:2)" in model


def test_functions_of_the_mathematical_library_are_operations() -> None:
    assert "sqrt_double[p]" in body("#include <math.h>\ndouble f(double x) { return sqrt(x); }")


def test_every_error_of_clang_has_its_place() -> None:
    with pytest.raises(ApetError) as error:
        translated("int f(int n) { return m; }\nint g(void) { return 1 }\n")
    first, second = error.value.diagnostics
    assert "undeclared identifier 'm'" in str(first)
    assert second.source is not None
    assert second.span is not None
    assert second.source.position(second.span.start) == (2, 23)


def test_flags_say_where_headers_lie_and_what_macros_are() -> None:
    text = "int f(int n) { int s = 0; for (int i = 0; i < SIZE; i++) s++; return s + n; }"
    assert "seq (i = 1, 7)" in translated(text, "f", "flat", "-DSIZE=7").text


def test_a_thousand_levels_of_brackets_are_read() -> None:
    body_of_f = "if (n > 1) { " * 1000 + "s++; " + "}" * 1000
    assert "sum_int" in translated(f"int f(int n) {{ int s = 0; {body_of_f} return {'(' * 1000}s{')' * 1000}; }}").text


def test_an_entry_that_is_missing_is_a_function() -> None:
    with pytest.raises(ApetError) as caught:
        translated("int f(int n) { return n; }", "g")
    assert "there is no function 'g'" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "elements"),
    [
        ("memcpy(a, b, n * sizeof(double));", "seq (k = 1, 8 * n) each_memcpy[p]"),
        ("memset(a, 0, 100);", "seq (k = 1, 100) each_memset[p]"),
        ("qsort(a, n, 8, c);", "seq (k = 1, n * log2(max(2, n))) each_qsort[p]"),
    ],
)
def test_what_moves_or_sorts_memory_costs_each_byte_or_element(call: str, elements: str) -> None:
    head = "#include <string.h>\n#include <stdlib.h>\nint c(const void *x, const void *y) { return 0; }\n"
    assert elements in body(f"{head}void f(double *a, double *b, int n) {{ {call} }}")


def test_calls_of_each_other_are_counted_over_the_whole_run() -> None:
    text = "int b(int k); int a(int k) { return k ? b(k - 1) : 1; } int b(int k) { return k ? a(k - 1) : 0; }"
    model = translate(Source("task.c", f"{text} int f(int n) {{ return a(n) + b(n); }}"), "f", counted=True).text
    assert "calls of a in one run" in model


def test_a_range_of_cases_is_each_of_its_numbers() -> None:
    text = "int f(void) { int s = 0; switch (5) { case 1 ... 9: s = 1; break; default: s = 2; s = 3; } return s; }"
    assert parameters(text) == parameters(text.replace("1 ... 9", "4: case 5: case 6"))


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_run_counts_a_range_of_cases(tmp_path: Path) -> None:
    text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++)\nswitch (i) { case 2 ... 7: s++; } return s; }\n"
    task = Source(str(tmp_path / "task.c"), text)
    assert profile(task, translate(task, "f", "flat", counted=True), {"n": 12}, 20.0).values["q_2"] == 0.5
