"""What a run says of the memory: where objects lie that it visited, in the order of their allocation or in any other,
and how many between."""

from __future__ import annotations

from collections.abc import Sequence

from apet.program.ir import ParameterKind
from apet.program.levels.memory import LINE


def visited(counted: Sequence[float], kind: ParameterKind) -> float:
    """The value of a parameter of a visit, by its kind."""
    visits, shuffled, ordered, between = counted
    if kind is ParameterKind.SHUFFLED:
        return shuffled / visits
    if kind is ParameterKind.ORDERED:
        return ordered / visits
    # Each line is visited once in as many visits as there are lines: the mean is all that they take.
    far = shuffled + ordered
    return LINE * between / far if far else 0.0
