"""Predictions from measured runs: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apet.runs.extrapolation import Answered
from apet.runs.largest_within import Reach
from apet.runs.measurements import Curve, Extrapolation
from apet.runs.scaling_laws import formula
from apet.runs.useful_sizes import UsefulSizes
from apet.show.plain import dumps
from apet.show.tables import intervals, table
from apet.show.times import column, percent, single, unit_for

WORDS = {
    "auto": "a weighted blend of shapes",
    "fractal": "a power law for each phase (FRACTAL)",
    "adept": "Downey's model, fitted for each target (ADEPT)",
    "powerlaw": "one power law",
    "amdahl": "Amdahl's law",
    "usl": "the universal scalability law",
}
MOST_FITS = 10
DIGITS = 4


def extrapolation_json(answered: Answered, notes: Sequence[str], version: str) -> str:
    """One object: `method`, `trust`, `flags`, `predictions` with `n`, `t`, `tmin`, `tmax` in seconds, and what else was
    found."""
    curve, found = answered.curve, answered.found
    document: dict[str, Any] = {
        "apet": version,
        "name": curve.name,
        "kind": curve.kind,
        "unit": "s",
        "method": found.method,
        "trust": found.trust,
        "flags": [*notes, *found.flags],
        "advice": list(found.advice),
        "predictions": _predictions(found),
        "runs": [{"n": _whole(r.n), "t": r.t, "repetitions": len(r.repetitions) or 1} for r in curve.runs],
        "fit": {name: dict(values) for name, values in found.fit.items()},
    }
    if found.unusual:
        document["anomalies"] = [_whole(n) for n in found.unusual]
    if answered.published is not None:
        document["published"] = _published(answered.published)
    if answered.useful is not None:
        document["useful"] = _useful_json(answered.useful)
    if answered.reach is not None:
        document["within"] = answered.reach._asdict() | {"beyond": list(answered.reach.beyond)}
    return dumps(document)


def _predictions(found: Extrapolation) -> list[dict[str, Any]]:
    return [
        {"n": _whole(p.n), "t": p.t, "tmin": p.interval.lo, "tmax": p.interval.hi, "spread": p.spread}
        for p in found.predictions
    ]


def _published(found: Extrapolation) -> dict[str, Any]:
    return {
        "method": found.method,
        "trust": found.trust,
        "flags": list(found.flags),
        "advice": list(found.advice),
        "predictions": _predictions(found),
        "fit": {name: dict(values) for name, values in found.fit.items()},
    }


def _useful_json(useful: UsefulSizes) -> dict[str, Any]:
    levels = [{"efficiency": level, "n": None if n is None else _whole(n)} for level, n in useful.efficient]
    limit = None if useful.limit is None else _whole(useful.limit)
    return {"largest": levels, "nothing_gained_beyond": limit, "looked_up_to": _whole(useful.farthest)}


def _whole(n: float) -> int | float:
    return int(n) if n == int(n) and abs(n) < 2**53 else n


def extrapolation_text(answered: Answered, notes: Sequence[str]) -> str:
    """Heading, predictions with their intervals, the published method beside them, the fit, flags, advice."""
    curve, found = answered.curve, answered.found
    lines = [_heading(curve, found), ""]
    lines += _table(answered)
    lines += ["", f"  trust: {found.trust}"]
    lines += [f"  note:  {text}" for text in (*notes, *found.flags)]
    lines += [f"  to do: {text}" for text in found.advice]
    if answered.published is not None:
        lines += _beside(answered.published)
    lines += ["", *_fits(found, curve)]
    if answered.useful is not None:
        lines += ["", *_useful(answered.useful, curve)]
    if answered.reach is not None:
        lines += ["", *_reach(answered.reach, curve)]
    return "\n".join(lines)


def _heading(curve: Curve, found: Extrapolation) -> str:
    first, last = _number(curve.runs[0].n), _number(curve.runs[-1].n)
    count = sum(len(r.repetitions) or 1 for r in curve.runs)
    repeated = f", {count} runs in all" if count > len(curve.runs) else ""
    phases = len(set.intersection(*(set(r.phases) for r in curve.runs)))
    profiled = f", {phases} phases" if phases > 1 else ""
    what = "numbers of processors from" if curve.kind == "procs" else "sizes from n ="
    measured = f"{len(curve.runs)} {what} {first} to {last}{repeated}{profiled}"
    return f"{curve.name} · {measured} · {WORDS[found.method]}"


def _table(answered: Answered) -> list[str]:
    curve, found, published = answered.curve, answered.found, answered.published
    times = [p.t for p in found.predictions]
    if not times:
        return ["  (no n was asked for)"]
    ends = [float(e) for p in found.predictions for e in p.interval]
    unit = unit_for(times)
    low = column([float(p.interval.lo) for p in found.predictions], unit, -1, among=ends)
    high = column([float(p.interval.hi) for p in found.predictions], unit, 1, among=ends)
    header = ["P" if curve.kind == "procs" else "n", "run time", "90 % of such runs"]
    columns = [
        [_number(p.n) for p in found.predictions],
        [f"{t} {unit.name}" for t in column(times, unit)],
        intervals(low, high, unit.name),
    ]
    align = "><<"
    if curve.kind == "procs":
        base = curve.runs[0].t * curve.runs[0].n
        header += ["speed-up", "efficiency"]
        columns += [
            [f"{curve.runs[0].t / t:.3g}" for t in times],
            [percent(base / (t * p.n)) for t, p in zip(times, found.predictions, strict=True)],
        ]
        align += ">>"
    if published is not None:
        header.append(published.method)
        columns.append([f"{t} {unit.name}" for t in column([p.t for p in published.predictions], unit)])
        align += ">"
    return table(header, list(zip(*columns, strict=True)), align)


def _beside(published: Extrapolation) -> list[str]:
    lines = [f"  {published.method}: trust {published.trust}"]
    lines += [f"    note:  {text}" for text in published.flags]
    return lines + [f"    to do: {text}" for text in published.advice]


def _fits(found: Extrapolation, curve: Curve) -> list[str]:
    lines = []
    if found.law is not None:
        what = "likeliest shape" if found.method == "auto" else "fitted"
        symbol = "P" if curve.kind == "procs" else "n"
        lines.append(f"  {what}: T = {formula(found.law, symbol, DIGITS).text(longest=8)}")
    rows = sorted(found.fit.items(), key=lambda item: item[0] != "whole")
    for name, values in rows[:MOST_FITS]:
        lines.append(f"    {name}: {_values(values)}")
    if len(rows) > MOST_FITS:
        lines.append(f"    … and {len(rows) - MOST_FITS} more (--json lists all)")
    return lines


def _values(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in values.items())


def _useful(useful: UsefulSizes, curve: Curve) -> list[str]:
    lines = ["  useful numbers of processors:"]
    for level, n in useful.efficient:
        if n is None:
            lines.append(f"    efficiency of {percent(level)} or more: none beyond {_number(curve.runs[0].n)}")
        else:
            more = " or more" if n >= useful.farthest else ""
            lines.append(f"    efficiency of {percent(level)} or more: up to {_number(n)}{more}")
    if useful.limit is None:
        lines.append(f"    the run time still falls at {_number(useful.farthest)}")
    else:
        lines.append(f"    nothing is gained beyond {_number(useful.limit)}")
    return lines


def _reach(found: Reach, curve: Curve) -> list[str]:
    size = curve.kind == "size"
    lines = [f"  within {single(found.seconds)}: {'the largest n' if size else 'the fewest processors'}"]
    for word, n in (("for sure", found.surely), ("likely", found.likely), ("possibly", found.possibly)):
        shown = "none" if n is None else _number(n)
        more = " or more" if word.replace("for sure", "surely") in found.beyond else ""
        lines.append(f"    {word:<9} {shown}{more}")
    if found.likely is not None and size and found.likely > 4 * curve.runs[-1].n:
        lines.append("    (more than 4 times beyond the largest run: intervals are calibrated up to 4)")
    return lines


def _number(n: float) -> str:
    if n == int(n) and abs(n) < 1e15:
        return f"{int(n):,}"
    return f"{n:,.6g}"
