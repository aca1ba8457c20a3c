"""Predictions from measured runs as JSON, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apet.runs.answer import RunsAnswer
from apet.runs.measurements import Extrapolation
from apet.runs.useful_sizes import UsefulSizes
from apet.show.plain import dumps


def extrapolation_json(answer: RunsAnswer, notes: Sequence[str], version: str) -> str:
    """One object: `method`, `trust`, `flags`, `predictions` with `n`, `t`, `tmin`, `tmax` in seconds, and what follows
    from them."""
    curve, main = answer.curve, answer.extrapolation
    runs = [{"n": whole_where_exact(r.n), "t": r.t, "repetitions": len(r.repetitions) or 1} for r in curve.runs]
    document: dict[str, Any] = {"apet": version, "name": curve.name, "kind": curve.kind, "unit": "s"}
    document |= {**_extrapolation(main, notes), "runs": runs, "fit": main.fit}

    if main.unusual:
        document["anomalies"] = [whole_where_exact(n) for n in main.unusual]
    if answer.published is not None:
        document["published"] = {**_extrapolation(answer.published), "fit": answer.published.fit}
    if answer.useful is not None:
        document["useful"] = _useful(answer.useful)
    if answer.reach is not None:
        document["within"] = asdict(answer.reach)
    return dumps(document)


def _extrapolation(result: Extrapolation, notes: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "method": result.method,
        "trust": result.trust,
        "flags": [*notes, *result.flags],
        "advice": result.advice,
        "predictions": [
            {"n": whole_where_exact(p.n), "t": p.t, "tmin": p.interval.lo, "tmax": p.interval.hi, "spread": p.spread}
            for p in result.predictions
        ],
    }


def _useful(useful: UsefulSizes) -> dict[str, Any]:
    levels = [{"efficiency": level, "n": None if n is None else whole_where_exact(n)} for level, n in useful.efficient]
    limit = None if useful.limit is None else whole_where_exact(useful.limit)
    return {"largest": levels, "nothing_gained_beyond": limit, "looked_up_to": whole_where_exact(useful.farthest)}


def whole_where_exact(n: float) -> int | float:
    """A whole number without its point, as far as numbers of JSON are exact."""
    return int(n) if n == int(n) and abs(n) < 2**53 else n
