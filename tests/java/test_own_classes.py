"""What an inherited method calls on its own object, constants of enums, and methods that are imported statically."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.java.translated import flat, invoked

import apet
from apet.java import Translation

TEMPLATE = """class T {
  static class Base {
    int go(int n) { before(); return f(n) + this.g(n); }
    void before() {}
    int f(int x) { return x; }
    int g(int x) { return f(x) * f(x); }
  }
  static class Mid extends Base { int f(int x) { return super.f(x) - x; } }
  static class Leaf extends Mid { void before() { int[] a = new int[9]; } }
  int plain(int n) { return new Base().go(n); }
  int mid(int n) { Mid m = new Mid(); return m.go(n); }
  int leaf(Leaf l, int n) { return l.go(n); }
}
"""


@pytest.mark.parametrize(
    ("entry", "steps", "others"),
    [
        ("plain", {"go", "Base_before", "Base_f", "g"}, {"new_byte", "Mid_f"}),
        ("mid", {"go", "Base_before", "Mid_f", "Base_f", "g"}, {"new_byte"}),
        ("leaf", {"go", "Leaf_before", "Mid_f", "Base_f", "g", "new_byte"}, {"Base_before"}),
    ],
)
def test_an_inherited_method_calls_what_the_class_of_its_object_overrides(
    entry: str, steps: set[str], others: set[str]
) -> None:
    found = invoked(flat(TEMPLATE, f"T.{entry}"))
    assert steps <= found, found
    assert not others & found


def test_the_constants_of_an_enum_are_counted() -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
    text = "class T { enum E { A, B { int f() { return 2; } }, C; int f() { return 1; } }"
    text += " int run() { int s = 0; for (E e : E.values()) s++; return s; } }"
    model = flat(text)
    assert "seq (k_e = 1, 3)" in model
    assert "call_" not in model


def test_a_function_made_of_another_is_called_as_often_as_a_run_tells() -> None:
    text = "import java.util.function.*; class T { int run(int n) {"
    text += " IntUnaryOperator f = x -> x * n; return f.andThen(x -> x + 1).applyAsInt(3); } }"
    model = flat(text)
    assert "param calls_1_2;" in model  # only a run tells how often `andThen` calls it
    assert "floor(calls_1_2)) lambda_1_2[p]" in model


@pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
def test_a_method_of_the_library_without_a_target_has_its_class(tmp_path: Path) -> None:
    text = "import static java.lang.Math.*; class T extends java.util.ArrayList<String> {"
    text += " double run(double x) { return sqrt(abs(x)) + size(); } }"
    (tmp_path / "T.java").write_text(text)
    translation = apet.translate(tmp_path / "T.java", level="flat", resolved=True)
    assert isinstance(translation, Translation)
    assert {"sqrt_double", "abs_double", "call_ArrayList_size"} <= invoked(translation.text)


def test_a_static_import_of_mathematics_needs_no_compiler() -> None:
    text = "import static java.lang.Math.*; class T { double run(double x) { return sqrt(x); } }"
    assert "sqrt_double" in invoked(flat(text))
