"""A problem with other numbers of servers or jobs, other think times or rates: what a question varies.

Parameters are named `servers[cpu]`, `population[users]`, `think[users]`, `arrival_rate[users]`, `size[threads]` of a
pool; the brackets may be left out where there is only one such station or class, and N is the population. Each has one
domain, whoever sets it: a setting, a variation, the range of a search.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError, nearest
from apet.queueing import errors
from apet.queueing.data.jobs import ONE_SERVER, JobStation, Scenario
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import MOST_JOBS, Network, Station
from apet.queueing.data.problems import Asked

Varied = Network | Scenario | Layered
WHOLE = ("servers", "population", "size")
"""What is counted; the others are times or rates."""
SHORT = {"N": "population", "rate": "arrival_rate"}
LONGEST = 1e18
"""Seconds, and jobs per second: products of several stay finite."""


class Domain(NamedTuple):
    """The values that a parameter may have, both ends among them; `declared` where the file gives them."""

    least: float
    most: float
    whole: bool
    declared: bool = False

    def refusal(self, value: float) -> str:
        """Why it does not have a value, nothing where it does."""
        if self.whole and value != math.floor(value):
            return "it counts servers, jobs or threads"
        if self.least <= value <= self.most:
            return ""
        ends = f"[{self.least:,.12g}, {self.most:,.12g}]"
        return f"outside its declared range {ends}" if self.declared else f"it lies in {ends}"


def parameters(problem: Asked) -> tuple[str, ...]:
    """The names of all that may be varied; `ApetError` for problems in which nothing may."""
    problem = varied(problem)
    tables = problem.speeds if isinstance(problem, Network) else ()
    places: Sequence[Station | JobStation] = problem.stations
    pairs = zip(places, [*tables, *repeat(None, len(places) - len(tables))], strict=True)
    stations = [s.name for s, table in pairs if not (s.is_delay or s.discipline in ONE_SERVER or table)]
    opened = [c.name for c in problem.classes if c.is_open]
    closed = [c.name for c in problem.classes if not c.is_open]
    pools = [p.name for p in problem.pools]

    kinds = (
        ("servers", stations),
        ("population", closed),
        ("think", closed),
        ("arrival_rate", opened),
        ("size", pools),
    )
    by_kind = (f"{kind}[{name}]" for kind, names in kinds for name in names)
    return (*(c.name for c in problem.counts), *by_kind)


def varied(problem: Asked) -> Varied:
    """The problem, if it is one of stations and classes with single numbers; else `ApetError`."""
    if not isinstance(problem, Varied):
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


def domain_of(problem: Varied, name: str) -> Domain:
    """What a parameter may be, by its full name: as the file says, else as a file might."""
    kind, declared = kind_of(problem, name), limits_of(problem, name)
    if declared:
        return Domain(*declared, whole=True, declared=True)
    if kind in WHOLE:
        return Domain(1, MOST_JOBS, whole=True)
    least = 0.0 if kind == "think" or isinstance(problem, Network) else math.ulp(0.0)
    return Domain(least, LONGEST, whole=False)


def require_value(problem: Varied, name: str, value: float) -> None:
    """`ApetError` for a value that a parameter cannot have."""
    refusal = domain_of(problem, name).refusal(value)
    if refusal:
        advice = "give a whole number" if "counts" in refusal else "choose a value in it"
        raise ApetError(errors.OutsideDomain(None, None, name, f"{value:.12g}", refusal, advice))


def with_value(problem: Varied, name: str, value: float) -> Varied:
    """The problem with another value of a parameter, by its full name; `ApetError` for one that it cannot have."""
    require_value(problem, name, value)
    kind, _, member = name.rstrip("]").partition("[")
    if kind in ("servers", "size"):
        names = [s.name for s in problem.stations] if kind == "servers" else [p.name for p in problem.pools]
        return _with_count(problem, [(kind, names.index(member))], int(value))
    count = next((c for c in problem.counts if c.name == name), None)
    if count is not None:
        return _with_count(problem, count.places, int(value))
    number = int(value) if kind in WHOLE else float(value)
    if isinstance(problem, Layered):
        return problem.with_class(member, kind, number)
    classes = (_changed(c, **{kind: number}) if c.name == member else c for c in problem.classes)
    return _problem_with(problem, classes=tuple(classes))


def _changed(record: Any, **fields: object) -> Any:
    """A record, a named tuple or a data class, with other values of fields."""
    return record._replace(**fields) if hasattr(record, "_replace") else replace(record, **fields)


def _problem_with(problem: Varied, **fields: object) -> Varied:
    changed: Varied = _changed(problem, **fields)
    return changed


def limits_of(problem: Varied, name: str) -> tuple[float, float] | None:
    """The range that the file gives a parameter, by its own name or that of a place where it stands, if it does."""
    kind, _, member = name.rstrip("]").partition("[")
    names = [s.name for s in problem.stations] if kind == "servers" else [p.name for p in problem.pools]
    ranges = (
        (float(c.low), float(c.high))
        for c in problem.counts
        if name == c.name or any(what == kind and names[k] == member for what, k in c.places if what == kind)
    )
    return next(ranges, None)


def value_of(problem: Varied, name: str) -> float:
    """What a parameter is in the file, by its full name."""
    kind, _, member = name.rstrip("]").partition("[")
    places = next((c.places for c in problem.counts if c.name == name), ())
    if places:
        kind, k = places[0]
        return float(problem.pools[k].size if kind == "size" else problem.stations[k].servers)
    rows: Sequence[Any] = {"servers": problem.stations, "size": problem.pools}.get(kind, problem.classes)
    return next(float(getattr(row, kind) or 0.0) for row in rows if row.name == member)


def kind_of(problem: Varied, name: str) -> str:
    """What a parameter is, by its full name: "servers", "population", "think", "arrival_rate" or "size"."""
    places = next((c.places for c in problem.counts if c.name == name), ())
    return places[0][0] if places else name.partition("[")[0]


def with_prices(problem: Varied, prices: Mapping[str, float]) -> Varied:
    """The problem with these prices per server and hour, by station or by the name of a number of servers."""
    names = {c.name: [problem.stations[k].name for kind, k in c.places if kind == "servers"] for c in problem.counts}
    names |= {s.name: [s.name] for s in problem.stations}
    by_station = dict[str, float]()
    for name, price in prices.items():
        if not names.get(name):
            reason = f"there are no such servers{nearest(name, list(names))}"
            raise ApetError(errors.NoSuchNumber(None, None, name, reason, ", ".join(names)))
        by_station |= dict.fromkeys(names[name], price)

    if isinstance(problem, Layered):
        return problem._replace(
            processors=tuple(s._replace(price=by_station.get(s.name, s.price)) for s in problem.processors)
        )
    stations = (_changed(s, price=by_station.get(s.name, s.price)) for s in problem.stations)
    return _problem_with(problem, stations=tuple(stations))


def hourly_cost(problem: Varied) -> float | None:
    """What all servers cost per hour; None where nothing has a price."""
    priced = [s.price * s.servers for s in problem.stations if s.price]
    return sum(priced) if priced else None


def _with_count(problem: Varied, places: Sequence[tuple[str, int]], number: int) -> Varied:
    if isinstance(problem, Layered):
        return problem.with_servers(places[0][1], number)
    stations, pools = list[Any](problem.stations), list(problem.pools)
    for kind, k in places:
        if kind == "size":
            pools[k] = pools[k]._replace(size=number)
        else:
            stations[k] = _changed(stations[k], servers=number)
    return _problem_with(problem, stations=tuple(stations), pools=tuple(pools))


def class_names(problem: Varied) -> Sequence[str]:
    """The names of its classes."""
    return [c.name for c in problem.classes]
