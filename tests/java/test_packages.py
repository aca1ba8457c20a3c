"""Classes of other packages of a program: what is imported, named in full or beside another class is translated."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.java.translated import invoked

import apet
from apet.java import Translation
from apet.java.parse.class_files import roots_of

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")

FILES = {
    "core/Main.java": """package app.core;
import app.util.Helper;
import app.util.Helper.Pair;
import app.shapes.*;
import java.util.Stack;
import static app.util.Tools.cube;
import static app.util.Tools.LIMIT;
public class Main {
  static int imported(int n) { int s = 0; for (int i = 0; i < n; i++) s += Helper.twice(i); return s; }
  static int inner(int n) { return new Pair(n, 2).sum(); }
  static int whole(int n) { return new Square(n).area(); }
  static int statically(int n) { int s = 0; for (int i = 0; i < LIMIT; i++) s += cube(i); return s; }
  static int full(int n) { return new app.other.Far().far(n); }
  static int library(Stack<Integer> all) { return all.pop(); }
}
""",
    "core/Stack.java": "package app.core; class Stack { int pop() { return 1; } }",
    "util/Helper.java": """package app.util;
public class Helper {
  public static int twice(int i) { return 2 * i; }
  static int plus(int a, int b) { return a + b; }
  public static class Pair {
    int a, b;
    public Pair(int a, int b) { this.a = a; this.b = b; }
    public int sum() { return plus(a, b); }
  }
}
""",
    "util/Tools.java": """package app.util;
public class Tools { public static final int LIMIT = 7; public static int cube(int i) { return i * i * i; } }
""",
    "shapes/Square.java": """package app.shapes;
public class Square extends Shape { public Square(int a) { super(a); } public int area() { return side * side; } }
""",
    "shapes/Shape.java": """package app.shapes;
public abstract class Shape { protected int side; Shape(int a) { side = a; } public abstract int area(); }
""",
    "other/Far.java": """package app.other;
public class Far { public int far(int n) { int s = 0; for (int i = 0; i < 3 * n; i++) s ^= i; return s; } }
""",
}


@pytest.mark.parametrize(
    ("entry", "steps", "part"),
    [
        ("imported", {"twice"}, "seq (i = 1, n)"),
        ("inner", {"new_Pair", "sum_2", "plus"}, ""),
        ("whole", {"new_Square", "new_Shape", "area"}, ""),
        ("statically", {"cube"}, "seq (i = 1, LIMIT)"),
        ("full", {"far"}, "seq (i = 1, 3 * n)"),
        ("library", {"call_Stack_pop"}, ""),
    ],
)
def test_methods_of_other_packages_are_those_of_the_program(
    tmp_path: Path, entry: str, steps: set[str], part: str
) -> None:
    for name, text in FILES.items():
        path = tmp_path / "app" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    main = tmp_path / "app" / "core" / "Main.java"
    translation = apet.translate(main, entry=entry, level="flat", resolved=shutil.which("javac") is not None)
    assert isinstance(translation, Translation)
    assert steps <= invoked(translation.text), translation.text
    assert part in translation.text
    assert entry == "library" or "call_" not in translation.text


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("one/src/main/java", ["two/src/main/java"]),
        ("one/src/test/java", ["one/src/main/java", "two/src/main/java"]),
        ("one/src", ["two/src"]),
        ("one/code", []),
    ],
)
def test_sources_of_the_module_and_of_those_beside_it_are_found(tmp_path: Path, own: str, others: list[str]) -> None:
    for folder in (own, *others, "three/lib"):
        (tmp_path / folder / "app").mkdir(parents=True, exist_ok=True)
    path = str(tmp_path / own / "app" / "Task.java")
    assert roots_of(path, "package app;") == [str(tmp_path / folder) for folder in (own, *others)]
