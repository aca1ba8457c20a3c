"""Bad machine files beside their whole messages: tests/data/bad/machines/NAME.toml and NAME.err."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError, render
from apet.ground.source import Source
from apet.machine import load_machines, parse_machines

FOLDER = Path(__file__).resolve().parents[1] / "data" / "bad" / "machines"
BAD = sorted(FOLDER.glob("*.toml"))


def _message(source: Source) -> str:
    with pytest.raises(ApetError) as caught:
        parse_machines(source)
    return "\n".join(render(d) for d in caught.value.diagnostics) + "\n"


def test_there_are_many_bad_files() -> None:
    assert len(BAD) >= 25


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_answered_with_its_message(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path.with_suffix(".err"), _message(Source(path.name, path.read_text(encoding="utf-8"))))


def test_every_message_but_those_about_the_whole_file_has_a_place() -> None:
    whole = {"empty_file", "schema_missing", "no_machines"}
    placeless = set()
    for path in BAD:
        with pytest.raises(ApetError) as caught:
            load_machines(path)
        if any(d.span is None for d in caught.value.diagnostics):
            placeless.add(path.stem)
    assert placeless == whole


def test_all_mistakes_of_a_file_come_in_one_go_and_in_order() -> None:
    with pytest.raises(ApetError) as caught:
        load_machines(FOLDER / "many_at_once.toml")
    starts = [d.span.start for d in caught.value.diagnostics if d.span]
    assert len(starts) == 12
    assert starts == sorted(starts)


def test_a_unit_is_converted_in_the_advice() -> None:
    text = (FOLDER / "latency_text_with_unit.toml").read_text(encoding="utf-8")
    assert "write 0.003, without quotes" in _message(Source("x.toml", text))


def test_deep_nesting_is_a_mistake_and_no_crash() -> None:
    assert "nested too deeply" in _message(Source("x.toml", "a = " + "[" * 100_000))


def test_an_integer_too_long_to_convert_is_a_mistake_and_no_crash() -> None:
    assert "error: not TOML" in _message(Source("x.toml", "schema = " + "1" * 5000))
