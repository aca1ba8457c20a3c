"""The parameters of formulas of networks: what the file gives for them, and how far they may be changed."""

from __future__ import annotations

from fractions import Fraction

from apet.cost.cost_model import InputRange
from apet.formula.graph.nodes import Rational
from apet.ground.interval import Interval, Number
from apet.queueing.data.networks import Network

AROUND = 1000
"""How many times greater than in the file a demand, think time or rate may be."""


def measured(network: Network, values: dict[str, Number | Interval]) -> tuple[InputRange, ...]:
    """Demands, think times and rates: the file's values, and how far they may be changed; numbers of servers."""
    inputs = [InputRange(c.name, c.value, c.low, c.high, True) for c in network.counts if c.name in values]
    names = {i.name for i in inputs}
    for name, value in values.items():
        if name in names:
            continue
        interval = Interval(*map(_exact, value)) if isinstance(value, Interval) else None
        middle = _exact(value.middle if isinstance(value, Interval) else value)
        top = _exact(value.hi if isinstance(value, Interval) else value)
        low, high = Fraction(0), top * AROUND
        if name.startswith("rate") or _is_only_time(network):
            low = middle / AROUND
        inputs.append(InputRange(name, _plain(middle), _plain(low), _plain(high), False, interval))

    return tuple(inputs)


def _is_only_time(network: Network) -> bool:
    """Whether some closed class has a single demand or think time, without which its rounds would take no time."""
    rows = zip(network.classes, network.demands(), strict=True)
    return any(not c.is_open and sum(map(bool, (c.think, *row))) == 1 for c, row in rows)


def _exact(value: Number) -> Fraction:
    return Fraction(f"{float(value):.15g}")


def _plain(value: Rational) -> Rational:
    return value.numerator if value.denominator == 1 else value
