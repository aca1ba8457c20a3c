"""Response times of an application under load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Sentences, Table
from apet.answers.cells import NOTHING, cell, share
from apet.ground.notes import Note, NoteKind
from apet.queueing.data.problems import UnderLoad
from apet.show.plain import ends
from apet.show.tables import interval_cells
from apet.show.times import unit_for

MEANS = "Response times are means at both ends of the machine's times; guaranteed is only what one run takes alone."


def under_load_answer(name: str, machines: str, file: str, answers: Sequence[UnderLoad]) -> Answer:
    """A row per number of processors, then what is used most."""
    first = answers[0]
    unit = unit_for(float(t) for u in answers for t in (*u.response_time, *u.alone.guaranteed))
    response = interval_cells([u.response_time for u in answers], unit)
    alone = interval_cells([u.alone.guaranteed for u in answers], unit)
    rows = [
        [str(u.alone.parameters["P"]), r, a, cell(u.throughput, lambda v: f"{v:.4g}", " /s"), _busiest(u)]
        for u, r, a in zip(answers, response, alone, strict=True)
    ]

    runs = f"{first.jobs:,} run{'s' if first.jobs > 1 else ''} at a time, {first.think:g} s of pause before each"
    notes = [Note(NoteKind.METHOD, text) for text in dict.fromkeys(n for u in answers for n in u.notes)]
    method = f"A job of up to {max(u.tasks for u in answers)} tasks; method: {first.method}. {MEANS}"
    header = ["P", "response time", "one run alone", "throughput", "used most"]
    return Answer(
        kind="prediction",
        subject=name,
        predictions=list(_rows(answers)),
        notes=[Note(NoteKind.MEANING, MEANS), *notes],
        results={"model": name, "machines": file, "backend": "queueing"},
        blocks=[
            [Heading(f"{name} on {machines} · {runs}")],
            [Table(header, rows, "><<<<")],
            [Sentences([method, *(f"Note: {note}." for note in notes)])],
        ],
    )


def _rows(answers: Sequence[UnderLoad]) -> Iterator[Estimate]:
    for u in answers:
        more = {
            "parameters": u.alone.parameters,
            "jobs": u.jobs,
            "think": u.think,
            "response_time": ends(u.response_time),
            "throughput": {"min": u.throughput.lo, "max": u.throughput.hi},
            "utilization": dict(u.stations),
            "alone": {k: ends(getattr(u.alone, k)) for k in ("lower", "upper", "guaranteed")},
            "tasks": u.tasks,
            "method": u.method,
            "notes": u.notes,
        }
        yield Estimate({"P": u.alone.parameters["P"]}, u.response_time, more=more)


def _busiest(answer: UnderLoad) -> str:
    if not answer.stations:
        return NOTHING
    label, busy = answer.stations[0]
    return f"{label}: {share(busy)}"
