"""Rounds that no closed form of a counter gives are proved, or lie in the range that is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.cli.main import main

SOURCE = """class W {
  static int two(int[] x, int n) { int l = 0, r = n - 1, c = 0;
    while (l < r) { if (x[l] < x[r]) l++; else r--; c++; } return c; }
  static int merge(int[] a, int[] b, int n, int m) { int i = 0, j = 0;
    while (i < n && j < m) { if (a[i] < b[j]) i++; else j++; } return i; }
}"""


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("two", "seq (k = 1, max(n - 1, 0))"),
        ("merge", "rounds_5 in [min(max(n, 0), max(m, 0)), max(m, 0) + max(n, 0)]"),
    ],
)
def test_a_loop_has_its_proved_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, text: str
) -> None:
    (tmp_path / "W.java").write_text(SOURCE)
    assert main(["translate", str(tmp_path / "W.java"), "--entry", f"W.{entry}"]) == 0
    assert text in capsys.readouterr().out


def test_proved_rounds_are_assumed_in_their_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "W.java").write_text(SOURCE)
    sizes = [f"{n}=1000" for n in ("n", "m", "a_length", "b_length")]
    settings = [word for size in sizes for word in ("--set", size)]
    call = ["predict", str(tmp_path / "W.java"), "--entry", "W.merge", "--machines", "zen5-openjdk17"]
    assert main([*call, *settings]) == 0
    assert "as assumed" in capsys.readouterr().out


HALVED = """class H { static double run(int n) { %s return 0; }
  static void f(int low, int high) { if (high - low <= 1) { Math.cbrt(low); return; }
    int middle = (low + high) >>> 1; f(low, middle); f(middle, high); } }"""


@pytest.mark.parametrize(
    ("calls", "is_closed"), [("f(0, n);", True), ("f(0, n); f(n, 3 * n);", True), ("f(0, n); f(-n, n);", False)]
)
def test_a_range_that_is_halved_without_a_sign_is_closed_where_no_call_gives_a_negative_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], calls: str, is_closed: bool
) -> None:
    (tmp_path / "H.java").write_text(HALVED % calls)
    assert main(["translate", str(tmp_path / "H.java"), "--entry", "H.run"]) == 0
    assert ("param calls_f;" not in capsys.readouterr().out) is is_closed
