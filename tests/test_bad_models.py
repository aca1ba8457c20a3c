"""Bad models beside their whole messages: tests/data/bad/models.

The arguments of a block are those of `apet VERB NAME.pam`; they may begin with the verb, which is `compile` otherwise.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Golden

from apet.cli.main import main
from apet.ground.diagnostics import visible

BAD = bad_inputs("models")
BY_NAME = {bad.name: bad for bad in BAD}
VERBS = ("compile", "check", "predict")
FEWEST = 75

WHOLE = (
    "empty_file|only_comments|only_parameters|entry_unknown|entry_unknown_far"
    "|set_.*|machines_unknown|no_processors|processors_word|too_many_processors"
    "|operation_missing|operation_misspelt|operations_missing_many|network_missing|share_without_tasks"
    "|share_of_nobody|named_processor_.*|named_processors_.*"
    "|loops?_without_closed_form|number_too_large.*"
)
"""Mistakes that may be of a file or call as a whole, and sizes of a formula, which has no places any more."""

INSIDE = re.compile(
    r"Traceback|\bapet\.|\bapet failed|NodeId|Span\(|Fraction\(|object at 0x|\bInvoke\b|__|\bNone\b|\{[a-z_]+\}"
)
PLACE = re.compile(r"([\w.-]+):(\d+):(\d+): (error|warning): \S.*")
CARET = re.compile(r" *\| ( *)(\^+)")


def _call(bad: BadInput, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status and the complaint: what `check` finds is its result, other verbs complain on standard error."""
    arguments = list(bad.arguments)
    verb = arguments.pop(0) if arguments and arguments[0] in VERBS else "compile"
    status = main([verb, bad.name, *arguments])
    captured = capsys.readouterr()
    return status, captured.out if verb == "check" else captured.err


def test_there_are_many_bad_models() -> None:
    assert len(BAD) >= FEWEST


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_bad_model_is_answered_with_its_message(
    bad: BadInput,
    assert_golden: Golden,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    status, text = _call(bad, capsys)
    assert status == (0 if bad.name.startswith("warning_") else 2)
    assert text.startswith(("error: ", f"{bad.name}:", *(f"{other}:" for other in bad.files)))
    assert_golden(bad, text)


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_no_message_shows_the_inside_of_the_compiler(bad: BadInput) -> None:
    assert not INSIDE.search(bad.message)


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_every_mistake_with_a_place_shows_its_line_with_a_caret_at_the_column(bad: BadInput) -> None:
    lines = bad.message.splitlines()
    placed = [(k, m) for k, text in enumerate(lines) if (m := PLACE.fullmatch(text))]
    assert placed or re.fullmatch(WHOLE, bad.stem)
    for k, m in placed:
        number, column = int(m[2]), int(m[3])
        model = bad.files[m[1]].split("\n")
        line, before = visible(model[number - 1]), visible(model[number - 1][: column - 1])
        assert lines[k + 1] == f"  {number} | {line}".rstrip()
        caret = CARET.fullmatch(lines[k + 2])
        assert caret
        assert len(caret[1]) == max(len(before), column - 1)  # columns may lie behind the end of the line
        assert column - 1 + len(caret[2]) <= max(len(line), column)


def test_every_mistake_has_a_message_of_its_own() -> None:
    alike = ("empty_file", "only_comments")
    texts = [bad.message.replace(bad.name, "") for bad in BAD if bad.stem not in alike]
    assert len(set(texts)) == len(texts)


def test_several_mistakes_are_told_in_the_order_of_the_text() -> None:
    text = BY_NAME["several_syntax_errors.pam"].message
    lines = [int(m[2]) for line in text.splitlines() if (m := PLACE.fullmatch(line))]
    assert lines == [1, 2, 3, 4, 5]


def test_all_missing_operations_are_named_at_once() -> None:
    text = BY_NAME["operations_missing_many.pam"].message
    assert re.findall(r"operation '(\w+)'", text) == ["fly", "mpy_integer", "swim"]
