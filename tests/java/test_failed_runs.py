"""Tasks whose run with counters fails: the author learns where; what is nobody's fault is predicted without a run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """import java.util.*;
public class Task {
  static int throwing(int n) {
    int[] a = new int[n];
    return a[n];
  }
  static int endless(int n) { return n + endless(n + 1); }
  static int exiting(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) if (i % 4 == 1) s++; else if (i * i > s) s += i;
    System.exit(0);
    return s;
  }
  static int started(int n) {
    new Thread(() -> { while (true) Thread.onSpinWait(); }).start();
    int s = 0;
    for (int i = 0; i * i < n; i += s & 1) s += i | 1;
    return s;
  }
  public static void main(String[] words) { System.out.println(new Scanner(System.in).nextInt()); }
}
"""
NODE = """public class Node {
  private final Node next;
  private final int value;
  Node(Node next, int value) { this.next = next; this.value = value; }
  int sum(Node end) { int s = value; for (Node n = next; n != null; n = n.next) s += n.value; return s + end.value; }
}
"""


def predicted(path: Path, text: str, entry: str, *settings: str) -> int:
    """The exit status of a prediction from a run."""
    path.write_text(text)
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--json", "--entry", entry, "--profile"]
    return main(["predict", str(path), *words, *(w for s in settings for w in ("--set", s))])


@pytest.mark.parametrize(
    ("entry", "place", "reason", "advice"),
    [
        (
            "Task.throwing",
            "Task.java:5:5: error: ",
            "ArrayIndexOutOfBoundsException: Index 7 out of bounds for length 7 at Task.throwing(Task.java:5)\n"
            "  5 |     return a[n];\n    |     ^^^^^^^^^^^^\n",
            "give other values",
        ),
        ("Task.endless", "Task.java:7:3: error: ", "StackOverflowError at Task.endless(Task.java:7)\n", "smaller size"),
    ],
)
def test_a_task_that_throws_with_what_is_set_is_an_error_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, place: str, reason: str, advice: str
) -> None:
    assert predicted(tmp_path / "Task.java", TASK, entry, "n=7") == 2
    err = capsys.readouterr().err
    assert place in err
    assert reason in err
    assert advice in err


@pytest.mark.parametrize(("entry", "parameter"), [("Task.exiting", "q_10"), ("Task.started", "rounds_17")])
def test_a_task_that_exits_or_leaves_threads_behind_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: str, parameter: str
) -> None:
    assert predicted(tmp_path / "Task.java", TASK, entry, "n=100") == 0
    result = capsys.readouterr()
    assert parameter in json.loads(result.out)["predictions"][0]["parameters"]
    # a loop of the thread that is left behind never ends, so nobody can count its rounds
    assert set(re.findall(r"assumed: (\w+)", result.err)) <= {"rounds_15"}


def test_a_main_without_its_input_is_predicted_without_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert predicted(tmp_path / "Task.java", TASK, "Task.main") == 0
    err = capsys.readouterr().err
    assert "warning: no run counts what the task does: " in err
    assert "a run has an empty standard input" in err


def test_without_its_libraries_a_task_is_predicted_without_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "import org.nowhere.Tool;\nclass Task { static int of(int n) { return n * Tool.of(n); } }"
    assert predicted(tmp_path / "Task.java", text, "Task.of", "n=3") == 0
    err = capsys.readouterr().err
    assert "Task.java:1: error: package org.nowhere does not exist" in err
    assert "CLASSPATH=a.jar:b.jar" in err


def test_an_own_type_error_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'class Task { static int of(int n) { return "n"; } }'
    assert predicted(tmp_path / "Task.java", text, "Task.of", "n=3") == 2
    assert "String cannot be converted to int" in capsys.readouterr().err


def test_an_object_that_is_made_of_its_like_ends_with_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predicted(tmp_path / "Node.java", NODE, "Node.sum") == 0
    result = capsys.readouterr()
    assert json.loads(result.out)["predictions"][0]["parameters"]["rounds_5"] == 0


def test_an_inner_class_is_that_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "Above.java").write_text("public class Above { static class Maker { int other() { return 2; } } }")
    text = "public class Node { static class Maker { int made() { return 1; } } Above.Maker above; }"
    assert predicted(tmp_path / "Node.java", text, "Maker.made") == 0
