"""A problem with other numbers of servers or jobs, other think times or rates: what a question varies.

Parameters are named `servers[cpu]`, `population[users]`, `think[users]`, `arrival_rate[users]`; the brackets may be
left out where there is only one such station or class, and N is the population.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from apet.ground.diagnostics import ApetError, nearest
from apet.queueing import errors
from apet.queueing.jobs import Circulation, Scenario
from apet.queueing.networks import JobClass, Network
from apet.queueing.problems import Asked

Varied = Network | Scenario
WHOLE = ("servers", "population")
"""What is counted; the others are times or rates."""
SHORT = {"N": "population", "rate": "arrival_rate"}


def parameters(problem: Asked) -> tuple[str, ...]:
    """The names of all that may be varied; `ApetError` for problems in which nothing may."""
    problem = varied(problem)
    if isinstance(problem, Scenario):
        stations = [s.name for s in problem.stations if s.discipline not in ("delay", "LCFS-PR")]
        opened, closed = [], [c.name for c in problem.classes]
    else:
        fixed = [bool(problem.speeds and s is not None) for s in problem.speeds] or [False] * len(problem.stations)
        stations = [s.name for s, f in zip(problem.stations, fixed, strict=True) if not s.is_delay and not f]
        opened = [c.name for c in problem.classes if c.is_open]
        closed = [c.name for c in problem.classes if not c.is_open]

    kinds = (("servers", stations), ("population", closed), ("think", closed), ("arrival_rate", opened))
    return tuple(f"{kind}[{name}]" for kind, names in kinds for name in names)


def varied(problem: Asked) -> Varied:
    """The problem, if it is one of stations and classes with single numbers; else `ApetError`."""
    if not isinstance(problem, Network | Scenario):
        raise ApetError(errors.NothingToVary(None, None))
    return problem


def full_name(problem: Asked, name: str) -> str:
    """A parameter as `parameters` has it; `ApetError` if it is none, or not the only one."""
    names = parameters(problem)
    text = re.sub(r"^\w+", lambda m: SHORT.get(m[0], m[0]), name.strip())
    matching = [n for n in names if text in (n, n.partition("[")[0])]
    if len(matching) != 1:
        reason = f"there is no such number{nearest(text, names)}" if not matching else "there is more than one"
        raise ApetError(errors.NoSuchNumber(None, None, name, reason, ", ".join(names)))
    return matching[0]


def with_value(problem: Varied, name: str, value: float) -> Varied:
    """The problem with another value of a parameter, by its full name."""
    kind, _, member = name.rstrip("]").partition("[")
    if kind == "servers":
        servers = int(value)
        if isinstance(problem, Scenario):
            stations = [s._replace(servers=servers) if s.name == member else s for s in problem.stations]
            return problem._replace(stations=tuple(stations))
        return replace(
            problem, stations=tuple(replace(s, servers=servers) if s.name == member else s for s in problem.stations)
        )

    if isinstance(problem, Scenario):
        circulations = [_circulation(c, kind, value) if c.name == member else c for c in problem.classes]
        return problem._replace(classes=tuple(circulations))
    classes = [_job_class(c, kind, value) if c.name == member else c for c in problem.classes]
    return replace(problem, classes=tuple(classes))


def _circulation(c: Circulation, kind: str, value: float) -> Circulation:
    return c._replace(population=int(value)) if kind == "population" else c._replace(think=float(value))


def _job_class(c: JobClass, kind: str, value: float) -> JobClass:
    if kind == "population":
        return replace(c, population=int(value))
    return replace(c, think=float(value)) if kind == "think" else replace(c, arrival_rate=float(value))


def class_names(problem: Varied) -> Sequence[str]:
    """The names of its classes."""
    return [c.name for c in problem.classes]
