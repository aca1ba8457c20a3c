"""A type variable that stands for one type in the whole program is that type: its methods are opened or named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.java.translated import invoked

from apet.ground.source import Source
from apet.java import translate

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

PROGRAM = """\
import java.util.*;
class T {
  static class Task implements Comparable<Task> {
    int rank;
    public int compareTo(Task o) { return ranked(o); }
    int ranked(Task o) { return rank - o.rank; }
  }
  static class Heap<E extends Comparable<E>> {
    private class Slot { E held; Slot(E e) { held = e; } int against(E e) { return held.compareTo(e); } }
    final List<Slot> slots = new ArrayList<>();
    int put(E e) { slots.add(new Slot(e)); return slots.get(0).against(e); }
  }
  static class Chain<V> {
    V value; Chain<V> rest;
    Chain(V v) { value = v; }
    boolean is(V v) { return value.equals(v); }
  }
  static class Nest<V> { List<V> all = new ArrayList<>(); int code(V v) { return v.hashCode(); } }
  static <K extends Comparable<K>> int most(K[] a) { int m = 0; if (a[1].compareTo(a[m]) > 0) m = 1; return m; }
  static <A> int deeper(Nest<A> nest, A a, int n) {
    return n == 0 ? nest.code(a) : deeper(new Nest<List<A>>(), List.of(a), n - 1);
  }
  int n;
  double run() { CALL; return 0; }
}
"""


@pytest.mark.parametrize(
    ("call", "named", "left_out"),
    [
        ("new Heap<Task>().put(new Task())", "ranked", "call_Comparable_compareTo"),
        ("Heap<Integer> h = new Heap<>(); h.put(n)", "call_Integer_compareTo", "call_Comparable_compareTo"),
        ("most(new Integer[] {n, 2})", "call_Integer_compareTo", "call_K_compareTo"),
        ("most(new Task[] {new Task(), new Task()})", "ranked", "call_K_compareTo"),
        ('new Chain<>("a").is("b")', "call_String_equals", "call_V_equals"),
    ],
)
def test_a_variable_is_the_only_type_that_it_stands_for(tmp_path: Path, call: str, named: str, left_out: str) -> None:
    steps = _steps(tmp_path / "T.java", call)
    assert named in steps
    assert left_out not in steps


def test_of_several_types_none_is_taken(tmp_path: Path) -> None:
    steps = _steps(tmp_path / "T.java", "new Heap<Task>().put(new Task()); new Heap<Integer>().put(n)")
    assert "call_Comparable_compareTo" in steps
    assert "call_Integer_compareTo" not in steps


def test_a_variable_that_stands_for_a_type_with_itself_inside_ends(tmp_path: Path) -> None:
    assert any("hashCode" in s for s in _steps(tmp_path / "T.java", 'deeper(new Nest<String>(), "a", 3)'))


def _steps(path: Path, call: str) -> set[str]:
    path.write_text(PROGRAM.replace("CALL", call))
    return invoked(translate(Source(str(path), path.read_text()), "T.run", "flat", resolved=True).text)
