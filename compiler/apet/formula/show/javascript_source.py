"""Formulas as the source of a JavaScript function, for pages that evaluate them while a user looks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId
from apet.formula.show.javascript_support import NEEDED_BY, SUPPORT
from apet.formula.show.source_code import ATOM, POWER, PRODUCT, Block, SourceCode

PHRASES = {
    "assign": "const {name} = {value};",
    "once": "const {name} = @once(() => {value});",
    "function": "const {name} = ({names}) => {{",
    "return": "return {value};",
    "end": "}};",
    "lambda": "({names}) => {value}",
    "delayed": "() => {value}",
    "product": "@product({values})",
    "quotient": "({top}) / ({bottom})",
    "guarded": "({condition} ? {value} : 0)",
    "member": "@nearly({value})",
    "power": "@power({base}, {exponent})",
    "total": "@total([{values}])",
    "max": "@greatest([{values}])",
    "min": "@least([{values}])",
    "mod": "@mod({left}, {right})",
    "<=": "@atMost({left}, {right})",
    "<": "@below({left}, {right})",
    "==": "@equal({left}, {right})",
    "!=": "@unequal({left}, {right})",
    "pow": "@power({values})",
    **{name: f"@{name}({{values}})" for name in ("floor", "ceil")},
    **{name: f"Math.{name}({{values}})" for name in ("log", "log2", "sqrt", "abs")},
}


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
    PHRASES = PHRASES
    QUOTIENT, REMAINDER = PRODUCT, ATOM

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

    def reduce(self, kind: str, binder: Binder, body: NodeId, block: Block) -> str:
        each = self.servers([binder.index], body, block, "body")
        helper = {"sum": "sumOver", "max": "maxOver", "min": "minOver"}[kind]
        return f"{self.need(helper)}({self.part(binder.low)}, {self.part(binder.high)}, {each})"

    def loads(self, loads: tuple[Load, ...], block: Block) -> str:
        function = self.fresh("loads")
        block.put(f"const {function} = (give) => {{")
        for load in loads:
            with self.shadowing():
                self._load(load, block.indent + self.INDENT, block.lines)
        block.put("};")
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
