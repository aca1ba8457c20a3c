"""The diagnostic of a text that Lark refuses: the error, its place, and the advice that fits best."""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from apet.ground.diagnostics import Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.ground.units import UNITS, like
from apet.pasl import errors

ITEMS = ("application", "level", "param", "batch", "flow")
MEMBERS = ("task", "arguments", "results", "replicas", "on")
SHAPES = {
    "application": "write application NAME;",
    "level": "write level flat; or level core;",
    "param": "write param NAME = value; or param NAME in [0, 1];",
    "batch": 'write batch NAME[number of tasks] { task "Task.java"; }',
    "flow": "write flow FIRST -> SECOND (size);",
    "task": 'write task "Task.java" Class.method with parameter = value;',
    "arguments": "write arguments 8 B; or arguments 8 B per worker;",
    "results": "write results 8 B; or results 8 B per worker;",
    "replicas": "write replicas 1;",
    "on": "write on coordinator;",
}
FOREIGN = {
    "lote": "a lote is a batch here",
    "job": "tasks come in batches: batch NAME[number] { … }",
    "stage": "tasks come in batches: batch NAME[number] { … }",
    "edge": "what joins two batches is a flow: flow a -> b (8 B);",
    "fluxo": "what joins two batches is a flow: flow a -> b (8 B);",
    "tasks": "the number of tasks stands behind the name: batch NAME[100] { … }",
}
WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a file name in quotes",
    "SIGN": "'+' or '-'",
    "TIMES": "'*', '/' or '%'",
    "POWER": "'^'",
    "COMPARISON": "a comparison",
    "$END": "the end",
}
MARKS = {
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "LBRACE": "{",
    "RBRACE": "}",
    "SEMICOLON": ";",
    "COMMA": ",",
    "EQUAL": "=",
    "DOT": ".",
    "__ANON_0": "->",
}
OPERATORS = frozenset(("SIGN", "TIMES", "POWER", "COMPARISON"))
BEGINNINGS = frozenset(("NAME", "NUMBER", "LPAR", "SIGN"))


def diagnosed(source: Source, stop: UnexpectedInput, accepted: set[str]) -> Diagnostic:
    """The error of a text that is refused where only some terminals are accepted."""
    if isinstance(stop, UnexpectedToken) and stop.token.type != "$END":
        at, word = stop.token.start_pos, str(stop.token)
    elif isinstance(stop, UnexpectedCharacters):
        at = int(stop.pos_in_stream)  # type: ignore[call-overload]  # declared None where it has no value yet
        word = _word(source.text, at)
    else:
        at, word = len(source.text.rstrip()), ""
    return _of(source, at, word, accepted)


def _of(source: Source, at: int, word: str, accepted: set[str]) -> Diagnostic:
    text = source.text
    for start in (at, at - 1):
        if text.startswith("/*", start) and start >= 0:
            from apet.model.pamela.errors import UnclosedComment

            return UnclosedComment(source, Span(start, start + 2))
    before = text[:at].rstrip()
    ended = "SEMICOLON" in accepted and before
    if ended and (not word or "\n" in text[len(before) : at]) and (not word or word[0].isalpha() or word == "}"):
        return errors.MissingSemicolon(source, Span(len(before) - 1, len(before)))
    symbol = f"'{word}'" if word else "end of the text"
    advice = _advice(before, word, accepted) if word else _open(source, before)
    return errors.UnexpectedText(source, Span(at, at + max(1, len(word))), symbol, _listed(accepted), advice)


def _open(source: Source, before: str) -> str:
    """Where the last brace that is still open stands, for a text that ends too early."""
    plain = re.sub(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', lambda m: " " * len(m[0]), before, flags=re.DOTALL)
    depth = 0
    for at in range(len(plain) - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(plain[at], 0)
        if depth < 0:
            line, column = source.position(at)
            return f"the '{{' in line {line}, column {column} is still open"
    return ""


def _word(text: str, at: int) -> str:
    match = re.compile(r"[\w$]+|->|.", re.DOTALL).match(text, at)
    return match[0] if match else ""


def _listed(accepted: set[str]) -> str:
    """The expected symbols in words, the frequent ones folded together."""
    rest, words = set(accepted), []
    if rest >= BEGINNINGS:
        words.append("an expression")
        rest -= BEGINNINGS
    if rest >= OPERATORS:
        words.append("an operator")
        rest -= OPERATORS

    words += [WORDS[s] for s in sorted(rest & set(WORDS))]
    words += [f"'{_mark(s)}'" for s in sorted(rest - set(WORDS), key=_mark)]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing more"


def _mark(terminal: str) -> str:
    return MARKS.get(terminal) or terminal.lower()


def _advice(before: str, word: str, accepted: set[str]) -> str:
    if before[-1:].isdigit() and word.isalpha() and "SIGN" in accepted:
        return like(word).removeprefix("; ") or f"the units are: {', '.join(UNITS)}"

    keywords = {_mark(s) for s in accepted} & {*ITEMS, *MEMBERS}
    if keywords and word in FOREIGN:
        return FOREIGN[word]
    if keywords and word in {*ITEMS, *MEMBERS}:
        inside = "in a batch" if word in MEMBERS else "outside of batches"
        return f"'{word}' stands {inside}"
    if keywords:
        near = nearest(word, keywords)
        return near.removeprefix("; ") or ("one ';' is enough" if word == ";" else "")
    if word in ("'", "\N{LEFT DOUBLE QUOTATION MARK}"):
        return 'file names stand in plain double quotes: "Task.java"'
    if word == '"' and "STRING" in accepted:
        return "the closing quote is missing"
    if word == "]" and "NUMBER" in accepted and before.endswith("["):
        return "say how many tasks: batch NAME[100]"
    statement = re.split(r"[;{}]", before)[-1].split()
    return SHAPES.get(statement[0], "") if statement else ""
