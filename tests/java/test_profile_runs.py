"""Profiles of real runs: cases, exceptions, labelled loops, other files and several sizes are counted as they are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.java.profile.recompilations import recompiled

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
    assert "rounds_10" not in fits  # its source tells them, although it steps at the beginning of a round
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
    for call in (["profile", str(path)], ["predict", str(path), "--profile", "--machines", "zen5-openjdk17"]):
        assert main([*call, "--limit", "1"]) == 2
        shown = capsys.readouterr().err
        assert said in shown
        assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["n=1", "n=2"], "'n' is set twice"),
        (["n=a"], "'a' is neither a number nor a range"),
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


RAGGED = """\
import java.util.*;
public class Task {
  int[][] rows;
  static int[][] rows(int n) {
    List<int[]> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) rows.add(new int[i % 4]);
    return rows.toArray(new int[0][]);
  }
  void setup(int n) { rows = rows(n); }
  double run() {
    double s = 0;
    for (int i = 0; i < rows.length; i++) for (int j = 0; j < rows[0].length; j++) s += j;
    return s;
  }
}
"""


def test_rows_of_different_lengths_have_their_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    path.write_text(RAGGED)
    assert main(["profile", str(path), "--set", "n=8", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert sorted(values[name] for name in values if "length" in name) == [1.5, 8]


def test_methods_that_lose_their_compiled_code_often_are_named(tmp_path: Path) -> None:
    line = "[{k}ms]   {k}   {flags} {tier}       {name} (21 bytes)   made not entrant"
    lines = [line.format(k=100 + k, flags="  !", tier=4, name="Task$Tree::add") for k in range(5)]
    lines += [line.format(k=200 + k, flags="%  ", tier=4, name="Task::run @ 12") for k in range(4)]
    lines += [line.format(k=300 + k, flags="   ", tier=3, name="Task::warm") for k in range(9)]
    lines += [line.format(k=400 + k, flags="   ", tier=4, name="apet.ApetProfile::test") for k in range(9)]
    lines += [line.format(k=500 + k, flags="   ", tier=4, name="Task::settles") for k in range(9)]
    (tmp_path / "compilations.log").write_text("\n".join(lines))
    assert recompiled(str(tmp_path), (500, 600)) == {"Task$Tree.add": 5}
    assert recompiled(str(tmp_path / "nowhere")) == {}


def test_a_prediction_names_methods_that_lose_their_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apet.java.profile.profiling.recompiled", lambda folder, settling: {"Task.sum": 4})
    text = "public class Task { static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } }"
    (tmp_path / "Task.java").write_text(text)
    task = [str(tmp_path / "Task.java"), "--entry", "Task.sum", "--set", "n=100", "--machines", "zen5-openjdk17"]
    assert main(["predict", *task, "--profile"]) == 0
    err = capsys.readouterr().err
    assert "Task.sum" in err
    assert "4 times" in err


SWITCHES = """\
public class Task {
  double run() {
    double p = 0;
    for (int i = 0; i < 10; i++) {
      switch (i % 3) { case 0 -> p *= 1.2; default -> p += 1; }
      p += switch (i % 2) { case 0 -> switch (i % 5) { case 1 -> 2; default -> 3; }; default -> 1; };
    }
    return p;
  }
}
"""


def test_switches_with_arrows_are_counted_as_statements_and_as_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Task.java"
    path.write_text(SWITCHES)
    assert main(["profile", str(path), "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert [values[q] for q in ("q_5", "q_6", "q_6_2")] == [0.4, 0.2, 0.5]


def _profiled(folder: Path, text: str) -> int:
    (folder / "Task.java").write_text(text)
    return main(["predict", str(folder / "Task.java"), "--profile", "--set", "n=5", "--machines", "zen5-openjdk17"])


def test_a_method_without_room_for_counters_goes_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sums = " ".join(f"- n * {k}.5" for k in range(2, 8))  # 62 kB of bytecode without counters
    steps = "".join(f"if (n > {k}) s += {k % 100} {sums};\n" for k in range(780))
    setup = "int n; public void setup(int n) { this.n = n; }"
    text = f"public class Task {{ {setup} public double run() {{ return sum() + big(); }}\n"
    text += "double sum() { double s = 0; while (s < 10) s += 3; return s; }\n"
    assert _profiled(tmp_path, f"{text} double big() {{ double s = 0;\n{steps} return s; }} }}") == 0
    err = capsys.readouterr().err
    assert "assumed: q_4, " in err  # a condition in the large method
    assert "rounds_2" not in err  # the loop outside it


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ('int x = "a"; return x;', ("javac refuses Task.java:", "Task.java:1: error: incompatible types")),
        ("Runtime.getRuntime().halt(0); return 1;", ("without a message, as after System.exit",)),
        ("System.out.println(1); System.exit(3); return 1;", ("exit code 3", "as after System.exit")),
    ],
)
def test_a_task_that_cannot_be_counted_is_reported_as_its_author_knows_it(
    run: str, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _profiled(tmp_path, f"public class Task {{ int n; void setup(int n) {{}} double run() {{ {run} }} }}") == 2
    err = capsys.readouterr().err
    assert all(w in err for w in words), err
    assert "ApetProfile" not in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("public abstract class Task { void setup(int n) {} double run() { return 1; } }", "Task is abstract"),
        ("class Task { Task(int k) {} void setup(int n) {} double run() { return 1; } }", "no constructor without"),
        (
            'class Task { void setup(int n) { throw new Error("no luck"); } double run() { return n; } int n; }',
            "no luck",
        ),
    ],
)
def test_a_task_that_cannot_be_prepared_is_told(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _profiled(tmp_path, text) == 2
    assert reason in capsys.readouterr().err


def test_what_setup_prints_is_no_part_of_the_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = "double s = 0; for (int i = 0; i < n; i++) s += i; return s;"
    setup = 'int n; void setup(int n) { this.n = n; System.out.println("\\nsite 0 9"); }'
    assert _profiled(tmp_path, f"public class Task {{ {setup} double run() {{ {loop} }} }}") == 0
    assert "estimate" in capsys.readouterr().out
