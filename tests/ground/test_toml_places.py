"""Laws of the locator: it finds the line of everything that tomllib reads."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from apet.ground.documents.key_paths import KeyPath
from apet.ground.documents.places import Locator
from apet.ground.resources import data_text, names
from apet.ground.source import Source

TEXT = '''# a comment with [machine] and x = 1
title = "a # no comment [here]"
"quoted key" = 1
a.b . c = 3

[[machine]]
name = 'first'
load = [
    0.1,  # low ]
    0.2,
]
[machine.op_s]
sum = [1, 2]
"a\\u0062" = 5
[[machine]]
inline = { x = 1, y = [ { z = "}" }, 2 ], "w" = 3 }
[machine.op_s]
sum = 4
[machine.deep.er]
k = """
name = "not this one"
"""
last = 2005-03-01
[[network.link]]
from = "x"
[[network.link]]
from = "y"'''


def _line_and_text(path: KeyPath, part: str = "value") -> tuple[int, str]:
    source = Source("x.toml", TEXT)
    locator = Locator(source)
    span = locator.value(path) if part == "value" else locator.key(path)
    assert span is not None
    return source.position(span.start)[0], TEXT[span.start : span.end]


@pytest.mark.parametrize(
    ("path", "line", "value"),
    [
        (("title",), 2, '"a # no comment [here]"'),
        (("quoted key",), 3, "1"),
        (("a", "b", "c"), 4, "3"),
        (("a", "b"), 4, "a.b . c"),
        (("machine", 0), 6, "machine"),
        (("machine", 0, "name"), 7, "'first'"),
        (("machine", 0, "load", 1), 10, "0.2"),
        (("machine", 0, "op_s"), 12, "machine.op_s"),
        (("machine", 0, "op_s", "sum", 1), 13, "2"),
        (("machine", 0, "op_s", "ab"), 14, "5"),
        (("machine", 1, "inline", "x"), 16, "1"),
        (("machine", 1, "inline", "y", 0, "z"), 16, '"}"'),
        (("machine", 1, "inline", "w"), 16, "3"),
        (("machine", 1, "op_s", "sum"), 18, "4"),
        (("machine", 1, "deep"), 19, "machine.deep.er"),
        (("machine", 1, "deep", "er", "last"), 23, "2005-03-01"),
        (("network", "link", 1, "from"), 27, '"y"'),
    ],
)
def test_a_value_is_found_by_its_key_path(path: KeyPath, line: int, value: str) -> None:
    assert _line_and_text(path) == (line, value)


def test_a_key_is_found_by_its_path() -> None:
    assert _line_and_text(("machine", 1, "inline", "w"), "key") == (16, '"w"')
    assert _line_and_text(("machine", 0, "load"), "key") == (8, "load")


def test_a_path_that_is_not_written_falls_back_to_the_table_it_belongs_to() -> None:
    assert _line_and_text(("machine", 1, "count")) == (15, "machine")
    assert _line_and_text(("network", "link", 0, "to")) == (24, "network.link")


def test_a_path_of_which_nothing_is_written_has_no_place() -> None:
    locator = Locator(Source("x.toml", TEXT))
    assert locator.value(("nothing", "here")) is None
    assert locator.key(()) is None


def test_line_ends_of_windows_change_no_line() -> None:
    source = Source("x.toml", TEXT.replace("\n", "\r\n"))
    span = Locator(source).value(("machine", 1, "op_s", "sum"))
    assert span is not None
    assert source.position(span.start) == (18, 7)


def _leaves(value: Any, path: KeyPath) -> list[tuple[KeyPath, Any]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in _leaves(item, (*path, index))]
    return [(path, value)]


@pytest.mark.parametrize("name", names("machines"))
def test_every_value_of_the_shipped_files_is_found_where_it_is_written(name: str) -> None:
    text = data_text("machines", name)
    locator = Locator(Source(name, text))
    leaves = _leaves(tomllib.loads(text), ())
    assert leaves
    for path, value in leaves:
        span = locator.value(path)
        assert span is not None
        assert tomllib.loads(f"v = {text[span.start : span.end]}") == {"v": value}


def test_a_text_that_is_not_toml_ends_the_scan() -> None:
    assert Locator(Source("x.toml", "= = ]] [ {{")).value(("a",)) is None
