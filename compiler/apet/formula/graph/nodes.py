"""The nodes of a formula on one page.

A node refers to its operands by their number in the graph that holds it; operands have smaller numbers than the nodes
made of them. Constants and coefficients are exact: `int`, or `Fraction` where not whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from apet.ground.records import NamedTuple

NodeId = int
Rational = int | Fraction


class Const(NamedTuple):
    """An exact number."""

    value: Rational


class Symbol(NamedTuple):
    """A parameter of the model, or a named processor."""

    name: str


class Index(NamedTuple):
    """A bound variable, ranging over integers; `serial` tells variables of one name apart."""

    name: str
    serial: int


class Item(NamedTuple):
    """A quantity that the machine model supplies, never negative: `t_op[p](size)`, `share[p]`, `cores[p]`."""

    name: str
    subscripts: tuple[NodeId, ...]
    arguments: tuple[NodeId, ...]


class Add(NamedTuple):
    """`constant + sum of coefficient * operand`; no operand is an Add or a Const, none comes twice."""

    constant: Rational
    terms: tuple[tuple[NodeId, Rational], ...]


class Mul(NamedTuple):
    """The product of powers `operand ** exponent` with exponents from the integers without 0; no coefficient."""

    factors: tuple[tuple[NodeId, int], ...]


class Extreme(NamedTuple):
    """The greatest ("max") or least ("min") of the operands."""

    kind: str
    operands: tuple[NodeId, ...]


class Call(NamedTuple):
    """`floor ceil abs log log2 sqrt` of one operand; `mod` (floored) and `pow` of two."""

    function: str
    operands: tuple[NodeId, ...]


class Compare(NamedTuple):
    """1 where `left operator right` holds, else 0; the operator is `<=`, `<`, `==` or `!=`."""

    operator: str
    left: NodeId
    right: NodeId


class Reduce(NamedTuple):
    """The "sum", "max" or "min" of `body` over the integers `index` from `low` to `high`.

    Over an empty range a sum and a maximum are 0 (costs are not negative), a minimum is infinite.
    """

    kind: str
    index: NodeId  # type: ignore[assignment]  # hides tuple.index, which no node needs
    low: NodeId
    high: NodeId
    body: NodeId


class Binder(NamedTuple):
    """One bound variable of a `Load` with its range; later binders may depend on earlier ones."""

    index: NodeId  # type: ignore[assignment]  # hides tuple.index, which no node needs
    low: NodeId
    high: NodeId


class Load(NamedTuple):
    """What one place of a program does to the members of a resource family.

    For all values of the binders, the member numbered `subscripts` is held for `load` in total, not before `head` after
    the start of the process and not later than `tail` before its end. `certain` says that it is held in every run.
    """

    binders: tuple[Binder, ...]
    subscripts: tuple[NodeId, ...]
    load: NodeId
    head: NodeId
    tail: NodeId
    certain: bool


class Peak(NamedTuple):
    """The greatest over all members q of a family of: least head + total load / servers + least tail.

    `members` are the variables that stand for q in `servers`. A member counts if a certain load or a load above 0
    meets it; 0 if none counts.
    """

    loads: tuple[Load, ...]
    members: tuple[NodeId, ...]
    servers: NodeId


class Interference(NamedTuple):
    """The sum over the members q that `own` uses of (the load of `all` on q - the load of `own` on q) / servers."""

    own: tuple[Load, ...]
    all: tuple[Load, ...]
    members: tuple[NodeId, ...]
    servers: NodeId


Node = Const | Symbol | Index | Item | Add | Mul | Extreme | Call | Compare | Reduce | Peak | Interference


def operands(node: Node) -> tuple[NodeId, ...]:
    """The numbers of all nodes that a node is made of, bound variables and ranges among them."""
    if isinstance(node, Add):  # the two most frequent kinds, not taken apart
        return tuple([n for n, _ in node.terms])
    if isinstance(node, Mul):
        return tuple([n for n, _ in node.factors])

    match node:
        case Const() | Symbol() | Index():
            return ()
        case Item(_, subscripts, arguments):
            return (*subscripts, *arguments)
        case Extreme(_, inner) | Call(_, inner):
            return inner
        case Compare(_, left, right):
            return (left, right)
        case Reduce(_, index, low, high, body):
            return (index, low, high, body)
        case Peak() | Interference():
            return (*_operands_of_loads(loads_of(node)), *node.members, node.servers)


def _operands_of_loads(loads: tuple[Load, ...]) -> tuple[NodeId, ...]:
    inner: list[NodeId] = []
    for load in loads:
        for binder in load.binders:
            inner += binder
        inner += (*load.subscripts, load.load, load.head, load.tail)
    return tuple(inner)


def loads_of(node: Node) -> tuple[Load, ...]:
    """The loads of a family that a node is about; none of other nodes."""
    if isinstance(node, Interference):
        return (*node.own, *node.all)
    return node.loads if isinstance(node, Peak) else ()


def binders_of(node: Node) -> Iterator[Binder]:
    """The variables that a node binds, with the ranges that they run over; the members of a family have none."""
    if isinstance(node, Reduce):
        yield Binder(node.index, node.low, node.high)
    for load in loads_of(node):
        yield from load.binders


def bound_by(node: Node) -> tuple[NodeId, ...]:
    """The variables that a node binds."""
    members = node.members if isinstance(node, Peak | Interference) else ()
    return (*members, *(b.index for b in binders_of(node)))


def bound_operands(node: Node) -> Iterator[tuple[NodeId, tuple[NodeId, ...]]]:
    """The operands, each with the variables that the node binds there: of a load, those of the load alone."""
    match node:
        case Reduce(_, index, low, high, body):
            yield from ((low, ()), (high, ()), (body, (index,)))
        case Peak() | Interference():
            yield node.servers, node.members
            for load in loads_of(node):
                yield from operands_of_load(load)
        case _:
            yield from ((n, ()) for n in operands(node))


def operands_of_load(load: Load) -> Iterator[tuple[NodeId, tuple[NodeId, ...]]]:
    """What a load is made of, each with the variables that the load binds there."""
    bound: tuple[NodeId, ...] = ()
    for index, low, high in load.binders:
        yield from ((low, bound), (high, bound))
        bound = (*bound, index)
    yield from ((n, bound) for n in (*load.subscripts, load.load, load.head, load.tail))


def parameter_names(nodes: Iterable[Node]) -> list[str]:
    """The names of the parameters among some nodes, sorted."""
    return sorted({n.name for n in nodes if isinstance(n, Symbol)})


def operation_names(nodes: Iterable[Node]) -> list[str]:
    """The names of the machine quantities among some nodes (`t_send`, `share`), sorted."""
    return sorted({n.name for n in nodes if isinstance(n, Item)})
