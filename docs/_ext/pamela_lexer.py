"""Colours for PAMELA-E blocks."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, Text
from sphinx.application import Sphinx

PROCESS_WORDS = ("seq", "par", "if", "else", "use", "delay", "send", "sum", "in", "servers")
DECLARATIONS = ("param", "resource")


class PamelaLexer(RegexLexer):
    """Enough of the language to colour it; the grammar file is the definition."""

    name = "PAMELA-E"
    aliases: ClassVar[list[str]] = ["pamela"]
    tokens: ClassVar[dict[str, list[tuple[object, object]]]] = {
        "root": [
            (r"\s+", Text),
            (r"//[^\n]*", Comment.Single),
            (r"/\*(?s:.*?)\*/", Comment.Multiline),
            (words(DECLARATIONS, suffix=r"\b"), Keyword.Declaration),
            (words(PROCESS_WORDS, suffix=r"\b"), Keyword),
            (r"\d+(\.\d+)?([eE][+-]?\d+)?([ ]?(ns|us|ms|s|B|kB|KiB|MB|MiB|GB|GiB)\b)?", Number),
            (r"[^\W\d]\w*", Name),
            (r"\|\||[-+*/%^=<>!]", Operator),
            (r"[\[\](){};,.…]", Punctuation),
        ]
    }


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_lexer("pamela", PamelaLexer)
    return {"parallel_read_safe": True}
