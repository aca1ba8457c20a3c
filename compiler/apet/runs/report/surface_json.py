"""Predictions over several parameters as JSON, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.runs.fit.surface.call_tree import CallPathFit
from apet.runs.fit.surface.next_run import NextRun
from apet.runs.fit.surface.surface import SurfaceFit
from apet.runs.report.json import whole_where_exact
from apet.runs.report.surface_text import difference, shares
from apet.runs.surface_law import LawTerm, formula
from apet.show.plain import dumps


def surface_json(
    fit: SurfaceFit,
    notes: Sequence[str],
    version: str,
    tree: Sequence[CallPathFit] | None = None,
    next_run: NextRun | None = None,
) -> str:
    """One object: `predictions` in the order asked, each with `at`, `estimate_s`, `tmin_s`, `tmax_s` and `phases_s`;
    `trust`, `notes`, `formula`, and where asked for `tree` and `next`."""
    names = fit.experiment.names
    document: dict[str, Any] = {"apet": version, "name": fit.experiment.name}
    document["parameters"] = [
        {"name": p.name, "role": p.role, "values": [whole_where_exact(v) for v in fit.experiment.values(k)]}
        for k, p in enumerate(fit.experiment.parameters)
    ]

    document["constants"] = dict(fit.experiment.constants)
    document |= {"points": len(fit.experiment.points), "design": fit.design.value, "trust": fit.trust}
    document["notes"] = [*notes, *fit.notes]
    document["predictions"] = [
        {
            "at": _at(names, p.x),
            "estimate_s": p.t,
            "tmin_s": float(p.interval.lo),
            "tmax_s": float(p.interval.hi),
            "phases_s": p.phases,
        }
        for p in fit.predictions
    ]

    document["formula"] = _formula(fit)
    if tree is not None:
        document["tree"] = [_path(row, names) for row in tree]
    if next_run is not None:
        document["next"] = {"at": _at(names, next_run.x), "cost_s": next_run.seconds}
        document["next"] |= {"before_s": list(next_run.before), "after_s": list(next_run.after)}
    return dumps(document)


def _formula(fit: SurfaceFit) -> dict[str, Any]:
    names = fit.experiment.names
    last = fit.predictions[-1].x if fit.predictions else fit.experiment.largest
    terms = [{"phase": phase, **_term(t, names), "share": share} for share, phase, t in shares(fit, last)]
    return {"text": formula(fit.law).text(), "differs_by": difference(fit), "terms": terms}


def _term(term: LawTerm, names: Sequence[str]) -> dict[str, Any]:
    pairs = zip(names, term.factors, strict=True)
    factors = {n: {"exponent": f.exponent, "logarithms": f.logarithms} for n, f in pairs}
    return {"coefficient_s": term.coefficient, "factors": factors}


def _path(row: CallPathFit, names: Sequence[str]) -> dict[str, Any]:
    return {
        "path": row.path,
        "share_now": row.share_now,
        "share": row.share,
        "share_min": float(row.interval.lo),
        "share_max": float(row.interval.hi),
        "growth": row.growth,
        "work_grows": row.work_grows,
        "terms": [_term(t, names) for t in row.law.terms],
    }


def _at(names: Sequence[str], x: Sequence[float]) -> dict[str, int | float]:
    return {n: whole_where_exact(v) for n, v in zip(names, x, strict=True)}
