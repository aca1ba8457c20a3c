"""Answers to queueing problems as JSON, for programs: results are records whose fields are the keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, assert_never

from apet.queueing.jobs import ClassResult, ForkJoinResult, JobsResult, Percentiles
from apet.queueing.networks import Network, NetworkBounds, NetworkResult
from apet.queueing.problems import Answer, Asked, PopulationCurve, Ranges, UnderLoad
from apet.show.plain import dumps, ends, plain


def queueing_json(name: str, answer: Answer | PopulationCurve, version: str, problem: Asked | None = None) -> str:
    """One object: times in seconds, throughput in jobs per second; lists in the order of the file. With the problem,
    percentiles of the classes of a network by name.

    Of an uncertain problem every such number is `[least, greatest]`. What is infinite, because no station is busy, is
    null.
    """
    body = {"apet": version, "name": name, "unit": "s", **_fields(answer)}
    if isinstance(answer, NetworkResult) and isinstance(problem, Network) and answer.percentiles:
        body["classes"] = {
            c.name: percentiles_json(p) for c, p in zip(problem.classes, answer.percentiles, strict=True)
        }
    return dumps(body)


def _fields(answer: Answer | PopulationCurve) -> dict[str, Any]:
    """The keys and values of an answer."""
    match answer:
        case Ranges(low, high, how, reason, points, guaranteed):
            about = {"ends": how, "reason": reason, "points": points}
            return {**_paired(_fields(low), _fields(high)), **about, "guaranteed": guaranteed and asdict(guaranteed)}
        case NetworkResult():
            absent = {"percentiles"} | {key for key in ("outside", "refused") if not getattr(answer, key)}
            return {key: value for key, value in asdict(answer).items() if key not in absent}
        case NetworkBounds():
            return asdict(answer)
        case PopulationCurve():
            most = [_finite(x) for x in answer.throughput_most]
            return {**asdict(answer), "throughput_most": most, "saturation": _finite(answer.saturation)}
        case ForkJoinResult():
            return {**asdict(answer), "method": "fork-join", "iterations": 0, "converged": True}
        case JobsResult():
            return _jobs(answer)
        case _:
            assert_never(answer)


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def _paired(low: Any, high: Any) -> Any:
    """The same keys and lists, with [low, high] for each float."""
    if isinstance(low, dict):
        return {key: _paired(value, high[key]) for key, value in low.items()}
    if isinstance(low, list | tuple):
        return [_paired(a, b) for a, b in zip(low, high, strict=True)]
    return [low, high] if isinstance(low, float) else low


def _jobs(result: JobsResult) -> dict[str, Any]:
    """Classes, tasks and stations by name."""
    classes = {
        c.name: {
            "response_time": c.response_time,
            "throughput": c.throughput,
            **_percentiles(c),
            "variants": [
                {"tasks": {t.name: {"response": t.response_time, "overlap": t.overlap} for t in tasks}}
                for tasks in c.variants
            ],
        }
        for c in result.classes
    }

    stations = {s.name: {"utilization": s.utilization, "mean_tasks": s.mean_tasks} for s in result.stations}
    body = {key: getattr(result, key) for key in ("method", "iterations", "converged", "notes")}
    return {**body, "classes": classes, "stations": stations}


def _percentiles(c: ClassResult) -> dict[str, Any]:
    """What is known of a class beyond the mean."""
    fields: dict[str, Any] = {}
    if c.half_width is not None:
        fields["half_width"] = _finite(c.half_width)
    if c.outside or c.refused:
        fields |= {"outside": c.outside, "refused": c.refused}
    return {**fields, **percentiles_json(c.percentiles)}


def percentiles_json(percentiles: Percentiles | None) -> dict[str, Any]:
    """Seconds by percent, and where they come from."""
    if percentiles is None:
        return {}
    body: dict[str, Any] = {"percentiles": {str(level): p for level, p in percentiles.by_level().items()}}
    body["percentiles_source"] = percentiles.source
    if percentiles.half_width:
        widths = zip(percentiles.by_level(), percentiles.half_width, strict=True)
        body["percentiles_half_width"] = {str(level): _finite(w) for level, w in widths}
    return body


def under_load_json(name: str, file: str, answers: Sequence[UnderLoad], version: str) -> str:
    """One object with a list of predictions, times in seconds."""
    head = {"apet": version, "model": name, "machines": file, "unit": "s", "backend": "queueing"}
    return dumps({**head, "predictions": [_under_load(u) for u in answers]})


def _under_load(u: UnderLoad) -> dict[str, object]:
    return {
        "parameters": {n: plain(v) for n, v in u.alone.parameters.items()},
        "jobs": u.jobs,
        "think": u.think,
        "response_time": ends(u.response_time),
        "throughput": {"min": float(u.throughput.lo), "max": float(u.throughput.hi)},
        "utilization": {label: [float(b.lo), float(b.hi)] for label, b in u.stations},
        "alone": {"lower": ends(u.alone.lower), "upper": ends(u.alone.upper), "guaranteed": ends(u.alone.guaranteed)},
        "tasks": u.tasks,
        "method": u.method,
        "notes": u.notes,
    }
