"""Response times of an application under load: text for people."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.interval import Interval
from apet.queueing.problems import UnderLoad
from apet.show.tables import intervals, table
from apet.show.times import Unit, column, percent, unit_for


def under_load_text(name: str, machines: str, answers: Sequence[UnderLoad]) -> str:
    """A row per number of processors, then what is used most."""
    first = answers[0]
    times = [t for u in answers for t in (*u.response_time, *u.alone.guaranteed)]
    unit = unit_for(map(float, times))
    response = _column([u.response_time for u in answers], unit)
    alone = _column([u.alone.guaranteed for u in answers], unit)
    rows = [
        [str(u.alone.parameters["P"]), r, a, _rates(u), _busiest(u)]
        for u, r, a in zip(answers, response, alone, strict=True)
    ]

    runs = f"{first.jobs:,} run{'s' if first.jobs > 1 else ''} at a time, {first.think:g} s of pause before each"
    header = ["P", "response time", "one run alone", "throughput", "used most"]
    lines = [f"{name} on {machines} · {runs}", "", *table(header, rows, "><<<<"), ""]
    lines += [f"  A job of up to {max(u.tasks for u in answers)} tasks; method: {first.method}. Response times are"]
    lines += ["  means at both ends of the machine's times; guaranteed is only what one run takes alone."]
    lines += [f"  Note: {note}." for note in dict.fromkeys(n for u in answers for n in u.notes)]
    return "\n".join(lines) + "\n"


def _column(times: Sequence[Interval], unit: Unit) -> list[str]:
    low, high = [float(i.lo) for i in times], [float(i.hi) for i in times]
    return intervals(column(low, unit, among=high), column(high, unit, among=low), unit.name)


def _rates(answer: UnderLoad) -> str:
    return f"{float(answer.throughput.lo):.4g} … {float(answer.throughput.hi):.4g} /s"


def _busiest(answer: UnderLoad) -> str:
    if not answer.stations:
        return "-"
    label, busy = answer.stations[0]
    return f"{label}: {percent(float(busy.lo))} … {percent(float(busy.hi))}"
