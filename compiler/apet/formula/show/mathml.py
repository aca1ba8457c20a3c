"""Formulas as presentation MathML (MathML Core), which browsers show without a script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.show.notation import Layout, Marks


def mathml(graph: Graph, node: NodeId) -> str:
    """One `<math>` element that holds the node; names are escaped, so it can stand in a page as it is."""
    inner = Layout(graph, MathmlMarks()).write(node)
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{inner}</math>'


class MathmlMarks(Marks):
    """The pieces of MathML. Every piece is one element."""

    def digits(self, decimal: str) -> str:
        """`<mn>`."""
        return f"<mn>{escape(decimal)}</mn>"

    def name(self, name: str) -> str:
        """`<mi>`: one letter is shown in italics, longer names upright."""
        return f"<mi>{escape(name)}</mi>"

    def word(self, word: str) -> str:
        """`<mi>` of a function, `<mtext>` of other words."""
        if word in ("max", "min", "log"):
            return f"<mi>{word}</mi>"
        return f"<mtext>{escape(word.replace(' ', chr(0xA0)))}</mtext>"

    def sign(self, sign: str) -> str:
        """`<mo>`."""
        return f"<mo>{escape(sign)}</mo>"

    def row(self, parts: Sequence[str]) -> str:
        """`<mrow>` with product signs between operands: invisible ones, or dots between names of several letters."""
        if len(parts) == 1:
            return parts[0]
        pieces: list[str] = []
        for part in parts:
            if pieces and _multiplied(pieces[-1], part):
                pieces.append(_product_sign(pieces[-1], part))
            pieces.append(part)
        return f"<mrow>{''.join(pieces)}</mrow>"

    def fraction(self, top: str, bottom: str) -> str:
        """`<mfrac>`."""
        return f"<mfrac>{top}{bottom}</mfrac>"

    def script(self, base: str, below: str = "", above: str = "") -> str:
        """`<msub>`, `<msup>` or `<msubsup>`."""
        kind = "msubsup" if below and above else "msub" if below else "msup"
        return f"<{kind}>{base}{below}{above}</{kind}>"

    def root(self, inner: str) -> str:
        """`<msqrt>`."""
        return f"<msqrt>{inner}</msqrt>"

    def fenced(self, left: str, inner: str, right: str) -> str:
        """`<mrow>` between stretching `<mo>`; a plain quotient in a floor or ceiling stays on one line.

        Most systems have no font whose brackets stretch.
        """
        if left in "⌊⌈":
            inner = PLAIN_QUOTIENT.sub(r"<mrow>\1<mo>/</mo>\2</mrow>", inner)
        return f'<mrow><mo fence="true">{escape(left)}</mo>{inner}<mo fence="true">{escape(right)}</mo></mrow>'

    def limits(self, operator: str, below: str, above: str = "") -> str:
        """`<munder>` or `<munderover>` around an `<mo>`."""
        sign = f'<mo movablelimits="false">{escape(operator)}</mo>'
        return f"<munderover>{sign}{below}{above}</munderover>" if above else f"<munder>{sign}{below}</munder>"

    def lines(self, rows: Sequence[str]) -> str:
        """`<mtable>` of one column."""
        if len(rows) == 1:
            return rows[0]
        cells = "".join(f'<mtr><mtd style="text-align: left">{row}</mtd></mtr>' for row in rows)
        return f"<mtable>{cells}</mtable>"


LONG_NAME = re.compile(r"<mi>[^<]{2,}</mi>")
PLAIN_QUOTIENT = re.compile(r"^<mfrac>(<m[in]>[^<]*</m[in]>)(<m[in]>[^<]*</m[in]>)</mfrac>$")


def _product_sign(left: str, right: str) -> str:
    """The sign between two factors: without it `straggle t_map` would read as one name, and `5 straggle` as well."""
    if left.startswith("<mn>"):
        return '<mo lspace="0" rspace="0.2em">\u2062</mo>' if LONG_NAME.match(right) else "<mo>\u2062</mo>"
    return "<mo>\u22c5</mo>" if LONG_NAME.search(left) or LONG_NAME.search(right) else "<mo>\u2062</mo>"


def _multiplied(left: str, right: str) -> bool:
    """Whether two neighbours are factors: neither is an operator, a word, or a function before its argument."""
    silent = ("<mo", "<munder", "<mtext", "<mi>max", "<mi>min", "<mi>log", "<msub><mi>log")
    if left.startswith(silent) or right.startswith(("<mo", "<mtext")):
        return False
    return not (right.startswith('<mrow><mo fence="true">(') and left.startswith(("<msub>", "<mi>")))
