"""A trace's bounds: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.show.plain import as_json, dumps
from apet.show.times import column, unit_for
from apet.traces.fold.folded import Folded
from apet.traces.report.folded import in_short, size_object
from apet.traces.trace import CompiledTrace, Gap, TraceBounds


def bounds_json(
    trace: str, platform: str, terms: int | None, bounds: TraceBounds, gaps: Sequence[Gap], version: str
) -> str:
    """One object: the bounds in seconds, how many terms their formulas have (None: there are none), and what the trace
    lacks."""
    return dumps(
        {
            "apet": version,
            "trace": trace,
            "platform": platform,
            "unit": "s",
            "lower_s": bounds.lower_s,
            "upper_s": bounds.upper_s,
            "formula_terms": terms,
            "gaps": as_json(gaps),
        }
    )


def bounds_text(trace: str, platform: str, bounds: TraceBounds, scales: Mapping[str, tuple[float, float]]) -> str:
    """The interval, and what it holds for."""
    return f"{heading(trace, platform, scales)}\n\n  {run_time(bounds)}\n"


def heading(trace: str, platform: str, scales: Mapping[str, tuple[float, float]]) -> str:
    """What runs where, and by what the platform's figures are multiplied."""
    changes = [f"{name} × {_range(*ends)}" for name, ends in scales.items()]
    return " · ".join([f"{trace} on {platform}", *changes])


def run_time(bounds: TraceBounds) -> str:
    """The interval in words."""
    unit = unit_for([bounds.lower_s, bounds.upper_s])
    low, high = column([bounds.lower_s], unit, -1, [bounds.upper_s])[0], column([bounds.upper_s], unit, 1)[0]
    return f"run time: {low} … {high} {unit.name}, however the links are shared"


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"


def compiled_json(compiled: CompiledTrace, folded: Folded, version: str) -> str:
    """One object: both formulas as text and as graphs, and their size; that of the folded trace."""
    return dumps(
        {
            "apet": version,
            "trace": compiled.trace,
            "platform": compiled.platform,
            "unit": "s",
            "actions": compiled.actions,
            "folded": size_object(folded),
            "formula_terms": compiled.terms,
            "lower": {"text": compiled.lower.text(), "graph": compiled.lower.json()},
            "upper": {"text": compiled.upper.text(), "graph": compiled.upper.json()},
        }
    )


def compiled_text(compiled: CompiledTrace, folded: Folded, longest: int | None) -> str:
    """Both formulas, and how small they and the folded trace are."""
    return (
        f"{compiled.trace} on {compiled.platform}\n"
        f"{in_short(folded.actions, folded.size(), len(folded.kinds))}, in {compiled.terms} terms\n"
        "speed, latency and bandwidth: multiples of the platform's\n\n"
        f"  lower = {compiled.lower.text(longest)}\n\n"
        f"  upper = {compiled.upper.text(longest)}\n"
    )
