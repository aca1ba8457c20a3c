"""Formulas as LaTeX, for a mathematics environment with amsmath."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.show.notation import Layout, Marks

SIGNS = {
    "−": "-",
    "·": r"\cdot",
    "≤": r"\le",
    "≠": r"\ne",
    "mod": r"\bmod",
    "∑": r"\sum",
    "|": r"\,\middle|\,",
}
FENCES = {"⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil", "⌉": r"\rceil"}
SPECIAL = {
    "\\": r"\backslash{}",
    "_": r"\_",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "{": r"\{",
    "}": r"\}",
    "~": r"\sim{}",
    "^": r"\hat{}",
}
TALL = (r"\frac", r"\sum", r"\left", r"\max_", r"\min_", "^{", r"\begin", r"\middle")
FUNCTIONS = {"max", "min", "log"}
WORD_FIRST = re.compile(r"\{?\\mathit\{")
WORD_LAST = re.compile(r"\\mathit\{(?:[^{}\\]|\\.|\{\})*\}'*(?:[_^]\{[^{}]*\})*$")
OPENING = ("[", "|", r"\left[", r"\left|", r"\left\l", r"\lfloor", r"\lceil", r"\cdot", r"\frac", r"\sum", r"\sqrt")
CLOSING = (")", "]", "|", r"\rfloor", r"\rceil", r"\cdot")


def latex(graph: Graph, node: NodeId) -> str:
    """LaTeX of a node; names are escaped, numbers exact. Needs amsmath for nothing but resource families (`array`)."""
    return Layout(graph, LatexMarks()).write(node)


def escaped(name: str) -> str:
    """A name with everything escaped that LaTeX would read as a command."""
    return "".join(SPECIAL.get(c, c) for c in name)


class LatexMarks(Marks):
    """The pieces of LaTeX."""

    def digits(self, decimal: str) -> str:
        """A decimal number."""
        return decimal

    def name(self, name: str) -> str:
        """`n`, `i'`, `\\mathit{tasks}`."""
        plain = name.rstrip("′")
        primes = "'" * (len(name) - len(plain))
        return (plain if len(plain) == 1 and plain.isalpha() else rf"\mathit{{{escaped(plain)}}}") + primes

    def word(self, word: str) -> str:
        """`\\max`, `\\mathrm{mpy\\_double}`, `\\text{ for }`."""
        if word in FUNCTIONS:
            return f"\\{word}"
        return rf"\text{{{word}}}" if " " in word else rf"\mathrm{{{escaped(word)}}}"

    def sign(self, sign: str) -> str:
        """An operator."""
        return SIGNS.get(sign, sign)

    def row(self, parts: Sequence[str]) -> str:
        """Pieces with spaces between them; none before a comma or an opening bracket."""
        text = ""
        for part in parts:
            call = part.startswith(("(", r"\left(")) and text.endswith(("}", "max", "min", "log"))
            tight = not text or part == "," or call
            text += part if tight else f" {part}"
        return text

    def product(self, parts: Sequence[str]) -> str:
        """`\\mathit{nodes} \\cdot n`, `5\\, \\mathit{nodes}`: a space is not set, and `\\mathit{f} (x)` is a call."""
        pieces = list(parts[:1])
        for left, right in pairwise(parts):
            if WORD_FIRST.match(right) and left.replace(".", "").isdigit():
                pieces[-1] += r"\,"
            elif not right.startswith(OPENING) and _touch(left, right):
                pieces.append(SIGNS["·"])
            pieces.append(right)
        return self.row(pieces)

    def fraction(self, top: str, bottom: str) -> str:
        """`\\frac{top}{bottom}`."""
        return rf"\frac{{{top}}}{{{bottom}}}"

    def script(self, base: str, below: str = "", above: str = "") -> str:
        """`base_{below}^{above}`; braces keep a base together that has scripts of its own."""
        if above and ("^" in base or "_" in base or "'" in base):
            base = f"{{{base}}}"
        return base + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")

    def root(self, inner: str) -> str:
        """`\\sqrt{inner}`."""
        return rf"\sqrt{{{inner}}}"

    def fenced(self, left: str, inner: str, right: str) -> str:
        """`(inner)`, with `\\left` and `\\right` where the inside is tall."""
        if not any(tall in inner for tall in TALL):
            opening = FENCES.get(left, left)
            return f"{opening} {inner} {FENCES[right]}" if right in FENCES else f"{opening}{inner}{right}"
        return rf"\left{FENCES.get(left, left)} {inner} \right{FENCES.get(right, right)}"

    def limits(self, operator: str, below: str, above: str = "") -> str:
        """`\\max_{1 \\le p \\le P}`, `\\sum_{i = 1}^{n}`."""
        sign = SIGNS.get(operator, f"\\{operator}")
        return f"{sign}_{{{below}}}" + (f"^{{{above}}}" if above else "")

    def lines(self, rows: Sequence[str]) -> str:
        """An array of one column."""
        if len(rows) == 1:
            return rows[0]
        return r"\begin{array}{l} " + r" \\ ".join(rows) + r" \end{array}"


def _touch(left: str, right: str) -> bool:
    """Whether two factors are set without space and one of them is a word where they meet."""
    if left.endswith(CLOSING) or left.startswith(r"\frac"):
        return False
    return bool(WORD_FIRST.match(right) or WORD_LAST.search(left))
