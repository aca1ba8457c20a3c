"""Explanations as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

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
from apet.show.context import PredictionContext
from apet.show.formula_lines import wrapped
from apet.show.prediction_text import value_text
from apet.show.tables import intervals, table
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


def explanation_text(context: PredictionContext, explanation: Explanation, width: int) -> str:
    """Heading, parameters, terms at tmax, elasticities, what else would decide, what each interval does to T."""
    T, of = context.symbol, context.unit
    parameters = {n: v for n, v in explanation.parameters.items() if n != "P" or context.has_processors}
    settings = " · ".join(f"{name} = {value_text(value)}" for name, value in parameters.items())
    lines = [context.heading, *wrapped(settings, width), ""]
    if context.app.on_machines:
        lines += [f"  T = {single(explanation.tmin.seconds)} at tmin, limited by {explanation.tmin.dominant}"]
        lines += [f"  T = {single(explanation.tmax.seconds)} at tmax, limited by {explanation.tmax.dominant}", ""]
    else:
        lines += [f"  {T} = {single(explanation.tmax.seconds, of)}, limited by {explanation.tmax.dominant}", ""]
    at = " at tmax" if context.app.on_machines else ""
    lines += [f"  Terms{at}{_next(explanation.tmax, T)}", *_terms(explanation.tmax, T, of), ""]
    lines += [f"  What 1 % more of it adds to {T}, in %:", *_elasticities(explanation, context.app.on_machines), ""]

    idle = idle_sentences(explanation, T)
    for sentence in idle:
        lines += ["  " + line for line in wrapped(sentence, width - 2)]
    lines += [""] if idle else []
    lines += [f"  Another term takes over{at}, all else as it is, from:"]
    lines += [f"    {crossover_sentence(c)}" for c in explanation.crossovers] or ["    no value of one of them alone"]
    lines += ["    " + line for line in _searched(explanation, width - 4)]
    lines += ["", *_swings(explanation.swings, T, of)] if explanation.swings and explanation.swings[0].swing > 0 else []
    lines += ["", *_indices(explanation.indices, width, T, of)] if explanation.indices else []

    for note in notes_on_estimates(context.app, room=explanation.tmin.room or explanation.tmax.room):
        lines += ["", *("  " + line for line in wrapped(note, width - 2))]
    return "\n".join(lines) + "\n"


def _next(side: ExplainedEnd, T: str) -> str:
    """The runner-up with its share, and how far it is below."""
    others = [t for t in side.terms if t.name != side.dominant]
    if not others or not others[0].seconds:
        return ":"
    share = others[0].share
    below = f"{_factor(1 / share)}x below" if share < 0.995 else "close below" if share < 1 else "as great"
    return f" (next after {side.dominant}: {others[0].name}, {percent(share)} of {T}, {below}):"


def _terms(side: ExplainedEnd, T: str, of: str) -> list[str]:
    terms = side.terms[:MOST_TERMS]
    unit = unit_for((t.seconds for t in terms), of)
    seconds, below = (column(v, unit) for v in ([t.seconds for t in terms], [t.margin_s for t in terms]))
    rows = [
        [t.name, f"{s} {unit.name}".rstrip(), percent(t.share), f"{m} {unit.name}".rstrip()]
        for t, s, m in zip(terms, seconds, below, strict=True)
    ]
    lines = table(["term", "time" if of == "s" else "value", f"share of {T}", f"below {T} by"], rows, "<>>>", "    ")
    rest = len(side.terms) - len(terms)
    return [*lines, f"    … {rest} more"] if rest else lines


def _elasticities(explanation: Explanation, both_ends: bool) -> list[str]:
    low, high = explanation.tmin.elasticities, explanation.tmax.elasticities
    names = [n for n in {**low, **high} if low.get(n) or high.get(n)]
    names.sort(key=lambda n: (-abs(high.get(n, 0.0)), n))
    rows = [[n, _signed(low.get(n, 0.0)), _signed(high.get(n, 0.0))] for n in names]
    if not both_ends:
        return table(["parameter", ""], [row[:2] for row in rows], "<>", "    ")[1:]
    return table(["operation, figure or parameter", "at tmin", "at tmax"], rows, "<>>", "    ")


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


def _searched(explanation: Explanation, width: int) -> Iterator[str]:
    """Which ranges were searched, and what is not proved."""
    ranges: dict[str, list[str]] = {}
    for kind, far in explanation.searched.items():
        if kind in KINDS:
            ranges.setdefault(far, []).append(KINDS[kind])

    sentence = "; ".join(f"{' and '.join(kinds)} {far}" for far, kinds in ranges.items())
    if sentence:
        stopped = explanation.searched.get(STOPPED)
        yield from wrapped(f"Searched: {sentence}{f'; {stopped}' if stopped else ''}.", width)
    if any(not c.proved for c in explanation.crossovers):
        sentence = "Nearest found: a term might limit in between. All others are proved to be the nearest."
        yield from wrapped(sentence, width)


# What each interval does


def _swings(swings: Sequence[Swing], T: str, of: str) -> list[str]:
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
    lines = [f"  What each interval does to {T} alone, all others at their middle ({T} = {base} there):"]
    lines += table(["interval of", T, "swing", ""], rows, "<<><", "    ")
    rest = len(swings) - len(widest)

    return [*lines, f"    … {rest} more, below {LEAST_SHARE:.2%} of the widest".replace("%", " %")] if rest else lines


def _bar(swing: Swing, low: float, high: float) -> str:
    if high <= low:
        return "|"
    if not math.isfinite(high):
        return ""
    cells = [round((v - low) / (high - low) * BAR) for v in (swing.low, swing.base, swing.high)]
    text = " " * cells[0] + FULL * (cells[1] - cells[0]) + "|" + FULL * (cells[2] - cells[1])
    return text.rstrip()


def _indices(indices: SobolIndices, width: int, T: str, of: str) -> list[str]:
    lines = [f"  Sobol' indices: the share of {T}'s variance that an input explains, alone and with its interactions"]
    about = (
        f"(inputs independent and uniform on their intervals; {indices.evaluations:,} evaluations, seed {indices.seed};"
    )
    about += " in brackets the 95 % confidence interval by bootstrap):"
    lines += ["  " + line for line in wrapped(about, width - 2)]
    ordered = sorted(indices.inputs, key=lambda i: (-i.total, i.name))
    rows = [
        [i.name, _index(i.first), _within(i.first_within), _index(i.total), _within(i.total_within)] for i in ordered
    ]
    lines += table(["input", "alone", "", "in all", ""], rows, "<><><", "    ")
    mean, deviation = single(indices.mean, of), single(indices.deviation, of)

    return [*lines, f"    {T}: mean {mean}, standard deviation {deviation}"]


def _index(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}"


def _within(interval: Interval) -> str:
    return f"[{_index(float(interval.lo))}, {_index(float(interval.hi))}]"
