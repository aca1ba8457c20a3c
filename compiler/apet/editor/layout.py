"""Formatting of PAMELA-E and PASL: the same tokens and comments, with regular indents and spaces.

Line breaks are the author's, but for these: every declaration begins a line, and a group that spans lines has its
braces at the ends of lines. At most one empty line stands between two others. The result laid out again is the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.source import Source
from apet.ground.units import UNIT
from apet.model.pamela.including import alone
from apet.model.pamela.parse import declarations
from apet.pasl.read import read_tasks
from apet.trials.languages import is_task_graph

INDENT = "    "
TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n\f]+)
    |(?P<line>//[^\n]*)
    |(?P<comment>/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<string>"[^"\n]*")
    |(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?
        (?:[ \t]*(?:{UNIT})(?![\w$]))?)
    |(?P<name>(?:[^\W\d]|\$)[\w$]*)
    |(?P<sign>\|\||->|==|!=|<=|>=|.)""",
    re.VERBOSE | re.DOTALL,
)
APART = frozenset(("seq", "par", "if", "in", "else", "servers"))
"""Words that stand apart from a round bracket after them."""
TIGHT = frozenset(("(", "[", ".", "^"))
BINARY = frozenset(("+", "-", "*", "/", "%", "=", "==", "!=", "<", "<=", ">", ">=", "||", "->"))
OPENING = frozenset(("(", "[", "{"))
CLOSING = frozenset((")", "]", "}"))
DECLARED = frozenset(("param", "resource", "def", "include", "application", "level", "batch", "flow"))


class Token(NamedTuple):
    """A token or comment, how many line breaks stand before it, and its column in the source from 0."""

    kind: str
    text: str
    breaks: int
    column: int


def tokens(text: str) -> list[Token]:
    """The tokens and comments of a text, without the space between them."""
    pieces: list[Token] = []
    breaks = start = 0
    for match in TOKEN.finditer(text.lstrip("\ufeff")):
        kind, piece = str(match.lastgroup), match.group()
        if kind == "space":
            breaks += piece.count("\n")
        else:
            pieces.append(Token(kind, _trimmed(kind, piece), breaks, match.start() - start))
            breaks = 0
        if "\n" in piece:
            start = match.start() + piece.rindex("\n") + 1

    return pieces


def laid_out(text: str) -> str:
    """A text that parses, formatted. Its tokens and comments stay the same."""
    source = tokens(text)
    return _Writer(source).write() if source else ""


def _trimmed(kind: str, piece: str) -> str:
    if kind in ("line", "comment"):
        return "\n".join(line.rstrip() for line in piece.splitlines())
    if kind == "number":
        return re.sub(rf"(?<=[\d.])[ \t]*(?=(?:{UNIT})$)", " ", piece)
    return piece


@dataclass
class _Bracket:
    opener: str
    broken: bool
    indent: int


class _Writer:
    def __init__(self, source: Sequence[Token]) -> None:
        self.tokens = source
        self.closer = _partners(source)
        self.begins = _beginnings(source)
        self.spread = self._spread_groups()

        # what is written
        self.lines: list[str] = []
        self.line = ""
        self.remark: Token | None = None  # the comment that ends the line
        self.remarks: dict[int, Token] = {}

        # where the writer is
        self.brackets: list[_Bracket] = []
        self.fresh = True  # a statement begins
        self.last: Token | None = None  # the last token that is no comment
        self.unary = False  # the last token is a sign before a value
        self.flow = False  # in a flow of a task graph, whose size stands apart

    def write(self) -> str:
        for k, token in enumerate(self.tokens):
            breaks = self._breaks(k, token)
            if breaks:
                self._end_line(breaks)
            self._put(k, token)
        self._end_line(1)
        self._align()
        return "\n".join(self.lines).rstrip("\n") + "\n"

    # Lines

    def _spread_groups(self) -> set[int]:
        """The braces, by place, whose group spans several lines in the source."""
        braces = set()
        for opener, closer in self.closer.items():
            if self.tokens[opener].text == "{" and any(t.breaks for t in self.tokens[opener + 1 : closer + 1]):
                braces |= {opener, closer}
        return braces

    def _breaks(self, k: int, token: Token) -> int:
        """How many line breaks are put before a token."""
        if k == 0:
            return 0
        before = self.tokens[k - 1]
        wanted = min(token.breaks, 2)

        # nothing may follow a line comment, and a spread group has its braces at the ends of lines; a remark that
        # stands behind an opening brace stays there
        trailing = token.kind in ("line", "comment") and not token.breaks
        if before.kind == "line" or (not trailing and ((k - 1) in self.spread and before.text == "{")):
            wanted = max(wanted, 1)
        if token.text == "}" and k in self.spread:
            return 1
        if before.text == "{" and before.kind == "sign":
            wanted = min(wanted, 1)
        if k in self.begins:
            wanted = max(wanted, 1)

        return wanted

    def _end_line(self, breaks: int) -> None:
        if self.line:
            self.lines.extend(self.line.split("\n"))
            if self.remark is not None:
                self.remarks[len(self.lines) - 1] = self.remark
        self.line, self.remark = "", None
        if breaks > 1 and self.lines and self.lines[-1]:
            self.lines.append("")

    def _align(self) -> None:
        """Put the remarks at the ends of neighbouring lines below each other: where they are, if that is one column."""
        rows = sorted(self.remarks)
        while rows:
            count = next((k for k in range(1, len(rows)) if rows[k] != rows[0] + k), len(rows))
            longest = max(len(self.lines[row]) for row in rows[:count])
            columns = {self.remarks[row].column for row in rows[:count]}
            # a column that the author chose for all of them stays, as long as it is right of the longest line
            column = columns.pop() if len(columns) == 1 and min(columns) > longest else longest + 2
            for row in rows[:count]:
                self.lines[row] = self.lines[row].ljust(column) + self.remarks[row].text
            del rows[:count]

    def _put(self, k: int, token: Token) -> None:
        comment = token.kind in ("line", "comment")
        if not self.line:
            depth = self._depth(k, token)
            self.line = INDENT * depth + token.text
        elif token.kind == "line":
            self.remark = token
        else:
            self.line += self._space(token) + token.text
        if comment:
            return

        if token.text in OPENING and token.kind == "sign":
            indent = self._inner()
            self.brackets.append(_Bracket(token.text, k in self.spread, indent))
        elif token.text in CLOSING and token.kind == "sign" and self.brackets:
            self.brackets.pop()
        if self.fresh and not self.brackets:
            self.flow = token.text == "flow"

        self.unary = self._is_unary(token)
        self.fresh = token.text in (";", "{", "}") and token.kind == "sign"
        self.last = token

    def _depth(self, k: int, token: Token) -> int:
        base = self.brackets[-1].indent if self.brackets else 0
        if token.text in CLOSING and token.kind == "sign" and self.brackets:
            return max(base - 1, 0)
        if token.kind in ("line", "comment"):
            return base + self._continued(self._next(k))
        return base + self._continued(k)

    def _next(self, k: int) -> int:
        """The next token that is no comment."""
        while k < len(self.tokens) and self.tokens[k].kind in ("line", "comment"):
            k += 1
        return k

    def _continued(self, k: int) -> int:
        """1 where a token continues what an earlier line began, else 0."""
        if k >= len(self.tokens) or self.last is None:
            return 0
        if not self.brackets:
            return 0 if k in self.begins or self.tokens[k].text in CLOSING else 1
        inside = self.brackets[-1].opener != "{"
        follows_group = self.last.text == "}" and self.tokens[k].text in ("||", "after")
        return 0 if inside or (self.fresh and not follows_group) or self.tokens[k].text in CLOSING else 1

    def _inner(self) -> int:
        """The depth of what stands in a bracket: one more than the line on which it opens."""
        # counted from the line, not from the brackets: of several that open on one line each indents by the same
        outer = (len(self.line) - len(self.line.lstrip(" "))) // len(INDENT)
        return outer + 1

    # Spaces

    def _is_unary(self, token: Token) -> bool:
        if token.kind != "sign" or token.text not in ("+", "-"):
            return False
        last = self.last
        return last is None or (last.kind == "sign" and last.text not in CLOSING) or last.text in ("in", "else")

    def _space(self, token: Token) -> str:
        last = self.last
        if last is None or token.kind == "comment":
            return " "

        if last.kind == "sign" and (last.text in TIGHT or self.unary):
            return ""
        if token.kind == "sign":
            if token.text in (")", "]", ",", ";", ":", ".", "^") or (token.text == "}" and last.text == "{"):
                return ""
            if token.text in ("(", "["):
                return self._before_bracket(last, token)
        return " "

    def _before_bracket(self, last: Token, token: Token) -> str:
        if last.kind == "name":
            apart = last.text == "in" if token.text == "[" else last.text in APART
            return " " if apart or (self.flow and not self.brackets) else ""
        return "" if last.text == "]" else " "


def _partners(source: Sequence[Token]) -> dict[int, int]:
    """The place of the closing bracket for that of each opening one."""
    pairs, stack = dict[int, int](), list[int]()
    for k, token in enumerate(source):
        if token.kind == "sign" and token.text in OPENING:
            stack.append(k)
        elif token.kind == "sign" and token.text in CLOSING and stack:
            pairs[stack.pop()] = k
    return pairs


def _beginnings(source: Sequence[Token]) -> set[int]:
    """The places where declarations and equations begin."""
    places, start, depth, equals = set[int](), -1, 0, False
    for k, token in enumerate(source):
        if token.kind in ("line", "comment"):
            continue
        if start < 0:
            start, equals = k, False
        if token.kind == "sign":
            if token.text in OPENING:
                depth += 1
            elif token.text in CLOSING:
                depth -= 1
            elif token.text == "=" and depth == 0:
                equals = True

        # a batch ends with its brace, all else only with its semicolon: `{ a } || b;` goes on behind the brace
        ended = depth == 0 and token.kind == "sign" and token.text in (";", "}")
        if ended and (token.text == ";" or source[start].text == "batch"):
            if equals or source[start].text in DECLARED or not places:
                places.add(start)
            start = -1

    return places


def check_parses(source: Source) -> None:
    """`ApetError` with the errors of a PAMELA-E text, or, by its name, of a task graph."""
    if is_task_graph(source.name):
        read_tasks(source)
    else:
        declarations(alone(source))
