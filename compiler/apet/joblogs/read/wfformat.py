"""Workflows in WfFormat, the JSON schema of WfCommons, of version 1.0 to 1.6.

`workflow.specification.tasks` has names and parents, `workflow.execution.tasks` what ran, by `id`; before 1.5 both were
one list, `workflow.tasks` or `workflow.jobs`. Few files say when tasks started: without, each is taken to have started
when the last that it waited for had ended.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import US, JobLog
from apet.joblogs.read.containers import text_of
from apet.joblogs.read.table import MOST_CPUS, TaskRow, log_of

RUN, CORES = ("runtimeInSeconds", "runtime"), ("coreCount", "cores", "cpus")
LONGEST = 1e9
NO_STARTS = "the file does not say when tasks started: each is taken to have started when what it waited for had ended"


def read_workflow(path: str) -> JobLog:
    """The tasks of a workflow as a log of one job; `ApetError`."""
    try:
        tasks = _tasks(json.loads(text_of(path))["workflow"])
        parents = {name: [str(p) for p in task.get("parents") or ()] for name, task in tasks.items()}
        ran = [name for name, task in tasks.items() if _first(task, RUN) is not None]
        after = {name: tuple(_those_that_ran(name, parents, frozenset(ran))) for name in ran}
        rows = _rows(tasks, after)
    except CycleError as circle:
        raise ApetError(errors.CircularTasks(None, None, path, " -> ".join(circle.args[1][:6]))) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = f"it is a workflow of another form ({type(error).__name__}: {str(error)[:60]})"
        raise ApetError(errors.UnknownLog(None, None, path, reason)) from None
    return log_of(path, rows, after, "" if _say_when(tasks, ran) else NO_STARTS)


def _tasks(workflow: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Tasks by what others call them: the id, or the name where it has none."""
    specified = workflow.get("specification", workflow)
    listed = specified.get("tasks") or specified.get("jobs") or []
    tasks = {str(task.get("id") or task["name"]): dict(task) for task in listed}
    for task in workflow.get("execution", {}).get("tasks", ()):
        tasks[str(task["id"])].update({key: value for key, value in task.items() if key != "id"})
    if not any("id" in task for task in listed):
        return tasks
    names = {str(task.get("name")): key for key, task in tasks.items()}
    for task in tasks.values():  # older files have ids, and name the parents
        task["parents"] = [p if str(p) in tasks else names[str(p)] for p in task.get("parents") or ()]
    return tasks


def _first(task: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((task[key] for key in keys if task.get(key) is not None), None)


def _those_that_ran(name: str, parents: Mapping[str, Sequence[str]], ran: frozenset[str]) -> list[str]:
    """What a task waited for, through those that did not run."""
    found, ahead, seen = dict[str, None](), list(parents[name]), set[str]()
    while ahead:
        other = ahead.pop(0)
        if other in ran:
            found[other] = None
        elif other not in seen:
            seen.add(other)
            ahead += parents[other]
    return list(found)


def _say_when(tasks: Mapping[str, Mapping[str, Any]], ran: Sequence[str]) -> bool:
    return all(isinstance(tasks[name].get("executedAt"), str) for name in ran)


def _rows(tasks: Mapping[str, Mapping[str, Any]], after: Mapping[str, Sequence[str]]) -> dict[str, TaskRow]:
    """Tasks as rows, in an order in which each comes after what it waited for."""
    rows, dated = dict[str, TaskRow](), _say_when(tasks, list(after))
    for number, name in enumerate(TopologicalSorter(after).static_order(), start=1):
        task = tasks[name]
        seconds, cores = float(_first(task, RUN)), int(_first(task, CORES) or 1)
        if not (math.isfinite(seconds) and 0 <= seconds < LONGEST and 0 < cores <= MOST_CPUS):
            raise ValueError(f"{name} runs for {seconds} s on {cores} cores")
        start = _moment(task["executedAt"]) if dated else max((rows[other].end for other in after[name]), default=0)
        rows[name] = TaskRow(name, start, start + round(seconds * US), "", cores, number)
    return rows


def _moment(text: str) -> int:
    date = datetime.fromisoformat(text)
    return round((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() * US)
