"""The reader accepts what Lark accepts of the same grammar, and reports an error where it stands."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import LarkError

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.model.pamela import parse, tables
from apet.model.pamela.reader import read_items
from apet.model.pamela.refusal import first_error
from apet.model.terms import Delay, Invoke, Name, Number, Sequence

ROOT = Path(__file__).resolve().parents[3]
TEXT = """param n = 4 in [1, 2 ^ 3]; param q; resource disk; resource port[k, l] servers 2 * k;
L = a[1]; { }; { b[p - 1](n, 2 kB) || c[-n] }; delay(1.5 ms);
seq (i = 1, n / 2) par (j = i, n % 3) if (q <= 0.5) work[i](sum(k = 1, j, k * n)) else use(disk, half() + 1);
if use(port[1, 2], { d[1]; e[2]; }) else if (q) use(3, x); // the end
E[s](x) = half(); rest[s]; other;
"""
TOKENS = re.compile(r"\s+|//[^\n]*|\w+|\S").findall(TEXT)
INSERTED = (
    "||",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "=",
    "==",
    "else",
    "seq",
    "in",
    "7",
    "name",
    "@",
    "/*",
    "1e99999",
)


@cache
def lark() -> Lark:
    return Lark((ROOT / "grammar" / "pamela.lark").read_text(encoding="utf-8"), parser="lalr", lexer="basic")


def accepted_by_lark(text: str) -> bool:
    try:
        lark().parse(text)
    except LarkError:
        return False
    return True


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text with every construct, some of its tokens left out, doubled or replaced."""
    tokens = list(TOKENS)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(tokens) - 1))
        tokens[at] = draw(st.sampled_from(("", tokens[at] + " " + tokens[at], *(f" {t} " for t in INSERTED))))
    return "".join(tokens)


@given(texts())
def test_what_lark_accepts_is_read_and_nothing_else(text: str) -> None:
    too_long = "1e99999" in text
    try:
        read_items(Source("random.pam", text))
    except ApetError as error:
        assert too_long or not accepted_by_lark(text)
        places = [d.span for d in error.diagnostics]
        assert all(p is not None and 0 <= p.start <= len(text) for p in places)
    else:
        assert accepted_by_lark(text)


def test_names_numbers_and_calls_have_the_place_where_they_stand() -> None:
    found = set[str]()
    stack: list[object] = [parse(Source("whole.pam", TEXT)).equations]
    while stack:
        term = stack.pop()
        if isinstance(term, Name | Invoke | Number):
            shown = TEXT[term.span.start : term.span.end]
            found.add(shown)
            assert shown.startswith(term.name) if not isinstance(term, Number) else shown[0].isdigit()
            assert not isinstance(term, Name) or shown == term.name
        if not isinstance(term, str | Span):
            stack += term.values() if isinstance(term, dict) else term if isinstance(term, tuple) else ()
    assert {
        "2 kB",
        "1.5 ms",
        "port[1, 2]",
        "half()",
        "b[p - 1](n, 2 kB)",
        "x",
        "work[i](sum(k = 1, j, k * n))",
    } <= found


def test_a_lone_name_is_a_process_or_a_value_by_where_it_stands() -> None:
    body = parse(Source("names.pam", "param x = 1; L = { step; delay(x); }; step = a[x];")).equations["L"].body
    assert isinstance(body, Sequence)
    step, delay = body.steps
    assert isinstance(step, Invoke)
    assert isinstance(delay, Delay)
    assert isinstance(delay.time, Name)


@pytest.mark.parametrize(
    "text", ["L = a[1];;", "L = a[1] b[1];", "L = (", "L = a[1]; @", "L = delay(1e99999);", "/* L"]
)
def test_the_first_error_is_the_one_that_is_reported(text: str) -> None:
    source = Source("bad.pam", text)
    with pytest.raises(ApetError) as error:
        read_items(source)
    assert error.value.diagnostics[0] == first_error(source, 0)


def test_a_very_deep_text_is_read_without_recursion() -> None:
    deep = 50_000
    items = read_items(Source("deep.pam", f"L = {'{ ' * deep}a[1]{' }' * deep};"))
    assert len(items) == 1


def test_equal_names_are_one_string() -> None:
    body = parse(Source("names.pam", "L = { work[1]; work[2]; };")).equations["L"].body
    assert isinstance(body, Sequence)
    first, second = body.steps
    assert isinstance(first, Invoke)
    assert isinstance(second, Invoke)
    assert first.name is second.name


def test_the_marks_are_matched_longest_first() -> None:
    pattern = re.compile(tables.load().marks)
    for mark in ("||", "<=", "<", "==", "=", "!=", "[", "]", "^", "-"):
        found = pattern.match(mark)
        assert found is not None
        assert found[0] == mark
