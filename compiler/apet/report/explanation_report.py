"""Explanations as a person reads them, and for programs."""

from __future__ import annotations

from typing import Any

from apet.analysis.explanation import Explanation, Side
from apet.report.formula_lines import wrapped
from apet.report.occasion import Occasion
from apet.report.plain import dumps, plain
from apet.report.prediction_text import value_text
from apet.report.tables import table
from apet.report.times import column, percent, single, unit_for

MOST_TERMS = 8


def explanation_text(occasion: Occasion, found: Explanation, width: int) -> str:
    """Heading, parameters, terms at tmax, where the time goes, elasticities, crossovers."""
    shown = " · ".join(f"{name} = {value_text(value)}" for name, value in found.parameters.items())
    lines = [occasion.heading, *wrapped(shown, width), ""]
    lines += [f"  T = {single(found.tmin.seconds)} at tmin, limited by {found.tmin.dominant}"]
    lines += [f"  T = {single(found.tmax.seconds)} at tmax, limited by {found.tmax.dominant}", ""]
    lines += ["  Terms at tmax:", *_terms(found.tmax), ""]
    lines += ["  What 1 % more of it adds to T, in %:", *_elasticities(found), ""]
    if found.without_effect:
        lines += [f"  T does not depend here on: {', '.join(found.without_effect)}", ""]
    lines += ["  Another term takes over at tmax, all else as it is, from:"]
    lines += [f"    {crossover}" for crossover in found.crossovers] or ["    no value of one parameter alone"]
    return "\n".join(lines) + "\n"


def _terms(side: Side) -> list[str]:
    terms = side.terms[:MOST_TERMS]
    unit = unit_for(t.seconds for t in terms)
    seconds, below = (column(v, unit) for v in ([t.seconds for t in terms], [t.margin_s for t in terms]))
    rows = [
        [t.name, f"{s} {unit.name}", percent(t.share), f"{m} {unit.name}"]
        for t, s, m in zip(terms, seconds, below, strict=True)
    ]
    lines = table(["term", "time", "share of T", "below T by"], rows, "<>>>", "    ")
    rest = len(side.terms) - len(terms)
    return [*lines, f"    … {rest} more"] if rest else lines


def _elasticities(found: Explanation) -> list[str]:
    low, high = found.tmin.elasticities, found.tmax.elasticities
    names = [n for n in {**low, **high} if low.get(n) or high.get(n)]
    names.sort(key=lambda n: (-abs(high.get(n, 0.0)), n))
    rows = [[n, f"{low.get(n, 0.0):.3f}", f"{high.get(n, 0.0):.3f}"] for n in names]
    return table(["operation or parameter", "at tmin", "at tmax"], rows, "<>>", "    ")


def explanation_json(occasion: Occasion, found: Explanation, version: str) -> str:
    """One object; its upper keys are those at tmax, `ends` has both ends; all times in seconds."""
    document: dict[str, Any] = {
        "apet": version,
        "model": occasion.app.name,
        "machines": occasion.file,
        "unit": "s",
        "parameters": {name: plain(value) for name, value in found.parameters.items()},
        **_side(found.tmax),
        "without_effect": list(found.without_effect),
        "crossovers": [
            {"parameter": c.name, "relation": c.relation, "at": plain(c.at), "dominant": c.dominant}
            for c in found.crossovers
        ],
        "ends": {"tmin": _side(found.tmin), "tmax": _side(found.tmax)},
    }
    return dumps(document)


def _side(side: Side) -> dict[str, Any]:
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
