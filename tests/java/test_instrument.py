"""Counters put into Java change nothing that it does, and lie where the text says."""

from __future__ import annotations

import pytest

from apet.ground.diagnostics import ApetError
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.fits import fitted
from apet.java.profile.instrument import instrument
from apet.java.profile.parameter_values import DOUBT, parameters, values, with_doubt

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")

TASK = """\
class Task {
  static int f(int k) { return k < 2 ? k : f(k - 1) + f(k - 2); }
  int run(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) if (i % 3 == 0 && s >= 0) s += i;
    while (true) { if (s < 5) break; s /= 2; }
    return s;
  }
}
"""


def test_everything_that_counts_has_a_site_with_its_line_and_text() -> None:
    sites = instrument(TASK, "Task.java").sites
    assert [(s.kind, s.line, s.text) for s in sites] == [
        ("method", 2, "f"),
        ("formal", 2, "f:k"),
        ("test", 2, "k < 2"),
        ("loop", 5, ""),
        ("test", 5, "i % 3 == 0 && s >= 0"),
        ("test", 5, "i % 3 == 0"),
        ("loop", 6, ""),
        ("test", 6, "s < 5"),
    ]


def test_brackets_behind_a_name_make_an_array_too() -> None:
    body = "int n[] = {c}; return f(b[0], b, 1, d);"
    text = f"class A {{ int f(int a[], int[] b[], int c, java.util.List<int[]> d) {{ {body} }} }}"
    instrumented = instrument(text, "A.java", methods={"f", "n ="})
    formals = [s.text for s in instrumented.sites if s.kind == "formal"]
    assert formals == ["f:a[1]", "f:b[1]", "f:b[2]", "f:c"]
    assert "begun" not in instrumented.text


def test_the_text_without_counters_is_the_text_before() -> None:
    import re

    plain = instrument(TASK, "Task.java").text
    for pattern in (
        r" ?ApetProfile\.(call|value)\(\d+(, \w+)?\);",
        r"\s?try \{ ",
        r" \} finally \{ ApetProfile\.back\(\d+\); \} ",
        r" import apet\.ApetProfile; ",
        r" ApetProfile\.object\(\d+, this\);",
        r"\{ ApetProfile\.(enter|round)\(\d+\); ",
    ):
        plain = re.sub(pattern, "", plain)
    plain = re.sub(r"ApetProfile\.(test|again)\(\d+, (true, |false, )?", "(", plain)
    strip = str.maketrans("", "", " \n(){}")
    assert plain.translate(strip) == TASK.translate(strip)


@pytest.mark.parametrize(
    ("condition", "written"),
    [
        ("o instanceof A a && n > 0", "(ApetProfile.asked(1) && (o instanceof A a) && ApetProfile.held(1)) &&"),
        ("!(o instanceof String s)", "(ApetProfile.assumed(0) || (!(o instanceof String s)) || ApetProfile.failed(0))"),
    ],
)  # fmt: skip
def test_a_condition_that_binds_a_name_stands_where_the_name_is_seen_on(condition: str, written: str) -> None:
    text = f"class A {{ void f(Object o) {{ if ({condition}) {{}} while (true) {{}} }} }}"
    assert written in instrument(text, "A.java").text
    assert "while (true)" in instrument(text, "A.java").text


def test_java_that_does_not_parse_is_refused() -> None:
    with pytest.raises(ApetError, match="does not parse"):
        instrument("class A { void f( { }", "A.java")


MODEL = """\
param n;                                  // Task.java:5: field n
param q_5 in [0, 1];                      // Task.java:5: probability of `i % 3 == 0`
param rounds_6;                           // Task.java:6: rounds of `while (true)`, on average
param calls_f;                            // Task.java:2: calls of f made by one call from outside, itself included
param miss_5 = 3 * min(q_5, 1 - q_5) / 5 in [0, 1];  // line 5: mispredictions of this branch, each time
"""


def profile() -> CountedRun:
    """A run in which the third of 900,000 rounds went one way, half of them mispredicted."""
    counts = {"loop": Count(10, 50, 0, 0.0), "method": Count(2, 30, 0, 0.0), "formal": Count(1, 0, 0, 4.0)}
    counts["test"] = Count(900_000, 300_000, 450_000, 0.0)
    sites = [(s, counts[s.kind]) for s in instrument(TASK, "Task.java").sites]
    return CountedRun({"Task.java": sites}, {"n": 7.0}, {}, (7,))


def test_parameters_get_the_shares_rounds_and_calls_of_the_run() -> None:
    found = values(MODEL, profile(), misses=True)
    assert found == {
        "n": 7.0,
        "q_5": pytest.approx(1 / 3),
        "rounds_6": 5.0,
        "calls_f": 15.0,
        "miss_5": pytest.approx(0.5),
    }


def test_mispredictions_are_left_to_the_model_unless_asked_for() -> None:
    assert "miss_5" not in values(MODEL, profile(), misses=False)


def test_doubt_multiplies_every_static_guess_and_nothing_else() -> None:
    doubtful = {p.name: p.value for p in parameters(with_doubt(MODEL))}
    assert doubtful.pop("miss_5") == f"min(1, {DOUBT} * (3 * min(q_5, 1 - q_5) / 5))"
    assert doubtful.pop(DOUBT) == ""
    assert doubtful == {p.name: p.value for p in parameters(MODEL) if p.name != "miss_5"}


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([45, 190, 435, 780], "1/2 n^2 - 1/2 n"),
        ([7, 7, 7, 7], "7"),
        ([10, 20, 30, 40], "n"),
        ([0.5, 2.0, 4.5, 8.0], "1/200 n^2"),
    ],
)
def test_counts_that_are_a_polynomial_are_found_exactly(counts: list[float], text: str) -> None:
    assert fitted([10, 20, 30, 40], counts, "n") == text


def test_other_counts_get_a_power_law_with_its_error() -> None:
    assert fitted([1, 4, 16, 64], [2.0, 4.0, 8.0, 16.1], "n").startswith("1.998 n^0.50")
