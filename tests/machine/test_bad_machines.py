"""Bad machine files beside their whole messages: tests/data/bad/machines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Golden

from apet.ground.diagnostics import ApetError, Diagnostic, render
from apet.ground.source import Source
from apet.machine import parse_machines

BAD = bad_inputs("machines")
BY_NAME = {bad.name: bad for bad in BAD}


def _diagnostics(source: Source) -> Sequence[Diagnostic]:
    with pytest.raises(ApetError) as caught:
        parse_machines(source)
    return caught.value.diagnostics


def _message(source: Source) -> str:
    return "\n".join(render(d) for d in _diagnostics(source)) + "\n"


def test_there_are_many_bad_files() -> None:
    assert len(BAD) >= 25


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_bad_file_is_answered_with_its_message(bad: BadInput, assert_golden: Golden) -> None:
    assert_golden(bad, _message(Source(bad.name, bad.text)))


def test_every_message_but_those_about_the_whole_file_has_a_place() -> None:
    whole = {"empty_file", "schema_missing", "no_machines"}
    placeless = {bad.stem for bad in BAD if any(d.span is None for d in _diagnostics(Source(bad.name, bad.text)))}
    assert placeless == whole


def test_all_mistakes_of_a_file_come_in_one_go_and_in_order() -> None:
    diagnostics = _diagnostics(Source("x.toml", BY_NAME["many_at_once.toml"].text))
    starts = [d.span.start for d in diagnostics if d.span]
    assert len(starts) == 12
    assert starts == sorted(starts)


def test_a_unit_is_converted_in_the_advice() -> None:
    text = BY_NAME["bandwidth_text_with_unit.toml"].text
    assert "write 11250000, without quotes" in _message(Source("x.toml", text))


def test_deep_nesting_is_a_mistake_and_no_crash() -> None:
    assert "nested too deeply" in _message(Source("x.toml", "a = " + "[" * 100_000))


def test_an_integer_too_long_to_convert_is_a_mistake_and_no_crash() -> None:
    assert "error: not TOML" in _message(Source("x.toml", "schema = " + "1" * 5000))
