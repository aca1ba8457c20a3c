"""Borders and tables of what was varied: as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.queueing.report.json import percentiles_json
from apet.queueing.targets import LoadPoint, Target
from apet.show.plain import dumps
from apet.show.tables import table
from apet.show.times import percent, single


def target_text(name: str, classes: Sequence[str], border: Target) -> str:
    """The border in one line, and both of its sides."""
    heading = f"{name} · {border.measure} response time within {single(border.deadline)}, for {border.parameter}"
    if border.met is None:
        line = f"no value of {border.parameter} from {border.within[0]:.6g} to {border.within[1]:.6g} keeps it"
    elif border.missed is None:
        line = f"every value from {border.within[0]:.6g} to {border.within[1]:.6g} keeps it"
    else:
        line = f"{border.parameter} = {border.met.value:.6g} keeps it, {border.missed.value:.6g} does not"
    points = [p for p in (border.met, border.missed) if p is not None]
    if border.met is not None and border.met.cost is not None:
        line += f"; its servers cost {border.met.cost:.4g} per hour"
    return "\n".join([heading, "", f"  {line}", "", *_rows(border.parameter, classes, points)]) + "\n"


def varied_text(name: str, parameter: str, classes: Sequence[str], points: Sequence[LoadPoint]) -> str:
    """A row per value and class."""
    return "\n".join([f"{name} · against {parameter}", "", *_rows(parameter, classes, points)]) + "\n"


def _rows(parameter: str, classes: Sequence[str], points: Sequence[LoadPoint]) -> list[str]:
    header = [parameter, "class", "throughput", "response time", "p50", "p90", "p95", "p99", "busiest", "used"]
    priced = any(p.cost is not None for p in points)
    header += ["cost per hour"] if priced else []

    rows = []
    for p in points:
        if not p.stable:
            rows.append([f"{p.value:.6g}", "no steady state", *["-"] * 8, *_cost(p, priced)])
            continue
        for name, x, r, shares in zip(classes, p.throughput, p.response_time, _shares(p), strict=True):
            levels = [single(t) for t in shares.by_level().values()] if shares else ["-"] * 4
            busiest = [p.busiest[0], percent(p.busiest[1])]
            rows.append([f"{p.value:.6g}", name, f"{x:.5g} /s", single(r), *levels, *busiest, *_cost(p, priced)])
    return table(header, rows, "><>>>>>><>" + ">" * priced)


def _cost(p: LoadPoint, priced: bool) -> list[str]:
    return [f"{p.cost:.4g}" if p.cost is not None else "-"] if priced else []


def _shares(p: LoadPoint) -> Sequence[Any]:
    return p.percentiles or [None] * len(p.response_time)


def target_json(name: str, classes: Sequence[str], border: Target, version: str) -> str:
    """One object: the border, and the answers on both sides."""
    body = {"parameter": border.parameter, "deadline": border.deadline, "measure": border.measure}
    sides = {"met": border.met, "missed": border.missed}
    return dumps(
        {
            "apet": version,
            "name": name,
            "unit": "s",
            **body,
            **{side: p and point_json(classes, p) for side, p in sides.items()},
        }
    )


def varied_json(name: str, parameter: str, classes: Sequence[str], points: Sequence[LoadPoint], version: str) -> str:
    """One object with a list of answers."""
    rows = [point_json(classes, p) for p in points]
    return dumps({"apet": version, "name": name, "unit": "s", "parameter": parameter, "points": rows})


def point_json(classes: Sequence[str], p: LoadPoint) -> dict[str, Any]:
    """The answer with one value, by class and station."""
    rows = zip(classes, p.throughput, p.response_time, _shares(p), strict=False)
    return {
        "value": p.value,
        "stable": p.stable,
        "utilization": dict(p.used),
        **({} if p.cost is None else {"cost_per_hour": p.cost}),
        "classes": {
            name: {"throughput": x, "response_time": r, **percentiles_json(shares)} for name, x, r, shares in rows
        },
    }
