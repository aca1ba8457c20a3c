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
  static int of(Node t) { return t.value; } static abstract class Node { int value; }
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
        ("Task.of", (), "no Node could be made for the run: name a method without it"),
        ("Task.checked", ("a_length=4",), "IllegalStateException: too long at Task.checked(Task.java:10)"),
    ],
)
def test_a_task_that_refuses_what_nobody_has_set_is_predicted_without_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, settings: tuple[str, ...], message: str
) -> None:
    assert predicted(tmp_path, entry, *settings) == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["predictions"]
    assert "warning: no run counts what the task does: " in result.err
    assert message in result.err


def test_what_a_run_lacks_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predicted(tmp_path, "Task.above(int[], int)") == 2
    assert "needs values for a_length, k\n  hint: give them: --set a_length=… --set k=…" in capsys.readouterr().err


OBJECTS = """import java.util.*;
import java.util.function.IntPredicate;
public class Store<T extends Comparable<T>> {
  private final List<T> items = new ArrayList<>();
  interface Filter<T> { boolean holds(T item); }
  enum Order { UP, DOWN }
  static class Range {
    final int[] all; Range(int low, int high) { all = new int[high - low]; } Range() { all = new int[7]; }
  }
  Store() {}
  Store(T[] first) { for (T item : first) add(item); }
  public boolean isEmpty() { return items.isEmpty(); }
  public void add(T item) { items.add(item); }
  public int count(T wanted) { int n = 0; for (T item : items) if (item.compareTo(wanted) == 0) n++; return n; }
  int some(Filter<T> filter, Order order) { int n = 0; for (T item : items) if (filter.holds(item)) n++; return n; }
  static int inside(Range range) { int s = 0; for (int x : range.all) s += x; return s; }
  static int keys(Map<String, List<Long>> m) { int n = 0; for (List<Long> l : m.values()) n += l.size(); return n; }
  static int distinct(int[] a) {
    for (int i = 1; i < a.length; i++) if (a[i] == a[i - 1] || a[0] != 0) throw new IllegalStateException();
    return a.length;
  }
}
"""


@pytest.mark.parametrize(
    ("entry", "settings", "parameter", "value"),
    [
        ("Store.count", (), "rounds_14", 64),  # an empty container is filled
        ("Store.some", (), "rounds_15", 64),  # a function answers by rote, of an enum there is a first constant
        ("Store.Store(T[])", ("first_length=30",), "first_length", 30),
        ("Store.inside", (), "rounds_16", 7),  # the constructor with most numbers refuses them
        ("Store.inside", ("low=5", "high=25"), "rounds_16", 20),
        ("Store.keys", ("m_length=9",), "rounds_17", 9),
        ("Store.distinct", ("a_length=50",), "a_length", 50),  # elements in order, where random ones are refused
    ],
)
def test_a_run_makes_what_nobody_sets(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    entry: str,
    settings: tuple[str, ...],
    parameter: str,
    value: float,
) -> None:
    (tmp_path / "Store.java").write_text(OBJECTS)
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--json", "--entry", entry, "--profile"]
    sets = [word for setting in settings for word in ("--set", setting)]
    assert main(["predict", str(tmp_path / "Store.java"), *words, *sets]) == 0
    result = capsys.readouterr()
    (prediction,) = json.loads(result.out)["predictions"]
    assert prediction["parameters"].get(parameter) == value, (prediction["parameters"], result.err)


@pytest.mark.parametrize(("name", "status"), [("b", 0), ("bb", 2)])
def test_without_a_run_an_argument_need_not_be_in_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, status: int
) -> None:
    (tmp_path / "Sum.java").write_text("class Sum { static int of(final int a, int b) { return a * b + 1; } }")
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--entry", "Sum.of(int, int)", "--set", f"{name}=7"]
    assert main(["predict", str(tmp_path / "Sum.java"), *words]) == status
    assert (f"note: '{name}' is not in the model" in capsys.readouterr().err) == (status == 0)
