"""Profiles of objects: overloads that call each other, fields of other classes, lambdas, sizes of calls."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """\
import java.util.*;
public class Task {
  static final int[] START = new int[3];
  static class Tree {
    int size; int[] nodes;
    Tree(int m) { size = m; nodes = new int[2 * m]; }
    void add(int from, int to) { add(1, 0, size, from, to); }
    void add(int node, int low, int high, int from, int to) {
      if (low >= to || high <= from || high - low < 1) return;
      if (high - low == 1) { nodes[node % nodes.length]++; return; }
      int middle = (low + high) / 2;
      add(2 * node, low, middle, from, to);
      add(2 * node + 1, middle, high, from, to);
    }
    int sum() { int s = 0; for (int i = 0; i < size; i++) s += nodes[i]; return s; }
  }
  int n; Tree tree; int[] keys;
  void setup(int n) { this.n = n; tree = new Tree(n / 2); keys = new int[n]; for (int i = 0; i < n; i++) keys[i] = i; }
  int[] part(int k) { return Arrays.copyOfRange(keys, 0, k % 4 + 1); }
  static int total(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s; }
  double run() {
    double s = 0;
    for (int i = 0; i < n; i++) {
      tree.add(0, 4);
      if (i > 3 &&
          keys[i] < n / 2 ||
          keys[i] == 0) s++;
      s += total(part(i));
      List<Integer> few = new ArrayList<>();
      for (int j = 0; j < 4; j++) few.add(j);
      Collections.sort(few, (a, b) -> b - a);
      Collections.sort(few);
    }
    return s + tree.sum();
  }
}
"""


def test_a_profile_finds_values_where_they_stand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    assert main(["profile", str(path), "--set", "n=40", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert values["m"] == 20
    assert values["calls_add"] > 5
    assert [values[q] for q in ("q_25", "q_25_2", "q_26")] == [36 / 40, 16 / 40, 17 / 40]
    assert values["size_31"] == values["size_32"] == 4
    assert values["calls_31"] == 3


FUNCTIONS = """\
import java.util.*;
import java.util.stream.*;
public class Task {
  interface Sound { int of(int k); }
  enum Op {
    PLUS { int of(int a) { return a + 1; } }, TWICE { int of(int a) { return 2 * a; } };
    abstract int of(int a);
  }
  int n; Integer[] a; Object[] things; Sound[] sounds;
  void setup(int n) {
    this.n = n; a = new Integer[n]; things = new Object[n]; sounds = new Sound[n];
    for (int i = 0; i < n; i++) {
      a[i] = (i * 7) % n; things[i] = i % 4 == 0 ? "s" : a[i];
      sounds[i] = i % 5 == 0 ? new Sound() { public int of(int k) { return k; } } : new Loud();
    }
  }
  static class Loud implements Sound { public int of(int k) { return 2 * k; } }
  int text(Object o) { if (!(o instanceof String s)) return 0; return s.length(); }
  double run() {
    Integer[] own = a.clone();
    Arrays.sort(own, new Comparator<Integer>() {
      public int compare(Integer x, Integer y) { return x - y; }
    });
    long s = IntStream.range(0, n).filter(v -> v % 10 == 0).sum();
    List<Integer> list = new ArrayList<>(List.of(own));
    list.removeIf(v -> v > 3 ? v > 5 : v > 1);
    list.forEach(v -> text(v));
    for (int i = 0; i < n; i++) {
      if (things[i] instanceof Integer k && k > 0) s++;
      s += text(things[i]);
      s += sounds[i].of(i);
      s += Op.values()[i % 4 == 0 ? 0 : 1].of(i);
    }
    return s;
  }
}
"""


def test_a_profile_counts_what_is_handed_over_and_which_class_is_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Task.java"
    path.write_text(FUNCTIONS)
    assert main(["profile", str(path), "--set", "n=40", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert values["calls_21"] > 40
    assert [values[name] for name in ("elements_24", "calls_26", "calls_27")] == [4, 40, 4]
    # 30 of the 40 things are numbers, and the 4 of the list.
    assert values["q_18"] == pytest.approx(34 / 44)
    assert [values[name] for name in ("q_29", "q_29_2", "q_31", "q_32_2")] == [0.75, 0.75, 0.8, 0.25]


def kernel(name: str, body: str) -> str:
    return (
        f"public class {name} extends Kernel {{ int n; public void setup(int n) {{ this.n = n; }}\n"
        f"  public double run() {{ {body} }} }}\n"
    )


@pytest.mark.slow
def test_validation_goes_on_without_the_kernels_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bodies = {
        "K_good": "int s = 0; for (int i = 0; i < n; i++) s += i ^ 3; return s;",
        "K_wrong": 'int s = "a"; return s;',
        "K_throws": 'throw new IllegalStateException("no");',
        "Number": "return 1e999999999;",  # hides java.lang.Number
    }
    paths = [tmp_path / f"{name}.java" for name in bodies]
    for path, body in zip(paths, bodies.values(), strict=True):
        path.write_text(kernel(path.stem, body))
    sizes = tmp_path / "sizes.json"
    sizes.write_text('{"good": [1000], "wrong": [10], "throws": [10], "Number": [10]}')

    options = ["--sizes", str(sizes), "--machines", "zen5-openjdk17", "--forks", "1", "--json"]
    assert main(["validate", *map(str, paths), *options]) == 2
    out, err = capsys.readouterr()
    assert [row["name"] for row in json.loads(out)] == ["K_good"]
    assert "K_wrong.java: this kernel is left out" in err
    assert "K_wrong.java:2: error: incompatible types" in err
    assert "java.lang.IllegalStateException: no" in err
    assert "Number.java:2: error: floating-point number too large" in err


CALLED_BACK = """\
import java.util.*;
import java.util.stream.*;
public class Called {
  int n; double[][] rows; int at;
  void setup(int n) { this.n = n; rows = new double[4][6]; }
  int whole(int k) { return k <= 0 ? 0 : 1 + half(k - 1); }
  int half(int k) { return k <= 0 ? 0 : 1 + whole(k - 1); }
  double run() {
    int[] a = new int[4];
    for (int i = 0; i < n; i++)
      switch (i % 3) {
        case 0 -> at++;
        default -> { }
      }
    for (int k : new int[] {3, 4})
      a = Arrays.copyOf(a, k);
    double s = Arrays.stream(rows).mapToDouble(r -> Arrays.stream(r).sum()).sum();
    return s + whole(4) + IntStream.rangeClosed(1, 5)
        .filter(i -> IntStream.rangeClosed(2, i).noneMatch(d -> i % d == 0)).sum();
  }
}
"""


def test_what_libraries_call_back_is_counted_with_its_formals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Called.java"
    path.write_text(CALLED_BACK)
    assert main(["profile", str(path), "--set", "n=9", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    wanted = {"r_length_17": 6, "calls_19_2": 1.6, "calls_whole": 3, "size_16": 3.5, "q_12": 1 / 3}
    assert {name: values[name] for name in wanted} == pytest.approx(wanted)

    # A mean of 3.5 elements bounds a loop, which has whole rounds.
    assert main(["predict", str(path), "--machines", "zen5-openjdk17", "--profile", "--set", "n=9"]) == 0
