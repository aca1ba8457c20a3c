"""Laws of switches: how often each case runs, and that long ones are models."""

from __future__ import annotations

import pytest
from tests.java.test_translation import counted
from tests.java.translated import flat

import apet
from apet.ground.source import Source
from apet.java import translate


@pytest.mark.parametrize("cases", [29, 30, 31, 95])
def test_a_long_switch_runs_each_case_if_none_before_it_is_taken(cases: int) -> None:
    arms = "".join(f"case {k}: x = x * 2;\nbreak;\n" for k in range(cases))
    text = flat(f"class T {{ void run(int n, double x) {{ switch (n) {{ {arms} default: x = x / 2; }} }} }}", "T.run")
    shares = {f"q_{k}": 0.01 for k in range(1, 2 * cases + 3) if f"param q_{k} " in text}
    assert len(shares) == cases
    assert counted(text, "mpy_double", **shares) == pytest.approx(1 - 0.99**cases)
    assert counted(text, "div_double", **shares) == pytest.approx(0.99**cases)


def test_a_switch_of_hundreds_of_cases_is_a_model() -> None:
    arms = "".join(f"case {k}: x = x * {k}; break;" for k in range(300))
    text = translate(Source("T.java", f"class T {{ void run(int n, double x) {{ switch (n) {{ {arms} }} }} }}")).text
    assert apet.compile_text(text).operations


def _summing_switch(cases: int) -> str:
    arms = "".join(f"case {k}: s += {k}; break;\n" for k in range(cases))
    loop = f"for (int i = 0; i < n; i++) {{ switch (a[i]) {{ {arms} default: s--; }} }}"
    text = f"class T {{ int n = 9; int[] a; long s; void run() {{ {loop} }} }}"
    return translate(Source("T.java", text), level="core").text


def test_a_recurrence_through_a_switch_grows_with_its_cases() -> None:
    small, large = len(_summing_switch(100)), len(_summing_switch(200))
    assert large < 2.5 * small
