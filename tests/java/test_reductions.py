"""Sums and extremes that a loop gathers, as a compiler finds them: each on the smallest program that shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import apet
from apet import java
from apet.cost import analyse
from apet.ground.source import Source


def model(body: str) -> str:
    fields = "int n; int[] a, b; byte[] c, d; double[] x, y; double[][] m;"
    text = f"class K {{ {fields} public void setup(int n) {{ this.n = n; }} public double run() {{ {body} }} }}"
    return java.translate(Source("K.java", text), "K.run", "core").text


def gathering(change: str, kind: str = "int") -> str:
    return model(f"{kind} s = 0; for (int i = 0; i < n; i++) {{ {change} }} return s;")


@pytest.mark.parametrize("change", ["s += a[i] * b[i];", "s ^= a[i] << 3;", "s += a[i] + b[i];", "s |= a[i] & 6;"])
def test_a_sum_of_int_with_work_besides_is_found_on_vectors(change: str) -> None:
    text = gathering(change)
    assert "if (min(1, 36 / vector_B)) lat_sum_int[p]" in text
    assert "if (7 / vector_B) tp_load_int[p]" in text


@pytest.mark.parametrize(
    "change",
    [
        "s += a[i];",
        "s ^= a[i];",
        "s -= a[i] * b[i];",
        "s += a[i] * b[i] + 5;",
        "s += a[i] * b[i]; if (s > 9) s = 0;",
        "s += a[i] - a[i + 1];",
    ],
)
def test_other_sums_are_not(change: str) -> None:
    text = gathering(change)
    assert "vector_B)" not in text
    assert "lat_sum_int[p]" in text


def test_two_sums_take_twice_as_long() -> None:
    text = model("int s = 0, t = 0; for (int i = 0; i < n; i++) { s += a[i] * b[i]; t ^= a[i] & b[i]; } return s + t;")
    assert "if (min(1, 72 / vector_B)) lat_sum_int[p]" in text


@pytest.mark.parametrize("change", ["s = Math.max(s, x[i]);", "s = Math.min(x[i] * y[i], s);"])
def test_an_extreme_of_each_round_is_found_by_jumps(change: str) -> None:
    text = gathering(change, "double")
    assert re.search(r"\|\| if \(1 / 5\) lat_m(ax|in)_double\[p\]", text)
    assert re.search(r"if \(1 / 5\) tp_m(ax|in)_double\[p\]", text)


def test_an_extreme_of_some_rounds_is_merged() -> None:
    text = gathering("if (a[i] > 3) s = Math.max(s, x[i]);", "double")
    assert "if (q_1 / 5) lat_max_double[p]" in text
    assert "if (4 * q_1 * (q_1 < 1) / 5) lat_max_double[p]" in text


@pytest.mark.parametrize("change", ["s = Math.max(s, x[i]); if (s > 1e9) break;", "x[i] = Math.max(x[i], y[i]);"])
def test_one_that_may_end_its_loop_or_is_not_gathered_is_what_it_was(change: str) -> None:
    assert "1 / 5" not in gathering(change, "double")


def test_the_length_of_a_row_keeps_no_loop_from_vectors() -> None:
    loop = "for (int j = 0; j < m[i].length; j++) m[i][j] = m[i][j] * 0.5;"
    assert "14 / vector_B" in model(f"for (int i = 0; i < n; i++) {{ {loop} }} return 0;")


@pytest.mark.parametrize(
    "change",
    ["a[i] = i;", "a[i] = Math.max(a[i], b[i]);", "a[i] = b[i] << a[i];", "a[i] = a[n - 1 - i];", "a[i] = (int) x[i];"],
)
def test_what_vectors_cannot_do_stays_single(change: str) -> None:
    assert "vector_B)" not in gathering(change)


@pytest.mark.parametrize("change", ["c[i] = (byte) (c[i] + d[i]);", "c[i] ^= d[i];", "c[i] = (byte) (d[i] >> 2);"])
def test_bytes_are_not_widened_in_vectors(change: str) -> None:
    text = gathering(change)
    assert "if (7 / 4 / vector_B) tp_load_byte[p]" in text
    assert "seq (k = 1, min(n, 2 * vector_B)) lat_sum_int[p];" in text, "what fills no vector is done one by one"


def test_what_is_only_filled_has_no_rounds_by_itself() -> None:
    text = gathering("a[i] = 7;")
    assert "if (4 / vector_B) tp_store_int[p]" in text
    assert "lat_sum_int" not in text


def test_a_loop_backwards_and_one_over_elements_have_vectors() -> None:
    assert "7 / vector_B" in model("for (int i = n - 1; i >= 0; i--) a[i] += b[i]; return 0;")
    assert "7 / vector_B" in model("int s = 0; for (int v : a) s += v * v; return s;")


def test_a_choice_between_elements_that_are_there_is_a_move() -> None:
    assert "9 / 50" in gathering("a[i] = a[i] > b[i] ? a[i] : b[i];")
    assert "9 / 50" not in gathering("a[i] = a[i] > 3 ? b[i] : 0;")


@pytest.mark.parametrize(
    ("expression", "operation"),
    [
        ("Double.isNaN(x[i])", "tp_compare_double"),
        ("Double.isInfinite(x[i])", "tp_abs_double"),
        ("Integer.max(a[i], 3) > 5", "tp_max_int"),
        ("Objects.requireNonNull(m)[i] == null", "tp_compare_reference"),
        ("Objects.isNull(m[i])", "tp_compare_reference"),
    ],
)
def test_one_liners_of_the_library_are_opened(expression: str, operation: str) -> None:
    text = gathering(f"if ({expression}) s++;")
    assert operation in text
    assert "call_" not in text


def test_one_line_loops_become_models_that_compile() -> None:
    loops = sorted((Path(__file__).parents[1] / "data/java-idioms").glob("K_*.java"))
    assert len(loops) > 100
    for path in loops[::4]:
        text = java.translate(Source(path.name, path.read_text(encoding="utf-8")), f"{path.stem}.run", "core").text
        app = analyse(apet.compile_text(text).model)
        assert app.operations, path.name
