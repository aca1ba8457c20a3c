"""What a value that is set means, and what the bounds of a program's prediction rest on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

FIELDS = """class Task {
  static class A { int size; void go() { for (int i = 0; i < size; i++) Task.total++; } }
  static class B { int size; void go() { for (int i = 0; i < 2 * size; i++) Task.total++; } }
  static int total;
  static int run(A a, B b) { a.go(); b.go(); return total; }
  static int sized(A a, int size) { a.go(); for (int i = 0; i < size; i++) total++; return total; }
}
"""
THROWS = """class Task {
  static int total;
  static int run(int n) {
    for (int i = 0; i < n; i++) { try { total += 10 / (i % 2); } catch (ArithmeticException e) { total++; } }
    return total;
  }
}
"""


def predicted(folder: Path, text: str, entry: str, *words: str) -> int:
    """The exit status of a prediction."""
    (folder / "Task.java").write_text(text)
    return main(["predict", str(folder / "Task.java"), "--entry", entry, "-m", "zen5-openjdk17", "-P", "1", *words])


def test_a_name_with_two_meanings_is_refused_with_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert predicted(tmp_path, FIELDS, "run", "--set", "size=4") == 2
    said = capsys.readouterr().err
    assert "--set size: size is Task.java:2: field size of A and Task.java:3: field size of B" in said
    assert "say which one: --set B.size=…" in said


def test_a_class_before_a_name_says_which_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = "--set", "A.size=4", "--set", "B.size=7", "--json"
    assert predicted(tmp_path, FIELDS, "run", *values) == 0
    parameters = json.loads(capsys.readouterr().out)["predictions"][0]["parameters"]
    assert sorted(parameters[name] for name in parameters if "size" in name) == [4, 7]


def test_the_formal_of_the_entry_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert predicted(tmp_path, FIELDS, "sized", "--set", "size=4", "--set", "A.size=9", "--json") == 0
    parameters = json.loads(capsys.readouterr().out)["predictions"][0]["parameters"]
    assert parameters["size"] == 4
    assert 9 in parameters.values()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Guaranteed: the counts follow from the source."),
        pytest.param(("--profile",), "Guaranteed for the counts of a run with n = 30.", marks=needs_jdk),
    ],
)
def test_bounds_say_what_they_rest_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    assert predicted(tmp_path, THROWS, "run", "--set", "n=30", "--json", *words) == 0
    result = capsys.readouterr()
    assert {"kind": "bounds", "text": sentence} in json.loads(result.out)["notes"]
    assert ("15 exceptions of the run are no throw of the program" in result.err) == bool(words)
