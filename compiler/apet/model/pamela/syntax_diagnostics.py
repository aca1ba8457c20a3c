"""Diagnostics of a text that the tables refuse: the error, its place, and the advice that fits best."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source, Span
from apet.ground.units import ADVICE, UNITS, like
from apet.model.pamela import errors

OPERATORS = ("+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">=")
CLOSING = {"(": ")", "[": "]", "{": "}"}
BRACKETS = frozenset("()[]{}")
LOOKED_BACK = 400
"""Characters before an error that are searched for its cause; a line may be very long."""

SHAPES = {
    "seq": "a loop is written seq (i = 1, n) process",
    "par": "a loop is written par (i = 1, n) process",
    "sum": "a sum is written sum(i = 1, n, expression)",
    "use": "write use(resource, process) or use(resource, seconds)",
    "delay": "write delay(seconds)",
    "if": "write if (q) process else process, with q the probability of the first",
    "in": "a range is written in brackets: param q = 0.5 in [0, 1];",
    "def": "a function is written def area(a, b) = a * b;",
    "param": "write param NAME = value; or param NAME;",
    "resource": "write resource NAME; or resource NAME[i] servers 2;",
    "servers": "write resource NAME servers 2;",
}
EQUATION = "an equation is written NAME = process; or NAME[subscripts](parameters) = process;"
LOOP = "a repetition is written seq (i = 1, n) process, or par to run all at once"
PART = "a part of a graph is written name: process after other, another;"
FOREIGN = dict.fromkeys(("function", "void", "int", "class", "proc", "process"), EQUATION) | {
    "for": LOOP,
    "while": LOOP,
    "then": "there is no 'then': if (q) process else process",
}
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
CONDITION = "conditions are joined by multiplying them: (a < b) * (b < c)"


class Grammar(NamedTuple):
    """The parser's tables: actions by state and symbol, rules as (left side, length), and the keywords."""

    actions: list[dict[str, int]]
    rules: list[tuple[str, int]]
    keywords: frozenset[str]


class Stop(NamedTuple):
    """Where reading stopped: the parser's stacks. A value is the text of a terminal, None for a nonterminal."""

    grammar: Grammar
    source: Source
    states: list[int]
    values: list[str | None]
    starts: list[int]
    ends: list[int]

    def before(self, at: int) -> str:
        """A little of the text before an offset."""
        return self.source.text[max(0, at - LOOKED_BACK) : at]

    @property
    def opened(self) -> tuple[str, str, int] | None:
        """The innermost bracket that is still open, the keyword before it, and the bracket's offset."""
        closed = 0
        for k in range(len(self.values) - 1, -1, -1):
            mark = self.values[k]
            if not isinstance(mark, str) or mark not in BRACKETS:
                continue
            if mark not in CLOSING:
                closed += 1
            elif closed:
                closed -= 1
            else:
                word = self.values[k - 1] if k else ""
                return mark, word if isinstance(word, str) else "", self.starts[k]

        return None

    @property
    def item(self) -> str:
        """`param`, `resource`, `def` or nothing: what kind of item is being read."""
        keywords = [v for v in self.values[:3] if isinstance(v, str) and v in ("param", "resource", "def")]
        return keywords[0] if keywords else ""

    def where(self, at: int) -> str:
        """An offset as a line and column, in words."""
        line, column = self.source.position(at)
        return f"line {line}, column {column}"


class RefusedToken(NamedTuple):
    """The token that cannot stand where it does, and those that could."""

    symbol: str
    word: str
    span: Span
    expected: list[str]


def bad_character(stop: Stop, at: int) -> Diagnostic:
    """The error of a character that begins no token."""
    text = stop.source.text
    character = text[at]
    opened = stop.opened
    if character in "&|" and opened is not None and opened[0] == "(" and opened[1] != "use":
        advice = CONDITION
    elif character == "." and text.startswith("..", at - 1):
        advice = _range_advice(stop)
    elif character in MARKS:
        advice = MARKS[character]
    elif character in "\u201c\u201d\u201e\u2018\u2019":
        advice = MARKS['"']
    else:
        advice = "" if character.isprintable() else "delete it: this character cannot be seen"

    return errors.UnexpectedCharacter(stop.source, Span(at, at + 1), character, advice)


def _range_advice(stop: Stop) -> str:
    opened = stop.opened
    if opened is not None and opened[1] in SHAPES:
        return SHAPES[opened[1]]
    return next((SHAPES[v] for v in reversed(stop.values) if isinstance(v, str) and v in ("seq", "par", "in")), "")


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
    if symbol == "NAME" and _is_unit(stop, span):
        return errors.UnknownModelUnit(source, span, word, like(word), _unit_advice(word))
    token = RefusedToken(symbol, word, span, expected)
    if ";" in expected and _begins(stop, token) and "\n" in source.text[stop.ends[-1] : span.start]:
        return errors.MissingModelSemicolon(source, _last(stop))

    advice = _advice(stop, token)
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


def _advice(stop: Stop, token: RefusedToken) -> str:
    return next((text for rule in RULES if (text := rule(stop, token))), "")


def _keyword_advice(stop: Stop, token: RefusedToken) -> str:
    """A keyword where a name is needed, or alone."""
    if token.expected == ["NAME"]:
        if token.symbol in stop.grammar.keywords:
            return f"'{token.word}' is a keyword; choose another name"
        previous = stop.values[-1] if stop.values else ""
        return SHAPES.get(previous, "") if isinstance(previous, str) else ""
    if token.expected == ["("] and isinstance(stop.values[-1], str) and stop.item != "def":
        word = stop.values[-1]
        alone = token.symbol not in ("NAME", "NUMBER", "{", "[")
        return f"'{word}' is a keyword; choose another name" if alone else SHAPES.get(word, "")
    return "write if (q) process, or if process else process" if token.expected == ["else"] else ""


def _mark_advice(stop: Stop, token: RefusedToken) -> str:
    """Marks that other languages use in another way."""
    before = stop.before(token.span.start)
    text = stop.source.text
    if token.symbol == "*" and text.startswith("/", token.span.end):
        return "no comment is open here"
    if token.symbol == "*" and before.endswith("*"):
        return "a power is written ^"
    if token.symbol == "-" and text.startswith(">", token.span.end) and "=" in token.expected:
        return EQUATION
    if token.symbol == ">" and before.endswith("<"):
        return "the comparison is !="
    if token.symbol == ";" and before.endswith(")") and "seq" in token.expected:
        return "the process that follows the ')' is missing"
    if token.symbol in ("+", "-") and before.endswith(token.symbol):
        return LOOP if re.search(r"\bfor\b", before) else ""
    if before.rstrip().endswith("%") and "NUMBER" in token.expected:
        return "% is the remainder of a division; 50 percent is 0.5"
    if token.word.startswith("."):
        return _range_advice(stop)
    if token.symbol == ";" and before.rstrip().endswith(";"):
        return "one ';' is enough"

    return "no ';' stands before else" if token.symbol == "else" and before.rstrip().endswith(";") else ""


def _graph_advice(stop: Stop, token: RefusedToken) -> str:
    """Inside a graph, and colons outside of one."""
    opened = stop.opened
    in_graph = opened is not None and opened[:2] == ("{", "graph")

    if token.symbol == ":":
        if in_graph:
            return PART
        if opened is not None and (opened[0] == "{" or opened[1] == "graph"):
            return "parts with names stand in a graph: graph { name: process; … }"
        return EQUATION if opened is None or opened[1] not in SHAPES else SHAPES[opened[1]]

    if token.expected == ["NAME"] and "graph" in stop.values and stop.values[-1:] == ["["]:
        return PART

    if not in_graph:
        return ""
    is_part = ":" in token.expected or token.expected == ["NAME"] or "after" in (token.word, *stop.values[-8:])
    is_part |= token.symbol in (",", "-") and "}" in token.expected
    begins = token.symbol == "NAME" and token.word != "after" and "||" in token.expected
    return PART if is_part and not begins else ""


def _declaration_advice(stop: Stop, token: RefusedToken) -> str:
    """Inside `param` and `resource`."""
    if not stop.item:
        return ""
    if stop.item == "def":
        return SHAPES["def"] if "=" not in stop.values else ""
    if stop.opened is not None and stop.opened[1] == "in":
        return SHAPES["in"]
    if "in" in stop.values[-1:] or "servers" in stop.values[-1:]:
        return SHAPES[str(stop.values[-1])]
    if token.symbol == "," and stop.before(token.span.start)[-1:].isdigit():
        return "digits are not grouped: write 1000000"
    if token.symbol == ",":
        return "declare one after the other: param n; param m;"
    if "=" not in stop.values and token.symbol != ";" and "param" in stop.values:
        return "a parameter is one name without a type: param n = 5;"

    return SHAPES["resource"] if stop.item == "resource" else ""


def _foreign_advice(stop: Stop, token: RefusedToken) -> str:
    """Words of other languages in the same statement."""
    statement = re.split(r"[;{}]", stop.before(token.span.start))[-1]
    return next((FOREIGN[w] for w in re.findall(r"\b[a-z]+\b", statement) if w in FOREIGN), "")


def _unit_of_value_advice(stop: Stop, token: RefusedToken) -> str:
    """A unit after something that is no plain number."""
    if token.word not in UNITS or "*" not in token.expected:
        return ""
    return f"a unit stands after a number: write * 1 {token.word}"


def _comparison_advice(stop: Stop, token: RefusedToken) -> str:
    return "the comparison is ==" if token.symbol == "=" and "==" in token.expected else ""


def _bracket_advice(stop: Stop, token: RefusedToken) -> str:
    """A bracket too many or too few, or a form that is not filled in as it should."""
    opened = stop.opened
    if token.symbol in (")", "]", "}") and (opened is None or CLOSING[opened[0]] != token.symbol):
        if opened is None:
            return f"nothing is open that this '{token.symbol}' could close"
        return f"the '{opened[0]}' in {stop.where(opened[2])} is still open"
    if opened is None or opened[0] == "{":
        return ""
    if opened[1] in ("seq", "par", "sum", "use") or (opened[1] == "delay" and stop.values[-1] == "("):
        return SHAPES[opened[1]]
    missing = CLOSING[opened[0]]
    return f"is a '{missing}' missing?" if missing in token.expected and token.symbol in (";", "NAME", "NUMBER") else ""


def _begins(stop: Stop, token: RefusedToken) -> bool:
    """Whether a token may be the first one of an item or process."""
    return token.symbol in ("NAME", "{") or token.symbol in stop.grammar.keywords


def _process_advice(stop: Stop, token: RefusedToken) -> str:
    """Where one process ends and the next begins."""
    if token.symbol == "{" and "=" in token.expected:
        return EQUATION
    if re.search(r"(?<![\w$])include[ \t]*$", stop.before(token.span.start)):
        return 'write include "network.pam";'
    if ";" in token.expected and _begins(stop, token):
        return "is a ';' missing before it?"

    if token.symbol == "," and ";" in token.expected:
        return "processes are separated by ';' (one after the other) or '||' (at once)"
    if token.symbol == "NUMBER" and "seq" in token.expected:
        glued = re.match(r"[\w$]", stop.source.text[token.span.end : token.span.end + 1])
        return "names begin with a letter" if glued else "a number is no process: delay(3) takes 3 seconds"
    return "begin with a name: L = …;" if token.symbol == "=" and "resource" in token.expected else ""


Rule = Callable[[Stop, RefusedToken], str]

RULES: tuple[Rule, ...] = (
    _graph_advice,
    _keyword_advice,
    _mark_advice,
    _declaration_advice,
    _foreign_advice,
    _unit_of_value_advice,
    _comparison_advice,
    _bracket_advice,
    _process_advice,
)
"""The first rule that knows an advice gives it."""
