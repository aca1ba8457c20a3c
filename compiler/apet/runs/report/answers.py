"""Predictions from measured runs as an answer: the table, how far it may be trusted, the fit, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Lines, Table
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.runs.answer import RunsAnswer
from apet.runs.fit.methods import extrapolate
from apet.runs.largest_within import Reach
from apet.runs.measurements import Curve, Extrapolation, quantity
from apet.runs.report.plots import extrapolation_figure, places
from apet.runs.scaling_laws import formula
from apet.runs.useful_sizes import UsefulSizes
from apet.show.tables import interval_cells
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


def extrapolation_answer(answer: RunsAnswer, notes: Sequence[Note], view: str = "time") -> Answer:
    """Predictions with their intervals, notes, the fit, and what follows from it."""
    curve, main = answer.curve, answer.extrapolation
    said = (*notes, *main.flags)
    return Answer(
        kind="prediction",
        unit=curve.unit,
        subject=curve.name,
        predictions=list(_rows(main)),
        notes=[*said, *(Note(NoteKind.ADVICE, text) for text in main.advice)],
        results=_results(answer),
        blocks=[
            [Heading(_heading(curve, main))],
            [_table(answer)],
            [Lines(trust_lines(main.trust, said, main.advice))],
            [Lines(_fits(main, curve))],
            [Lines(_useful(answer.useful, curve) if answer.useful is not None else [])],
            [Lines(_reach(answer.reach, curve) if answer.reach is not None else [])],
        ],
        figure=partial(_figure, answer, view),
    )


def trust_lines(trust: str, notes: Sequence[Note], advice: Sequence[str] = ()) -> list[str]:
    """How far a fit may be trusted, what speaks against it, and which runs would help."""
    return [f"trust: {trust}", *(f"note:  {note}" for note in notes), *(f"to do: {text}" for text in advice)]


def whole_where_exact(n: float) -> int | float:
    """A whole number without its point, as far as numbers of JSON are exact."""
    return int(n) if n == int(n) and abs(n) < 2**53 else n


def count(n: float) -> str:
    """With thousands separated."""
    return f"{int(n):,}" if n == int(n) and abs(n) < 1e15 else f"{n:,.6g}"


def _figure(answer: RunsAnswer, view: str) -> Any:
    band = extrapolate(answer.curve, places(answer), answer.extrapolation.method)
    return extrapolation_figure(answer, band, view)


# For programs


def _rows(result: Extrapolation) -> Iterator[Estimate]:
    """Nine of ten such runs lie between the ends, which guarantees nothing."""
    for p in result.predictions:
        low, high = (Interval(end, end) for end in p.interval)
        more: dict[str, Any] = {
            "n": whole_where_exact(p.n),
            "t": p.t,
            "tmin": p.interval.lo,
            "tmax": p.interval.hi,
            "spread": p.spread,
        }
        if p.law_interval is not None:
            more["if_the_law_goes_on"] = {"tmin": p.law_interval.lo, "tmax": p.law_interval.hi}
        yield Estimate({"n": whole_where_exact(p.n)}, Interval(p.t, p.t), low, high, more=more)


def _results(answer: RunsAnswer) -> dict[str, Any]:
    curve, main, useful = answer.curve, answer.extrapolation, answer.useful
    results: dict[str, Any] = {
        **{"name": curve.name, "over": curve.kind, "method": main.method, "trust": main.trust, "advice": main.advice},
        "runs": [{"n": whole_where_exact(r.n), "t": r.t, "repetitions": len(r.repetitions) or 1} for r in curve.runs],
        "fit": main.fit,
    }
    if main.unusual:
        results["anomalies"] = [whole_where_exact(n) for n in main.unusual]
    if useful is not None:
        levels = [{"efficiency": level, "n": n and whole_where_exact(n)} for level, n in useful.efficient]
        limit, farthest = useful.limit and whole_where_exact(useful.limit), whole_where_exact(useful.farthest)
        results["useful"] = {"largest": levels, "nothing_gained_beyond": limit, "looked_up_to": farthest}
    if answer.reach is not None:
        results["within"] = asdict(answer.reach)
    return results


# For people


def _heading(curve: Curve, result: Extrapolation) -> str:
    first, last = count(curve.runs[0].n), count(curve.runs[-1].n)
    runs = sum(len(r.repetitions) or 1 for r in curve.runs)
    repeated = f", {runs} runs in all" if runs > len(curve.runs) else ""
    phases = len(set.intersection(*(set(r.phases) for r in curve.runs)))
    profiled = f", {phases} phases" if phases > 1 else ""
    what = "numbers of processors from" if curve.kind == "procs" else "sizes from n ="
    measured = f"{len(curve.runs)} {what} {first} to {last}{repeated}{profiled}"
    return f"{curve.name} · {measured} · {WORDS[result.method]}"


def _table(answer: RunsAnswer) -> Table | Lines:
    curve = answer.curve
    points = answer.extrapolation.predictions
    if not points:
        return Lines(["(no n was asked for)"])
    times = [p.t for p in points]
    unit = unit_for(times, curve.unit)

    columns = {
        "P" if curve.kind == "procs" else "n": [count(p.n) for p in points],
        quantity(curve.unit): [f"{t} {unit.name}".rstrip() for t in column(times, unit)],
        "90 % of such runs": interval_cells([p.interval for p in points], unit, outward=1),
    }
    if all(p.law_interval is not None for p in points):
        intervals = [p.law_interval for p in points if p.law_interval is not None]
        columns["if the law goes on"] = interval_cells(intervals, unit, outward=1)
    if curve.kind == "procs" and curve.unit == "s":
        first = curve.runs[0]
        columns["speed-up"] = [f"{first.t / t:.3g}" for t in times]
        efficiencies = (first.t * first.n / (t * p.n) for t, p in zip(times, points, strict=True))
        columns["efficiency"] = [percent(share) for share in efficiencies]
    return Table(list(columns), list(zip(*columns.values(), strict=True)), "><<" + ">" * (len(columns) - 3))


def _fits(result: Extrapolation, curve: Curve) -> list[str]:
    lines = []
    if result.law is not None:
        what = "likeliest shape" if result.method == "auto" else "fitted"
        symbol = "P" if curve.kind == "procs" else "n"
        lines.append(f"{what}: T = {formula(result.law, symbol, DIGITS).text(longest=8)}")
    if result.method == "auto":
        off, chance = (percent(result.fit["whole"][key]) for key in ("off_by_at_most", "chance_of_a_law"))
        return [*lines, f"  within {off} of the runs; the chance that they follow a law: {chance}"]
    rows = sorted(result.fit.items(), key=lambda item: item[0] != "whole")

    lines += [f"  {name}: {_values(values)}" for name, values in rows[:MOST_FITS]]
    return [*lines, f"  … and {len(rows) - MOST_FITS} more (--json lists all)"] if len(rows) > MOST_FITS else lines


def _values(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in values.items())


def _useful(useful: UsefulSizes, curve: Curve) -> list[str]:
    lines = ["useful numbers of processors:"]
    for level, n in useful.efficient:
        more = " or more" if n is not None and n >= useful.farthest else ""
        upto = f"none beyond {count(curve.runs[0].n)}" if n is None else f"up to {count(n)}{more}"
        lines.append(f"  efficiency of {percent(level)} or more: {upto}")

    if useful.limit is None:
        return [*lines, f"  the run time still falls at {count(useful.farthest)}"]
    return [*lines, f"  nothing is gained beyond {count(useful.limit)}"]


def _reach(reach: Reach, curve: Curve) -> list[str]:
    size = curve.kind == "size"
    lines = [f"within {single(reach.seconds)}: {'the largest n' if size else 'the fewest processors'}"]
    for word, n in (("safely", reach.surely), ("likely", reach.likely), ("possibly", reach.possibly)):
        more = " or more" if word.replace("safely", "surely") in reach.beyond else ""
        lines.append(f"  {word:<9} {'none' if n is None else count(n)}{more}")
    if reach.likely is not None and size and reach.likely > 4 * curve.runs[-1].n:
        lines.append("  (more than 4 times beyond the largest run: intervals are calibrated up to 4)")
    return lines
