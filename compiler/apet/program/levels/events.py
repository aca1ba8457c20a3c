"""What a core cannot overlap: mispredictions, library calls, allocation, elements from far away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from fractions import Fraction
from typing import Protocol

from apet.program import types
from apet.program.algebra import ZERO, Value, apply, as_value, substituted
from apet.program.free_names import walk
from apet.program.ir import (
    ALLOCATIONS,
    CodeBranch,
    CodeLoop,
    Items,
    LineColumn,
    Op,
    ParameterKind,
    Weighted,
    operation_name,
)
from apet.program.levels.memory import levels, traffic, weight_of_miss, weight_of_target
from apet.program.levels.units import FLOATING, is_library

MISSES = Fraction(3, 5)
"""Mispredictions of a branch that depends on data, as a part of the rarer side: a static guess."""
OFTEN = 10**6
MEASURED_BYTES = 24
"""Bytes of the object whose allocation `apet benchmark` times as `new`."""
LIKELY = Fraction(18, 100)
"""A selection whose rarer side is rarer than this is compiled to a branch, else to a conditional move."""


class MissNamer(Protocol):
    """What gives the mispredictions of a branch a name in the model."""

    called: bool
    """Whether others call the method."""

    def missed(self, text: str, at: LineColumn, value: Value, kind: ParameterKind, probability: str = "") -> Value:
        """The parameter; `probability` is that of the branch."""

    def in_scope(self) -> frozenset[str]:
        """Names that what is written here may use."""

    def parameters(self) -> Set[str]:
        """Names that its value may be made of."""


def events(
    items: Items, loop: CodeLoop | None, around: Sequence[CodeLoop], touched: Value, namer: MissNamer
) -> dict[str, Value]:
    """Events of straight code by operation, with their weights; `around` are the loops that it runs in."""
    weights: dict[str, Value] = {}
    _collect(items, as_value(1), weights, around, namer, branches_on_data(items, around))
    if loop is not None and touched.terms:
        for kind, extent, far in traffic(loop).scattered:
            in_scope = extent is not None and extent.names <= namer.in_scope()
            for level, here in levels(extent if in_scope and extent is not None else touched, touched, scattered=True):
                weights[f"{kind}_{level}"] = weights.get(f"{kind}_{level}", ZERO) + far * here

    return weights


def times(around: Sequence[CodeLoop], parameters: Set[str], called: bool) -> Value:
    """How often the innermost of some loops runs in all, with indices of outer loops at the middle of their ranges.

    Where that is unknown, as in a method that is `called`, often: nothing is learnt then.
    """
    if called and around:
        return as_value(OFTEN)
    total = as_value(1)
    middles: dict[str, Value] = {}

    for loop in around:
        total = total * substituted(loop.rounds, middles)
        if loop.low is not None and loop.high is not None:
            middles[loop.index] = substituted((loop.low + loop.high) * Fraction(1, 2), middles)
    return total if total.names <= parameters else as_value(OFTEN)


def _collect(
    items: Items,
    weight: Value,
    weights: dict[str, Value],
    around: Sequence[CodeLoop],
    namer: MissNamer,
    data: frozenset[int],
) -> None:
    for item in items:
        if isinstance(item, Op):
            name = _event(item)
            if name:
                weights[name] = weights.get(name, ZERO) + weight
            if name == "new" and item.bytes > MEASURED_BYTES:
                further = weight * (item.bytes - MEASURED_BYTES)
                weights["new_byte"] = weights.get("new_byte", ZERO) + further

        elif isinstance(item, Weighted):
            _collect(item.body, weight * item.probability, weights, around, namer, data)

        elif isinstance(item, CodeBranch):
            q = item.probability
            missed = mispredictions(item, around, namer, id(item) in data)
            if missed.terms:
                kind = kind_of_miss(item)
                weights[kind] = weights.get(kind, ZERO) + weight * missed
            _collect(item.then, weight * q, weights, around, namer, data)
            _collect(item.otherwise, weight * (1 - q), weights, around, namer, data)


def _event(op: Op) -> str:
    if is_library(op):
        return operation_name(op)
    return op.name if op.name in ALLOCATIONS else ""


def kind_of_miss(branch: CodeBranch) -> str:
    """The operation that a misprediction of a branch is: where an indirect jump goes is only known when the object, its
    class and the table of its methods have been loaded."""
    indirect = branch.condition is not None and branch.condition.indirect
    return "mispredict_target" if indirect else "mispredict"


def mispredictions(branch: CodeBranch, around: Sequence[CodeLoop], namer: MissNamer, on_data: bool) -> Value:
    """Expected mispredictions of one run of a branch, as a parameter of the model."""
    if branch.condition is None or branch.condition.predictable:
        return ZERO
    q = branch.probability
    rarer = apply("min", q, 1 - q)
    missed = rarer * MISSES
    is_selection = selects(branch, around)
    if is_selection:
        missed = missed * apply("<", rarer, LIKELY)
    parameters = namer.parameters()
    if not q.names <= parameters:
        return ZERO

    probability = next((n for n in sorted(q.names) if n.startswith("q_")), "")
    if branch.condition.indirect:
        # Where an indirect jump goes is remembered for few histories.
        value = missed * weight_of_target(missed * times(around, parameters, namer.called))
        text = "mispredictions of this call's target, each time"
        return namer.missed(text, branch.at, value, ParameterKind.MISSED_TARGET, probability)
    value = missed * weight_of_miss(missed * times(around, parameters, namer.called))
    where = " on data" if on_data else ""
    kind = ParameterKind.MISSED_SELECT if is_selection else ParameterKind.MISSED
    return namer.missed(f"mispredictions of this branch{where}, each time", branch.at, value, kind, probability)


DATA, CARRIED, PLAIN = "data", "carried", "plain"


def branches_on_data(items: Items, around: Sequence[CodeLoop]) -> frozenset[int]:
    """The identities of branches that compare elements which the loops around do not store with each other or with
    what does not change there. A comparison with what an earlier round left (a greatest value so far, neighbours
    that are being sorted) has patterns, and is none of them."""
    if not around or not any(isinstance(i, CodeBranch | Weighted) for i in items):
        return frozenset()
    inside = list(walk(around[0].body))
    stored = {i.memory.array for i in inside if isinstance(i, Op) and i.store and i.memory is not None}
    assigned = {i.variable for i in inside if isinstance(i, Op) and i.name == "assign" and i.variable}
    return frozenset(_found(items, {}, {}, stored, assigned))


def _found(
    items: Items, values: dict[int, str], variables: dict[str, str], stored: set[str], assigned: set[str]
) -> Iterator[int]:
    for item in items:
        if isinstance(item, Op):
            kind = _kind(item, values, variables, stored, assigned)
            values[item.result] = kind
            if item.name == "assign" and item.variable:
                variables[item.variable] = kind
        elif isinstance(item, CodeBranch):
            if item.condition is not None and any(values.get(i) == DATA for i in item.condition.inputs):
                yield id(item)
            yield from _found(item.then, values, variables, stored, assigned)
            yield from _found(item.otherwise, values, variables, stored, assigned)
        elif isinstance(item, Weighted):
            yield from _found(item.body, values, variables, stored, assigned)


def _kind(op: Op, values: dict[int, str], variables: dict[str, str], stored: set[str], assigned: set[str]) -> str:
    if op.name == "access" or (op.name == "field_access" and not op.store):
        return variables.get(op.variable, CARRIED if op.variable in assigned else PLAIN)
    if op.memory is not None:
        return CARRIED if op.memory.array in stored else DATA
    if op.name == "charAt" or op.name.startswith("call_random"):
        return DATA
    kinds = {values.get(i, PLAIN) for i in op.inputs}
    return next((k for k in (CARRIED, DATA) if k in kinds), PLAIN)


ADDING = ("sum", "sub", "access", "assign")


def selects(branch: CodeBranch, around: Sequence[CodeLoop]) -> bool:
    """Whether a branch within some loops may become a conditional move, if both of its sides happen."""
    sides = (*branch.then, *branch.otherwise)
    if branch.condition is not None and not branch.condition.relation:
        return False
    ops = [i for i in sides if isinstance(i, Op)]
    # What calls, allocates or touches memory may do more than give a value, unless the round has it already.
    there = _loaded(branch, around)
    touches = any(i.memory is not None and (i.store or _element(i) not in there) for i in ops)
    does_more = touches or any(i.name.startswith(("call", "new")) or is_library(i) for i in ops)
    is_floating = any(i.type is not None and types.word(i.type) in FLOATING for i in ops)
    if len(ops) < len(sides) or does_more or is_floating:
        return False

    stored = {i.variable for i in ops if i.store}
    if len(stored) > 1 or not all(i.type == types.INT for i in ops if i.store):
        return False
    used = {i.variable for i in ops if i.name == "access"} & (stored or {i.variable for i in ops})
    if not used & _carried(branch, around):
        return True
    condition = branch.condition
    compared = () if condition is None else (condition.left, condition.right)
    with_constant = any(v is not None and v.constant is not None for v in compared)
    return with_constant and not (branch.then and branch.otherwise) and all(i.name in ADDING for i in ops)


def _loaded(branch: CodeBranch, around: Sequence[CodeLoop]) -> set[tuple[str, tuple[Value | None, ...]]]:
    """The elements that a round has loaded before a branch, without a store in between."""
    found: set[tuple[str, tuple[Value | None, ...]]] = set()
    for item in around[-1].body if around else ():
        if item is branch:
            return found
        if not isinstance(item, Op) or (item.memory is not None and item.store):
            found.clear()
        elif item.memory is not None and None not in item.memory.subscripts:
            found.add(_element(item))
    return set()


def _element(op: Op) -> tuple[str, tuple[Value | None, ...]]:
    assert op.memory is not None
    return op.memory.array, op.memory.subscripts


def _carried(branch: CodeBranch, around: Sequence[CodeLoop]) -> set[str]:
    """Variables whose values a branch meets as the round before has left them; counters are none."""
    if not around:
        return set()
    body = around[-1].body
    place = next((k for k, item in enumerate(body) if item is branch), len(body))
    fresh = {i.variable for i in body[:place] if isinstance(i, Op) and i.name == "assign"}
    changed = {i.variable for i in walk(body) if isinstance(i, Op) and i.name == "assign" and not i.control}
    return changed - fresh - {around[-1].counter}
