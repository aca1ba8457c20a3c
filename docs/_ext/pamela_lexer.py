"""Colours for PAMELA-E and PASL blocks."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx

from apet.ground.units import UNIT

PROCESS_WORDS = ("seq", "par", "if", "else", "use", "delay", "send", "sum", "in", "servers", "graph", "after")
DECLARATIONS = ("param", "resource", "def", "include")
NUMBER = rf"\d+(\.\d+)?([eE][+-]?\d+)?([ ]?({UNIT})\b)?"


class PamelaLexer(RegexLexer):
    """Enough of the language to colour it; the grammar file is the definition."""

    name = "PAMELA-E"
    aliases: ClassVar[list[str]] = ["pamela"]
    tokens: ClassVar[dict[str, list[tuple[object, object]]]] = {
        "root": [
            (r"\s+", Text),
            (r"//[^\n]*", Comment.Single),
            (r"/\*(?s:.*?)\*/", Comment.Multiline),
            (r'"[^"\n]*"', String),
            (words(DECLARATIONS, suffix=r"\b"), Keyword.Declaration),
            (words(PROCESS_WORDS, suffix=r"\b"), Keyword),
            (NUMBER, Number),
            (r"[^\W\d]\w*", Name),
            (r"\|\||[-+*/%^=<>!]", Operator),
            (r"[\[\](){};:,.…]", Punctuation),
        ]
    }


class PaslLexer(RegexLexer):
    """The same for task graphs."""

    name = "PASL"
    aliases: ClassVar[list[str]] = ["pasl"]
    tokens: ClassVar[dict[str, list[tuple[object, object]]]] = {
        "root": [
            (r"\s+", Text),
            (r"//[^\n]*", Comment.Single),
            (r"/\*(?s:.*?)\*/", Comment.Multiline),
            (r'"[^"\n]*"', String),
            (words(("application", "level", "param", "batch", "flow"), suffix=r"\b"), Keyword.Declaration),
            (words(("task", "arguments", "results", "replicas", "on", "with", "per", "in"), suffix=r"\b"), Keyword),
            (NUMBER, Number),
            (r"[^\W\d]\w*", Name),
            (r"->|[-+*/%^=<>!]", Operator),
            (r"[\[\](){};,.…]", Punctuation),
        ]
    }


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_lexer("pamela", PamelaLexer)
    app.add_lexer("pasl", PaslLexer)
    return {"parallel_read_safe": True}
