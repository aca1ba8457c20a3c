"""Predictions from measured runs as text, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.runs.answer import RunsAnswer
from apet.runs.largest_within import Reach
from apet.runs.measurements import Curve, Extrapolation
from apet.runs.scaling_laws import formula
from apet.runs.useful_sizes import UsefulSizes
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


def extrapolation_text(answer: RunsAnswer, notes: Sequence[str]) -> str:
    """Heading, predictions with their intervals, the published method beside them, the fit, flags, advice."""
    curve, result = answer.curve, answer.extrapolation
    lines = [_heading(curve, result), ""]

    lines += _table(answer)
    lines += ["", f"  trust: {result.trust}"]
    lines += [f"  note:  {text}" for text in (*notes, *result.flags)]
    lines += [f"  to do: {text}" for text in result.advice]
    if answer.published is not None:
        lines += _beside(answer.published)
    lines += ["", *_fits(result, curve)]
    if answer.useful is not None:
        lines += ["", *_useful(answer.useful, curve)]
    if answer.reach is not None:
        lines += ["", *_reach(answer.reach, curve)]
    return "\n".join(lines)


def _heading(curve: Curve, result: Extrapolation) -> str:
    first, last = _number(curve.runs[0].n), _number(curve.runs[-1].n)
    count = sum(len(r.repetitions) or 1 for r in curve.runs)
    repeated = f", {count} runs in all" if count > len(curve.runs) else ""
    phases = len(set.intersection(*(set(r.phases) for r in curve.runs)))
    profiled = f", {phases} phases" if phases > 1 else ""
    what = "numbers of processors from" if curve.kind == "procs" else "sizes from n ="
    measured = f"{len(curve.runs)} {what} {first} to {last}{repeated}{profiled}"
    return f"{curve.name} · {measured} · {WORDS[result.method]}"


def _table(answer: RunsAnswer) -> list[str]:
    curve, result, published = answer.curve, answer.extrapolation, answer.published
    times = [p.t for p in result.predictions]
    if not times:
        return ["  (no n was asked for)"]
    ends = [float(e) for p in result.predictions for e in p.interval]
    unit = unit_for(times)
    low = column([float(p.interval.lo) for p in result.predictions], unit, -1, among=ends)
    high = column([float(p.interval.hi) for p in result.predictions], unit, 1, among=ends)

    header = ["P" if curve.kind == "procs" else "n", "run time", "90 % of such runs"]
    columns = [
        [_number(p.n) for p in result.predictions],
        [f"{t} {unit.name}" for t in column(times, unit)],
        intervals(low, high, unit.name),
    ]
    align = "><<"
    if curve.kind == "procs":
        base = curve.runs[0].t * curve.runs[0].n
        header += ["speed-up", "efficiency"]
        columns += [
            [f"{curve.runs[0].t / t:.3g}" for t in times],
            [percent(base / (t * p.n)) for t, p in zip(times, result.predictions, strict=True)],
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


def _fits(result: Extrapolation, curve: Curve) -> list[str]:
    lines = []
    if result.law is not None:
        what = "likeliest shape" if result.method == "auto" else "fitted"
        symbol = "P" if curve.kind == "procs" else "n"
        lines.append(f"  {what}: T = {formula(result.law, symbol, DIGITS).text(longest=8)}")
    rows = sorted(result.fit.items(), key=lambda item: item[0] != "whole")

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


def _reach(reach: Reach, curve: Curve) -> list[str]:
    size = curve.kind == "size"
    lines = [f"  within {single(reach.seconds)}: {'the largest n' if size else 'the fewest processors'}"]
    for word, n in (("safely", reach.surely), ("likely", reach.likely), ("possibly", reach.possibly)):
        text = "none" if n is None else _number(n)
        more = " or more" if word.replace("safely", "surely") in reach.beyond else ""
        lines.append(f"    {word:<9} {text}{more}")
    if reach.likely is not None and size and reach.likely > 4 * curve.runs[-1].n:
        lines.append("    (more than 4 times beyond the largest run: intervals are calibrated up to 4)")
    return lines


def _number(n: float) -> str:
    if n == int(n) and abs(n) < 1e15:
        return f"{int(n):,}"
    return f"{n:,.6g}"
