"""Diagnostics: their fields are what their templates name, and every call of one fills them."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

import apet
from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source, Span

PACKAGE = Path(apet.__file__).parent


class FewPlaces(Diagnostic):
    """Fields from the templates, one of which has a default."""

    message: ClassVar[str] = "{count:,} of {{names}} in {place}"
    hint = "give more{advised}"
    advised = ""


def test_the_fields_of_a_diagnostic_are_those_of_its_templates_in_their_order() -> None:
    assert FewPlaces._fields == ("source", "span", "count", "place", "advised")
    diagnostic = FewPlaces(None, None, 1000, place="a file")
    assert (diagnostic.text, diagnostic.advice) == ("1,000 of {names} in a file", "give more")
    assert diagnostic == FewPlaces(None, None, 1000, "a file", "") != diagnostic.replace(count=1)


def test_a_diagnostic_refuses_fields_that_it_has_not_and_cannot_be_changed() -> None:
    for values, named in (((1,), {}), ((1, "x", "y", "z"), {}), ((1, "x"), {"other": 2})):
        with pytest.raises(TypeError, match="FewPlaces"):
            FewPlaces(None, None, *values, **named)
    with pytest.raises(AttributeError, match="frozen"):
        FewPlaces(None, None, 1, "x").count = 2


def test_a_place_in_a_joined_text_is_one_in_its_own_file() -> None:
    source = Source("model", "abc")
    assert FewPlaces(source, Span(1, 2), 1, "x").span == Span(1, 2)


def test_every_call_of_a_diagnostic_in_the_compiler_fills_its_fields() -> None:
    """What a type checker cannot know, as the fields stand in the templates."""
    for path in PACKAGE.rglob("*.py"):
        if "(Diagnostic)" in path.read_text(encoding="utf-8"):
            importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    kinds = {kind.__name__: kind for kind in _kinds(Diagnostic) if kind.__module__.startswith("apet.")}

    wrong = [
        f"{path.relative_to(PACKAGE)}:{call.lineno} {name}"
        for path in PACKAGE.rglob("*.py")
        for name, call in _calls(path)
        if name in kinds and not _fills(kinds[name], call)
    ]
    assert len(kinds) > 300
    assert not wrong


def _kinds(base: type[Diagnostic]) -> Iterator[type[Diagnostic]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


def _calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name, node


def _fills(kind: type[Diagnostic], call: ast.Call) -> bool:
    """No field is unknown, and only those with a default are left out; `*` and `**` may be anything."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return True

    filled = [*kind._fields[: len(call.args)], *(k.arg for k in call.keywords if k.arg)]
    needed = {n for n in kind._fields if not hasattr(kind, n)}
    return len(call.args) <= len(kind._fields) and needed <= set(filled) <= set(kind._fields)
