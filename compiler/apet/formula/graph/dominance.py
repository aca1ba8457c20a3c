"""Maxima and minima in normal form: flat, one constant at most, without operands that another one dominates."""

from __future__ import annotations

from collections.abc import Iterable

from apet.formula.graph.facts import Facts
from apet.formula.graph.nodes import Const, Extreme, NodeId, Rational

MOST_COMPARED = 24
"""Operands of a maximum are compared pairwise for dominance up to this number; it is quadratic where none dominates."""
FEW = 8
"""Longer maxima are looked through as a whole first, which pays where all operands are plain."""
LONGEST_COMPARED = 48
"""Sums of more terms are not compared: in deep models the sums are as long as the depth, and each level has some."""


def extreme(facts: Facts, kind: str, nodes: Iterable[NodeId]) -> NodeId:
    """The greatest ("max") or least ("min") of nodes, without those that another one dominates for all values."""
    distinct: dict[NodeId, None] = dict.fromkeys(nodes)
    if len(distinct) == 1:
        return next(iter(distinct))

    flat: dict[NodeId, None] = {}
    constants: list[Rational] = []
    for node in distinct:
        form = facts.store.nodes[node]
        if type(form) is Const:
            constants.append(form.value)
        elif type(form) is Extreme and form.kind == kind:
            for inner in form.operands:
                value = facts.store.value(inner)
                constants.append(value) if value is not None else flat.setdefault(inner)
        else:
            flat.setdefault(node)
    rivals = list(flat)
    if constants:
        rivals.append(facts.store.const(max(constants) if kind == "max" else min(constants)))
    if 1 < len(rivals) <= MOST_COMPARED and max(len(facts.store.terms(n)[1]) for n in rivals) <= LONGEST_COMPARED:
        rivals = _undominated(facts, kind, rivals)
    # too many to compare in pairs; but max(0, a, b, …) of costs, the most frequent one, never needs its 0
    elif kind == "max" and constants and max(constants) <= 0 and len(rivals) > 1 and facts.nonnegative(rivals[0]):
        rivals.pop()
    if len(rivals) == 1:
        return rivals[0]

    return facts.store.intern(Extreme(kind, tuple(sorted(rivals))))


def _undominated(facts: Facts, kind: str, nodes: list[NodeId]) -> list[NodeId]:
    if len(nodes) > FEW and facts.plainly_incomparable(nodes):
        return nodes
    rivals: list[NodeId] = []
    for node in nodes:
        if not any(_dominates(facts, kind, other, node) for other in rivals):
            rivals = [other for other in rivals if not _dominates(facts, kind, node, other)]
            rivals.append(node)
    return rivals


def _dominates(facts: Facts, kind: str, one: NodeId, other: NodeId) -> bool:
    return facts.at_most(other, one) if kind == "max" else facts.at_most(one, other)
