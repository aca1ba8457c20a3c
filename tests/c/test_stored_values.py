"""What is known of a value after it was stored: as its type holds it, and where it lies."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.c.translated import body, parameters, translated

from apet.ground.interval import Interval

pytest.importorskip("clang.cindex")
LOOP = "{ int s = 0; for (int i = 0; i < k; i++) s++; return s; }"
RECORDS = "union u { int i; float f; }; struct b { unsigned low : 3, high : 5; }; struct p { int x, y; };\n"


def test_a_number_that_becomes_a_truth_value_is_0_or_1() -> None:
    # With n = 10 it is 1: what is written compares n with 0.
    text = body("int f(int n) { _Bool b = n; int k = b + 3; int s = 0; for (int i = 0; i < k; i++) s++; return s; }")
    assert "(n != 0) + 3" in text


def test_a_conversion_to_fewer_bits_keeps_the_low_ones() -> None:
    text = f"int f(int n) {{ long long big = 4294967296LL + n; int k = (int) big; {LOOP} }}"
    translation = translated(text, "f")
    assert translation.overflows({"n": 3})


def test_a_number_without_a_sign_becomes_one_with_a_sign() -> None:
    text = "int f(void) { unsigned k = 10; int s = 0; for (int i = k - 12; i < 3; i++) s++; return s; }"
    assert {kind for _, kind in translated(text, "f").ranges} >= {"uint", "int"}


@pytest.mark.parametrize("loop", ["for (int i = -3; i < 4u; i++) s++;", "int i = -3; while (i < 4u) { s++; i++; }"])
def test_a_counter_below_0_is_compared_as_a_great_number(loop: str) -> None:
    model = body(f"int f(void) {{ int s = 0; {loop} return s; }}")
    assert "seq (i = 4294967293, 3)" in model


@pytest.mark.parametrize("text", ["int k = -7 / 2;", "int k = (signed char) 200;", "int k = -3;"])
def test_a_negative_first_value_is_no_parameter(text: str) -> None:
    assert parameters(f"int f(void) {{ {text} int s = 0; for (int i = k; i < 9; i++) s++; return s; }}") == []


def test_numbers_below_0_wrap_around_at_either_end_of_a_range_and_with_local_numbers() -> None:
    text = "int f(int n) { unsigned a = n, b = 20; int s = 0; for (unsigned i = 0; i < a - b; i++) s++; return s; }"
    translation = translated(text, "f")
    assert not translation.overflows({"n": 30})
    assert translation.overflows({"n": Fraction(3)})
    assert translation.overflows({"n": Interval(10, 30)})


@pytest.mark.parametrize(
    "text",
    [
        "union u x; x.i = n; x.f = 1; int k = x.i;",
        "struct b x; x.low = n; int k = x.low;",
        "struct b x = {n, 2}; int k = x.low;",
        "int a[2] = {[1] = 3, [0] = n}; int k = a[1];",
    ],
)
def test_what_shares_its_memory_or_has_few_bits_is_left_to_a_run(text: str) -> None:
    assert "k" in parameters(f"{RECORDS} int f(int n) {{ {text} {LOOP} }}")


def test_a_designator_says_which_member_it_is_of() -> None:
    text = f"struct p {{ int x, y; }}; int f(int n) {{ struct p x = {{.y = 2, .x = n}}; int k = x.y; {LOOP} }}"
    assert "param x_y = 2;" in translated(text, "f").text


def test_a_global_whose_address_another_global_has_is_left_to_a_run() -> None:
    text = "int g = 3; int *p = &g;\nint f(int n) { *p = n; int s = 0;\nfor (int i = 0; i < g; i++) s++; return s; }"
    assert parameters(text) == ["rounds_3"]


def test_a_counter_below_0_that_is_compared_after_a_step_is_left_to_a_run() -> None:
    text = "int f(int n) { int s = 0, i = -n;\ndo { s++; i++; } while (i < 4u); return s; }"
    assert "rounds_2" in parameters(text)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0, d = 1; i < n; i += d, d++) s++;",
        "for (int i = n; i >= 1; i -= i / 3 + 1) s++;",
        "int i = 1, d = 2; while (i < n) { s++; i *= d; d++; }",
    ],
)
def test_steps_that_grow_in_the_loop_are_not_those_of_its_beginning(loop: str) -> None:
    # of n = 10 it is 4, 4 and 3 rounds
    assert "rounds_2" in parameters(f"int f(int n) {{ int s = 0;\n{loop} return s; }}")


@pytest.mark.parametrize(
    "loop",
    [
        "unsigned char c = 0; do { s++; c += 16; } while (c);",
        "unsigned char c = 5; while (c != 3) { s++; c++; }",
        "unsigned char c = 0; while (++c) s++;",
        "for (unsigned i = 10; i > 0; i -= 4) s++;",
    ],
)
def test_a_counter_that_comes_to_its_limit_around_the_end_of_its_type_is_left_to_a_run(loop: str) -> None:
    assert "rounds_2" in parameters(f"int f(void) {{ int s = 0;\n{loop} return s; }}")


def test_a_conversion_to_elements_of_another_size_ends_a_walk() -> None:
    text = (
        "int f(int n) { short a[40], *p = a; int s = 0;\nwhile ((char *) p < (char *) a + n) { s++; p++; } return s; }"
    )
    assert "rounds_2" in parameters(text)
