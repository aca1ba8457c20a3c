"""Fields of objects of other files: what their own methods change is no constant."""

from __future__ import annotations

from pathlib import Path

import pytest

import apet
from apet.ground.source import Source
from apet.java.translation import translate

TASK = """\
public class Task {
  double run(int n) {
    Bag bag = new Bag(4);
    for (int i = 0; i < n; i++) bag.put(i);
    return bag.total();
  }
}
"""
BAG = """\
public class Bag {
  private int count, most;
  private int[] held;
  Bag(int most) { this.most = most; held = new int[most]; }
  void put(int value) {
    if (count == held.length) grow();
    held[count++] = value;
  }
  private void grow() {
    int[] larger = new int[2 * count];
    System.arraycopy(held, 0, larger, 0, count);
    held = larger;
  }
  int total() {
    int sum = 0;
    for (int i = 0; i < most; i++) sum += held[i];
    return sum;
  }
}
"""


def test_a_field_that_methods_of_another_file_change_is_no_parameter(tmp_path: Path) -> None:
    (tmp_path / "Bag.java").write_text(BAG)
    (tmp_path / "Task.java").write_text(TASK)
    text = apet.translate(tmp_path / "Task.java", entry="Task.run").text
    assert "field count" not in text
    assert "length of the new array" in text, "it is twice as long as a number that changes"
    assert "elements that this call of arraycopy works on" in text


@pytest.mark.parametrize(
    ("members", "body"),
    [
        ("", "V v = new V(); v.k = n; v.go();"),
        ("static void change(V v, int n) { v.k = n; }", "V v = new V(); change(v, n); v.go();"),
        ("", "V v = new V(); for (int i = 0; i < n; i++) { v.go(); v.k++; }"),
    ],
)
def test_a_field_that_is_assigned_by_way_of_its_object_is_no_constant(members: str, body: str) -> None:
    held = "static class V { int k = 3; void go() { for (int i = 0; i < k; i++) Math.cbrt(i); } }"
    text = translate(Source("T.java", f"class T {{ {held} {members} void run(int n) {{ {body} }} }}"), "run").text
    assert "param k" not in text
    assert "param rounds_1" in text


def test_what_prepares_a_task_may_assign_fields_of_other_objects() -> None:
    held = "static class V { int k = 3; void go() { for (int i = 0; i < k; i++) Math.cbrt(i); } }"
    text = f"class T {{ {held} V v = new V(); void setup(int n) {{ v.k = n; }} void run() {{ v.go(); }} }}"
    assert "param k;" in translate(Source("T.java", text), "run").text, "what it is, only a run tells"


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("W w = new W(); T t = new T(n); for (int i = 0; i < w.a.length * t.a.length; i++) Math.cbrt(i);", "9 * n"),
        ("T t = new T(n), u = new T(2); for (int i = 0; i < u.k; i++) Math.cbrt(i); t.go();", "2"),
        ("T t = n > 3 ? new T(n) : new T(2); for (int i = 0; i < t.k; i++) Math.cbrt(i);", ""),
        ("T t = new T(n); t = t.other(); for (int i = 0; i < t.k; i++) Math.cbrt(i);", ""),
    ],
)
def test_fields_of_an_object_are_those_that_its_own_constructor_was_given(body: str, rounds: str) -> None:
    classes = "static class W { int[] a = new int[9]; } static class T { int[] a; final int k; T(int k) {"
    classes += " this.k = k; a = new int[k]; } void go() { } T other() { return new T(k + 1); } }"
    text = translate(Source("R.java", f"class R {{ {classes} void run(int n) {{ {body} }} }}"), "run", "flat").text
    assert (f"seq (i = 0, {rounds} - 1)" in text or f"seq (i = 1, {rounds})" in text) is bool(rounds)
    assert ("param rounds_1" in text) is not bool(rounds)
