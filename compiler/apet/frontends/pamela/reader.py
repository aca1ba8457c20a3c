"""Text to items: a scanner and a shift-reduce loop over the tables that Lark makes from the grammar.

The loop is written out because it is twice as fast as Lark's own tree and visitor; what it accepts is the grammar's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, NoReturn

from apet.diagnostics import ApetError, Diagnostic, nearest
from apet.frontends.pamela import errors, tables
from apet.frontends.pamela.actions import ACTIONS
from apet.source import Source, Span

MOST_ERRORS = 10
UNITS = ("ns", "us", "ms", "s", "B", "kB", "KiB", "MB", "MiB", "GB", "GiB")

Action = Callable[[list[Any], list[int], list[int]], Any]


class Machine(NamedTuple):
    """The tables with the actions bound: what the loop runs on."""

    actions: list[dict[str, int]]
    rules: list[tuple[str, int, Action | None]]
    scan: re.Pattern[str]
    keywords: frozenset[str]
    start_of_item: int


@cache
def machine() -> Machine:
    """The bound tables, made once per process."""
    t = tables.load()
    symbols = {s for row in t.actions for s in row}
    words = {s for s in symbols if s.isalpha() and s.islower()} - {left for left, _, _ in t.rules}
    marks = sorted((s for s in symbols if not s[0].isalnum() and s[0] not in "_$"), key=len, reverse=True)
    scan = re.compile(f"({t.ignored})|({t.names})|({t.numbers})|({'|'.join(map(re.escape, marks))})")
    rules = [(left, length, None if alias == "first" and length == 1 else ACTIONS[alias]) for left, length, alias in t.rules]
    return Machine(t.actions, rules, scan, frozenset(words), t.actions[0]["items"])


def read_items(source: Source) -> list[Any]:
    """The items of a model text, each with its place; `ApetError` with up to ten syntax errors."""
    found: list[Diagnostic] = []
    items: list[Any] = []
    at = 0
    while at <= len(source.text):
        try:
            items += _run(source, at)
            break
        except ApetError as error:
            found += error.diagnostics
            span = error.diagnostics[0].span
            assert span is not None
            at = _next_item(source.text, max(span.start, at))
            if len(found) >= MOST_ERRORS or at < 0:
                break
    if found:
        raise ApetError(found)
    return items


def _next_item(text: str, at: int) -> int:
    """Where reading can go on after a mistake: a line that begins like an item, or -1."""
    m = re.compile(r"^(?=param\b|resource\b|[^\W\d][\w$]*\s*(?:\[[^\]\n]*\])?\s*(?:\([^)\n]*\))?\s*=[^=])", re.M)
    hit = m.search(text, at + 1)
    return hit.start() if hit else -1


def _run(source: Source, at: int) -> list[Any]:
    """The shift-reduce loop from an offset to the end of the text."""
    table, rules, scan, keywords, _ = machine()
    text = source.text
    states, starts, ends = [0], list[int](), list[int]()
    values: list[Any] = []
    match, size, state = scan.match, len(text), 0
    while True:
        if at < size:
            m = match(text, at)
            if m is None:
                _bad_character(source, at)
            start, at = at, m.end()
            which = m.lastindex
            if which == 1:
                continue
            value = m.group()
            if which == 2:
                symbol = value if value in keywords else "NAME"
            else:
                symbol = "NUMBER" if which == 3 else value
        else:
            start, symbol, value = at, "END", ""
        while True:
            row = table[state]
            code = row.get(symbol)
            if code is None:
                _bad_token(source, states, symbol, Span(start, max(at, start + 1)))
            if code >= 0:
                if code == tables.ACCEPT:
                    items: list[Any] = values[0]
                    return items
                states.append(code)
                values.append(value)
                starts.append(start)
                ends.append(at)
                state = code
                break
            left, length, act = rules[-1 - code]
            if act is not None:
                if length:
                    result = act(values[-length:], starts[-length:], ends[-length:])
                    first, last = starts[-length], ends[-1]
                    del values[-length:], starts[-length:], ends[-length:], states[-length:]
                else:
                    result = act([], [start], [start])
                    first = last = start
                values.append(result)
                starts.append(first)
                ends.append(last)
            else:
                states.pop()
            state = table[states[-1]][left]
            states.append(state)


def _bad_character(source: Source, at: int) -> NoReturn:
    text = source.text
    if text.startswith("/*", at):
        raise ApetError(errors.UnclosedComment(source, Span(at, at + 2)))
    advice = {
        '"': "names and numbers need no quotes",
        "'": "names and numbers need no quotes",
        "&": "processes at once are joined by ||",
        "|": "processes at once are joined by ||",
        "!": "the comparison is !=; there is no negation",
        "#": "comments begin with //",
        ":": "equations are written NAME = process;",
    }.get(text[at], "")
    if not text[at].isprintable():
        advice = "is this a text file in UTF-8?"
    raise ApetError(errors.UnexpectedCharacter(source, Span(at, at + 1), text[at], advice))


def _bad_token(source: Source, states: list[int], symbol: str, span: Span) -> NoReturn:
    word = source.text[span.start : span.end]
    before = source.text[: span.start].rstrip(" \t")
    if symbol == "NAME" and re.search(r"(?:^|[^\w$.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$", before[-40:]):
        raise ApetError(errors.WrongUnit(source, span, word, nearest(word, UNITS)))
    found = "the end of the text" if symbol == "END" else f"'{word}'"
    expected = _expected(states)
    raise ApetError(errors.UnexpectedToken(source, span, found, _listed(expected), _advice(symbol, word, expected)))


def _expected(states: list[int]) -> list[str]:
    """The terminals that could stand here, tried one by one on a copy of the stack (LALR merges look-aheads)."""
    table, rules, _, _, _ = machine()
    terminals = [s for s in table[states[-1]] if not s[0].islower() or s in machine().keywords]
    return [s for s in terminals if s != "END" and _shifts(table, rules, list(states), s)]


def _shifts(table: list[dict[str, int]], rules: list[Any], states: list[int], symbol: str) -> bool:
    while (code := table[states[-1]].get(symbol)) is not None and code < 0:
        left, length, _ = rules[-1 - code]
        if length:
            del states[-length:]
        states.append(table[states[-1]][left])
    return code is not None


OPERATORS = ("+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">=")


def _listed(expected: list[str]) -> str:
    """The expected terminals in words, the frequent ones folded together."""
    rest, words = set(expected), []
    if {"NAME", "{", "seq"} <= rest:
        words.append("a process")
        rest -= {"NAME", "{", "seq", "par", "if", "use", "delay"}
        if "NUMBER" in rest:
            words.append("an expression")
            rest -= {"NUMBER", "(", "sum", "+", "-"}
    elif "NUMBER" in rest:
        words.append("an expression")
        rest -= {"NAME", "NUMBER", "(", "sum", "+", "-"}
    elif "NAME" in rest:
        words.append("a name")
        rest.discard("NAME")
    if rest & set(OPERATORS):
        words.append("an operator")
        rest -= set(OPERATORS)
    words += [f"'{s}'" for s in sorted(rest)]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing more"


def _advice(symbol: str, word: str, expected: list[str]) -> str:
    if symbol in machine().keywords and expected == ["NAME"]:
        return f"'{word}' is a keyword; choose another name"
    if symbol == "END":
        closing = [s for s in ("}", ")", "]") if s in expected]
        return f"a '{closing[0]}' is missing" if closing else "an item ends with ';'" if ";" in expected else ""
    if ";" in expected and (symbol == "NAME" or symbol in machine().keywords or symbol in "{}"):
        return "is a ';' missing before it?"
    if symbol == "=" and "==" in expected:
        return "the comparison is =="
    if symbol == ":" or (symbol == "," and ";" in expected):
        return "processes are separated by ';' (one after the other) or '||' (at once)"
    return ""
