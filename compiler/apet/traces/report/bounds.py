"""A trace's bounds, in numbers and as formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Lines
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.show.times import column, unit_for
from apet.traces.fold.folded import Folded
from apet.traces.report.folded import in_short, size_object
from apet.traces.trace import CompiledTrace, Gap, TraceBounds


def bounds_answer(
    trace: str,
    platform: str,
    bounds: TraceBounds,
    scales: Mapping[str, tuple[float, float]],
    terms: int | None,
    gaps: Sequence[Gap],
) -> Answer:
    """The interval, and what it holds for; how many terms their formulas have, if they were made; what the trace
    lacks."""
    return Answer(
        kind="prediction",
        subject=trace,
        parameters={name: low if low == high else [low, high] for name, (low, high) in scales.items()},
        predictions=[estimate(bounds, gaps)],
        notes=gap_notes(gaps),
        results={
            **{"trace": trace, "platform": platform, "lower_s": bounds.lower_s, "upper_s": bounds.upper_s},
            **{"formula_terms": terms, "gaps": gaps},
        },
        blocks=[[Heading(heading(trace, platform, scales))], [Lines([run_time(bounds)])]],
    )


def estimate(bounds: TraceBounds, gaps: Sequence[Gap] = ()) -> Estimate:
    """Bounds as a row; of a trace that lacks something nothing is guaranteed."""
    low, high = (Interval(end, end) for end in (bounds.lower_s, bounds.upper_s))
    return Estimate({}, None, low, high, None if gaps else Interval(bounds.lower_s, bounds.upper_s))


def gap_notes(gaps: Sequence[Gap]) -> list[Note]:
    """What a trace lacks."""
    return [Note(NoteKind.DATA, gap.text) for gap in gaps]


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


def compiled_answer(compiled: CompiledTrace, folded: Folded, longest: int | None) -> Answer:
    """Both formulas, and how small they and the folded trace are."""
    formulas = {"lower": compiled.lower, "upper": compiled.upper}
    short = f"{in_short(folded.actions, folded.size(), len(folded.kinds))}, in {compiled.terms} terms"
    texts = [f"{name} = {formula.text(longest)}" for name, formula in formulas.items()]
    return Answer(
        kind="formulas",
        subject=compiled.trace,
        results={
            **{"trace": compiled.trace, "platform": compiled.platform, "actions": compiled.actions},
            **{"folded": size_object(folded), "formula_terms": compiled.terms},
            **{name: {"text": formula, "graph": formula.json()} for name, formula in formulas.items()},
        },
        blocks=[
            [Heading(f"{compiled.trace} on {compiled.platform}"), Heading(short), Heading(MULTIPLES)],
            *([Lines([text])] for text in texts),
        ],
    )


MULTIPLES = "speed, latency and bandwidth: multiples of the platform's"
