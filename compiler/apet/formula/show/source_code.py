"""Formulas as source code: what the languages share.

What several places share is computed once, in the scope that its loop variables allow; loops stay loops. Expressions
are cut into assignments where they grow deep, as parsers take no more than about a hundred nested brackets.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import ClassVar

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, NodeId, Rational, bound_by, operands
from apet.formula.show.weakness import Weakness, fragile_nodes

SUM, PRODUCT, POWER, ATOM = range(1, 5)
DEEPEST = 12
LONGEST = 90
MOST_ADDED = 40
_HELPER = re.compile(r"@(\w+)")


@dataclass
class Block:
    """The lines of one scope: outside every loop, or in the loop over some variables."""

    indices: frozenset[NodeId]
    indent: str
    nodes: set[NodeId]
    lines: list[str] = field(default_factory=list)

    def put(self, line: str) -> None:
        self.lines.append(self.indent + line)


class SourceCode(ABC):
    """Writes the code of some nodes of a graph; a language says how its parts look."""

    INDENT = "    "
    NEEDED_BY: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The helpers that a helper needs."""
    PHRASES: ClassVar[Mapping[str, str]] = {}
    """How the language says something, by what that is: a template in which @ stands before the name of a helper."""
    QUOTIENT: ClassVar[int]
    REMAINDER: ClassVar[int]
    """The strength of a quotient and of a remainder."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], checked: bool = False) -> None:
        """`checked`: some of the roots say where the others have values, so that 0 times any other part is 0."""
        self.graph = graph
        self.checked = checked
        self.roots = roots
        self.nodes = sorted({n for root in roots for n in graph.below(root)})
        self.names: dict[str, str] = {}
        self.indices: dict[NodeId, str] = {}
        self.written: dict[NodeId, tuple[str, int, int]] = {}
        self.shadowed: dict[NodeId, tuple[str, int, int]] = {}
        self.needed: set[str] = set()
        self.uses = Counter(n for user in self.nodes for n in operands(graph.nodes[user]))
        self.fragile = fragile_nodes(graph, self.nodes)

    @property
    def parameters(self) -> list[str]:
        """The parameters in the nodes, sorted."""
        return kinds.parameter_names(self.graph.nodes[n] for n in self.nodes)

    @property
    def operations(self) -> list[str]:
        """The machine quantities in the nodes, sorted."""
        return kinds.operation_names(self.graph.nodes[n] for n in self.nodes)

    # What a language says

    @abstractmethod
    def fresh(self, wanted: str) -> str:
        """A name of its own for a thing that would like this one."""

    @abstractmethod
    def reduce(self, kind: str, binder: Binder, body: NodeId, block: Block) -> str:
        """A "sum", "max" or "min" over a range."""

    @abstractmethod
    def loads(self, loads: tuple[kinds.Load, ...], block: Block) -> str:
        """What yields (member, load, head, tail, certain) for every value of the binders of some loads."""

    def say(self, phrase: str, **parts: object) -> str:
        """A phrase of the language with its parts."""
        template = self.PHRASES[phrase]
        for helper in _HELPER.findall(template):
            self.need(helper)
        return template.replace("@", "").format(**parts)

    def function(self, wanted: str, variables: Sequence[NodeId], body: NodeId, block: Block) -> tuple[str, str]:
        """The name of a function of bound variables that has lines of its own, else no name; and its value."""
        with self.shadowing():
            inner = self.block([body], frozenset(variables), block.indent + self.INDENT) if variables else None
            value = self.part(body)
        if inner is None or not inner.lines:
            return "", value
        name = self.fresh(wanted)
        block.put(self.say("function", name=name, names=self.listed(variables)))
        block.lines += [*inner.lines, inner.indent + self.say("return", value=value)]
        if "end" in self.PHRASES:
            block.put(self.say("end"))
        return name, value

    def listed(self, variables: Iterable[NodeId]) -> str:
        """The names of bound variables."""
        return ", ".join([self.indices[v] for v in variables])

    def servers(self, members: Sequence[NodeId], servers: NodeId, block: Block, wanted: str = "servers") -> str:
        """A node as a function of bound variables: the number of servers, of the members."""
        name, value = self.function(wanted, members, servers, block)
        return name or self.say("lambda", names=self.listed(members), value=value).replace("lambda :", "lambda:")

    # Scopes

    def name_indices(self) -> None:
        """Names for all bound variables."""
        for node in self.nodes:
            form = self.graph.nodes[node]
            if isinstance(form, kinds.Index):
                self.indices[node] = self.fresh(form.name)

    def block(
        self,
        roots: Iterable[NodeId],
        indices: frozenset[NodeId],
        indent: str,
        conditions: Sequence[NodeId] = (),
    ) -> Block:
        """The lines that compute the roots as far as they depend on the variables (all else, if there are none);
        where there are `conditions`, the roots are needed where none of them is 0."""
        nodes = self._in_scope(roots, indices)
        block = Block(indices, indent, nodes)
        for node in nodes & self.written.keys():
            self.shadowed.setdefault(node, self.written[node])

        # what a resource family needs from outside is computed before its loops, not in them
        users = [u for u in nodes if not isinstance(self.graph.nodes[u], kinds.Peak | kinds.Interference)]
        here = Counter(n for user in users for n in operands(self.graph.nodes[user]))
        wanted = set(roots)
        needed = self._needed(conditions or wanted, nodes)
        for node in sorted(nodes):
            text, strength, depth = self._node(node, block)
            result = node in self.roots
            alone = self.uses[node] == 0 or (
                self.uses[node] == 1 and (here[node] == 1 or node in wanted) and not result
            )
            short = depth < DEEPEST and len(text) < LONGEST
            last = result and self.uses[node] == 0
            if isinstance(self.graph.nodes[node], kinds.Const | kinds.Symbol) or (alone and short) or last:
                self.written[node] = text, strength, depth
                continue
            local = self.fresh(f"v{node}")
            if node in self.fragile and node not in needed:
                block.put(self.say("once", name=local, value=text))
                self.written[node] = f"{local}()", ATOM, 0
            else:
                block.put(self.say("assign", name=local, value=text))
                self.written[node] = local, ATOM, 0

        return block

    def _needed(self, roots: Iterable[NodeId], nodes: set[NodeId]) -> set[NodeId]:
        """The nodes of a scope that every run evaluates: no condition excludes them, and they are not in a loop."""
        needed, stack = set[NodeId](), list(roots)
        while stack:
            node = stack.pop()
            if node in needed or node not in nodes:
                continue
            needed.add(node)
            match self.graph.nodes[node]:
                case kinds.Mul(factors):
                    first, late = self._conditions(factors), self._late_conditions(factors)
                    stack += first or ([n for n, _ in factors] if not late else late if len(late) == 1 else [])
                case kinds.Reduce(_, _, low, high, _):
                    stack += (low, high)
                case kinds.Peak() | kinds.Interference():
                    pass
                case form:
                    stack += operands(form)
        return needed

    def _conditions(self, factors: tuple[tuple[NodeId, int], ...]) -> list[NodeId]:
        """The factors of a product that say, where they are 0, that the others need no value; none if all have one."""
        weak = max(self.fragile.get(n, Weakness.SOUND) for n, _ in factors)
        divided = any(e < 0 and not self.graph.facts.ranges.positive(n) for n, e in factors)
        if weak is Weakness.SOUND and not divided:
            return []
        sound = [n for n, e in factors if e > 0 and n not in self.fragile]
        if weak is Weakness.UNDEFINED or (self.checked and divided):
            return [n for n in sound if not self.graph.facts.ranges.positive(n)]
        return [n for n in sound if type(self.graph.nodes[n]) is kinds.Compare]

    @contextmanager
    def shadowing(self) -> Iterator[None]:
        """A scope that may bind a variable of one around it once more: what depends on it has other names there."""
        before, self.shadowed = self.shadowed, {}
        yield
        self.written.update(self.shadowed)
        self.shadowed = before

    def presence(self, load: kinds.Load) -> list[NodeId]:
        """Factors of a load that say, where one is 0, that its member need have no value; none if it always has."""
        form = self.graph.nodes[load.load]
        if not isinstance(form, kinds.Mul) or not any(
            self.fragile.get(s) == Weakness.UNDEFINED for s in load.subscripts
        ):
            return []
        return [n for n, e in form.factors if e > 0 and n not in self.fragile]

    def _late_conditions(self, factors: tuple[tuple[NodeId, int], ...]) -> list[NodeId]:
        """The factors that may have no value themselves and say, where they are 0, that the others need none."""
        above = [n for n, e in factors if e > 0 and n in self.fragile]
        divided = any(e < 0 and not self.graph.facts.ranges.positive(n) for n, e in factors)
        return above if self.checked and len(above) + divided > 1 else []

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
            if isinstance(nodes[node], kinds.Index):
                self.written[node] = self.indices[node], ATOM, 0

        return {n for n in reached if not isinstance(nodes[n], kinds.Index) and not free[n] & inner}

    # Expressions

    def part(self, node: NodeId, least: int = 0) -> str:
        text, strength, _ = self.written[node]
        return f"({text})" if strength < least else text

    def need(self, helper: str) -> str:
        self.needed.update((helper, *self.NEEDED_BY.get(helper, ())))
        return helper

    def _node(self, node: NodeId, block: Block) -> tuple[str, int, int]:
        """Text, strength and depth of a node."""
        text, strength = self._text(node, block)
        depths = [self.written[n][2] for n in operands(self.graph.nodes[node]) if n in block.nodes]
        return text, strength, 1 + max(depths, default=0)

    def _text(self, node: NodeId, block: Block) -> tuple[str, int]:
        match self.graph.nodes[node]:
            case kinds.Const(value):
                text, strength = self._over(str(value.numerator), value.denominator, ATOM)
                return text, strength if value >= 0 else min(strength, SUM)
            case kinds.Symbol(name):
                return self.names[f"symbol {name}"], ATOM
            case kinds.Index():
                return self.indices[node], ATOM
            case kinds.Item(name, subscripts, arguments):
                operands = [*map(self._subscript, subscripts), *map(self.part, arguments)]
                return f"{self.names[f'item {name}']}({', '.join(operands)})", ATOM

            case kinds.Add(constant, terms):
                return self._sum(constant, terms)
            case kinds.Mul(factors):
                return self._product(factors)
            case kinds.Extreme(kind, inner):
                return self.say(kind, values=", ".join([self.part(n) for n in inner])), ATOM
            case kinds.Call("mod", (left, right)):
                least = POWER if self.REMAINDER == PRODUCT else 0
                return self.say("mod", left=self.part(left, least), right=self.part(right, least)), self.REMAINDER
            case kinds.Call(function, inner):
                return self.say(function, values=", ".join([self.part(n) for n in inner])), ATOM
            case kinds.Compare(operator, left, right):
                return self.say(operator, left=self.part(left, SUM), right=self.part(right, SUM)), ATOM

            case kinds.Reduce(kind, index, low, high, body):
                return self.reduce(kind, Binder(index, low, high), body, block), ATOM
            case kinds.Peak(loads, members, servers):
                return self._family("peak", (loads,), members, servers, block), ATOM
            case kinds.Interference(own, total, members, servers):
                return self._family("others", (own, total), members, servers, block), ATOM

    def _subscript(self, node: NodeId) -> str:
        """A subscript of a machine quantity; a name that stands for one is passed on as it is."""
        is_whole = self.graph.integral[node] or isinstance(self.graph.nodes[node], kinds.Symbol)
        return self.part(node) if is_whole else self.say("member", value=self.part(node))

    def _over(self, top: str, bottom: int, strength: int) -> tuple[str, int]:
        return (top, strength) if bottom == 1 else (self.say("quotient", top=top, bottom=bottom), self.QUOTIENT)

    def _sum(self, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> tuple[str, int]:
        bottom = lcm(*(Fraction(c).denominator for c in (constant, *(c for _, c in terms))))
        texts = [self._term(n, int(c * bottom)) for n, c in terms]
        if constant:
            texts.append(str(int(constant * bottom)))
        if len(texts) > MOST_ADDED:
            return self._over(self.say("total", values=", ".join(texts)), bottom, ATOM)
        text = texts[0]
        for more in texts[1:]:
            text += f" - {more[1:]}" if more.startswith("-") else f" + {more}"
        alone = len(texts) == 1 and not text.startswith("-")
        return self._over(text, bottom, PRODUCT if alone else SUM)

    def _term(self, node: NodeId, coefficient: int) -> str:
        text = self.part(node, PRODUCT)
        if coefficient == 1:
            return text
        # `x % y` is read from the left, as a product is: in brackets after a coefficient
        text = self.part(node, POWER)
        return f"-{text}" if coefficient == -1 else f"{coefficient} * {text}"

    def _product(self, factors: tuple[tuple[NodeId, int], ...]) -> tuple[str, int]:
        late = self._late_conditions(factors)
        tried = late if len(late) > 1 else []
        above = [self._power(n, e) for n, e in factors if e > 0 and n not in tried]
        below = [self._power(n, -e) for n, e in factors if e < 0]
        text, strength = " * ".join(above) or "1", PRODUCT if len(above) > 1 else POWER
        if below:
            text, strength = self.say("quotient", top=text, bottom=" * ".join(below)), self.QUOTIENT
        if tried:
            others = [text] if above or below else []
            tested = [self._power(n, e) for n, e in factors if n in tried]
            values = ", ".join([self.say("delayed", value=value) for value in (*tested, *others)])
            text, strength = self.say("product", values=values), ATOM
        elif late:
            text, strength = self.say("guarded", condition=self.part(late[0], POWER), value=text), ATOM
        guards = [self.part(n, POWER) for n in self._conditions(factors)]
        return (self.say("guarded", condition=" * ".join(guards), value=text), ATOM) if guards else (text, strength)

    def _power(self, node: NodeId, exponent: int) -> str:
        if exponent == 1:
            return self.part(node, POWER)
        return self.say("power", base=self.part(node, ATOM), exponent=exponent)

    def _family(
        self,
        helper: str,
        loads: tuple[tuple[kinds.Load, ...], ...],
        members: tuple[NodeId, ...],
        servers: NodeId,
        block: Block,
    ) -> str:
        arrays = [self.loads(part, block) for part in loads]
        return f"{self.need(helper)}({', '.join(arrays)}, {self.servers(members, servers, block)})"
