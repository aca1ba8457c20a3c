"""The hash-consed store that formulas live in: sums and products in normal form, and no proofs.

Equal expressions have equal numbers, so equality is a comparison of integers and common parts are stored once. The
normal form is a sum of exact coefficients times atoms (symbols, products of powers, maxima, …). Building never calls
sympy. Reasons for this shape are in docs/background/performance.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from apet.formula.graph.nodes import (
    Add,
    Compare,
    Const,
    Index,
    Item,
    Mul,
    Node,
    NodeId,
    Rational,
    Symbol,
    operands,
)
from apet.formula.graph.properties import BINDING, NONE, free_of, height_of, is_integral
from apet.formula.graph.sums import Terms, content, merged, scaled, whole

FARTHEST = 10**30
"""Stands for infinity as an end of a range that nobody declared."""
FEW = 8
"""Longer sums are looked through as a whole first, which pays where all terms are plain."""
LONG = 16
"""A sum of more terms than this takes up a few others as it is."""

COMPOUND = frozenset((Add, Const))
WHOLE = {int}
_new = tuple.__new__  # makes a named tuple of its fields in a third of the time


class Store:
    """Nodes by number, and what may be assumed of symbols. It proves nothing.

    `assume(name, low, high)` bounds a symbol; without it a symbol is non-negative. Symbols in `integers` are whole, no
    two symbols in `distinct` are equal. `free[n]` is the set of bound variables that node n depends on from outside;
    `integral[n]` says that n is whole where its symbols are.

    `height[n]` is above the heights of all variables that are bound in n. Loads of one family share one variable per
    range, so that equal loads are equal nodes; heights keep such a variable from being bound inside its own range:

        t[i]                                          height 0, binds nothing
        b = sum_{i=1..n} t[i]                         height 1, binds i of height 0
        a load t[i'] for i' = 1..n that begins at b   i' has height 1: it cannot be the i that b binds
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.free: list[frozenset[NodeId]] = []
        self.integral: list[bool] = []
        self.height: list[int] = []
        self.ranges: dict[NodeId, tuple[NodeId, NodeId]] = {}
        self.assumed: dict[str, tuple[Rational, Rational | None]] = {}
        self.integers: set[str] = set()
        self.distinct: set[str] = set()
        self._ids: dict[type, dict[Node, NodeId]] = {}
        self._symbols: dict[str, NodeId] = {}
        self._constants: dict[Rational, NodeId] = {}
        self._flat = True  # no node binds a variable yet, so all heights are 0
        self._serial = 0
        self._doubles: dict[tuple[NodeId, NodeId, NodeId], NodeId] = {}  # (first variable, low, high): its double there
        self._originals: dict[NodeId, NodeId] = {}  # the variable that a double was made from
        self.zero = self.const(0)
        self.one = self.const(1)

    def __len__(self) -> int:
        return len(self.nodes)

    def assume(self, name: str, low: Rational | None, high: Rational | None = None) -> None:
        """Promise that a symbol lies in [low, high]; None for no bound. Must come before the symbol is used."""
        self.assumed[name] = (low if low is not None else -FARTHEST, high)

    def intern(self, node: Node) -> NodeId:
        """The number of a node, new or known. The node must be in normal form: use the other methods."""
        kind = type(node)
        table = self._ids.get(kind)
        if table is None:
            table = self._ids[kind] = {}
        # `setdefault` hashes the node once, where a look-up and an entry would do so twice.
        number = len(self.nodes)
        stored = table.setdefault(node, number)
        if stored != number:
            return stored
        self.nodes.append(node)
        self.free.append(free_of(self.free, number, node))
        self.integral.append(is_integral(self.integral, self.integers, node))
        if self._flat and kind not in BINDING:
            self.height.append(0)
            return number

        self._flat = False
        self.height.append(height_of(self.height, node))
        return number

    def const(self, value: Rational) -> NodeId:
        """An exact constant."""
        number = self._constants.get(value)
        if number is None:
            number = self._constants[value] = self.intern(Const(whole(value)))
        return number

    def symbol(self, name: str) -> NodeId:
        """A parameter or a named processor."""
        number = self._symbols.get(name)
        if number is None:
            number = self._symbols[name] = len(self.nodes)
            self.nodes.append(_new(Symbol, (name,)))
            self.free.append(NONE)
            self.integral.append(name in self.integers)
            self.height.append(0)
        return number

    def index(self, name: str, low: NodeId, high: NodeId) -> NodeId:
        """A new bound variable that ranges over the integers from low to high."""
        self._serial += 1
        number = self.intern(Index(name, self._serial))
        self.ranges[number] = (low, high)
        return number

    def member(self, name: str, low: NodeId, high: NodeId, height: int) -> NodeId:
        """A bound variable for formulas that are not higher; where it is bound, the formula is higher than that."""
        number = self.index(name, low, high)
        self.height[number] = height
        self._flat &= height == 0
        return number

    def index_like(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        """The bound variable that stands for this one over another range; the same one for the same range."""
        if self.ranges[index] == (low, high):
            return index
        # From the first variable on: i over 1..n, then 1..5, then 1..n again is i again, not a third variable.
        key = (self._originals.get(index, index), low, high)
        if key not in self._doubles:
            variable = self.nodes[index]
            assert isinstance(variable, Index)
            self._doubles[key] = self.member(variable.name, low, high, self.height[index])
            self._originals[self._doubles[key]] = key[0]
        return self._doubles[key]

    def item(self, name: str, subscripts: Iterable[NodeId] = (), arguments: Iterable[NodeId] = ()) -> NodeId:
        """A quantity of the machine model."""
        return self.intern(Item(name, tuple(subscripts), tuple(arguments)))

    def value(self, node: NodeId) -> Rational | None:
        """The number a node stands for, if it is a constant."""
        form = self.nodes[node]
        return form.value if type(form) is Const else None

    def terms(self, node: NodeId) -> tuple[Rational, tuple[tuple[NodeId, Rational], ...]]:
        """A node as constant and terms."""
        form = self.nodes[node]
        if type(form) is Add:
            return form.constant, form.terms
        if type(form) is Const:
            return form.value, ()
        return 0, ((node, 1),)

    def below(self, *roots: NodeId) -> list[NodeId]:
        """All nodes that some nodes are made of, themselves included, operands first."""
        seen, stack = set[NodeId](), list(roots)
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack += operands(self.nodes[node])
        return sorted(seen)

    def depending(self, root: NodeId, index: NodeId, past: NodeId | None = None) -> set[NodeId]:
        """The nodes that a node is made of, itself included, which depend on a bound variable; not what only stands in
        the node `past`."""
        seen, stack = set[NodeId](), [root]
        while stack:
            node = stack.pop()
            if node not in seen and node != past and index in self.free[node]:
                seen.add(node)
                stack += operands(self.nodes[node])
        return seen

    def add(self, terms: Iterable[tuple[NodeId, Rational]], constant: Rational = 0) -> NodeId:
        """The sum of coefficient * node over the terms, plus a constant."""
        # Four ways to one normal form. Of one term: a multiple. Of many distinct plain atoms with whole coefficients,
        # as long models give: sorted as they are. Of one long sum and little else: the few are merged into the long
        # one, whose terms stay in order. Otherwise all coefficients are collected in a dictionary.
        nodes = self.nodes
        terms = terms if type(terms) is list else list(terms)
        if len(terms) == 1:
            return self._multiple(terms[0][0], terms[0][1], constant)

        sums: dict[NodeId, Rational]
        if len(terms) > FEW:
            sums = dict(terms)
            if len(sums) == len(terms) and {type(nodes[n]) for n in sums}.isdisjoint(COMPOUND):
                if all(sums.values()) and set(map(type, sums.values())) == WHOLE:
                    return self.intern(_new(Add, (whole(constant), tuple(sorted(terms)))))
                return self._sum(sums, constant)
        sums = {}
        long: Terms = ()
        for node, factor in terms:
            form = nodes[node]
            kind = type(form)
            if kind is Add:
                constant += form.constant * factor  # type: ignore[union-attr]
                if not long and factor == 1 and len(form.terms) > LONG:  # type: ignore[union-attr]
                    long = form.terms  # type: ignore[union-attr]
                    continue
                for inner, coefficient in form.terms:  # type: ignore[union-attr]
                    sums[inner] = sums.get(inner, 0) + coefficient * factor
            elif kind is Const:
                constant += form.value * factor  # type: ignore[union-attr]
            else:
                sums[node] = sums[node] + factor if node in sums else factor

        if len(sums) * FEW < len(long):
            return self.intern(_new(Add, (whole(constant), merged(long, sums))))
        for inner, coefficient in long:
            sums[inner] = sums.get(inner, 0) + coefficient

        return self._sum(sums, constant)

    def _multiple(self, node: NodeId, factor: Rational, constant: Rational) -> NodeId:
        """factor * node + constant."""
        form = self.nodes[node]
        if type(form) is Const or not factor:
            return self.const(constant + form.value * factor if factor else constant)  # type: ignore[union-attr]
        if factor == 1 and not constant:
            return node
        if type(form) is not Add:
            return self.intern(_new(Add, (whole(constant), ((node, whole(factor)),))))
        constant += form.constant * factor
        terms = scaled(form, factor)
        if len(terms) == 1 and not constant and terms[0][1] == 1:
            return terms[0][0]

        return self.intern(_new(Add, (whole(constant), terms)))

    def _sum(self, sums: dict[NodeId, Rational], constant: Rational) -> NodeId:
        terms = [(n, c if type(c) is int else whole(c)) for n, c in sums.items() if c]
        constant = whole(constant)
        if not terms:
            return self.const(constant)
        if len(terms) == 1 and constant == 0 and terms[0][1] == 1:
            return terms[0][0]
        terms.sort()
        return self.intern(_new(Add, (constant, tuple(terms))))

    def plus(self, *nodes: NodeId) -> NodeId:
        """The sum of nodes."""
        return nodes[0] if len(nodes) == 1 else self.add([(n, 1) for n in nodes])

    def minus(self, left: NodeId, right: NodeId) -> NodeId:
        """left - right."""
        if left == right:
            return self.zero
        return self.add([(left, 1), (right, -1)])

    def shift(self, node: NodeId, by: Rational) -> NodeId:
        """node + by."""
        return self._multiple(node, 1, by)

    def scale(self, node: NodeId, by: Rational) -> NodeId:
        """by * node."""
        return self._multiple(node, by, 0)

    def times(self, *nodes: NodeId) -> NodeId:
        """The product of nodes. Sums are not multiplied out, but their common constant factor is drawn out."""
        if len(nodes) == 2:
            left, right = nodes
            for node, other in ((left, right), (right, left)):
                form = self.nodes[node]
                if type(form) is Const:
                    return self._multiple(other, form.value, 0)
        coefficient: Rational = 1
        powers: dict[NodeId, int] = {}
        for node in nodes:
            drawn, factors = self._monomial(node)
            coefficient *= drawn
            for factor, exponent in factors:
                powers[factor] = powers.get(factor, 0) + exponent
        if not coefficient:
            return self.zero
        product_of = []
        for factor, exponent in powers.items():
            if type(self.nodes[factor]) is Compare:
                # 0 or 1, and so equal to each of its positive powers; over itself it is not 1 where it is 0
                product_of.append((factor, min(exponent, 1) or 1))
            elif exponent:
                product_of.append((factor, exponent))
        if not product_of:
            return self.const(coefficient)

        if len(product_of) == 1 and product_of[0][1] == 1:
            product = product_of[0][0]
        else:
            product = self.intern(Mul(tuple(sorted(product_of))))

        return product if coefficient == 1 else self.add([(product, coefficient)])

    def factors(self, node: NodeId) -> tuple[tuple[NodeId, int], ...]:
        """A node as powers; what is no product is one factor."""
        form = self.nodes[node]
        return form.factors if type(form) is Mul else ((node, 1),)

    def coefficient(self, node: NodeId) -> Rational:
        """The constant factor of a node; its value if it is a constant."""
        return self._monomial(node)[0]

    def _monomial(self, node: NodeId) -> tuple[Rational, tuple[tuple[NodeId, int], ...]]:
        """A node as an exact coefficient and powers."""
        form = self.nodes[node]
        if type(form) is Const:
            return form.value, ()
        if type(form) is Mul:
            return 1, form.factors
        if type(form) is Add:
            if len(form.terms) == 1 and not form.constant:
                inner, coefficient = form.terms[0]
                return coefficient, self.factors(inner)
            # 2 a + 4 b is drawn out as 2 (a + 2 b), so that (2 a + 4 b) / (a + 2 b) is 2
            common = content(form)
            if common != 1:
                return common, ((self.scale(node, 1 / Fraction(common)), 1),)

        return 1, ((node, 1),)

    def power(self, base: NodeId, exponent: int) -> NodeId:
        """base to a constant whole power; `ZeroDivisionError` for 0 to a negative one."""
        if exponent == 1:
            return base
        if exponent == 0:
            return self.one
        coefficient, factors = self._monomial(base)
        if not factors:
            return self.const(whole(Fraction(coefficient) ** exponent))
        product = self.times(*(self.intern(Mul(((f, e * exponent),))) if e * exponent != 1 else f for f, e in factors))
        return self.scale(product, whole(Fraction(coefficient) ** exponent))

    def over(self, left: NodeId, right: NodeId) -> NodeId:
        """left / right."""
        return self.times(left, self.power(right, -1))
