"""Classes of one simple name are called after their binary names, and a name means the nearest of them."""

from __future__ import annotations

import pytest

from apet.java.parse.class_names import ClassNames

TEXT = """class Task { // class Fake { }
  static class P { static class Node { Node next; } Node first; }
  static class Q extends P { Node inherited; static class Other { Node around; } }
  static class R { static class Node { } P.Node other; String s = "class Node {"; }
  void one() { class T { T self; } new T(); }
  void two() { class T { } new T(); }
  static class Lone { Lone it; }
}
"""


def meant(marker: str, written: str) -> str:
    """What a name means at the first place of a marker."""
    return ClassNames(TEXT).meant(written, TEXT.index(marker))


@pytest.mark.parametrize(
    ("marker", "written", "name"),
    [
        ("Node next", "Node", "P$Node"),
        ("Node first", "Node", "P$Node"),
        ("Node inherited", "Node", "P$Node"),
        ("Node around", "Node", "P$Node"),
        ("P.Node other", "P.Node", "P$Node"),
        ("P.Node other", "Node", "R$Node"),
        ("P.Node other", "Task.R.Node", "R$Node"),
        ("T self", "T", "Task$1T"),
        ("new T", "T", "Task$1T"),
        ("Lone it", "Lone", "Lone"),
    ],
)
def test_a_name_means_the_class_whose_scope_is_the_nearest(marker: str, written: str, name: str) -> None:
    assert meant(marker, written) == name


def test_names_are_the_ends_of_binary_names() -> None:
    names = ClassNames(TEXT).of_binary
    assert names == {
        "Task$P$Node": "P$Node",
        "Task$R$Node": "R$Node",
        "Task$1T": "Task$1T",
        "Task$2T": "Task$2T",
    }


def test_a_nested_class_whose_name_another_file_has_taken_is_called_after_its_own() -> None:
    first = ClassNames("class A { class Node { } }")
    second = ClassNames("class B { class Node { } class C { } }", first.taken)
    assert not first.of_binary
    assert second.of_binary == {"B$Node": "B$Node"}
    assert second.taken >= {"B", "B$Node", "C"}


def test_a_text_without_names_that_recur_is_not_looked_at_further() -> None:
    assert not ClassNames("class A { class B { } }").repeated
