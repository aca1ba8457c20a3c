"""Files of queueing problems: bad ones beside their whole messages, and what good ones mean.

The bad ones are in tests/data/bad/queues; the arguments of a block are further ones of `apet queue NAME`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Refuse

from apet.cli.main import main
from apet.ground.diagnostics import ApetError, render
from apet.ground.documents.document import parse_document
from apet.ground.documents.places import Locator
from apet.ground.source import Source
from apet.queueing.data.networks import Network
from apet.queueing.read import parse_queue_file


@pytest.mark.parametrize("bad", bad_inputs("queues"), ids=str)
def test_a_bad_file_is_answered_with_its_message(bad: BadInput, assert_refused: Refuse) -> None:
    assert_refused(bad, "queue", bad.name, *bad.arguments)


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "nowhere.toml"]) == 2
    assert "cannot read nowhere.toml" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x.json", "x.toml"])
def test_deep_nesting_is_a_mistake_and_no_crash(name: str) -> None:
    text = ("a = " if name.endswith("toml") else '{"a": ') + "[" * 100_000
    with pytest.raises(ApetError):
        parse_queue_file(Source(name, text))


def test_visits_are_one_and_service_is_none_where_not_given() -> None:
    text = """
stations = [{ name = "cpu" }, { name = "disk" }]
[[classes]]
population = 3
service = { cpu = 0.5 }
visits = { cpu = 2 }
"""
    problem = parse_queue_file(Source("x.toml", text)).problem
    assert isinstance(problem, Network)
    assert problem.service == [[0.5, 0.0]]
    assert problem.visits == [[2.0, 1.0]]
    with pytest.raises(ApetError, match="disk has no service time"):
        parse_queue_file(Source("x.toml", text.replace("{ cpu = 2 }", "{ disk = 2 }")))


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab"\\{}[]:,é \n', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\:,', max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 1]))
def test_every_value_of_a_json_text_is_found_where_it_stands(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    locator = Locator(Source("x.json", text), "JSON")

    def check(path: tuple[str | int, ...], part: Any) -> None:
        span = locator.value(path)
        if path:
            assert span is not None
            assert json.loads(text[span.start : span.end]) == part
        items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, inner in items:
            check((*path, key), inner)

    check((), value)


def test_a_mistake_in_json_has_a_caret_under_its_value() -> None:
    text = '{"stations": [{"name": "cpu", "servers": "two"}], "classes": []}'
    with pytest.raises(ApetError) as caught:
        parse_queue_file(Source("x.json", text))
    shown = "\n".join(render(d) for d in caught.value.diagnostics)
    assert "x.json:1:42: error: stations[1].servers" in shown


def test_numbers_beyond_every_use_are_refused() -> None:
    with pytest.raises(ApetError):
        parse_document(Source("x.json", '{"a": ' + "9" * 5000 + "}"))


def test_the_second_of_equal_names_is_told_among_many() -> None:
    names = [f"s{k}" for k in range(20_000)] + ["s7"]
    text = "".join(f'[[stations]]\nname = "{name}"\n' for name in names) + '[[classes]]\nname = "c"\npopulation = 1\n'
    with pytest.raises(ApetError, match=r"q\.toml:40002:.* 's7'"):
        parse_queue_file(Source("q.toml", text))
