"""Formulas as text that sympy reads: `srepr` in sympy's own constructors, every name in quotation marks.

Machine quantities are symbols; with subscripts or arguments, `t_send[p](8)`, they are undefined functions of both in
their order, `Function('t_send')(p, 8)`. Comparisons are `Piecewise`. An indexed maximum or a resource family is written
out member by member where its ranges are numbers; sympy has no constructor for one whose ranges are not.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.printing.repr import ReprPrinter

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.show.sympy_face import SympyBuilder
from apet.formula.show.sympy_objects import MOST_COMPARED, Iverson, OtherLoad, PeakLoad
from apet.formula.show.text import text
from apet.ground.diagnostics import ApetError, Diagnostic

MOST_MEMBERS = 1000
"""Longer ranges are not written out."""
LONGEST_PART = 6
"""Operands of a sum in the part that an error shows."""


class NoSympyForm(Diagnostic):
    """A part of a formula that cannot be written in sympy's constructors."""

    message = "{name} has no sympy form: sympy has no constructor for {part}"
    hint = (
        f"sympy writes it out where ranges are numbers up to {MOST_MEMBERS}; "
        "--emit python, --emit json and Formula.sympy() have all formulas"
    )


def sympy_source(graph: Graph, node: NodeId, name: str) -> str:
    """The `srepr` of a node; `ApetError` names the formula and the part that has none."""
    return _SourcePrinter().doprint(_SourceBuilder(graph, node, name).build())  # type: ignore[no-any-return]


class _SourcePrinter(ReprPrinter):  # type: ignore[misc]
    """`srepr` that reads back as fast as it was made: sympy compares the operands of wide maxima pairwise."""

    def _print_Max(self, extreme: Any) -> str:
        inside = [self._print(operand) for operand in extreme.args]
        if len(inside) > MOST_COMPARED:
            inside.append("evaluate=False")
        return f"{type(extreme).__name__}({', '.join(inside)})"

    _print_Min = _print_Max


class _SourceBuilder(SympyBuilder):
    def __init__(self, graph: Graph, root: NodeId, name: str) -> None:
        super().__init__(graph, root)
        self.name = name

    def quantity(self, name: str, subscripts: list[Any], arguments: list[Any]) -> Any:
        if subscripts or arguments:
            return sympy.Function(name)(*subscripts, *arguments)
        return sympy.Symbol(name, nonnegative=True)

    def holds(self, operator: str, left: Any, right: Any) -> Any:
        return sympy.Piecewise((sympy.S.One, Iverson.relations[operator](left, right)), (sympy.S.Zero, True))

    def extreme_over(self, node: NodeId, kind: str, body: Any, limits: tuple[Any, ...]) -> Any:
        index, low, high = limits
        if not _is_short(low, high):
            raise ApetError(NoSympyForm(None, None, self.name, self._shown(node)))
        rounds = range(int(sympy.ceiling(low)), int(sympy.floor(high)) + 1)
        values = [body.xreplace({index: sympy.Integer(i)}) for i in rounds]
        if kind == "min":
            return sympy.Min(*values, evaluate=False) if values else sympy.oo
        return sympy.Max(sympy.S.Zero, *values, evaluate=False)

    def family(self, node: NodeId, family: PeakLoad | OtherLoad) -> Any:
        loads = [load for loads in family.args[:-2] for load in loads]
        known = all(_is_short(low, high) for load in loads for _, low, high in load[0])
        value = family.doit() if known else family
        if value.has(PeakLoad, OtherLoad):
            raise ApetError(NoSympyForm(None, None, self.name, self._shown(node)))
        return value.replace(Iverson, lambda operator, *sides: self.holds(operator.name, *sides))

    def _shown(self, node: NodeId) -> str:
        return text(self.graph, node, LONGEST_PART)


def _is_short(low: Any, high: Any) -> bool:
    return bool(low.is_Number and high.is_Number and high - low < MOST_MEMBERS)
