"""Answers as JSON: one form for all of them, which `docs/reference/answer.schema.json` describes."""

from __future__ import annotations

from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.cost import deep_recursion
from apet.ground.interval import Interval
from apet.show.plain import as_json, dumps, ends

SCHEMA = 1
"""Counted up where a key changes its meaning or goes away."""


def json_text(answer: Answer, version: str) -> str:
    """One object: what every answer has, then the results under their names; all times in seconds."""
    with deep_recursion():
        return dumps(document(answer, version))


def document(answer: Answer, version: str) -> dict[str, Any]:
    """The same as plain data. Results never replace what every answer has."""
    head = {
        "apet": version,
        "schema": SCHEMA,
        "subject": answer.subject,
        "kind": answer.kind,
        "unit": answer.unit,
        "parameters": as_json(answer.parameters),
        "predictions": [row(each) for each in answer.predictions],
        "notes": [{"kind": str(note.kind), "text": note.text} for note in answer.notes],
    }
    clash = head.keys() & answer.results.keys()
    assert not clash, f"an answer of kind {answer.kind} has {clash} of its own"
    return {**head, **as_json(answer.results)}


def row(estimate: Estimate) -> dict[str, Any]:
    """A prediction as one object: where, its intervals as tmin and tmax, and what else is known of it."""
    intervals = {name: _ends(getattr(estimate, name)) for name in ("estimate", "lower", "upper", "guaranteed")}
    return {"at": as_json(estimate.at), **intervals, **as_json(estimate.more)}


def _ends(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else ends(interval)
