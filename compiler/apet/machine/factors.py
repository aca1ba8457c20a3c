"""How fast a machine is relative to the others, as one number."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.machine.machines import MachineGroup

# Two machines of which one is exactly twice as fast in everything should have factors with exactly that ratio, in
# spite of the rounding in logarithm and exponential: ties in the allocation depend on it.
DIGITS = 12


def relative_factors(groups: Sequence[MachineGroup], assumed: Container[str] = ()) -> tuple[float, ...]:
    """The relative performance factor of each group, in (0, 1].

    The one the file gives, else the geometric mean, over the operations that all groups have, of the time on the
    machine fastest in that operation / the time here. Times are the middles of the intervals; external load is not
    included, and neither is the number of cores. An operation that takes no time on some machine does not count, nor
    does one of `assumed`, whose time is that of a class. With no operation to compare, every factor is 1. Rounded to
    12 digits.
    """
    shared = [op for op in groups[0].op_s if op not in assumed and all(op in group.op_s for group in groups[1:])]
    middles = [[float(group.op_s[op].middle) for group in groups] for op in shared]
    comparable = [(times, min(times)) for times in middles if min(times) > 0]
    return tuple(_factor(group, g, comparable) for g, group in enumerate(groups))


def _factor(group: MachineGroup, g: int, comparable: Sequence[tuple[Sequence[float], float]]) -> float:
    if group.factor is not None:
        return group.factor
    if not comparable:
        return 1.0
    mean = math.fsum(math.log(best / times[g]) for times, best in comparable) / len(comparable)
    return float(f"{math.exp(mean):.{DIGITS}g}")
