"""Pointers of C in a model: steps and distances are whole numbers, functions are constants; a machine has them all."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from tests.c.law_of_counts import FILE, functions
from tests.c.translated import body, translated

import apet

pytest.importorskip("clang.cindex")
SHIPPED = {"xeon-gcc12-O0": "flat", "xeon-gcc12-O2": "core"}
"""Machines, and the level of the models that are made for them."""


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n, int *d, int *s) { while (n--) *d++ = *s++; return 0; }",
        "int f(int n, int *a) { int s = 0; while (n > 0) { s += *a; a += 2; n -= 2; } return s; }",
        "int f(int *a, int *b) { return (int)(b - a); }",
        "int f(char *s) { char *p = s; while (*p) ++p; return (int)(p - s); }",
    ],
)
def test_steps_and_distances_of_pointers_are_sums_of_long_numbers(text: str) -> None:
    model = body(text)
    assert "_long" in model
    assert "sum_reference" not in model
    assert "sub_reference" not in model


def test_rows_of_arrays_of_arrays_are_in_place_and_those_behind_pointers_are_loaded() -> None:
    sums = "{ double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j]; return s; }"
    of_rows = [translated(f"double f(int n, double {a}) {sums}", "f", "core").text for a in ("a[n][n]", "**a")]
    assert ["load_reference" in model for model in of_rows] == [False, True]


def test_the_bytes_of_a_triangle_that_is_filled_from_below_are_not_negative() -> None:
    text = """
    void f(int n, int a[n][n]) {
        for (int i = n - 1; i >= 0; i--)
            for (int j = i + 1; j < n; j++)
                for (int k = i + 1; k < j; k++) a[i][j] += a[i][k] * a[k + 1][j];
    }"""
    model = translated(text, "f", "core").text
    touched = next(line for line in model.splitlines() if line.startswith("param bytes_f ="))
    assert "-(" not in touched
    assert " = -" not in touched


def test_a_function_that_is_handed_on_is_a_constant() -> None:
    text = "int g(int x) { return x; } int h(int (*p)(int)) { return p(1); } int f(void) { return h(g); }"
    assert "new" not in apet.compile_text(translated(text, "f").text).operations


GIVEN = "static int g(int x) { return x; } static int h(int x) { return x + 1; } int k(int x);\n"


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("int f(int n) { int (*p)(int) = g; return p(n); }", "g"),
        ("int f(int n) { int (*p)(int); p = &h; return (*p)(n); }", "h"),
        ("int f(int n) { int (*p)(int) = n ? g : h; return p(n); }", "gh"),
        ("static int (*const t[])(int) = {g, h}; int f(int n) { return t[n](n); }", "gh"),
        ("int (*t[])(int) = {g, h}; int f(int n) { return t[n](n); }", ""),
        ("static int (*t)(int) = g; void set(int (*p)(int)) { t = p; } int f(int n) { return t(n); }", ""),
    ],
)
def test_a_call_through_a_pointer_is_of_the_functions_that_it_is_seen_to_be_set_to(text: str, functions: str) -> None:
    model = body(GIVEN + text)
    assert "".join(name for name in "gh" if f" {name}[p]" in model) == functions
    assert ("apply" in model) == (not functions)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_machines_that_ship_have_every_operation_of_the_counted_functions(name: str) -> None:
    machines = apet.load_machines(name)
    asked = {operation for function in functions()[0] for operation in operations_of(function, SHIPPED[name])}
    plain = {operation for operation in asked if not operation.startswith(("call_", "each_"))}
    assert plain <= machines.operations


def operations_of(function: str, level: str) -> Collection[str]:
    """The operations of a model at the flat or the core level."""
    return apet.compile_text(translated(FILE.read_text(encoding="utf-8"), function, level).text).operations
