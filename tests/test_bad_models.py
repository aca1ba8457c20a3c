"""Bad models beside their whole messages: tests/data/bad/models/NAME.pam, NAME.err, and NAME.args for the call.

NAME.args is one line of arguments for `apet VERB NAME.pam`; it may begin with the verb, which is `compile` otherwise.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from apet.cli.main import main

FOLDER = Path(__file__).resolve().parent / "data" / "bad" / "models"
BAD = sorted(FOLDER.glob("*.pam"))
VERBS = ("compile", "check", "predict")
FEWEST = 75

WHOLE = (
    "empty_file|only_comments|only_parameters|entry_unknown|entry_unknown_far"
    "|set_.*|machines_unknown|no_processors|processors_word|too_many_processors"
    "|operation_missing|operation_misspelt|operations_missing_many|network_missing|share_without_tasks"
    "|processor_.*|share_of_nobody|message_to_nobody|named_processor_.*|named_processors_.*"
    "|.*_at_values|.*_at_given|division_by_zero_in_loop|loops?_without_closed_form|number_too_large.*|power_.*"
)
"""Mistakes that may be of a file or call as a whole, and of values put into a formula that has no places any more."""

INSIDE = re.compile(
    r"Traceback|\bapet\.|\bapet failed|NodeId|Span\(|Fraction\(|object at 0x|\bInvoke\b|__|\bNone\b|\{[a-z_]+\}"
)
PLACE = re.compile(r"([\w.-]+):(\d+):(\d+): (error|warning): \S.*")
CARET = re.compile(r" *\| ( *)(\^+)")


def _call(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status and the complaint: what `check` finds is its result, other verbs complain on standard error."""
    given = path.with_suffix(".args")
    arguments = shlex.split(given.read_text(encoding="utf-8")) if given.exists() else []
    verb = arguments.pop(0) if arguments and arguments[0] in VERBS else "compile"
    status = main([verb, path.name, *arguments])
    found = capsys.readouterr()
    return status, found.out if verb == "check" else found.err


@pytest.fixture(autouse=True)
def _beside_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def test_there_are_many_bad_models() -> None:
    assert len(BAD) >= FEWEST


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_model_is_answered_with_its_message(
    path: Path, golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = _call(path, capsys)
    assert status == (0 if path.stem.startswith("warning_") else 2)
    assert text.startswith(("error: ", f"{path.name}:"))
    golden(path.with_suffix(".err"), text)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_no_message_shows_the_inside_of_the_compiler(path: Path) -> None:
    assert not INSIDE.search(path.with_suffix(".err").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_every_mistake_with_a_place_shows_its_line_with_a_caret_at_the_column(path: Path) -> None:
    model = path.read_text(encoding="utf-8").split("\n")
    lines = path.with_suffix(".err").read_text(encoding="utf-8").splitlines()
    placed = [(k, m) for k, text in enumerate(lines) if (m := PLACE.fullmatch(text))]
    assert placed or re.fullmatch(WHOLE, path.stem)
    for k, m in placed:
        number, column = int(m[2]), int(m[3])
        assert lines[k + 1] == f"  {number} | {model[number - 1]}".rstrip()
        caret = CARET.fullmatch(lines[k + 2])
        assert caret
        assert len(caret[1]) == column - 1
        assert column - 1 + len(caret[2]) <= max(len(model[number - 1]), column)


def test_every_mistake_has_a_message_of_its_own() -> None:
    alike = ("empty_file", "only_comments")
    texts = [p.with_suffix(".err").read_text(encoding="utf-8").replace(p.name, "") for p in BAD if p.stem not in alike]
    assert len(set(texts)) == len(texts)


def test_no_message_is_left_without_its_model() -> None:
    models = {p.stem for p in BAD}
    assert {p.stem for p in FOLDER.iterdir() if p.suffix in (".err", ".args")} <= models


def test_several_mistakes_are_told_in_the_order_of_the_text() -> None:
    text = (FOLDER / "several_syntax_errors.err").read_text(encoding="utf-8")
    lines = [int(m[2]) for line in text.splitlines() if (m := PLACE.fullmatch(line))]
    assert lines == [1, 2, 3, 4, 5]


def test_all_missing_operations_are_named_at_once() -> None:
    text = (FOLDER / "operations_missing_many.err").read_text(encoding="utf-8")
    assert re.findall(r"operation '(\w+)'", text) == ["fly", "mpy_integer", "swim"]
