"""Laws of the files of bad inputs: texts are taken as they stand, and one message is replaced at a time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bad_inputs import BadInput, read_theme

THEME = """What they have in common.

=== empty.pam
--- expected
error: nothing

=== two.pam predict --set 'n=1 ms'
L =  a[1];\x20

use(disk);
--- more.toml
schema = 1
--- expected
two.pam:1:1: error: one
  1 |
two.pam:2:1: error: another


=== last.pam
L
--- expected
"""


@pytest.fixture
def theme(tmp_path: Path) -> Path:
    path = tmp_path / "theme.txt"
    path.write_text(THEME, encoding="utf-8")
    return path


def _inputs(theme: Path) -> dict[str, BadInput]:
    return {bad.name: bad for bad in read_theme(theme)}


def test_texts_are_taken_as_they_stand(theme: Path) -> None:
    inputs = _inputs(theme)
    assert list(inputs) == ["empty.pam", "two.pam", "last.pam"]
    assert [bad.text for bad in inputs.values()] == ["", "L =  a[1]; \n\nuse(disk);\n", "L\n"]
    assert inputs["two.pam"].files["more.toml"] == "schema = 1\n"
    assert inputs["two.pam"].arguments == ("predict", "--set", "n=1 ms")
    assert inputs["two.pam"].message == "two.pam:1:1: error: one\n  1 |\ntwo.pam:2:1: error: another\n"


def test_all_files_of_a_block_are_written(theme: Path, tmp_path: Path) -> None:
    two = _inputs(theme)["two.pam"]
    two.write(tmp_path)
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in ("two.pam", "more.toml")} == two.files


def test_what_is_accepted_replaces_one_message_only(theme: Path) -> None:
    inputs = _inputs(theme)
    inputs["empty.pam"].accept("error: no equation\n  hint: write one\n")
    assert theme.read_text(encoding="utf-8") == THEME.replace("nothing\n", "no equation\n  hint: write one\n")
    inputs["last.pam"].accept("error: a process\n")
    assert theme.read_text(encoding="utf-8").endswith("L\n--- expected\nerror: a process\n")
    assert inputs["last.pam"].message == "error: a process\n"


def test_accepting_what_is_expected_changes_nothing(theme: Path) -> None:
    inputs = _inputs(theme)
    inputs["empty.pam"].accept(inputs["empty.pam"].message)
    assert theme.read_text(encoding="utf-8") == THEME


def test_a_block_without_a_place_for_its_message_is_refused(theme: Path) -> None:
    theme.write_text("=== x.pam\nL = a[1];\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"x\.pam: there is no line '--- expected'"):
        list(read_theme(theme))
