"""Formulas as the source of a Python function that needs only the standard library.

What several places share is computed once, in the scope that its loop variables allow; loops stay loops. Expressions
are cut into assignments where they grow deep, as Python's parser takes no more than about a hundred nested brackets.
"""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from apet.formula.formula import Formula
from apet.formula.graph import Graph
from apet.formula.nodes import (
    Add,
    Binder,
    Call,
    Compare,
    Const,
    Extreme,
    Index,
    Interference,
    Item,
    Load,
    Mul,
    NodeId,
    Peak,
    Rational,
    Reduce,
    Symbol,
    operands,
)
from apet.formula.python_support import NEEDED_BY, SUPPORT, Namer, quoted
from apet.formula.scopes import bound_by

SUM, PRODUCT, POWER, ATOM = range(1, 5)
DEEPEST = 12
LONGEST = 90
MOST_ADDED = 40
INDENT = "    "


def python_source(graph: Graph, node: NodeId, name: str = "cost") -> str:
    """Source of `def name(parameters, quantities)`; exact numbers give exact results. `ValueError` for a bad name.

    Machine quantities are functions of their subscripts, then their arguments: `t_send[0, p](8)` is `t_send(0, p, 8)`.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} is no name for a Python function")
    return _Source(graph, node).write(name)


@dataclass
class _Block:
    """The lines of one scope: outside every loop, or in the loop over some variables."""

    indices: frozenset[NodeId]
    indent: str
    nodes: set[NodeId]
    lines: list[str] = field(default_factory=list)

    def put(self, line: str) -> None:
        self.lines.append(self.indent + line)


class _Source:
    def __init__(self, graph: Graph, root: NodeId) -> None:
        self.graph = graph
        self.root = root
        self.formula = Formula(graph, root)
        self.namer = Namer()
        self.names: dict[str, str] = {}
        self.indices: dict[NodeId, str] = {}
        self.done: dict[NodeId, tuple[str, int, int]] = {}
        self.needed: set[str] = set()
        nodes = self.formula.nodes()
        self.uses = Counter(n for user in nodes for n in operands(graph.nodes[user]))

    def write(self, name: str) -> str:
        parameters, operations = self.formula.parameters, self.formula.operations
        self.namer.taken.add(name)
        self.names = {f"symbol {p}": self.namer.fresh(p) for p in parameters}
        self.names |= {f"item {o}": self.namer.fresh(o) for o in operations}
        for index in sorted(n for n in self.formula.nodes() if isinstance(self.graph.nodes[n], Index)):
            self.indices[index] = self.namer.fresh(self.graph.nodes[index].name)  # type: ignore[union-attr]
        block = self._block([self.root], frozenset(), INDENT)
        result = self.done[self.root][0]
        lines = [f"def {name}({', '.join(self.names.values())}):", *self._docstring(parameters, operations)]
        lines += [f"{INDENT}import math", f"{INDENT}from fractions import Fraction", ""]
        for helper, source in SUPPORT.items():
            if helper in self.needed:
                lines += [*(INDENT + line if line else "" for line in source.splitlines()), ""]
        return "\n".join([*lines, *block.lines, f"{INDENT}return {result}", ""])

    def _docstring(self, parameters: Sequence[str], operations: Sequence[str]) -> list[str]:
        shown = ['"""The cost in seconds.', ""]
        for name in parameters:
            given = self.names[f"symbol {name}"]
            shown.append(f"{quoted(given)}: the parameter{'' if given == name else f' `{quoted(name)}`'}")
        for name in operations:
            shown += self._calls(name)
        return [(INDENT + line).rstrip() for line in [*shown, '"""']]

    def _calls(self, name: str) -> list[str]:
        """How a quantity is called: `t_send(s1, s2, a1)` gives `t_send[s1, s2](a1)`."""
        found = (self.graph.nodes[n] for n in self.formula.nodes())
        shapes = {(len(n.subscripts), len(n.arguments)) for n in found if isinstance(n, Item) and n.name == name}
        shown = []
        for subscripts, arguments in sorted(shapes):
            below = ", ".join(f"s{k + 1}" for k in range(subscripts))
            given = ", ".join(f"a{k + 1}" for k in range(arguments))
            call = ", ".join(part for part in (below, given) if part)
            meant = quoted(name) + (f"[{below}]" if below else "") + (f"({given})" if given else "")
            shown.append(f"{quoted(self.names[f'item {name}'])}({call}): the quantity `{meant}`")
        return shown

    # Scopes

    def _block(self, roots: Iterable[NodeId], indices: frozenset[NodeId], indent: str) -> _Block:
        """The lines that compute the roots as far as they depend on the variables (all else, if there are none)."""
        nodes = self._in_scope(roots, indices)
        block = _Block(indices, indent, nodes)
        # what a resource family needs from outside is computed before its loops, not in them
        users = [u for u in nodes if not isinstance(self.graph.nodes[u], Peak | Interference)]
        here = Counter(n for user in users for n in operands(self.graph.nodes[user]))
        wanted = set(roots)
        for node in sorted(nodes):
            shown, strength, depth = self._node(node, block)
            alone = self.uses[node] == 0 or (self.uses[node] == 1 and (here[node] == 1 or node in wanted))
            short = depth < DEEPEST and len(shown) < LONGEST
            if isinstance(self.graph.nodes[node], Const | Symbol) or (alone and short) or node == self.root:
                self.done[node] = shown, strength, depth
                continue
            local = self.namer.fresh(f"v{node}")
            block.put(f"{local} = {shown}")
            self.done[node] = local, ATOM, 0
        return block

    def _in_scope(self, roots: Iterable[NodeId], indices: frozenset[NodeId]) -> set[NodeId]:
        """The nodes below the roots that depend on the variables but on none that is bound further inside."""
        free, nodes = self.graph.free, self.graph.nodes
        reached, deeper, stack = set[NodeId](), set[NodeId](), list(roots)
        while stack:
            node = stack.pop()
            if node in reached or (indices and not free[node] & indices):
                continue
            reached.add(node)
            deeper.update(bound_by(nodes[node]))
            stack += operands(nodes[node])
        inner = deeper - indices
        for node in reached:
            if isinstance(nodes[node], Index):
                self.done[node] = self.indices[node], ATOM, 0
        return {n for n in reached if not isinstance(nodes[n], Index) and not free[n] & inner}

    # Expressions

    def part(self, node: NodeId, least: int = 0) -> str:
        shown, strength, _ = self.done[node]
        return f"({shown})" if strength < least else shown

    def _node(self, node: NodeId, block: _Block) -> tuple[str, int, int]:
        """Text, strength and depth of a node."""
        shown, strength = self._text(node, block)
        found = [self.done[n][2] for n in operands(self.graph.nodes[node]) if n in block.nodes]
        return shown, strength, 1 + max(found, default=0)

    def _text(self, node: NodeId, block: _Block) -> tuple[str, int]:
        match self.graph.nodes[node]:
            case Const(value):
                return self._over(str(value.numerator), value.denominator), ATOM if value >= 0 else SUM
            case Symbol(name):
                return self.names[f"symbol {name}"], ATOM
            case Index():
                return self.indices[node], ATOM
            case Item(name, subscripts, arguments):
                given = ", ".join([self.part(n) for n in (*subscripts, *arguments)])
                return f"{self.names[f'item {name}']}({given})", ATOM
            case Add(constant, terms):
                return self._sum(constant, terms)
            case Mul(factors):
                return self._product(factors)
            case Extreme(kind, found):
                return f"{kind}({', '.join([self.part(n) for n in found])})", ATOM
            case Call(function, found):
                return self._call(function, found)
            case Compare(operator, left, right):
                return f"int({self.part(left, SUM)} {operator} {self.part(right, SUM)})", ATOM
            case Reduce(kind, index, low, high, body):
                return self._reduce(kind, Binder(index, low, high), body, block), ATOM
            case Peak(loads, members, servers):
                return self._family("peak", (loads,), members, servers, block), ATOM
            case Interference(own, total, members, servers):
                return self._family("others", (own, total), members, servers, block), ATOM

    def _need(self, helper: str) -> str:
        self.needed.update((helper, *NEEDED_BY.get(helper, ())))
        return helper

    def _over(self, top: str, bottom: int) -> str:
        return top if bottom == 1 else f"{self._need('over')}({top}, {bottom})"

    def _sum(self, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> tuple[str, int]:
        bottom = lcm(*(Fraction(c).denominator for c in (constant, *(c for _, c in terms))))
        shown = [self._term(n, int(c * bottom)) for n, c in terms]
        if constant:
            shown.append(str(int(constant * bottom)))
        if len(shown) > MOST_ADDED:
            return self._over(f"sum(({', '.join(shown)}))", bottom), ATOM
        text = shown[0]
        for more in shown[1:]:
            text += f" - {more[1:]}" if more.startswith("-") else f" + {more}"
        alone = len(shown) == 1 and not text.startswith("-")
        return self._over(text, bottom), ATOM if bottom != 1 else PRODUCT if alone else SUM

    def _term(self, node: NodeId, coefficient: int) -> str:
        shown = self.part(node, PRODUCT)
        if coefficient == 1:
            return shown
        # `x % y` is read from the left, as a product is: in brackets after a coefficient
        shown = self.part(node, POWER)
        return f"-{shown}" if coefficient == -1 else f"{coefficient} * {shown}"

    def _product(self, factors: tuple[tuple[NodeId, int], ...]) -> tuple[str, int]:
        above = [self._power(n, e) for n, e in factors if e > 0]
        below = [self._power(n, -e) for n, e in factors if e < 0]
        shown = " * ".join(above) or "1"
        if below:
            return f"{self._need('over')}({shown}, {' * '.join(below)})", ATOM
        return shown, PRODUCT if len(above) > 1 else POWER

    def _power(self, node: NodeId, exponent: int) -> str:
        return self.part(node, POWER) if exponent == 1 else f"{self.part(node, ATOM)}**{exponent}"

    def _call(self, function: str, found: tuple[NodeId, ...]) -> tuple[str, int]:
        given = ", ".join([self.part(n) for n in found])
        match function:
            case "mod":
                return f"{self.part(found[0], POWER)} % {self.part(found[1], POWER)}", PRODUCT
            case "pow":
                return f"{self._need('power')}({given})", ATOM
            case "abs":
                return f"abs({given})", ATOM
            case _:
                return f"math.{function}({given})", ATOM

    # Loops

    def _span(self, binder: Binder) -> str:
        return f"{self._need('span')}({self.part(binder.low)}, {self.part(binder.high)})"

    def _reduce(self, kind: str, binder: Binder, body: NodeId, block: _Block) -> str:
        name = self.indices[binder.index]
        inner = self._block([body], frozenset((binder.index,)), block.indent + INDENT)
        each = self.part(body)
        if inner.lines:
            function = self.namer.fresh("body")
            block.put(f"def {function}({name}):")
            block.lines += [*inner.lines, f"{inner.indent}return {each}"]
            each = f"{function}({name})"
        loop = f"{each} for {name} in {self._span(binder)}"
        if kind == "sum":
            return f"sum({loop})"
        return f"max(0, max(({loop}), default=0))" if kind == "max" else f"min(({loop}), default=math.inf)"

    def _family(
        self,
        helper: str,
        loads: tuple[tuple[Load, ...], ...],
        members: tuple[NodeId, ...],
        servers: NodeId,
        block: _Block,
    ) -> str:
        given = [self._loads(part, block) for part in loads]
        return f"{self._need(helper)}({', '.join(given)}, {self._servers(members, servers, block)})"

    def _loads(self, loads: tuple[Load, ...], block: _Block) -> str:
        """The call of a generator that yields (member, load, head, tail, certain)."""
        lines: list[str] = []
        for load in loads:
            self._load(load, block.indent + INDENT, lines)
        function = self.namer.fresh("loads")
        block.put(f"def {function}():")
        block.lines += lines or [f"{block.indent}{INDENT}return iter(())"]
        return f"{function}()"

    def _load(self, load: Load, indent: str, lines: list[str]) -> None:
        seen = frozenset[NodeId]()
        for binder in load.binders:
            if seen:
                lines += self._block([binder.low, binder.high], seen, indent).lines
            lines.append(f"{indent}for {self.indices[binder.index]} in {self._span(binder)}:")
            indent += INDENT
            seen |= {binder.index}
        if seen:
            lines += self._block([*load.subscripts, load.load, load.head, load.tail], seen, indent).lines
        member = "".join([f"{self.part(s)}, " for s in load.subscripts]).rstrip()
        values = ", ".join([self.part(n) for n in (load.load, load.head, load.tail)])
        lines.append(f"{indent}yield ({member}), {values}, {load.certain}")

    def _servers(self, members: tuple[NodeId, ...], servers: NodeId, block: _Block) -> str:
        names = ", ".join([self.indices[m] for m in members])
        inner = self._block([servers], frozenset(members), block.indent + INDENT) if members else None
        if inner is None or not inner.lines:
            return f"lambda {names}: {self.part(servers)}".replace("lambda :", "lambda:")
        function = self.namer.fresh("servers")
        block.put(f"def {function}({names}):")
        block.lines += [*inner.lines, f"{inner.indent}return {self.part(servers)}"]
        return function
