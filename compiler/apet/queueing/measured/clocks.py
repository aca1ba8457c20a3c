"""Clocks of services that are set apart: calls that lie outside of their callers are moved between their ends.

A call begins after its caller and ends before it. So an offset d that its clock lacks lies between the greatest
`caller.start - call.start` and the least `caller.end - call.end` of all calls of one service by another (F. Cristian,
Distributed Computing 3, 1989); the middle is taken where 0 does not lie in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from apet.queueing.measured.spans import ServiceCall

NO_OFFSET = 1e-5
"""Seconds by which calls may lie outside of their callers, since Jaeger rounds to microseconds."""
Offsets = Mapping[tuple[str, str], float | None]
"""By caller and called service seconds to be added to times of the latter; None where no number mends all calls."""


def clock_offsets(requests: Iterable[ServiceCall]) -> Offsets:
    """Of services whose calls lie outside of their callers."""
    ends: dict[tuple[str, str], tuple[float, float]] = {}
    for caller in (call for request in requests for call in request.everything()):
        for call in caller.calls:
            pair = (caller.service, call.service)
            low, high = ends.get(pair, (-float("inf"), float("inf")))
            ends[pair] = max(low, caller.start - call.start), min(high, caller.end - call.end)

    return {
        pair: (low + high) / 2 if low <= high and pair[0] != pair[1] else None
        for pair, (low, high) in ends.items()
        if low > NO_OFFSET or high < -NO_OFFSET
    }


def aligned(call: ServiceCall, offsets: Offsets, shift: float = 0.0) -> ServiceCall:
    """The call by the clock of the first caller."""
    calls = [aligned(c, offsets, shift + (offsets.get((call.service, c.service)) or 0.0)) for c in call.calls]
    return replace(call, start=call.start + shift, end=call.end + shift, calls=calls)


def notes(offsets: Offsets) -> list[str]:
    """Comments on what was mended, and what was not."""
    lines = []
    for (caller, called), offset in offsets.items():
        if offset is None:
            lines.append(
                f"# Calls of {called} outlast {caller}, which calls it, or its clock drifts: taken as they are."
            )
        else:
            lines.append(f"# The clock of {called} is {-offset:+.4g} s off that of {caller}: mended.")
    return lines
