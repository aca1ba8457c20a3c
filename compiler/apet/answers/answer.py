"""The answer to a question: data for programs, and blocks for people. Every verb and every package makes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from apet.answers.blocks import Block
from apet.ground.interval import Interval
from apet.ground.notes import Note
from apet.ground.records import NamedTuple, Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Estimate(NamedTuple):
    """What is predicted where: from the least to the greatest, each None where it is not known.

    `at` are the values that belong to this row alone; `guaranteed` is None where nothing is; `more` are further keys.
    """

    at: Mapping[str, Any]
    estimate: Interval | None = None
    lower: Interval | None = None
    upper: Interval | None = None
    guaranteed: Interval | None = None
    more: Mapping[str, Any] = {}


class Answer(Record, kw_only=True):
    """What was found about a subject.

    `kind` says which question was asked; `parameters` are the values that hold for all of it; `results` are its further
    figures by name, any value that JSON can hold or `apet.answers.json_form` makes so; `figure` draws its picture.
    """

    kind: str
    subject: str
    unit: str = "s"
    parameters: Mapping[str, Any] = MappingProxyType({})
    predictions: Sequence[Estimate] = ()
    notes: Sequence[Note] = ()
    results: Mapping[str, Any] = MappingProxyType({})
    blocks: Sequence[Block] = ()
    figure: Callable[[], Figure] | None = None


def combined(answers: Sequence[Answer], leading: int = 0) -> Answer:
    """Answers to one question about one subject as one: all rows and notes, each one's own results under `answers`, and
    those of the leading one where they would be if it were alone."""
    first = answers[leading]
    if len(answers) == 1:
        return first
    return first.replace(
        predictions=[row for each in answers for row in each.predictions],
        notes=list(dict.fromkeys(note for each in answers for note in each.notes)),
        results={**first.results, "answers": [{"parameters": a.parameters, **a.results} for a in answers]},
        blocks=[block for each in answers for block in each.blocks],
    )
