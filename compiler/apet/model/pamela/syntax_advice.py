"""What to write instead, where a text cannot be read: one rule for each way in which texts go wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

from apet.ground.diagnostics import nearest
from apet.ground.units import UNITS
from apet.model.pamela.stop import CLOSING, RefusedToken, Stop

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
SEPARATORS = "processes are separated by ';' (one after the other) or '||' (at once)"
PART = "a part of a graph is written name: process after other, another;"
LOOPS: tuple[str, ...] = ("seq", "par", "sum")
BEGINNINGS: dict[str, tuple[str, ...]] = {"NAME": ("param", "resource", "def"), "{": ("graph",)}
"""Keywords behind which a token may stand that is refused behind a name."""
PARAMETER = "a parameter is declared without a type: param n = 4;"
TYPES = ("int", "long", "double", "float", "real", "integer", "number", "var", "let", "const", "final", "auto")
LOGIC = {
    "and": "conditions are joined by multiplying them: (a < b) * (b < c)",
    "or": "one of two conditions is their maximum: max(a < b, c < d)",
    "not": "the opposite of a condition is 1 - q; that of a == b is a != b",
}
ALTERNATIVE = "an alternative is written if (q) process else if (p) process else process"
FOREIGN = dict.fromkeys(("function", "void", "class", "proc", "process"), EQUATION) | {
    **dict.fromkeys(("for", "foreach", "forall", "loop", "repeat"), LOOP),
    "while": LOOP,
    **dict.fromkeys(("elif", "elsif", "elseif", "switch", "case"), ALTERNATIVE),
    **dict.fromkeys(("fi", "endif", "done", "end"), "what belongs together stands in braces: { a; b }"),
    "then": "there is no 'then': if (q) process else process",
}


def advice_on(stop: Stop, token: RefusedToken) -> str:
    """What to write instead of a token that cannot stand where it does; empty where no rule knows."""
    return next((text for rule in RULES if (text := rule(stop, token))), "")


def range_advice(stop: Stop) -> str:
    """How a loop or range is written, where `..` stands in one."""
    opened = stop.opened
    if opened is not None and opened[1] in SHAPES:
        return SHAPES[opened[1]]
    return next((SHAPES[v] for v in reversed(stop.values) if isinstance(v, str) and v in ("seq", "par", "in")), "")


def _word_advice(stop: Stop, token: RefusedToken) -> str:
    """Words for types, conditions and alternatives that other languages have."""
    last = stop.values[-1] if stop.values else ""
    word = last if isinstance(last, str) else getattr(last, "name", "")
    if word in TYPES and token.symbol == "NAME" and not stop.item:
        return EQUATION if stop.source.text[token.span.end :].lstrip().startswith("(") else PARAMETER
    return (
        LOGIC.get(token.word)
        or LOGIC.get(word if token.symbol in ("NAME", "NUMBER", "(") else "")
        or (FOREIGN.get(token.word, "") if token.symbol == "NAME" and ";" in token.expected else "")
    )


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


def _misspelt_advice(stop: Stop, token: RefusedToken) -> str:
    """A word that is nearly the keyword which such a text begins with."""
    opened, last = stop.opened, stop.values[-1] if stop.values else None
    is_loop = token.symbol == "=" and opened is not None and opened[0] == "("
    word = opened[1] if is_loop and opened is not None else last
    keywords = LOOPS if is_loop else BEGINNINGS.get(token.symbol, ())
    if word is None or word in stop.grammar.keywords:
        return ""

    near = nearest(word.lower(), keywords)
    keyword = near.split("'")[1] if near else word.lower()
    return f"did you mean '{keyword}'? {SHAPES.get(keyword, PART)}" if keyword in keywords else ""


def _mark_advice(stop: Stop, token: RefusedToken) -> str:
    """Marks that other languages use in another way."""
    before = stop.before(token.span.start)
    text = stop.source.text
    if token.symbol == "*" and text.startswith("/", token.span.end):
        return "no comment is open here"
    if token.symbol == "*" and before.endswith("*"):
        return "a power is written ^"
    if token.symbol == "-" and text.startswith(">", token.span.end):
        return EQUATION if "=" in token.expected else SEPARATORS
    if token.symbol == ">" and before.endswith("<"):
        return "the comparison is !="
    if token.symbol == ";" and before.endswith(")") and "seq" in token.expected:
        return "the process that follows the ')' is missing"
    if token.symbol in ("+", "-") and before.endswith(token.symbol):
        return LOOP if re.search(r"\bfor\b", before) else ""
    if before.rstrip().endswith("%") and "NUMBER" in token.expected:
        return "% is the remainder of a division; 50 percent is 0.5"
    if token.word.startswith("."):
        return range_advice(stop)
    if token.symbol == ";" and before.rstrip().endswith(";"):
        return "one ';' is enough"

    return "no ';' stands before else" if token.symbol == "else" and before.rstrip().endswith(";") else ""


def _graph_advice(stop: Stop, token: RefusedToken) -> str:
    """Inside a graph, and colons outside of one."""
    opened = stop.opened
    in_graph = opened is not None and opened[:2] == ("{", "graph")

    if token.symbol == ":":
        if stop.source.text.startswith("=", token.span.end):
            return "write = alone: NAME = process; param n = 3;"
        if in_graph:
            return PART
        if opened is not None and (opened[0] == "{" or opened[1] == "graph"):
            return "parts with names stand in a graph: graph { name: process; … }"
        return EQUATION if opened is None or opened[1] not in SHAPES else SHAPES[opened[1]]

    if token.expected == ["NAME"] and "graph" in stop.values and stop.values[-1:] == ["["]:
        return PART

    if not in_graph:
        return ""
    if token.symbol == "NAME" and nearest(token.word, ("after",)):
        return PART
    is_part = (
        set(token.expected) <= {"NAME", ";", "}"}
        or ":" in token.expected
        or token.expected == ["NAME"]
        or "after" in (token.word, *stop.values[-8:])
    )
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


def begins(stop: Stop, token: RefusedToken) -> bool:
    """Whether a token may be the first one of an item or process."""
    return token.symbol in ("NAME", "{") or token.symbol in stop.grammar.keywords


def _process_advice(stop: Stop, token: RefusedToken) -> str:
    """Where one process ends and the next begins."""
    if token.symbol == "{" and "=" in token.expected:
        return EQUATION
    if re.search(r"(?<![\w$])include[ \t]*$", stop.before(token.span.start)):
        return 'write include "network.pam";'
    if ";" in token.expected and begins(stop, token):
        return "is a ';' missing before it?"

    if token.symbol == "," and ";" in token.expected:
        return SEPARATORS
    if token.symbol in ("+", "*", "/") and "||" in token.expected:
        return f"{SEPARATORS}; numbers are joined inside delay(…)"
    if token.symbol == "NUMBER" and "seq" in token.expected:
        glued = re.match(r"[\w$]", stop.source.text[token.span.end : token.span.end + 1])
        name = re.search(r"([\w$]+)\s*=\s*\Z", stop.before(token.span.start))
        if name and stop.source.text[token.span.end :].lstrip().startswith(";"):
            return f"a parameter is declared: param {name[1]} = {token.word};"
        return "names begin with a letter" if glued else "a number is no process: delay(3) takes 3 seconds"
    return "begin with a name: L = …;" if token.symbol == "=" and "resource" in token.expected else ""


Rule = Callable[[Stop, RefusedToken], str]

RULES: tuple[Rule, ...] = (
    _word_advice,
    _misspelt_advice,
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
