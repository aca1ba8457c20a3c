"""Small changes of the code: which there are, and that a test notices one."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.mutations import changes_of, drawn

FILE = Path("compiler/apet/cost/example.py")
SOURCE = b'''"""Text with 1 < 2."""

def least(n: int | None = 3) -> float | None:
    if n is None or n <= 0:
        return -1.5  # less than 0
    return min(n, 2 * n)
'''

SIGNATURE = "def least(n: int | None = 3) -> float | None:  ->  def least(n: int | None = 4) -> float | None:"


def changed() -> list[str]:
    return [change.shown(SOURCE).split(": ", 1)[1] for change in changes_of(FILE, SOURCE)]


def test_operators_constants_and_conditions_are_changed() -> None:
    assert "if n is None or n <= 0:  ->  if n is None and n <= 0:" in changed()
    assert "if n is None or n <= 0:  ->  if n is not None or n <= 0:" in changed()
    assert "if n is None or n <= 0:  ->  if n is None or n < 0:" in changed()
    assert "if n is None or n <= 0:  ->  if n is None or n <= 1:" in changed()
    assert "if n is None or n <= 0:  ->  if not (n is None or n <= 0):" in changed()
    assert "return -1.5  # less than 0  ->  return 1.5  # less than 0" in changed()
    assert "return min(n, 2 * n)  ->  return max(n, 2 * n)" in changed()
    assert "return min(n, 2 * n)  ->  return min(n, 2 + n)" in changed()


def test_annotations_and_texts_are_not_changed() -> None:
    assert not [shown for shown in changed() if "Text" in shown]
    assert [shown for shown in changed() if "def" in shown] == [SIGNATURE]


def test_every_change_is_another_program() -> None:
    unchanged = ast.dump(ast.parse(SOURCE))
    for change in changes_of(FILE, SOURCE):
        assert ast.dump(ast.parse(change.applied(SOURCE))) != unchanged


def test_a_seed_draws_the_same_changes() -> None:
    assert drawn(["cost"], 20, 3) == drawn(["cost"], 20, 3) != drawn(["cost"], 20, 4)
