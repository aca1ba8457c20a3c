"""Formulas as the source of a Python function that needs only the standard library."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Item, Load, NodeId
from apet.formula.show.python_support import NEEDED_BY, SUPPORT, Namer, quoted
from apet.formula.show.source_code import ATOM, POWER, PRODUCT, Block, SourceCode

PHRASES = {
    "assign": "{name} = {value}",
    "once": "{name} = @once(lambda: {value})",
    "function": "def {name}({names}):",
    "return": "return {value}",
    "lambda": "lambda {names}: {value}",
    "delayed": "lambda: {value}",
    "product": "@product({values})",
    "quotient": "@over({top}, {bottom})",
    "guarded": "({value} if {condition} else 0)",
    "member": "@member({value})",
    "power": "{base}**{exponent}",
    "total": "sum(({values}))",
    "mod": "{left} % {right}",
    "pow": "@power({values})",
    **{name: f"int({{left}} {name} {{right}})" for name in ("<=", "<", "==", "!=")},
    **{name: f"{name}({{values}})" for name in ("max", "min", "abs")},
    **{name: f"math.{name}({{values}})" for name in ("floor", "ceil", "sqrt", "log", "log2")},
}
Required = Sequence[tuple[NodeId, str]]
"""Nodes that must not be negative for others to have a value, each with what is wrong where it is."""


def python_source(graph: Graph, node: NodeId, name: str = "cost", required: Required | None = None) -> str:
    """Source of `def name(parameters, quantities)`; exact numbers give exact results. `ValueError` for a bad name.

    Where a node of `required` is negative, the function raises a `ValueError` with the text beside it. Machine
    quantities are functions of their subscripts, then their arguments: `t_send[0, p](8)` is `t_send(0, p, 8)`.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} is no name for a Python function")
    nodes = [node, *(n for n, _ in required or ())]
    return _PythonSource(graph, nodes, required is not None).write(name, [text for _, text in required or ()])


class _PythonSource(SourceCode):
    NEEDED_BY = NEEDED_BY
    PHRASES = PHRASES
    QUOTIENT, REMAINDER = ATOM, PRODUCT

    def __init__(self, graph: Graph, roots: Sequence[NodeId], checked: bool) -> None:
        super().__init__(graph, roots, checked)
        self.namer = Namer()

    def write(self, name: str, refusals: Sequence[str]) -> str:
        parameters, operations = self.parameters, self.operations
        self.namer.taken.add(name)
        self.names = {f"symbol {p}": self.fresh(p) for p in parameters}
        self.names |= {f"item {o}": self.fresh(o) for o in operations}
        self.name_indices()
        block = self.block(self.roots, frozenset(), self.INDENT)
        result, *holds = [self.written[root][0] for root in self.roots]
        for condition, refusal in zip(holds, refusals, strict=True):
            block.put(f"if {condition} < 0:")
            block.put(f"{self.INDENT}raise ValueError({refusal!r})")
        lines = [f"def {name}({', '.join(self.names.values())}):", *self._docstring(parameters, operations)]
        lines += [f"{self.INDENT}import math", f"{self.INDENT}from fractions import Fraction", ""]
        for helper, source in SUPPORT.items():
            if helper in self.needed:
                lines += [*(self.INDENT + line if line else "" for line in source.splitlines()), ""]

        return "\n".join([*lines, *block.lines, f"{self.INDENT}return {result}", ""])

    def _docstring(self, parameters: Sequence[str], operations: Sequence[str]) -> list[str]:
        lines = ['"""The cost in seconds.', ""]
        for name in parameters:
            argument = self.names[f"symbol {name}"]
            lines.append(f"{quoted(argument)}: the parameter{'' if argument == name else f' `{quoted(name)}`'}")
        for name in operations:
            lines += self._calls(name)
        return [(self.INDENT + line).rstrip() for line in [*lines, '"""']]

    def _calls(self, name: str) -> list[str]:
        """How a quantity is called: `t_send(s1, s2, a1)` gives `t_send[s1, s2](a1)`."""
        nodes = (self.graph.nodes[n] for n in self.nodes)
        shapes = {(len(n.subscripts), len(n.arguments)) for n in nodes if isinstance(n, Item) and n.name == name}
        lines = []
        for subscripts, arguments in sorted(shapes):
            below = ", ".join(f"s{k + 1}" for k in range(subscripts))
            operands = ", ".join(f"a{k + 1}" for k in range(arguments))
            call = ", ".join(part for part in (below, operands) if part)
            meant = quoted(name) + (f"[{below}]" if below else "") + (f"({operands})" if operands else "")
            lines.append(f"{quoted(self.names[f'item {name}'])}({call}): the quantity `{meant}`")
        return lines

    # The language

    def fresh(self, wanted: str) -> str:
        return self.namer.fresh(wanted)

    def reduce(self, kind: str, binder: Binder, body: NodeId, block: Block) -> str:
        name = self.indices[binder.index]
        function, each = self.function("body", [binder.index], body, block)
        loop = f"{f'{function}({name})' if function else each} for {name} in {self._span(binder)}"
        if kind == "sum":
            return f"sum({loop})"

        return f"max(0, max(({loop}), default=0))" if kind == "max" else f"min(({loop}), default=math.inf)"

    def loads(self, loads: tuple[Load, ...], block: Block) -> str:
        lines: list[str] = []
        for load in loads:
            with self.shadowing():
                self._load(load, block.indent + self.INDENT, lines)
        function = self.fresh("loads")
        block.put(f"def {function}():")
        block.lines += lines or [f"{block.indent}{self.INDENT}return iter(())"]
        return f"{function}()"

    def _span(self, binder: Binder) -> str:
        return f"{self.need('span')}({self.part(binder.low)}, {self.part(binder.high)})"

    def _load(self, load: Load, indent: str, lines: list[str]) -> None:
        seen = frozenset[NodeId]()
        for binder in load.binders:
            if seen:
                lines += self.block([binder.low, binder.high], seen, indent).lines
            lines.append(f"{indent}for {self.indices[binder.index]} in {self._span(binder)}:")
            indent += self.INDENT
            seen |= {binder.index}
        conditions = self.presence(load)
        if seen:
            lines += self.block([*load.subscripts, load.load, load.head, load.tail], seen, indent, conditions).lines

        if conditions:
            lines.append(f"{indent}if {' and '.join([self.part(n, POWER) for n in conditions])}:")
            indent += self.INDENT
        member = "".join([f"{self.part(s)}, " for s in load.subscripts]).rstrip()
        values = ", ".join([self.part(n) for n in (load.load, load.head, load.tail)])
        lines.append(f"{indent}yield ({member}), {values}, {load.certain}")
