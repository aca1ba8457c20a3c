"""Formulas as the source of a JavaScript function, for pages that evaluate them while a user looks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId
from apet.formula.show.javascript_support import NEEDED_BY, SUPPORT
from apet.formula.show.source_code import ATOM, POWER, PRODUCT, Block, SourceCode

FUNCTIONS = {"log": "Math.log", "log2": "Math.log2", "sqrt": "Math.sqrt", "abs": "Math.abs"}
COMPARISONS = {"<=": "atMost", "<": "below", "==": "equal", "!=": "unequal"}


def javascript_source(graph: Graph, roots: Sequence[NodeId], checked: bool = False) -> str:
    """Source of a function expression `(parameters, quantities, most) => [value of each root]`.

    `parameters` maps names to numbers, `quantities` names to functions of the subscripts, then the arguments. `most` is
    how many turns all loops together may take before the function throws a RangeError. Numbers are doubles; `floor`,
    `ceil`, `%` and comparisons take what differs by less than 1e-13 of the greater for equal. Names of the model stand
    in the source as escaped strings only. `checked`: some of the roots say where the others have values.
    """
    return _JavascriptSource(graph, list(roots), checked).write()


class _JavascriptSource(SourceCode):
    INDENT = "  "
    NEEDED_BY = NEEDED_BY

    def __init__(self, graph: Graph, roots: Sequence[NodeId], checked: bool) -> None:
        super().__init__(graph, roots, checked)
        self._serial = 0

    def write(self) -> str:
        self.names = {f"symbol {p}": f"p{k}" for k, p in enumerate(self.parameters)}
        self.names |= {f"item {o}": f"q{k}" for k, o in enumerate(self.operations)}
        self.name_indices()
        block = self.block(self.roots, frozenset(), self.INDENT)
        results = ", ".join([self.part(root) for root in self.roots])
        lines = ["(parameters, quantities, most) => {", f"{self.INDENT}let turns = 0;"]
        inputs = [("parameters", p, "symbol") for p in self.parameters]
        inputs += [("quantities", o, "item") for o in self.operations]
        lines += [
            f"{self.INDENT}const {self.names[f'{kind} {n}']} = {where}[{literal(n)}];" for where, n, kind in inputs
        ]
        for helper, source in SUPPORT.items():
            if helper in self.needed:
                lines += [self.INDENT + line for line in source.splitlines()]

        return "\n".join([*lines, *block.lines, f"{self.INDENT}return [{results}];", "}"])

    def fresh(self, wanted: str) -> str:
        self._serial += 1
        return f"x{self._serial}"

    def assign(self, name: str, value: str) -> str:
        return f"const {name} = {value};"

    def assign_once(self, name: str, value: str) -> str:
        return f"const {name} = {self.need('once')}(() => {value});"

    def quotient(self, top: str, bottom: str) -> tuple[str, int]:
        return f"({top}) / ({bottom})", PRODUCT

    def guarded(self, condition: str, value: str) -> str:
        return f"({condition} ? {value} : 0)"

    def product(self, factors: Sequence[str]) -> str:
        return f"{self.need('product')}({', '.join([f'() => {factor}' for factor in factors])})"

    def member(self, subscript: str) -> str:
        return f"{self.need('nearly')}({subscript})"

    def power(self, base: str, exponent: int) -> str:
        return f"{self.need('power')}({base}, {exponent})"

    def total(self, terms: Sequence[str]) -> str:
        return f"{self.need('total')}([{', '.join(terms)}])"

    def extreme(self, kind: str, values: Sequence[str]) -> str:
        return f"{self.need('greatest' if kind == 'max' else 'least')}([{', '.join(values)}])"

    def compare(self, operator: str, left: str, right: str) -> str:
        return f"{self.need(COMPARISONS[operator])}({left}, {right})"

    def modulo(self, left: NodeId, right: NodeId) -> tuple[str, int]:
        return f"{self.need('mod')}({self.part(left)}, {self.part(right)})", ATOM

    def call(self, function: str, arguments: str) -> str:
        return f"{FUNCTIONS.get(function) or self.need('power' if function == 'pow' else function)}({arguments})"

    def reduce(self, kind: str, binder: Binder, body: NodeId, block: Block) -> str:
        with self.shadowing():
            inner = self.block([body], frozenset((binder.index,)), block.indent + self.INDENT)
            each = self.part(body)
        if inner.lines:
            function = self.fresh("body")
            block.put(f"const {function} = ({self.indices[binder.index]}) => {{")
            block.lines += [*inner.lines, f"{inner.indent}return {each};", f"{block.indent}}};"]
        else:
            function = f"({self.indices[binder.index]}) => {each}"
        helper = {"sum": "sumOver", "max": "maxOver", "min": "minOver"}[kind]
        return f"{self.need(helper)}({self.part(binder.low)}, {self.part(binder.high)}, {function})"

    def loads(self, loads: tuple[Load, ...], block: Block) -> str:
        function = self.fresh("loads")
        block.put(f"const {function} = (give) => {{")
        for load in loads:
            with self.shadowing():
                self._load(load, block.indent + self.INDENT, block.lines)
        block.put("};")
        return function

    def servers(self, members: tuple[NodeId, ...], servers: NodeId, block: Block) -> str:
        names = ", ".join([self.indices[m] for m in members])
        with self.shadowing():
            inner = self.block([servers], frozenset(members), block.indent + self.INDENT) if members else None
            number = self.part(servers)
        if inner is None or not inner.lines:
            return f"({names}) => {number}"
        function = self.fresh("servers")
        block.put(f"const {function} = ({names}) => {{")
        block.lines += [*inner.lines, f"{inner.indent}return {number};", f"{block.indent}}};"]
        return function

    def _load(self, load: Load, indent: str, lines: list[str]) -> None:
        outer, seen = indent, frozenset[NodeId]()
        for binder in load.binders:
            if seen:
                lines += self.block([binder.low, binder.high], seen, indent).lines
            ends = f"{self.part(binder.low)}, {self.part(binder.high)}"
            lines.append(f"{indent}{self.need('each')}({ends}, ({self.indices[binder.index]}) => {{")
            indent += self.INDENT
            seen |= {binder.index}
        conditions = self.presence(load)
        if seen:
            lines += self.block([*load.subscripts, load.load, load.head, load.tail], seen, indent, conditions).lines

        guard = f"if ({' && '.join([self.part(n, POWER) for n in conditions])}) " if conditions else ""
        member = ", ".join([self.part(s) for s in load.subscripts])
        values = ", ".join([self.part(n) for n in (load.load, load.head, load.tail)])
        lines.append(f"{indent}{guard}give([{member}], {values}, {str(load.certain).lower()});")
        while indent != outer:
            indent = indent.removesuffix(self.INDENT)
            lines.append(f"{indent}}});")


def literal(text: str) -> str:
    """A JavaScript string of ASCII, which ends no script element either."""
    return json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
