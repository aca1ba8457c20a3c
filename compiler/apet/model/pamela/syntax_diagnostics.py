"""Diagnostics of a text that the tables refuse: the error, its place, and the advice that fits best."""

from __future__ import annotations

import re

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Span
from apet.ground.units import ADVICE, like
from apet.model.pamela import errors
from apet.model.pamela.stop import CLOSING, RefusedToken, Stop
from apet.model.pamela.syntax_advice import LOGIC, LOOP, advice_on, begins, range_advice

OPERATORS = ("+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">=")
MARKS = {
    '"': "names and numbers need no quotes",
    "'": "names and numbers need no quotes",
    "&": "processes at once are joined by ||",
    "|": "processes at once are joined by ||",
    "!": "the comparison is !=; there is no negation: write 1 - q",
    "#": "comments begin with //",
    "?": "a comparison is 1 or 0: write (a < b) * x + (a >= b) * y",
    "\\": "a line needs no mark at its end; processes end with ;",
    "@": "names are made of letters, digits, _ and $",
    "\N{MINUS SIGN}": "write the minus of the keyboard: -",
    "\N{EN DASH}": "write the minus of the keyboard: -",
    "\N{MULTIPLICATION SIGN}": "write *",
    "\N{MIDDLE DOT}": "write *",
    "\N{LESS-THAN OR EQUAL TO}": "write <=",
    "\N{GREATER-THAN OR EQUAL TO}": "write >=",
    "\N{NOT EQUAL TO}": "write !=",
    "\N{NO-BREAK SPACE}": "this is a no-break space; write a plain one",
}


def bad_character(stop: Stop, at: int) -> Diagnostic:
    """The error of a character that begins no token."""
    text = stop.source.text
    character = text[at]
    opened = stop.opened
    if character in "&|" and opened is not None and opened[0] == "(" and opened[1] != "use":
        advice = LOGIC["or" if character == "|" else "and"]
    elif character == "." and text.startswith("..", at - 1):
        advice = range_advice(stop)
    elif character in MARKS:
        advice = MARKS[character]
    elif character in "\u201c\u201d\u201e\u2018\u2019":
        advice = MARKS['"']
    else:
        advice = "" if character.isprintable() else "delete it: this character cannot be seen"

    return errors.UnexpectedCharacter(stop.source, Span(at, at + 1), character, advice)


def bad_token(stop: Stop, symbol: str, span: Span) -> Diagnostic:
    """The error of a token that cannot stand where it does."""
    source = stop.source
    word = source.text[span.start : span.end]
    for start in (span.start - 1, span.start):
        if source.text.startswith("/*", start) and start >= 0:
            return errors.UnclosedComment(source, Span(start, start + 2))
    expected = _expected(stop)
    if symbol == "END":
        return errors.UnexpectedEnd(source, _last(stop), _listed(expected), _end_advice(stop, expected))
    if symbol == "NAME" and word not in LOGIC and _is_unit(stop, span):
        return errors.UnknownModelUnit(source, span, word, like(word), _unit_advice(word))
    token = RefusedToken(symbol, word, span, expected)
    if ";" in expected and begins(stop, token) and "\n" in source.text[stop.ends[-1] : span.start]:
        return errors.MissingModelSemicolon(source, _last(stop))

    advice = advice_on(stop, token)
    return errors.UnexpectedToken(source, span, f"'{word}'", _listed(expected), advice)


def _last(stop: Stop) -> Span:
    """The last character that was read; the first of the text if there is none."""
    end = stop.ends[-1] if stop.ends else 1
    return Span(max(0, end - 1), end)


def _is_unit(stop: Stop, span: Span) -> bool:
    """Whether a name stands after a number in its line and is no call."""
    number = re.search(r"(?:^|[^\w$.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]*\Z", stop.before(span.start))
    return number is not None and re.match(r"\s*[\[(]", stop.source.text[span.end : span.end + 9]) is None


def _unit_advice(word: str) -> str:
    if word in ("to", "until", "do"):
        return LOOP
    if word.startswith("_"):
        return "digits are not grouped: write 1000"
    if re.fullmatch(r"[xX][0-9a-fA-F]+", word):
        return "numbers are decimal"
    return f"{ADVICE}; a product needs its *"


def _end_advice(stop: Stop, expected: list[str]) -> str:
    opened = stop.opened
    if opened is not None:
        return f"the '{opened[0]}' in {stop.where(opened[2])} needs its '{CLOSING[opened[0]]}'"
    return "processes, equations and declarations end with ';'" if ";" in expected else ""


def _expected(stop: Stop) -> list[str]:
    """The terminals that could stand here, tried one by one on a copy of the stack (LALR merges look-aheads)."""
    table, rules = stop.grammar.actions, stop.grammar.rules
    terminals = [s for s in table[stop.states[-1]] if not s[0].islower() or s in stop.grammar.keywords]
    return [s for s in terminals if s not in ("END", "INCLUDE") and _shifts(table, rules, list(stop.states), s)]


def _shifts(table: list[dict[str, int]], rules: list[tuple[str, int]], states: list[int], symbol: str) -> bool:
    while (code := table[states[-1]].get(symbol)) is not None and code < 0:
        left, length = rules[-1 - code]
        if length:
            del states[-length:]
        states.append(table[states[-1]][left])
    return code is not None


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
