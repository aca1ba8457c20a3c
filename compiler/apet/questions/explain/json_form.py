"""Explanations for programs."""

from __future__ import annotations

from typing import Any

from apet.questions.explain.explanation import Explanation, Indices, Side, Swing
from apet.show.context import PredictionContext
from apet.show.plain import dumps, plain


def explanation_json(context: PredictionContext, found: Explanation, version: str) -> str:
    """One object: see docs/howto/explain.md for its keys; all times in seconds."""
    document: dict[str, Any] = {
        "apet": version,
        "model": context.app.name,
        "machines": context.file,
        **context.app.description(),
        "unit": context.unit,
        "parameters": {name: plain(value) for name, value in found.parameters.items()},
        **_side(found.tmax),
        "without_effect": list(found.without_effect),
        "onsets": [
            {"name": i.name, "kind": i.kind, "now": plain(i.now), "searched": plain(i.searched)}
            | {"below": _or_none(i.below), "above": _or_none(i.above), "proved": i.proved}
            for i in found.idle
        ],
        "crossovers": [
            {"parameter": c.name, "kind": c.kind, "relation": c.relation, "at": plain(c.at), "dominant": c.dominant}
            | {"now": plain(c.now), "factor": _or_none(c.factor), "after": plain(c.after), "proved": c.proved}
            for c in found.crossovers
        ],
        "searched": dict(found.searched),
        "tornado": [_swing(s) for s in found.swings],
        "ends": {"tmin": _side(found.tmin), "tmax": _side(found.tmax)},
    }
    return dumps(document if found.indices is None else document | {"sobol": _indices(found.indices)})


def _or_none(value: float | None) -> Any:
    return None if value is None else plain(value)


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


def _swing(s: Swing) -> dict[str, Any]:
    ends = {"low_s": plain(s.low), "base_s": plain(s.base), "high_s": plain(s.high), "swing_s": plain(s.swing)}
    return {"name": s.name, "kind": s.kind, "interval": plain(s.interval), **ends}


def _indices(found: Indices) -> dict[str, Any]:
    return {
        "samples": found.samples,
        "evaluations": found.evaluations,
        "seed": found.seed,
        "mean_s": plain(found.mean),
        "deviation_s": plain(found.deviation),
        "inputs": [
            {"name": i.name, "first": plain(i.first), "first_within": plain(i.first_within)}
            | {"total": plain(i.total), "total_within": plain(i.total_within)}
            for i in found.inputs
        ],
    }
