"""What a run gives the parameters of a model, where it has little to say: the model is predicted all the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import apet
from apet import java
from apet.cli.main import main
from apet.cost import analyse
from apet.ground.source import Source
from apet.machine import load_machines

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
with_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

VARIADIC = """\
public class Task {
  int[] a;
  void setup(int n) { a = new int[n]; }
  static int total(int... all) { int s = 0; for (int v : all) s += v; return s; }
  static int rows(int[]... all) { int s = 0; for (int[] v : all) s += total(v); return s; }
  int run() { return total(a) + rows(a, a, a); }
}
"""
NEVER_LEFT = """\
class Task {
  int[] a;
  int run() {
    int s = 0;
    outer:
    while (true) {
      for (int v : a) { if (v == 7) break outer; if (v == 8) return s; if (v == 9) continue outer; s += v; }
      if (s > 100) break;
    }
    return s;
  }
}
"""


@with_jdk
def test_arguments_of_variadic_methods_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    path.write_text(VARIADIC)
    assert main(["profile", str(path), "--set", "n=100", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert [v for k, v in values.items() if k.startswith("all_length2")] == [100]


@with_jdk
def test_the_lengths_of_arrays_that_are_cloned_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    made = 'String s; void setup(int n) { s = "ab".repeat(n); }'
    copied = "int[] all = s.chars().toArray(); int[] copy = all.clone(); return copy[0];"
    path.write_text(f"class Task {{ {made} int run() {{ {copied} }} }}")
    assert main(["profile", str(path), "--set", "n=100", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert [v for k, v in values.items() if k.startswith("size_")] == [200]


def test_a_field_below_zero_has_a_range() -> None:
    body = "int s = 0; for (int i = NONE; i < n; i++) s ^= i; return s;"
    text = f"class T {{ static final int NONE = -1; int run(int n) {{ {body} }} }}"
    model = java.translate(Source("T.java", text), "T.run").text
    assert "param NONE = -1 in [-1, 1];" in model
    app = analyse(apet.compile_text(model).model)
    assert apet.predict(app, load_machines("zen5-openjdk17"), 1, values={"n": 9}).estimate.lo > 0


def test_a_loop_that_no_round_leaves_is_predicted() -> None:
    app = analyse(apet.compile_text(java.translate(Source("T.java", NEVER_LEFT), "Task.run").text).model)
    names = [p.name for p in app.model.parameters.values() if p.value is None and p.name != "P"]
    values = {name: 0 if name.startswith("q_") else 8 for name in names}
    assert apet.predict(app, load_machines("zen5-openjdk17"), 1, values=values).estimate.lo > 0
