"""What a core cannot overlap: mispredictions, library calls, allocation, elements from far away."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from typing import Protocol

from apet.program.algebra import ZERO, Value, apply, as_value, substituted
from apet.program.ir import CodeBranch, CodeLoop, Items, LineColumn, Op, ParameterKind, Weighted
from apet.program.levels.memory import levels, traffic, weight_of_miss, weight_of_target
from apet.program.levels.outcomes import branches_on_data
from apet.program.levels.selects import selects
from apet.program.levels.units import is_library
from apet.program.operations import ALLOCATIONS, operation_name

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
            if name == "new" and item.variable and int(item.variable) > MEASURED_BYTES:
                further = weight * (int(item.variable) - MEASURED_BYTES)
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
