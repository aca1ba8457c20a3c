"""Response times of an application under load: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.interval import Interval
from apet.queueing.problems import UnderLoad
from apet.show.plain import dumps, ends, plain
from apet.show.tables import intervals, table
from apet.show.times import Unit, column, percent, unit_for


def under_load_text(name: str, machines: str, found: Sequence[UnderLoad]) -> str:
    """A row per number of processors, then what is used most."""
    first = found[0]
    times = [t for u in found for t in (*u.response_time, *u.alone.guaranteed)]
    unit = unit_for(map(float, times))
    response = _column([u.response_time for u in found], unit)
    alone = _column([u.alone.guaranteed for u in found], unit)
    rows = [
        [str(u.alone.parameters["P"]), r, a, _rates(u), _busiest(u)]
        for u, r, a in zip(found, response, alone, strict=True)
    ]
    runs = f"{first.jobs:,} run{'s' if first.jobs > 1 else ''} at a time, {first.think:g} s of pause before each"
    header = ["P", "response time", "one run alone", "throughput", "used most"]
    lines = [f"{name} on {machines} · {runs}", "", *table(header, rows, "><<<<"), ""]
    lines += [f"  A job of up to {max(u.tasks for u in found)} tasks; method: {first.method}. Response times are"]
    lines += ["  means at both ends of the machine's times; guaranteed is only what one run takes alone."]
    lines += [f"  Note: {note}." for note in dict.fromkeys(n for u in found for n in u.notes)]
    return "\n".join(lines) + "\n"


def _column(found: Sequence[Interval], unit: Unit) -> list[str]:
    low, high = [float(i.lo) for i in found], [float(i.hi) for i in found]
    return intervals(column(low, unit, among=high), column(high, unit, among=low), unit.name)


def _rates(found: UnderLoad) -> str:
    return f"{float(found.throughput.lo):.4g} … {float(found.throughput.hi):.4g} /s"


def _busiest(found: UnderLoad) -> str:
    if not found.stations:
        return "-"
    label, busy = found.stations[0]
    return f"{label}: {percent(float(busy.lo))} … {percent(float(busy.hi))}"


def under_load_json(name: str, file: str, found: Sequence[UnderLoad], version: str) -> str:
    """One object with a list of predictions, times in seconds."""
    return dumps(
        {
            "apet": version,
            "model": name,
            "machines": file,
            "unit": "s",
            "backend": "queueing",
            "predictions": [_one(u) for u in found],
        }
    )


def _one(u: UnderLoad) -> dict[str, object]:
    return {
        "parameters": {n: plain(v) for n, v in u.alone.parameters.items()},
        "jobs": u.jobs,
        "think": u.think,
        "response_time": ends(u.response_time),
        "throughput": {"min": float(u.throughput.lo), "max": float(u.throughput.hi)},
        "utilization": {label: [float(b.lo), float(b.hi)] for label, b in u.stations},
        "alone": {"lower": ends(u.alone.lower), "upper": ends(u.alone.upper), "guaranteed": ends(u.alone.guaranteed)},
        "tasks": u.tasks,
        "method": u.method,
        "notes": list(u.notes),
    }
