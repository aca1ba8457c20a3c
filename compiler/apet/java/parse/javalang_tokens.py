"""javalang's tokens, found by one regular expression instead of one character at a time.

What the expression does not match (letters beyond Latin, escapes by number, mistakes) is left to javalang's own
tokenizer, which also words the mistakes.
"""

from __future__ import annotations

import re
from typing import Any

Token = Any
"""A token of javalang."""

TOKEN = re.compile(
    r"""
    (?P<skipped>[ \t\f\r]+|//[^\n]*)
  | (?P<lines>\n\s*|/\*.*?\*/)
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<separator>(?:\.(?![\d.]))|[(){}\[\];,])
  | (?P<hexadecimal>0[xX][0-9a-fA-F_]+[lL]?(?![.pP\w]))
  | (?P<binary>0[bB][01_]+[lL]?(?!\w))
  | (?P<floating>(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][+-]?[0-9_]+)?|\.[0-9][0-9_]*(?:[eE][+-]?[0-9_]+)?
                 |[0-9][0-9_]*[eE][+-]?[0-9_]+|[0-9][0-9_]*(?=[fFdD]))[fFdD]?(?!\w))
  | (?P<octal>0[0-7][0-7_]*[lL]?(?![\w.]))
  | (?P<decimal>(?:0|[1-9][0-9_]*)[lL]?(?![\w.]))
  | (?P<text>"(?!"")(?:[^"\\\n]|\\[btnfr"'\\]|\\[0-7]{1,3})*"|'(?:[^'\\\n]|\\[btnfr"'\\])')
  | (?P<operator>>>>=|>>=|<<=|\.\.\.|->|::|[%^|&/*+\-!<>=]=|<<|--|\+\+|\|\||&&|[%^|&/*\-+:?~!<>=])
  | (?P<annotation>@)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


def tokens(text: str) -> list[Token] | None:
    """All tokens of a text with their places, or None where a character has to be looked at by itself."""
    from javalang import tokenizer as t

    if "\\u" in text:
        return None
    kinds: dict[str, Any] = {
        "separator": t.Separator,
        "hexadecimal": t.HexInteger,
        "binary": t.BinaryInteger,
        "octal": t.OctalInteger,
        "floating": t.DecimalFloatingPoint,
        "decimal": t.DecimalInteger,
        "text": t.String,
        "operator": t.Operator,
        "annotation": t.Annotation,
    }
    words: dict[str, Any] = dict.fromkeys(t.Keyword.VALUES, t.Keyword)
    words |= dict.fromkeys(t.BasicType.VALUES, t.BasicType) | dict.fromkeys(t.Modifier.VALUES, t.Modifier)
    words |= dict.fromkeys(t.Boolean.VALUES, t.Boolean) | {"null": t.Null}
    identifier, place = t.Identifier, t.Position
    found: list[Token] = []
    add, word_kind = found.append, words.get
    line, before, end = 1, -1, 0
    for m in TOKEN.finditer(text):
        start = m.start()
        if start != end:
            return None
        end = m.end()
        kind = m.lastgroup
        if kind == "skipped":
            continue
        if kind == "lines":
            last = text.rfind("\n", start, end)
            if last >= 0:
                line += text.count("\n", start, end)
                before = last
            continue
        value = m[0]
        made = word_kind(value, identifier) if kind == "word" else kinds[kind]  # type: ignore[index]
        add(made(value, place(line, start - before)))
    return found if end == len(text) else None
