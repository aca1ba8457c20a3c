"""Fields of objects of other files: what their own methods change is no constant."""

from __future__ import annotations

from pathlib import Path

import apet

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
