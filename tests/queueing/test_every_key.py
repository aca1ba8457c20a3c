"""Every key of a file of queues moves the solution and the simulation, or is refused: none is read and dropped."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.varied import hourly_cost, varied
from apet.queueing.methods.answer import queue, simulated
from apet.queueing.read import parse_queue_file
from apet.queueing.read.jobs import ARRIVALS
from apet.queueing.read.networks import CLASS_KEYS, STATION_KEYS

DET, ERLANG = {"type": "det"}, {"type": "erlang", "k": 4}
LINE = {"name": "app", "discipline": "FCFS", "servers": 2}
OPEN: dict[str, Any] = {
    "stations": [LINE, {"name": "call", "type": "delay"}],
    "classes": [{"name": "a", "arrival_rate": 6.0, "service": {"app": 0.2, "call": 0.5}}],
}
CLOSED: dict[str, Any] = {
    "stations": [LINE, {"name": "disk", "discipline": "PS"}],
    "classes": [{"name": "a", "population": 6, "think": 1.0, "service": {"app": 0.4, "disk": 0.2}}],
}
RANKED: dict[str, Any] = {
    "stations": [{"name": "app", "discipline": "priority"}],
    "classes": [
        {"name": "a", "arrival_rate": 2.0, "priority": 1, "service": {"app": 0.2}},
        {"name": "b", "arrival_rate": 1.0, "priority": 2, "service": {"app": 0.3}},
    ],
}
POOL: dict[str, Any] = {
    **OPEN,
    "classes": [{"name": "a", "arrival_rate": 3.0, "service": {"app": 0.2, "call": 0.5}}],
    "pools": [{"name": "threads", "size": 4, "backlog": 3}],
}
JOB: dict[str, Any] = {
    "stations": [{"name": "cpu", "discipline": "FCFS", "servers": 2}, {"name": "net", "type": "delay"}],
    "classes": [
        {
            "name": "a",
            "population": 3,
            "think": 1.0,
            "job": {"op": "task", "steps": [{"station": "cpu", "demand": 0.5}, {"station": "net", "demand": 0.2}]},
        }
    ],
}


def changed(base: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    content = copy.deepcopy(base)
    place: Any = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


CHANGES: list[tuple[dict[str, Any], str, tuple[str | int, ...], Any]] = [
    (OPEN, "stations.type", ("stations", 0), {"name": "app", "type": "delay"}),
    (OPEN, "stations.servers", ("stations", 0, "servers"), 3),
    (OPEN, "stations.discipline", ("stations", 0, "discipline"), "PS"),
    (OPEN, "stations.service_dist", ("stations", 0, "service_dist"), DET),
    (OPEN, "stations.service_dist", ("stations", 1, "service_dist"), DET),
    (CLOSED, "stations.service_dist", ("stations", 0, "service_dist"), ERLANG),
    (CLOSED, "stations.service_dist", ("stations", 1, "service_dist"), DET),
    (OPEN, "stations.price", ("stations", 0, "price"), 2.0),
    (CLOSED, "classes.population", ("classes", 0, "population"), 7),
    (CLOSED, "classes.think", ("classes", 0, "think"), 0.5),
    (CLOSED, "classes.think_dist", ("classes", 0, "think_dist"), DET),
    (OPEN, "classes.arrival_rate", ("classes", 0, "arrival_rate"), 5.0),
    (OPEN, "classes.arrival_dist", ("classes", 0, "arrival_dist"), ERLANG),
    (OPEN, "classes.dispersion", ("classes", 0, "dispersion"), 4.0),
    (RANKED, "classes.priority", ("classes", 0, "priority"), 3),
    (OPEN, "classes.priority", ("classes", 0, "priority"), 2),
    (OPEN, "classes.service", ("classes", 0, "service", "app"), 0.1),
    (OPEN, "classes.visits", ("classes", 0, "visits"), {"app": 0.5}),
    (
        {
            **OPEN,
            "stations": [LINE],
            "classes": [{**OPEN["classes"][0], "service": {"app": 0.1}, "visits": {"app": 3}}],
        },
        "classes.routing",
        ("classes", 0, "routing"),
        "random",
    ),
    (POOL, "pools.size", ("pools", 0, "size"), 2),
    (POOL, "pools.backlog", ("pools", 0, "backlog"), 0),
    (POOL, "pools.classes", ("pools", 0, "classes"), []),
    (POOL, "stations.service_dist", ("stations", 0, "service_dist"), ERLANG),
    (CLOSED, "top.load_dependent_service", ("load_dependent_service",), [[0.4, 0.3], [0.2]]),
    (JOB, "job.think_dist", ("classes", 0, "think_dist"), DET),
    (JOB, "job.servers", ("stations", 0, "servers"), 1),
    (JOB, "job.discipline", ("stations", 0, "discipline"), "PS"),
    (JOB, "job.demand", ("classes", 0, "job", "steps", 0, "demand"), 0.7),
    (JOB, "job.dist", ("classes", 0, "job", "steps", 0, "dist"), DET),
    (JOB, "job.dist", ("classes", 0, "job", "steps", 1, "dist"), DET),
    (JOB, "job.priority", ("classes", 0, "priority"), 2),
]
DESCRIPTIVE = {"name", "note"}


def answers(content: dict[str, Any], simulates: bool) -> object:
    """The solution or the simulation; the refusal where there is one."""
    try:
        problem = varied(parse_queue_file(Source("q.json", json.dumps(content))).problem)
        cost = hourly_cost(problem)
        return cost, simulated(problem, 2_000, 0) if simulates else queue(problem, percentiles=True)
    except ApetError as error:
        return str(error)


@pytest.mark.parametrize("simulates", [False, True], ids=["solved", "simulated"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda c: f"{c[1]}-{len(str(c[0])) % 97}")
def test_every_key_moves_the_answer_or_is_refused(
    change: tuple[dict[str, Any], str, tuple[str | int, ...], Any], simulates: bool
) -> None:
    base, _, path, value = change
    assert answers(changed(base, path, value), simulates) != answers(base, simulates)


def test_all_keys_are_changed_here() -> None:
    drawn = {name.rpartition(".")[2] for _, name, _, _ in CHANGES}
    known = {*STATION_KEYS, *CLASS_KEYS, *ARRIVALS} - DESCRIPTIVE
    assert known <= drawn
