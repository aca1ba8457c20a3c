"""Files that list applications to validate: TOML with task graphs, variants, numbers of workers and schedules."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NoReturn

from apet.api.arguments import SCHEDULES
from apet.api.validation import PlannedRun
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.java.errors import BadValidationPlan

KEYS = {"processors", "schedules", "application"}
OWN = {"name", "graph", "variants", "processors", "schedules"}


def read_plan(path: str) -> list[PlannedRun]:
    """All configurations that a file lists, in its order; `ApetError` where it is no such file."""
    place = os.fspath(located(path))
    try:
        with open(place, "rb") as file:
            plan = tomllib.load(file)
    except OSError as error:
        raise ApetError(BadValidationPlan(None, None, path, (error.strerror or "error").lower())) from None
    except ValueError as error:
        raise ApetError(BadValidationPlan(None, None, path, str(error))) from None
    applications = plan.get("application")
    if not isinstance(applications, list) or not applications:
        _refuse(path, "it has no [[application]]")

    _known(path, plan, KEYS, "the file")
    return [one for a in applications for one in _configurations(path, place, plan, a)]


def _configurations(path: str, place: str, plan: Mapping[str, Any], application: Any) -> Iterator[PlannedRun]:
    graph = application.get("graph") if isinstance(application, dict) else None
    if not isinstance(graph, str):
        _refuse(path, 'an application needs its task graph: graph = "app.pasl"')
    name = str(application.get("name", os.path.splitext(os.path.basename(graph))[0]))
    _known(path, application, OWN, name)
    workers = application.get("processors", plan.get("processors", [1]))
    schedules = application.get("schedules", plan.get("schedules", ["static"]))
    if not _all(workers, lambda p: type(p) is int and p > 0):
        _refuse(path, f"processors of {name} are whole numbers in brackets: [1, 2]")
    if not _all(schedules, lambda s: s in SCHEDULES):
        _refuse(path, f"schedules of {name} are in brackets, of {', '.join(SCHEDULES)}")
    variants = application.get("variants", {"": {}})
    if not isinstance(variants, dict) or not all(_numbers(v) for v in variants.values()):
        _refuse(path, f"variants of {name} are tables of numbers: A = {{ n = 1000 }}")

    beside = os.path.join(os.path.dirname(place), graph)
    for (variant, settings), schedule, p in product(variants.items(), schedules, workers):
        yield PlannedRun(f"{name} {variant}".strip(), beside, p, schedule, settings)


def _all(found: Any, good: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(map(good, found))


def _numbers(found: Any) -> bool:
    return isinstance(found, dict) and all(type(v) in (int, float) for v in found.values())


def _known(path: str, found: Mapping[str, Any], known: set[str], where: str) -> None:
    from apet.ground.diagnostics import nearest

    for key in found:
        if key not in known:
            _refuse(path, f"'{key}' of {where} is unknown{nearest(key, known)}")


def _refuse(path: str, reason: str) -> NoReturn:
    raise ApetError(BadValidationPlan(None, None, path, reason))
