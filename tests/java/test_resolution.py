"""What sources leave open is what javac says of it; without a JDK, what the sources say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.java.translated import invoked

from apet.ground.source import Source
from apet.java import translate
from apet.java.parse import javac
from apet.java.parse.javac import Resolution, parsed_type
from apet.program.ir import LineColumn
from apet.program.types import Type

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

PROGRAM = """\
import java.util.*;
class T {
  static class Base { int f(Object o) { return one(); } int f(Base b) { return two(); } }
  static class Box<Content> {
    final List<Content> all = new ArrayList<>();
    Content first() { return all.get(0); }
  }
  interface Area { double area(); }
  static class Disc implements Area { public double area() { return 3.0; } }
  static int one() { return 1; }
  static int two() { return 2; }
  static int g(long v) { return one(); }
  static int g(Object v) { return two(); }
  static int h(int a, int b) { return one(); }
  static int h(int... all) { return two(); }
  Box<Disc> box = new Box<>();
  Map<String, Base> bases = new HashMap<>();
  int n;
  double run() { CALL; return 0; }
}
"""


def text_of(type_: Type) -> str:
    inside = ",".join(map(text_of, type_.arguments))
    return type_.name + (f"<{inside}>" if inside else "") + "[]" * type_.dimensions


@pytest.mark.parametrize("text", ["int", "int[][]", "Map<String,List<int[]>>[]", "Entry<A<B,C>,D>", ""])
def test_a_type_is_read_as_it_is_written(text: str) -> None:
    assert text_of(parsed_type(text)) == text


def steps(path: Path, call: str, resolved: bool = True) -> set[str]:
    """The operations and equations that a call at flat level becomes."""
    path.write_text(PROGRAM.replace("CALL", call))
    source = Source(str(path), path.read_text())
    return invoked(translate(source, "T.run", "flat", resolved=resolved).text)


@needs_jdk
@pytest.mark.parametrize(
    ("call", "invoked", "left_out"),
    [
        ("g((int) 3L)", "one", "two"),
        ("g(Integer.valueOf(n))", "two", "one"),
        ("h(n, n)", "one", "two"),
        ("h(n, n, n)", "two", "one"),
        ("var b = bases.values().stream().findFirst().get(); b.f(b)", "two", "one"),
        ("double s = 0; for (var d : List.of(new Disc())) s += d.area()", "Disc_area", "call_area"),
        ("double s = box.all.stream().map(d -> d).findAny().get().area()", "Disc_area", "call_area"),
        ("List<Integer> a = new ArrayList<>(); a.forEach(k -> g(k))", "two", "one"),
    ],
)
def test_a_call_is_the_one_that_javac_compiles(tmp_path: Path, call: str, invoked: str, left_out: str) -> None:
    found = steps(tmp_path / "T.java", call)
    assert invoked in found
    assert left_out not in found


@needs_jdk
def test_the_type_of_what_a_library_returns_is_that_of_the_operation(tmp_path: Path) -> None:
    call = "long s = List.of(1, 2).stream().map(v -> v + 1L).reduce(0L, Long::sum) * n"
    assert "mpy_long" in steps(tmp_path / "T.java", call)
    assert "mpy_long" not in steps(tmp_path / "T.java", call, resolved=False)


@needs_jdk
def test_a_source_that_does_not_compile_is_resolved_as_far_as_it_goes(tmp_path: Path) -> None:
    found = steps(tmp_path / "T.java", "Missing m = null; m.call(); g(Integer.valueOf(n))")
    assert {"two", "call_Missing_call"} <= found


def test_nothing_is_known_without_a_jdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    javac._asked.cache_clear()
    path = tmp_path / "T.java"
    path.write_text(PROGRAM.replace("CALL", "g(n)"))
    assert Resolution(str(path)).name(str(path), LineColumn(19, 18)) is None
    assert "one" in steps(path, "g(n)")
