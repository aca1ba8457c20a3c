"""A run with counters makes arrays, texts and lists of the lengths that are set, in place of a program that does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """import java.util.List;
public class Task {
  static int n() { int n = 1; return n; }
  static int above(int[] a, int k) { int s = 0; for (int x : a) if (x >= k) s++; return s + n(); }
  static int above(long[] a, int k) { return 0; }
  static int letters(String s) { int v = 0; for (char c : s.toCharArray()) if (c == 'a') v++; return v; }
  static int words(List<String> all) { int v = 0; for (String w : all) v += w.length(); return v; }
  static double total(double[][] m) { double t = 0; for (double[] r : m) for (double x : r) t += x; return t; }
  static int of(Thread t) { return t.getPriority(); }
  static int checked(int[] a) { if (a.length > 3) throw new IllegalStateException("too long"); return a.length; }
}
"""


def predicted(folder: Path, entry: str, *settings: str) -> int:
    """The exit code of a prediction from a run."""
    (folder / "Task.java").write_text(TASK)
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--json", "--entry", entry, "--profile"]
    return main(["predict", str(folder / "Task.java"), *words, *(w for s in settings for w in ("--set", s))])


@pytest.mark.parametrize(
    ("entry", "settings", "parameter", "value"),
    [
        ("Task.above(int[], int)", ("a_length=1000", "k=500"), "q_4", 0.5),
        ("Task.letters", ("s_length=2600",), "q_6", 1 / 26),
        ("Task.total", ("m_length=30",), "m_length2", 30),
        ("Task.total", ("m_length=30", "m_length2=20"), "m_length2", 20),
    ],
)
def test_a_run_is_given_what_is_set(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    entry: str,
    settings: tuple[str, ...],
    parameter: str,
    value: float,
) -> None:
    assert predicted(tmp_path, entry, *settings) == 0
    (prediction,) = json.loads(capsys.readouterr().out)["predictions"]
    assert prediction["parameters"][parameter] == pytest.approx(value, rel=0.1)


def test_a_list_has_elements_of_its_declared_type(tmp_path: Path) -> None:
    assert predicted(tmp_path, "Task.words", "all_length=10") == 0


@pytest.mark.parametrize(
    ("entry", "settings", "message"),
    [
        ("Task.above(int[], int)", (), "needs values for a_length, k\n  hint: give them: --set a_length=… --set k=…"),
        ("Task.of", ("t=1",), "a task takes numbers, texts, arrays and lists, not Thread"),
        ("Task.checked", ("a_length=4",), "IllegalStateException: too long at Task.checked(Task.java:10)"),
    ],
)
def test_what_a_run_lacks_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, settings: tuple[str, ...], message: str
) -> None:
    assert predicted(tmp_path, entry, *settings) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("name", "status"), [("b", 0), ("bb", 2)])
def test_without_a_run_an_argument_need_not_be_in_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, status: int
) -> None:
    (tmp_path / "Sum.java").write_text("class Sum { static int of(final int a, int b) { return a * b + 1; } }")
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--entry", "Sum.of(int, int)", "--set", f"{name}=7"]
    assert main(["predict", str(tmp_path / "Sum.java"), *words]) == status
    assert (f"note: '{name}' is not in the model" in capsys.readouterr().err) == (status == 0)
