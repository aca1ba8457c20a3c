"""Profiles of real runs: cases, exceptions, labelled loops, other files and several sizes are counted as they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """\
public class Task {
  int[] a; int n, m;
  int kind(int v) { switch (v % 4) { case 0: return 1; case 1: v++; case 2: return v; default: return 0; } }
  void setup(int n, int m) { this.n = n; this.m = m; a = new int[n]; for (int i = 0; i < n; i++) a[i] = i % 4; }
  double run() {
    double s = 0;
    outer:
    for (int v : a) {
      int j = 0;
      while (j < m) { j++; s += Other.work(v); }
      s += kind(v);
      try { if (v == 3) throw new IllegalStateException(); s += 1; }
      catch (IllegalStateException e) { s -= 1; }
      for (int k = 0; ; k++) { if (k > v) continue outer; s++; }
    }
    return s;
  }
}
"""
OTHER = "public class Other { static double work(int v) { int i = v; while (i > 0) { i--; } return v; } }"


def test_a_profile_over_two_sizes_counts_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Other.java").write_text(OTHER)
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    sizes = ["--set", "m=2,3,5", "--set", "n=24,48,96"]
    assert main(["profile", str(path), *sizes, "--source-path", str(tmp_path / "src"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["runs"]) == 9
    fits = found["fits"]
    assert fits["rounds_10"] == "m"
    assert [fits[q] for q in ("q_3", "q_3_2", "q_3_3")] == ["1/4", "1/3", "1/2"]
    assert sorted(v for k, v in fits.items() if k.startswith("q_12") or k.startswith("q_13")) == ["1/4", "1/4"]


ENDLESS = "public class Task { void run() { int i = 0; while (i >= 0) { i = (i + 1) & 7; } } }"
THROWING = "public class Task { void run() { int[] a = new int[1]; for (int i = 0; ; i++) a[i] = i; } }"


@pytest.mark.parametrize(
    ("text", "said"), [(ENDLESS, "did not end within 1 s"), (THROWING, "ArrayIndexOutOfBoundsException")]
)
def test_a_task_that_does_not_end_well_is_told(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Task.java"
    path.write_text(text)
    assert main(["profile", str(path), "--limit", "1"]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["n=1", "n=2"], "'n' is set twice"),
        (["n=a"], "whole numbers are needed"),
        ([f"n={','.join(map(str, range(1, 30)))}", f"m={','.join(map(str, range(1, 30)))}"], "841 combinations"),
    ],
)
def test_sizes_that_cannot_be_run_are_told(
    settings: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    assert main(["profile", str(path), *(w for s in settings for w in ("--set", s))]) == 2
    assert said in capsys.readouterr().err
