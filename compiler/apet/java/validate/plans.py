"""Files that list applications to validate: TOML with task graphs, variants, numbers of workers and schedules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple, NoReturn

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.documents.document import Document, read_document
from apet.ground.documents.key_paths import KeyPath
from apet.ground.interval import Interval, Number
from apet.ground.resources import located
from apet.java.errors import BadValidationPlan, TooFewProcessors
from apet.machine import Machines
from apet.machine.allocation import SCHEDULES

KEYS = {"processors", "schedules", "application"}
MOST_VALUE = 1e300
OWN = {"name", "graph", "variants", "processors", "schedules"}


class PlannedRun(NamedTuple):
    """An application in one configuration: `settings` are values of its parameters."""

    name: str
    path: str
    workers: int
    schedule: str
    settings: Mapping[str, Number]


def read_plan(path: str) -> list[PlannedRun]:
    """All configurations that a file lists, in its order; `ApetError` where it is no such file."""
    document = read_document(located(path))
    plan = document.content if isinstance(document.content, dict) else {}
    applications = plan.get("application")
    if not isinstance(applications, list) or not applications:
        _refuse(document, (), "it has no [[application]]")

    _check_keys(document, (), plan, KEYS, "the file")
    return [one for k, a in enumerate(applications) for one in _configurations(document, ("application", k), plan, a)]


def _configurations(
    document: Document, path: KeyPath, plan: Mapping[str, Any], application: Any
) -> Iterator[PlannedRun]:
    graph = application.get("graph") if isinstance(application, dict) else None
    if not isinstance(graph, str):
        _refuse(document, path, 'an application needs its task graph: graph = "app.pasl"')
    name = str(application.get("name", os.path.splitext(os.path.basename(graph))[0]))
    _check_keys(document, path, application, OWN, name)

    workers = application.get("processors", plan.get("processors", [1]))
    schedules = application.get("schedules", plan.get("schedules", ["static"]))
    if not _all(workers, lambda p: type(p) is int and p > 0):
        _refuse(document, (*path, "processors"), f"processors of {name} are whole numbers in brackets: [1, 2]")
    if not _all(schedules, lambda s: s in SCHEDULES):
        _refuse(document, (*path, "schedules"), f"schedules of {name} are in brackets, of {', '.join(SCHEDULES)}")
    variants = application.get("variants", {"": {}})
    if not isinstance(variants, dict) or not all(_numbers(v) for v in variants.values()):
        _refuse(document, (*path, "variants"), f"variants of {name} are tables of numbers: A = {{ n = 1000 }}")

    beside = os.path.join(os.path.dirname(document.source.name), graph)
    for (variant, settings), schedule, p in product(variants.items(), schedules, workers):
        yield PlannedRun(f"{name} {variant}".strip(), beside, p, schedule, settings)


def _all(members: Any, good: Callable[[Any], bool]) -> bool:
    return isinstance(members, list) and bool(members) and all(map(good, members))


def _numbers(table: Any) -> bool:
    return isinstance(table, dict) and all(type(v) in (int, float) and abs(v) <= MOST_VALUE for v in table.values())


def _check_keys(document: Document, path: KeyPath, table: Mapping[str, Any], keys: set[str], where: str) -> None:
    for key in table:
        if key not in keys:
            _refuse(document, (*path, key), f"'{key}' of {where} is unknown{nearest(key, keys)}")


def _refuse(document: Document, path: KeyPath, reason: str) -> NoReturn:
    raise ApetError(BadValidationPlan(document.source, document.locator.value(path), document.source.name, reason))


def crowded(machines: Machines, workers: int) -> Machines:
    """The machine model for more workers than it has processors: its only kind of machine, shared evenly.

    Workers that all compute take P / processors times as long; so each has an external load of 1 - processors / P.
    """
    if workers <= machines.processors:
        return machines
    group = machines.groups[0]
    if len(machines.groups) > 1 or group.load.hi > 0:
        raise ApetError(TooFewProcessors(None, None, workers, machines.file, machines.processors))
    share = 1 - machines.processors / workers
    return machines.replace(groups=(group.replace(count=workers, load=Interval(share, share)),))
