"""Explanations as an answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Lines, Sentences, Settings, Table
from apet.answers.predictions import settings
from apet.ground.interval import Interval
from apet.questions.expected import notes_on_estimates
from apet.questions.explain.explanation import (
    NETWORK,
    OPERATION,
    PARAMETER,
    PROCESSORS,
    STOPPED,
    ExplainedEnd,
    Explanation,
    Idle,
    SobolIndices,
    Swing,
    TermCrossover,
)
from apet.questions.explain.plots import explanation_figure
from apet.show.context import PredictionContext
from apet.show.plain import plain, record
from apet.show.tables import intervals
from apet.show.times import column, percent, single, unit_for

MOST_TERMS = 8
BAR = 24
FULL, HALF = "█", "▌"
LEAST_SHARE = 0.0005
"""Rows below this share of the greatest are counted, not shown."""
KINDS = {PARAMETER: "parameters", PROCESSORS: "P", OPERATION: "operations", NETWORK: "network"}
AT_ONCE = 1e-6
"""The share of a range below which a change counts as one at its start."""
NAMED = 6
"""Inputs that are named of those of which nothing was found."""


def explanation_answer(context: PredictionContext, explanation: Explanation) -> Answer:
    """Terms at tmax, elasticities, what else would decide, and what each interval does to T."""
    app, low, high = context.app, explanation.tmin, explanation.tmax
    parameters = {n: v for n, v in explanation.parameters.items() if n != "P" or context.has_processors}
    title = f"{context.title}, P = {explanation.parameters['P']}" if context.has_processors else context.title
    notes = notes_on_estimates(app, room=low.room or high.room)
    return Answer(
        kind="explanation",
        subject=app.name,
        unit=context.unit,
        parameters=explanation.parameters,
        predictions=[Estimate({"P": explanation.parameters.get("P")}, _both(low.seconds, high.seconds))],
        notes=notes,
        results={**context.json_head, **_results(explanation)},
        blocks=[
            [Heading(context.heading), Settings(settings(app, parameters))],
            *explanation_blocks(explanation, context.symbol, context.unit, app.on_machines),
            *([Sentences([note.sentence])] for note in notes),
        ],
        figure=partial(explanation_figure, explanation, title),
    )


def explanation_blocks(explanation: Explanation, T: str, of: str, on_machines: bool) -> list[Block]:
    """What limits, what else would decide, and what each interval does; T stands for the time, `of` is its unit."""
    low, high = explanation.tmin, explanation.tmax
    at = " at tmax" if on_machines else ""
    limits = [f"{T} = {single(high.seconds, of)}{at}, limited by {high.dominant}"]
    if on_machines:
        limits.insert(0, f"T = {single(low.seconds)} at tmin, limited by {low.dominant}")
    others = [crossover_sentence(c) for c in explanation.crossovers] or ["no value of one of them alone"]
    swings = explanation.swings if explanation.swings and explanation.swings[0].swing > 0 else ()

    return [
        [Lines(limits)],
        [Lines([f"Terms{at}{_next(high, T)}"]), _terms(high, T, of)],
        [Lines([f"What 1 % more of it adds to {T}, in %:"]), _elasticities(explanation, on_machines)],
        [Sentences(idle_sentences(explanation, T))],
        [
            Lines([f"Another term takes over{at}, all else as it is, from:"]),
            Lines(others, 4),
            Sentences(list(_searched(explanation)), 4),
        ],
        _swings(swings, T, of) if swings else [],
        _indices(explanation.indices, T, of) if explanation.indices else [],
    ]


def _both(low: float, high: float) -> Interval:
    return Interval(min(low, high), max(low, high))


def _next(side: ExplainedEnd, T: str) -> str:
    """The runner-up with its share, and how far it is below."""
    others = [t for t in side.terms if t.name != side.dominant]
    if not others or not others[0].seconds:
        return ":"
    share = others[0].share
    below = f"{_factor(1 / share)}x below" if share < 0.995 else "close below" if share < 1 else "as great"
    return f" (next after {side.dominant}: {others[0].name}, {percent(share)} of {T}, {below}):"


def _terms(side: ExplainedEnd, T: str, of: str) -> Table:
    terms = side.terms[:MOST_TERMS]
    unit = unit_for((t.seconds for t in terms), of)
    seconds, below = (column(v, unit) for v in ([t.seconds for t in terms], [t.margin_s for t in terms]))
    rows = [
        [t.name, f"{s} {unit.name}".rstrip(), percent(t.share), f"{m} {unit.name}".rstrip()]
        for t, s, m in zip(terms, seconds, below, strict=True)
    ]
    rest = len(side.terms) - len(terms)
    header = ["term", "time" if of == "s" else "value", f"share of {T}", f"below {T} by"]
    return Table(header, rows, "<>>>", 4, f"… {rest} more" if rest else "")


def _elasticities(explanation: Explanation, both_ends: bool) -> Table:
    low, high = explanation.tmin.elasticities, explanation.tmax.elasticities
    names = [n for n in {**low, **high} if low.get(n) or high.get(n)]
    names.sort(key=lambda n: (-abs(high.get(n, 0.0)), n))
    rows = [[n, _signed(low.get(n, 0.0)), _signed(high.get(n, 0.0))] for n in names]
    if not both_ends:
        return Table(["", ""], [row[:2] for row in rows], "<>", 4)
    return Table(["operation, figure or parameter", "at tmin", "at tmax"], rows, "<>>", 4)


def _signed(value: float) -> str:
    """Three digits behind the point, without the sign of a 0."""
    return f"{round(value, 3) + 0.0:.3f}"


# What else would decide


def amount(name: str, kind: str, value: float) -> str:
    """A value with its unit: seconds of operations, figures of the network, plain parameters."""
    if kind == OPERATION or name == "latency_s":
        return single(value)
    if kind == NETWORK:
        return f"{value:.4g} B/s"
    return f"{value:,.10g}" if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def times(factor: float | None) -> str:
    """` (41x)`, or nothing where there is no factor."""
    return "" if factor is None else f" ({_factor(factor)}x)"


def _factor(value: float) -> str:
    return f"{value:,.0f}" if 999.5 <= value < 1e7 else f"{value:.3g}"


def idle_sentences(explanation: Explanation, T: str) -> list[str]:
    """`T does not depend on t_send here; it would from t_send = 3.2 ms (41x)`, unless a crossover has that value."""
    at = {(c.name, amount(c.name, c.kind, c.at)) for c in explanation.crossovers}

    def repeated(each: Idle) -> bool:
        onsets = {(each.name, amount(each.name, each.kind, v)) for v in (each.below, each.above) if v is not None}
        return bool(onsets) and onsets <= at

    told = [each for each in explanation.idle if not repeated(each)]
    lost = [each for each in told if _is_lost(each)]
    together = lost if len(lost) > NAMED else []
    sentences = [_idle_sentence(each, T) for each in told if each not in together]
    if together:
        first = ", ".join(each.name for each in together[:NAMED])
        sentences.append(_untold(T, f"{first} and {len(together) - NAMED:,} more"))
    return sentences


def _untold(T: str, names: str) -> str:
    return f"No value of {names} was found at which {T} is another; that there is none is not proved."


def _is_lost(each: Idle) -> bool:
    """Whether nothing is known of where an input would matter."""
    return each.below is None and each.above is None and not each.proved


def _idle_sentence(each: Idle, T: str) -> str:
    # At 0 there is no elasticity, whatever depends on it.
    if each.now == 0 and each.above is not None and each.above <= AT_ONCE * float(each.searched.hi):
        return f"{each.name} is 0 here; {T} depends on it as soon as it is not."

    onsets = []
    for value in (each.below, each.above):
        if value is not None:
            side = " down" if value == each.below and value < each.now else ""
            factor = times(value / each.now if each.now > 0 else None)
            onsets.append(f"from {each.name} = {amount(each.name, each.kind, value)}{factor}{side}")

    begun = f"{T} does not depend on {each.name} here; "
    if onsets and each.proved:
        return begun + "it would " + " and ".join(onsets) + "."
    if any(v is not None and abs(v - each.now) <= AT_ONCE * abs(each.now) for v in (each.below, each.above)):
        return f"{T} has no slope in {each.name} here, but roundings of it change {T} at values however close."
    if onsets:
        return f"{T} hardly depends on {each.name} here: of the values tried the nearest with another {T} are " + (
            " and ".join(onsets) + "."
        )
    if not each.proved:
        return _untold(T, each.name)
    low, high = (amount(each.name, each.kind, float(v)) for v in each.searched)
    return begun + f"nor anywhere from {low} to {high}."


def crossover_sentence(c: TermCrossover) -> str:
    """`P >= 41: T[bus]`, with how far it is and whether it is proved."""
    about = "" if c.proved else "  (nearest found)"
    return f"{c.name} {c.relation} {amount(c.name, c.kind, c.at)}{times(c.factor)}: {c.dominant}{about}"


def _searched(explanation: Explanation) -> Iterator[str]:
    """Which ranges were searched, and what is not proved."""
    ranges: dict[str, list[str]] = {}
    for kind, far in explanation.searched.items():
        if kind in KINDS:
            ranges.setdefault(far, []).append(KINDS[kind])

    sentence = "; ".join(f"{' and '.join(kinds)} {far}" for far, kinds in ranges.items())
    if sentence:
        stopped = explanation.searched.get(STOPPED)
        yield f"Searched: {sentence}{f'; {stopped}' if stopped else ''}."
    if any(not c.proved for c in explanation.crossovers):
        yield "Nearest found: a term might limit in between. All others are proved to be the nearest."


# What each interval does


def _swings(swings: Sequence[Swing], T: str, of: str) -> Block:
    """Text bars from the least to the greatest T, on one scale; the middle is where all are at their middle."""
    most = swings[0].swing
    widest = [s for s in swings if s.swing > most * LEAST_SHARE] or list(swings[:1])
    unit = unit_for([swings[0].base], of)
    low, high = min(s.low for s in widest), max(s.high for s in widest)
    ends = intervals(column([s.low for s in widest], unit), column([s.high for s in widest], unit), unit.name)
    widths = column([s.swing for s in widest], unit)
    rows = [
        [s.name, span.rstrip(), f"{w} {unit.name}".rstrip(), _bar(s, low, high)]
        for s, span, w in zip(widest, ends, widths, strict=True)
    ]
    base = single(swings[0].base, of)
    title = f"What each interval does to {T} alone, all others at their middle ({T} = {base} there):"
    rest = len(swings) - len(widest)
    more = f"… {rest} more, below {LEAST_SHARE:.2%} of the widest".replace("%", " %") if rest else ""
    return [Lines([title]), Table(["interval of", T, "swing", ""], rows, "<<><", 4, more)]


def _bar(swing: Swing, low: float, high: float) -> str:
    if high <= low:
        return "|"
    if not math.isfinite(high):
        return ""
    cells = [round((v - low) / (high - low) * BAR) for v in (swing.low, swing.base, swing.high)]
    text = " " * cells[0] + FULL * (cells[1] - cells[0]) + "|" + FULL * (cells[2] - cells[1])
    return text.rstrip()


def _indices(indices: SobolIndices, T: str, of: str) -> Block:
    title = f"Sobol' indices: the share of {T}'s variance that an input explains, alone and with its interactions"
    drawn = f"{indices.evaluations:,} evaluations, seed {indices.seed}"
    about = f"(inputs independent and uniform on their intervals; {drawn}; in brackets the 95 % confidence interval by "
    ordered = sorted(indices.inputs, key=lambda i: (-i.total, i.name))
    rows = [
        [i.name, _index(i.first), _within(i.first_within), _index(i.total), _within(i.total_within)] for i in ordered
    ]
    mean, deviation = single(indices.mean, of), single(indices.deviation, of)
    return [
        Lines([title]),
        Sentences([f"{about}bootstrap):"]),
        Table(["input", "alone", "", "in all", ""], rows, "<><><", 4),
        Lines([f"{T}: mean {mean}, standard deviation {deviation}"], 4),
    ]


def _index(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"


def _within(interval: Interval) -> str:
    return f"[{_index(float(interval.lo))}, {_index(float(interval.hi))}]"


# For programs


def _results(explanation: Explanation) -> dict[str, Any]:
    """The keys of docs/howto/explain.md; all times in seconds."""
    results = {
        **_side(explanation.tmax),
        "without_effect": explanation.without_effect,
        "onsets": [{**record(i), "now": plain(i.now)} for i in explanation.idle],
        "crossovers": [
            {"parameter": c.name, "kind": c.kind, "relation": c.relation, "at": c.at, "dominant": c.dominant}
            | {"now": c.now, "factor": c.factor, "after": c.after, "proved": c.proved}
            for c in explanation.crossovers
        ],
        "searched": explanation.searched,
        "tornado": [_swing(s) for s in explanation.swings],
        "ends": {"tmin": _side(explanation.tmin), "tmax": _side(explanation.tmax)},
    }
    return results if explanation.indices is None else results | {"sobol": _sobol(explanation.indices)}


def _side(side: ExplainedEnd) -> dict[str, Any]:
    return {
        "dominant": side.dominant,
        "seconds": plain(side.seconds),
        "terms": [
            {"name": t.name, "seconds": plain(t.seconds), "share": plain(t.share)}
            | {"margin": plain(t.margin), "margin_s": plain(t.margin_s)}
            for t in side.terms
        ],
        "contributions": dict(side.contributions),
        "elasticities": dict(side.elasticities),
    }


def _swing(s: Swing) -> dict[str, Any]:
    ends = {"low_s": plain(s.low), "base_s": plain(s.base), "high_s": plain(s.high), "swing_s": plain(s.swing)}
    return {"name": s.name, "kind": s.kind, "interval": plain(s.interval), **ends}


def _sobol(indices: SobolIndices) -> dict[str, Any]:
    return {
        "samples": indices.samples,
        "evaluations": indices.evaluations,
        "seed": indices.seed,
        "mean_s": plain(indices.mean),
        "deviation_s": plain(indices.deviation),
        "inputs": [
            {"name": i.name, "first": plain(i.first), "first_within": plain(i.first_within)}
            | {"total": plain(i.total), "total_within": plain(i.total_within)}
            for i in indices.inputs
        ],
    }
