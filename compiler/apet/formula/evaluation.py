"""Numbers from formulas: a plan made once per set of formulas, run once per set of values.

The plan is a list of steps in the order of the node numbers; operands come before the nodes made of them. Loops that
stayed symbolic have plans of their own for what depends on their bound variable, so that the rest is computed once.
Arithmetic is that of the values given: whole numbers and fractions stay exact (10^15 iterations are an `int`), and if
every value is exact, so is the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol

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
    Node,
    NodeId,
    Peak,
    Reduce,
    Symbol,
    operands,
)
from apet.formula.undefined import Undefined, defined
from apet.interval import Number

MOST_ITERATIONS = 20_000_000


class Environment(Protocol):
    """What supplies values while a formula is evaluated."""

    def symbol(self, name: str) -> Number:
        """The value of a parameter; `LookupError` if there is none."""
        ...

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """The value of a quantity of the machine model; `LookupError` if there is none."""
        ...


class EvaluationError(ArithmeticError):
    """A formula has no value here: division by zero, a logarithm of zero, a loop too long to run."""


Step = Callable[[list[Any], Environment], None]
Member = tuple[Number, ...]


class Plan:
    """How to evaluate some nodes of a graph."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], exact: bool = False) -> None:
        """`exact`: functions without exact values are computed to 60 digits, as fractions."""
        self.graph = graph
        self.functions = EXACT if exact else FUNCTIONS
        self.roots = tuple(roots)
        self.size = len(graph)
        self._scopes = _Scopes(graph)
        self._table: Peak | None = None
        self._runs = 0
        self.steps = [self._step(n) for n in self._scopes.order(roots, None)]

    def run(self, environment: Environment) -> list[Number]:
        """The values of the roots; `EvaluationError` where there is none."""
        values: list[Any] = [None] * self.size
        self._runs += 1
        try:
            for step in self.steps:
                step(values, environment)
        except ZeroDivisionError:
            raise EvaluationError("division by zero") from None
        except OverflowError:
            raise EvaluationError("a number is too large") from None
        except ValueError as error:
            raise EvaluationError(str(error)) from None
        return [defined(values[r]) for r in self.roots]

    @classmethod
    def of_members(cls, graph: Graph, table: NodeId) -> Plan:
        """A plan that `members` can be asked of: for the node of a family's peak."""
        found = graph.nodes[table]
        assert isinstance(found, Peak)
        plan = cls(graph, [table])
        plan._table = found
        return plan

    def members(self, environment: Environment) -> dict[Member, Number]:
        """The load per server of every member of the family."""
        values: list[Any] = [None] * self.size
        for step in self.steps:
            step(values, environment)
        found = self._table
        assert found is not None
        count = self._servers(found.members, found.servers)
        uses = gather([self._scatter(load) for load in found.loads], values, environment)
        return {m: quotient(use[0], count(m, values, environment)) for m, use in uses.items()}

    def _inner(self, index: NodeId, roots: Iterable[NodeId]) -> list[Step]:
        return [self._step(n) for n in self._scopes.order(roots, index)]

    def _step(self, node: NodeId) -> Step:
        g = self.graph
        match g.nodes[node]:
            case Const(value):
                return _constant(node, value)
            case Symbol(name):
                return _symbol(node, name)
            case Index():
                return _nothing
            case Item(name, subscripts, arguments):
                return _item(node, name, subscripts, arguments)
            case Add(constant, terms):
                return _add(node, constant, terms)
            case Mul(factors):
                return _mul(node, factors)
            case Extreme(kind, found):
                return _extreme(node, kind, found)
            case Call(function, found):
                return _call(node, self.functions[function], found)
            case Compare(operator, left, right):
                return _compare(node, operator, left, right)
            case Reduce(kind, index, low, high, body):
                return _reduce(node, kind, index, low, high, body, self._inner(index, [body]))
            case Peak(loads, members, servers):
                return self._peak(node, loads, members, servers)
            case Interference(own, total, members, servers):
                return self._interference(node, own, total, members, servers)

    def _peak(self, node: NodeId, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId) -> Step:
        scatter = [self._scatter(load) for load in loads]
        count = self._servers(members, servers)

        def run(values: list[Any], environment: Environment) -> None:
            best: Number = 0
            for member, use in gather(scatter, values, environment).items():
                if use[3] or use[0] > 0:
                    best = max(best, use[1] + quotient(use[0], count(member, values, environment)) + use[2])
            values[node] = best

        return run

    def _interference(
        self, node: NodeId, own: tuple[Load, ...], total: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId
    ) -> Step:
        mine, everyone = [self._scatter(load) for load in own], [self._scatter(load) for load in total]
        count = self._servers(members, servers)
        outer = frozenset().union(*(self._scopes.free_of_load(load) for load in total))
        cache: dict[tuple[Any, ...], dict[Member, list[Any]]] = {}

        def run(values: list[Any], environment: Environment) -> None:
            key = (self._runs, *(values[i] for i in outer))
            if key not in cache:
                cache.clear()
                cache[key] = gather(everyone, values, environment)
            theirs, extra = cache[key], 0
            for member, use in gather(mine, values, environment).items():
                others = theirs[member][0] - use[0] if member in theirs else 0
                extra += quotient(others, count(member, values, environment))
            values[node] = extra

        return run

    def _servers(
        self, members: tuple[NodeId, ...], servers: NodeId
    ) -> Callable[[Member, list[Any], Environment], Number]:
        steps = self._inner_many(members, [servers])

        def count(member: Member, values: list[Any], environment: Environment) -> Number:
            for variable, value in zip(members, member, strict=True):
                values[variable] = value
            for step in steps:
                step(values, environment)
            found: Number = values[servers]
            return found

        return count

    def _inner_many(self, indices: Sequence[NodeId], roots: Sequence[NodeId]) -> list[Step]:
        return [self._step(n) for n in self._scopes.order_many(roots, frozenset(indices))]

    def _scatter(self, load: Load) -> _Scatter:
        """Runs over the binders of one load and gives (member, load, head, tail) for each."""
        roots = [*load.subscripts, load.load, load.head, load.tail]
        loops, seen = [], frozenset[NodeId]()
        for binder in load.binders:
            loops.append((binder, self._inner_many(tuple(seen), [binder.low, binder.high]) if seen else []))
            seen |= {binder.index}
        steps = self._inner_many(tuple(seen), roots) if seen else []
        return _Scatter(load, loops, steps)


class _Scatter:
    def __init__(self, load: Load, loops: list[tuple[Binder, list[Step]]], steps: list[Step]) -> None:
        self.load = load
        self.loops = loops
        self.steps = steps

    def into(self, found: dict[Member, list[Any]], values: list[Any], environment: Environment, depth: int = 0) -> None:
        """Add what this load does to the members that it meets: [load, head, tail, certain]."""
        load = self.load
        if depth < len(self.loops):
            binder, prepare = self.loops[depth]
            for step in prepare:
                step(values, environment)
            for i in span(values[binder.low], values[binder.high]):
                values[binder.index] = i
                self.into(found, values, environment, depth + 1)
            return
        for step in self.steps:
            step(values, environment)
        member = tuple([values[s] for s in load.subscripts])
        use = found.get(member)
        head, tail = values[load.head], values[load.tail]
        if use is None:
            found[member] = [values[load.load], head, tail, load.certain]
            return
        use[0] += values[load.load]
        use[1] = min(use[1], head)
        use[2] = min(use[2], tail)
        use[3] = use[3] or load.certain


def gather(scatter: list[_Scatter], values: list[Any], environment: Environment) -> dict[Member, list[Any]]:
    """Per member of a family: total load, least head, least tail, and whether it is certainly used."""
    found: dict[Member, list[Any]] = {}
    for one in scatter:
        one.into(found, values, environment)
    return found


class _Scopes:
    """Which loop each node belongs to: that of the bound variables it depends on."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def order(self, roots: Iterable[NodeId], index: NodeId | None) -> list[NodeId]:
        """The nodes to compute, operands first: outside every loop, or inside the loop of one index."""
        return self.order_many(roots, frozenset() if index is None else frozenset((index,)))

    def order_many(self, roots: Iterable[NodeId], indices: frozenset[NodeId]) -> list[NodeId]:
        """The nodes that depend on one of the indices (on none, if there are none), but on no deeper one."""
        free, nodes = self.graph.free, self.graph.nodes
        reached, deeper = set[NodeId](), set[NodeId]()
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node in reached or (indices and not (free[node] & indices)):
                continue
            reached.add(node)
            deeper.update(bound_by(nodes[node]))
            stack += operands(nodes[node])
        inner = deeper - indices
        return sorted(n for n in reached if type(nodes[n]) is not Index and not (free[n] & inner))

    def free_of_load(self, load: Load) -> frozenset[NodeId]:
        """The bound variables of outer loops that a load depends on."""
        free = self.graph.free
        inner = free[load.load] | free[load.head] | free[load.tail]
        for subscript in load.subscripts:
            inner |= free[subscript]
        for binder in reversed(load.binders):
            inner = (inner - {binder.index}) | free[binder.low] | free[binder.high]
        return inner


def bound_by(node: Node) -> tuple[NodeId, ...]:
    """The variables that a node binds."""
    match node:
        case Reduce(_, index, _, _, _):
            return (index,)
        case Peak(loads, members, _):
            return (*members, *(b.index for load in loads for b in load.binders))
        case Interference(own, total, members, _):
            return (*members, *(b.index for load in (*own, *total) for b in load.binders))
        case _:
            return ()


def span(low: Number, high: Number) -> range:
    """The integers from low to high; `EvaluationError` if they are too many to run over."""
    found = range(math.ceil(low), math.floor(high) + 1)
    if len(found) > MOST_ITERATIONS:
        raise EvaluationError(f"a loop of {len(found):,} iterations has no closed form and is too long to run over")
    return found


def quotient(left: Number, right: Number) -> Number:
    """left / right, exact where both are."""
    if right == 1:
        return left
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    return Fraction(left) / right


def _whole(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _nothing(values: list[Any], environment: Environment) -> None:
    return


def _constant(node: NodeId, value: Number) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        values[node] = value

    return run


def _symbol(node: NodeId, name: str) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        values[node] = environment.symbol(name)

    return run


def _item(node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        members, given = tuple([values[s] for s in subscripts]), tuple([values[a] for a in arguments])
        try:
            values[node] = environment.item(name, members, given)
        except LookupError as error:
            values[node] = Undefined(error)

    return run


def _add(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    bottom = math.lcm(*(Fraction(c).denominator for c in (constant, *(c for _, c in terms))))
    scaled = [(n, int(c * bottom)) for n, c in terms]
    start = int(constant * bottom)

    def run(values: list[Any], environment: Environment) -> None:
        total = start
        for n, c in scaled:
            total += values[n] * c
        values[node] = total

    def run_over(values: list[Any], environment: Environment) -> None:
        run(values, environment)
        values[node] = _whole(quotient(values[node], bottom))

    return run if bottom == 1 else run_over


def _mul(node: NodeId, factors: tuple[tuple[NodeId, int], ...]) -> Step:
    if all(e == 1 for _, e in factors):
        names = [n for n, _ in factors]

        def run(values: list[Any], environment: Environment) -> None:
            product: Any = 1
            for n in names:
                product *= values[n]
            values[node] = product

        return run
    above, below = [(n, e) for n, e in factors if e > 0], [(n, -e) for n, e in factors if e < 0]

    def run_over(values: list[Any], environment: Environment) -> None:
        product: Any = 1
        for n, e in above:
            product *= values[n] ** e
        for n, e in below:
            product = quotient(product, values[n] ** e)
        values[node] = _whole(product)

    return run_over


def _extreme(node: NodeId, kind: str, found: tuple[NodeId, ...]) -> Step:
    pick = max if kind == "max" else min

    def run(values: list[Any], environment: Environment) -> None:
        values[node] = pick([values[n] for n in found])

    return run


def _call(node: NodeId, act: Callable[..., Any], found: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        values[node] = act(*[values[n] for n in found])

    return run


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is int and not isinstance(base, float):
        return _whole(Fraction(base) ** exponent)
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("a fractional power of a negative number")
    return result


def _root(x: Any) -> Any:
    if x < 0:
        raise ValueError("the square root of a negative number")
    return math.sqrt(x)


def _logarithm(base: Callable[[Any], float]) -> Callable[[Any], float]:
    def log(x: Any) -> float:
        if x <= 0:
            raise ValueError("the logarithm of a number that is not positive")
        return base(x)

    return log


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
    "mod": lambda x, m: x % m,
    "pow": _power,
    "sqrt": _root,
    "log": _logarithm(math.log),
    "log2": _logarithm(math.log2),
}


def _precisely(function: str) -> Callable[..., Any]:
    """A function to 60 digits: the error is far below that of rounding the result to a float."""

    def act(*arguments: Any) -> Any:
        from apet.formula.precise import precise

        FUNCTIONS[function](*arguments)
        return precise(function, arguments)

    return act


EXACT = FUNCTIONS | {name: _precisely(name) for name in ("pow", "sqrt", "log", "log2")}


def _compare(node: NodeId, operator: str, left: NodeId, right: NodeId) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        a, b = values[left], values[right]
        if operator == "<=":
            values[node] = int(a <= b)
        elif operator == "<":
            values[node] = int(a < b)
        else:
            values[node] = int((a == b) == (operator == "=="))

    return run


def _reduce(
    node: NodeId, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId, steps: list[Step]
) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        total: Any = math.inf if kind == "min" else 0
        for i in span(values[low], values[high]):
            values[index] = i
            for step in steps:
                step(values, environment)
            found = values[body]
            if kind == "sum":
                total += found
            elif kind == "max":
                total = max(total, found)
            else:
                total = min(total, found)
        values[node] = total

    return run
