"""Explanations as JSON."""

from __future__ import annotations

from typing import Any

from apet.questions.explain.explanation import ExplainedEnd, Explanation, SobolIndices, Swing
from apet.show.context import PredictionContext
from apet.show.plain import dumps, plain


def explanation_json(context: PredictionContext, explanation: Explanation, version: str) -> str:
    """One object: see docs/howto/explain.md for its keys; all times in seconds."""
    document: dict[str, Any] = {
        "apet": version,
        **context.json_head,
        "unit": context.unit,
        "parameters": {name: plain(value) for name, value in explanation.parameters.items()},
        **_side(explanation.tmax),
        "without_effect": list(explanation.without_effect),
        "onsets": [
            {"name": i.name, "kind": i.kind, "now": plain(i.now), "searched": plain(i.searched)}
            | {"below": _or_none(i.below), "above": _or_none(i.above), "proved": i.proved}
            for i in explanation.idle
        ],
        "crossovers": [
            {"parameter": c.name, "kind": c.kind, "relation": c.relation, "at": plain(c.at), "dominant": c.dominant}
            | {"now": plain(c.now), "factor": _or_none(c.factor), "after": plain(c.after), "proved": c.proved}
            for c in explanation.crossovers
        ],
        "searched": dict(explanation.searched),
        "tornado": [_swing(s) for s in explanation.swings],
        "ends": {"tmin": _side(explanation.tmin), "tmax": _side(explanation.tmax)},
    }

    return dumps(document if explanation.indices is None else document | {"sobol": _indices(explanation.indices)})


def _or_none(value: float | None) -> Any:
    return None if value is None else plain(value)


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


def _indices(indices: SobolIndices) -> dict[str, Any]:
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
