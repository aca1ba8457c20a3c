"""How many rounds a loop makes whose counter goes from a start to a limit in equal steps."""

from __future__ import annotations

from typing import NamedTuple

from apet.program.algebra import Value, apply, as_value, quotient


class CounterRange(NamedTuple):
    """Rounds of a counting loop: the index goes from `low` to `high`, and the counter is `value` of it."""

    low: Value
    high: Value
    rounds: Value
    value: Value


def counter_range(relation: str, step: int, start: Value, limit: Value, index: str, is_whole: bool) -> CounterRange:
    """The range of the index of a loop that goes on while its counter is so related to the limit; `is_whole` tells that
    the counter has a whole type."""
    whole = is_whole or start.is_whole()
    if relation == "!=":
        gap = (limit - start) if step > 0 else (start - limit)
        if abs(step) != 1:
            gap = quotient(gap, abs(step))
        relation = "<" if step > 0 else ">"
    else:
        gap = (limit - start) if step > 0 else (start - limit)
        gap = quotient(gap, abs(step))
    inclusive = relation in ("<=", ">=")
    count = apply("floor", gap) + 1 if inclusive else apply("ceil", gap)
    name = as_value(index)
    if abs(step) != 1 or not whole:
        return CounterRange(as_value(1), count, count, start + step * (name - 1))

    edge = limit if limit.is_whole() else apply("floor" if inclusive == (step > 0) else "ceil", limit)
    if step > 0:
        return CounterRange(start, edge if inclusive else edge - 1, count, name)
    return CounterRange(edge if inclusive else edge + 1, start, count, name)
