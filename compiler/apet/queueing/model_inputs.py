"""The parameters of formulas of networks: what the file gives for them, and how far they may be changed."""

from __future__ import annotations

from fractions import Fraction

from apet.cost.cost_model import InputRange
from apet.formula.graph.nodes import Rational
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.queueing import errors
from apet.queueing.networks import Network

AROUND = 1000
"""How many times greater than in the file a demand, think time or rate may be."""
NEARLY = 1 - Fraction(1, 10**6)
"""Of the greatest arrival rate with a steady state."""


def measured(
    network: Network, values: dict[str, Number | Interval], ranges: dict[str, tuple[Rational, Rational]] | None = None
) -> tuple[InputRange, ...]:
    """Demands, think times and rates: the file's values, and how far they may be changed; numbers of servers."""
    inputs = [InputRange(c.name, c.value, c.low, c.high, True) for c in network.counts if c.name in values]
    names = {i.name for i in inputs}
    for name, value in values.items():
        if name in names:
            continue
        interval = Interval(*map(_exact, value)) if isinstance(value, Interval) else None
        middle = _exact(value.middle if isinstance(value, Interval) else value)
        top = _exact(value.hi if isinstance(value, Interval) else value)
        low, high = (ranges or {}).get(name, (Fraction(0), top * AROUND))
        if name.startswith("rate") and name not in (ranges or {}):
            low = middle / AROUND
        inputs.append(InputRange(name, _plain(middle), _plain(low), _plain(high), False, interval))

    return tuple(inputs)


def rates(path: str, low: Network, high: Network) -> dict[str, tuple[Rational, Rational]]:
    """How far arrival rates may go together before a station has no steady state; `ApetError` if they are there."""
    busiest, names = Fraction(0), list[str]()
    for k, station in enumerate(high.stations):
        if station.is_delay:
            continue
        work = sum(
            Fraction(c.arrival_rate or 0) * Fraction(d[k]) for c, d in zip(high.classes, high.demands(), strict=True)
        )
        speeds = [*high.exact_speed(k), *(Fraction(c.high) for c in high.counts if ("servers", k) in c.places)]
        busy = work / max(speeds)
        busiest = max(busiest, busy)
        names += [station.name] if busy >= 1 else []
    if names:
        raise ApetError(errors.Unstable(None, None, ", ".join(names), path))
    several, most = len(low.classes) > 1, 1 / busiest if busiest else Fraction(AROUND)
    if several:
        return {}

    rate = Fraction(high.classes[0].arrival_rate or 0)
    return {"rate": (rate / AROUND, _exact(rate * most * NEARLY))}  # as a decimal, which can be written


def _exact(value: Number) -> Fraction:
    return Fraction(f"{float(value):.15g}")


def _plain(value: Rational) -> Rational:
    return value.numerator if value.denominator == 1 else value
