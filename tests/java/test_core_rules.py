"""Rules of the core level, each on the smallest program that shows it."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet import java
from apet.ground.source import Source
from apet.program.algebra import MOST_WEIGHT, Value, as_value, substituted
from apet.program.levels.memory import forgotten


def model(body: str, fields: str = "int n; int[] a, b; double[] x, y;") -> str:
    sizes = (
        "public void setup(int n) { this.n = n; a = new int[n]; b = new int[n]; x = new double[n]; y = new double[n]; }"
    )
    text = f"class K {{ {fields} {sizes} public double run() {{ {body} }} }}"
    return java.translate(Source("K.java", text), "K.run", "core").text


def test_a_branch_on_data_that_is_only_read_is_told_from_one_on_what_is_being_sorted() -> None:
    read = model("int s = 0; for (int i = 0; i < n; i++) { if (a[i] < 7) { s += b[i]; } } return s;")
    assert "mispredictions of this branch on data" in read
    swap = "int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t;"
    sorted_ = model(f"for (int i = 0; i < n - 1; i++) {{ if (a[i] > a[i + 1]) {{ {swap} }} }} return 0;")
    assert "mispredictions of this branch, each time" in sorted_


def test_an_element_that_tells_where_the_next_one_is_waits_for_its_level() -> None:
    chained = model("int k = 0; for (int i = 0; i < n; i++) { k = a[k]; } return k;")
    assert "wait_memory[p]" in chained
    assert "wait_" not in model("int s = 0; for (int i = 0; i < n; i++) { s += a[b[i]]; } return s;")


def test_stores_to_anywhere_are_told_from_loads() -> None:
    found = model("for (int i = 0; i < n; i++) { x[a[i]] = y[i]; } return 0;")
    assert "scatter_memory[p]" in found
    assert "gather_" not in found


def test_lines_of_which_one_element_is_touched_are_a_cost_of_their_own() -> None:
    found = model("double s = 0; for (int i = 0; i < n; i += 16) { s += x[i]; } return s;")
    assert "strided_memory[p]" in found
    assert "line_memory" not in found


def test_an_element_of_the_last_round_stays_in_a_register_of_an_unrolled_loop() -> None:
    found = model("for (int i = 1; i < n; i++) { x[i] = x[i - 1] * 0.5 + y[i]; } return x[n - 1];")
    assert "if (1 / 8) lat_forward_double[p]" in found
    both = model("for (int i = 1; i < n; i++) { x[i] = x[i - 1] * 0.5; y[i] = x[i]; } return x[n - 1];")
    assert re.search(r"(?<!\) )lat_forward_double\[p\]", both)


def test_lines_come_from_the_level_that_holds_what_is_touched_between_two_uses() -> None:
    again = model("double s = 0; for (int t = 0; t < 9; t++) { for (int i = 0; i < n; i++) { s += x[i]; } } return s;")
    assert re.search(r"param bytes_\d+ = 8 \* n;.*bytes between two uses", again)
    rows = "double s = 0; for (int i = 0; i < n; i++) { double[] r = z[i]; for (int j = 0; j < n; j++) { s += r[j]; } }"
    once = model(f"{rows} return s;", "int n; double[][] z; int[] a, b; double[] x, y;")
    assert "bytes between two uses" not in once, "each row is another array, read once"


def test_a_line_that_the_next_round_shares_is_new_once_in_so_many() -> None:
    transposed = "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { w[j][i] = z[i][j]; } } return 0;"
    text = model(transposed, "int n; double[][] z, w; int[] a, b; double[] x, y;")
    assert "if (7 / 8) strided_L2[p]" in text
    assert "if (1 / 8) strided_memory[p]" in text


def test_the_run_time_makes_matrices_whose_size_only_the_run_knows() -> None:
    assert "new_row[p]" in model("double[][] m = new double[n][2]; return m[0][0];")
    few = model("double[][] m = new double[3][n]; return m[0][0];")
    assert "new_row[p]" not in few
    assert "new_row[p]" in model("double[][] m = new double[8][n]; return m[0][0];")


def test_a_call_of_one_of_three_methods_goes_through_a_table() -> None:
    def calls(kinds: str) -> str:
        classes = "".join(f"static class {k} extends S {{ int f() {{ return {i}; }} }} " for i, k in enumerate(kinds))
        return model(
            "int s = 0; for (int i = 0; i < n; i++) { s += all[i].f(); } return s;",
            f"static abstract class S {{ abstract int f(); }} {classes} S[] all; int n; int[] a, b; double[] x, y;",
        )

    assert "call_virtual[p]" in calls("QRT")
    assert "mispredictions of this call's target" in calls("QRT")
    assert "call_virtual[p]" not in calls("QR")


@pytest.mark.parametrize("body", ["return 1;", "int t = 0; for (int i = 0; i < b.length; i++) t += b[i]; return t;"])
def test_a_call_of_one_of_two_methods_may_be_mispredicted_whatever_they_do(body: str) -> None:
    classes = "".join(f"class {k} extends S {{ int f() {{ {body} }} }} " for k in "QR")
    text = model(
        "int s = 0; for (int i = 0; i < n; i++) { s += all[i].f(); } return s;",
        f"abstract class S {{ abstract int f(); }} {classes} S[] all; int n; int[] a, b; double[] x, y;",
    )
    assert "mispredictions of this branch" in text
    assert re.search(r"if \(miss_\d+\) mispredict\[p\]", text)


def test_a_subscript_that_moves_by_one_is_a_stream() -> None:
    queue = "int t = 0; for (int i = 0; i < n; i++) { if (a[i] > 3) { b[t++] = i; } } return t;"
    assert "scatter_" not in model(queue)
    assert "line_L2" in model(queue)
    shifted = "int w = b[0]; for (int i = n - 1; i >= w; i--) { a[i] = a[i - w]; } return 0;"
    assert "gather_" not in model(shifted)
    hopping = "int t = 0; for (int i = 0; i < n; i++) { b[t] = i; t += a[i]; } return t;"
    assert "scatter_memory[p]" in model(hopping)


def test_what_was_loaded_from_anywhere_is_near_when_it_is_stored() -> None:
    counted = model("for (int i = 0; i < n; i++) { int k = a[i]; b[k] = b[k] + 1; } return 0;")
    assert counted.count("gather_memory[p]") == 1
    assert "scatter_" not in counted


def test_scattered_accesses_find_in_a_cache_the_part_that_it_holds() -> None:
    scattered = model("for (int i = 0; i < n; i++) { x[a[i]] = y[i]; } return 0;")
    assert "cache_L2 / 4 / max(8 * n, 3 * cache_L2 / 4)" in scattered


@pytest.mark.parametrize(("missed", "share"), [(100, 0), (1024, 0), (8192, 0.5), (65536, 1), (2**17, 1)])
def test_a_predictor_forgets_in_proportion_to_the_logarithm(missed: float, share: float) -> None:
    assert forgotten(missed, 1024.0) == pytest.approx(share)


def test_a_recurrence_goes_through_the_arguments_of_an_inlined_method() -> None:
    fields = "int n; int[] a, b; double[] x, y; static int step(int s, int k) { return s * k + 1; }"
    carried = model("int s = 0; for (int i = 0; i < n; i++) { s = step(s, i); } return s;", fields)
    assert "{ lat_mpy_int[p]; lat_sum_int[p] }" in carried
    fresh = model("int s = 0; for (int i = 0; i < n; i++) { s = step(i, 3); } return s;", fields)
    assert "lat_mpy_int" not in fresh


def test_a_conversion_waits_for_the_round_before_unless_it_converts_an_element() -> None:
    converted = model("double s = 0; for (int i = 0; i < n; i++) { double m = (i + 0.5) * 3; s += m * m; } return s;")
    assert "if (3 / 5) lat_cast_int_double[p]" in converted
    added = model("double s = 0; for (int i = 0; i < n; i++) { s += i * 0.5; } return s;")
    assert "lat_cast_int_double" not in added, "the sum has a register of its own"
    left = model("for (int i = 0; i < n; i++) { if (a[i] == 7) return i * 0.5 * x[0] * x[0] + 3; } return 0;")
    assert "lat_cast_int_double" not in left, "no round goes on behind the conversion"
    element = model("double s = 0; for (int i = 0; i < n; i++) { s += a[i] * 0.5; } return s;")
    assert "lat_cast_int_double" not in element
    assert "tp_cast_int_double" in element


def test_loads_and_stores_are_work_of_two_units() -> None:
    text = model("for (int i = 0; i < n; i++) { a[i] = b[i]; } return 0;")
    assert re.search(r"use\(load\[p\], [^\n]*tp_load_int", text)
    assert re.search(r"use\(store\[p\], [^\n]*tp_store_int", text)


def test_small_methods_that_call_each_other_deeply_are_opened_or_keep_their_equations() -> None:
    methods = "".join(f"  static int f{k}(int x) {{ return x > {k} ? f{k + 1}(x) : x; }}\n" for k in range(14))
    text = f"class T {{\n{methods}  static int f14(int x) {{ return x * x; }}\n}}"
    model = java.translate(Source("T.java", text), "T.f0").text
    equations = set(re.findall(r"^(\w+)\[p\]", model, re.MULTILINE))
    assert equations >= set(re.findall(r"\b(f\d+)\[p\]", model))


def test_a_clone_costs_its_elements_by_their_bytes() -> None:
    assert "seq (k = 1, n) each_array_clone[p]" in model("int[] c = a.clone(); return c[0];")
    assert "seq (k = 1, 2 * n) each_array_clone[p]" in model("double[] c = x.clone(); return c[0];")
    filled = model("boolean[] seen = new boolean[n]; java.util.Arrays.fill(seen, true); return 0;")
    assert "seq (k = 1, ceil(n / 4)) each_Arrays_fill[p]" in filled


@pytest.mark.parametrize("guard", ["", "if (n < 3) { return -1; } "])
def test_the_length_of_a_string_is_taken_once_behind_a_guard_clause_too(guard: str) -> None:
    loop = "int s = 0; for (int i = 0; i < t.length(); i++) { s += t.charAt(i); } return s;"
    text = model(
        guard + "return count(t);",
        f"int n; int[] a, b; double[] x, y; String t; int count(String t) {{ {guard}{loop} }}",
    )
    body = text[text.index("count_loop1[p] = {") :]
    assert "call_String_length" in text
    assert "call_String_length" not in body


def test_a_square_is_a_product() -> None:
    assert "pow" not in model("double s = 0; for (int i = 0; i < n; i++) { s += Math.pow(x[i], 2); } return s;")
    assert "tp_pow_double" in model("double s = 0; for (int i = 0; i < n; i++) { s += Math.pow(x[i], 3); } return s;")


def test_an_element_that_moves_with_a_hidden_counter_is_no_recurrence() -> None:
    body = "int half = (int) (x.length * 0.4); for (int i = 0; i < half; i++) { a[i] ^= a[n - 1 - i]; a[i] ^= 5; }"
    assert "lat_sum_int" not in model(f"{body} return 0;")


def test_an_element_that_a_loop_without_bounds_stored_a_round_before_is_one() -> None:
    body = "int half = (int) (x.length * 0.4); for (int i = 1; i < half; i++) { x[i] = x[i - 1] * 0.5 + y[i]; }"
    assert "lat_forward_double" in model(f"{body} return 0;")


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("s += n;", False),
        ("s += 3;", False),
        ("s -= n; a[i] = s;", False),
        ("s += a[i]; x[i] = s;", True),
        ("s += s;", True),
        ("if (a[i] > 3) s += n;", True),
        ("s += n; s ^= 3;", True),
    ],
)
def test_what_no_round_changes_is_added_once_for_many_rounds(body: str, waits: bool) -> None:
    text = model(f"int s = 0; for (int i = 0; i < n; i++) {{ {body} }} return s;")
    assert ("if (1 / 16) lat_sum_int" not in text) == waits
    assert (re.search(r"\|\| .*lat_sum_int", text.replace("if (1 / 16) lat_sum_int", "")) is not None) == waits


SHARES = st.sampled_from(["q_1", "q_2", "q_3"]).map(as_value)
WEIGHTS = st.recursive(
    SHARES | SHARES.map(lambda share: 1 - share) | st.integers(0, 4).map(as_value),
    lambda inner: st.builds(Value.__add__, inner, inner) | st.builds(Value.__mul__, inner, inner),
    max_leaves=30,
)


@given(WEIGHTS, st.lists(st.fractions(0, 1, max_denominator=9), min_size=3, max_size=3))
def test_a_sum_of_products_of_probabilities_has_a_greatest_value(weight: Value, shares: list[Fraction]) -> None:
    there = substituted(weight, {f"q_{k + 1}": as_value(share) for k, share in enumerate(shares)}).constant
    assert there is not None
    assert 0 <= there <= weight.greatest or weight.greatest == MOST_WEIGHT
