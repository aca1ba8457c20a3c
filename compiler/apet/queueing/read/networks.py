"""A network with service times and visits by class and station."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import ONE_SERVER
from apet.queueing.data.networks import BY_RANK, MOST_JOBS, JobClass, Network, Station
from apet.queueing.read.distributions import distribution, note
from apet.queueing.read.pools import pools

STATION_KEYS = ("name", "type", "servers", "discipline", "service_dist", "price", "note")
CLOSED_KEYS = ("population", "think", "think_dist")
OPEN_KEYS = ("arrival_rate", "arrival_dist", "dispersion")
CLASS_KEYS = ("name", *CLOSED_KEYS, *OPEN_KEYS, "priority", "service", "visits", "routing", "note")
ROUTINGS = ("rounds", "random")
TYPES = ("queue", "delay")
DISCIPLINES = ("PS", "FCFS", "LCFS-PR", "priority", "preemptive", "delay")
MOST_DISPERSION = 1e6
LOAD_DEPENDENT = "load_dependent_service"
SAME = 1e-9
"""Relative difference of numbers that a file gives twice."""


def network(top: Table, document: Document, also: Sequence[str]) -> Network:
    """The network of a file; `ApetError` with every error."""
    top.allow(("stations", "classes", "service", "visits", "load_dependent_service", "pools", *also))
    for key in ("stations", "classes"):
        if not top.content.get(key):
            top.notes.missing_key(top.at(key), f"a network has at least one of its {key}")

    stations = [_station(t, document) for t in top.tables("stations")]
    classes = [_job_class(t, document) for t in top.tables("classes")]
    names = [s.name for s in stations]
    check_unique(top, "stations", names)
    check_unique(top, "classes", [c.name for c in classes])
    service = _matrix(top, "service", len(classes), names, document, None)
    visits = _matrix(top, "visits", len(classes), names, document, 1.0)
    _check_visits(top, document)
    speeds = _speeds(top, stations, classes, document)
    _check_tables(top, document, stations, service, speeds)
    check_ranks(top, document, [s.discipline for s in stations])
    limits = pools(top, document, classes)
    top.notes.finish()
    return Network(tuple(stations), tuple(classes), service, visits, speeds, limits)


def check_ranks(top: Table, document: Document, disciplines: Sequence[str]) -> None:
    """Note priorities where no station serves by them."""
    if set(disciplines) & set(BY_RANK):
        return
    for table in top.tables("classes"):
        if "priority" in table:
            advice = 'give a station the discipline "priority" or "preemptive", or leave it out'
            note(table, document, "priority", "no station serves by priority", advice)


def check_unique(top: Table, key: str, names: Sequence[str]) -> None:
    """Note names that come twice."""
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if first.setdefault(name, i) != i:
            other = (key, first[name], "name")
            top.notes.duplicate_name((key, i, "name"), name, other, "give each a name of its own")


def numbered_name(table: Table, what: str) -> str:
    """The name that a table gives itself, else by its number."""
    return table.text("name") or f"{what} {int(table.path[-1]) + 1}"


def servers(table: Table, key: str = "servers") -> int:
    """The number of servers of a station; 1 if it gives none."""
    number = table.count(key) if table.content.get(key) is not None else 1
    if number > MOST_JOBS:
        table.notes.out_of_range(table.at(key), number, f"at most {MOST_JOBS:,}")
    return min(number, MOST_JOBS)


def discipline(table: Table, document: Document, default: str) -> str:
    """How a station serves; the default if it does not say."""
    kind = table.text("type", "queue")
    if kind not in TYPES:
        table.notes.wrong_type(table.at("type"), '"queue" or "delay"', kind)
    order = table.text("discipline", "delay" if kind == "delay" else default)

    if order not in DISCIPLINES and "discipline" in table:
        problem = f"there is no '{order}'{nearest(order, DISCIPLINES)}"
        note(table, document, "discipline", problem, f"choose one of: {', '.join(DISCIPLINES)}")
        return default
    if kind == "delay" and order != "delay":
        note(
            table,
            document,
            "discipline",
            "nobody waits at a delay",
            f'leave it out, or write type = "queue" for {order}',
        )
    if order in ONE_SERVER and servers(table) > 1:
        note(table, document, "discipline", f"{order} is that of one server", 'give it one server, or choose "PS"')
    return order


def _station(table: Table, document: Document) -> Station:
    table.allow(STATION_KEYS)
    order = discipline(table, document, "")
    is_delay, shape = order == "delay", distribution(table, "service_dist", document)
    if not order and not shape.is_exponential:
        advice = 'choose "FCFS", where it matters, or "PS", where it does not'
        note(table, document, "service_dist", "how service varies matters in order of arrival only", advice)
    name, kind = numbered_name(table, "station"), "delay" if is_delay else "queue"
    return Station(name, kind, servers(table), "" if is_delay else order, shape, table.number("price") or 0.0)


def _job_class(table: Table, document: Document) -> JobClass:
    table.allow(CLASS_KEYS)
    name = numbered_name(table, "class")
    rate = table.content.get("arrival_rate")
    check_kind(table, document)

    think = table.number("think") if table.content.get("think") is not None else None
    thinking, routing = distribution(table, "think_dist", document), _routing(table, document)
    arrivals, first = distribution(table, "arrival_dist", document), priority(table)
    dispersion = table.number("dispersion", 0.0, MOST_DISPERSION) if "dispersion" in table else None
    if "arrival_dist" in table and dispersion is not None:
        note(table, document, "dispersion", "arrival_dist says how arrivals vary as well", "leave one of them out")
    if rate is not None:
        rate = table.number("arrival_rate")
        return JobClass(name, None, 0.0, rate, arrivals, dispersion, first, routing=routing)
    return JobClass(name, population(table), think or 0.0, priority=first, thinking=thinking, routing=routing)


def _routing(table: Table, document: Document) -> str:
    """How a job makes its visits."""
    kind = table.text("routing", ROUTINGS[0])
    if kind in ROUTINGS:
        return kind
    advice = '"rounds" (as many as visits says) or "random" (the next one at random, as many in the mean)'
    note(table, document, "routing", f"there is no '{kind}'{nearest(kind, ROUTINGS)}", advice)
    return ROUTINGS[0]


def check_kind(table: Table, document: Document) -> None:
    """Note keys of closed classes in open ones, the other way round, and classes that are neither."""
    size, rate = table.content.get("population"), table.content.get("arrival_rate")
    if (size is None) == (rate is None):
        problem = "a class has a population (closed) or an arrival_rate (open)" + (", not both" if rate else "")
        table.notes.diagnostics.append(document.wrong(table.path, problem, "for example: population = 10, think = 2.0"))

    is_open = rate is not None
    for key in CLOSED_KEYS[1:] if is_open else OPEN_KEYS[1:]:
        if table.content.get(key):
            problem, advice = "a closed class has no arrivals from outside", "leave it out, or give an arrival_rate"
            if is_open:
                problem = "an open class has no think time: jobs leave"
                advice = "leave it out, or give a population instead of arrival_rate"
            note(table, document, key, problem, advice)


def priority(table: Table) -> int:
    """The place of a class where stations serve by priority: 1 is before 2."""
    return table.count("priority") if "priority" in table else 1


def population(table: Table) -> int:
    """The population of a class: a whole number of jobs."""
    value = table.content.get("population", 0)
    if isinstance(value, bool) or not isinstance(value, int):
        if value is not None:
            table.notes.wrong_type(table.at("population"), "a whole number of jobs", value)
        return 1
    if not 1 <= value <= MOST_JOBS:
        table.notes.out_of_range(table.at("population"), value, f"at least 1 and at most {MOST_JOBS:,}")
        return 1
    return value


def _matrix(
    top: Table, key: str, classes: int, names: Sequence[str], document: Document, default: float | None
) -> list[list[float]]:
    """Numbers by class and station: one array per class at the top, or a table by station in each class."""
    if key in top.content:
        return _rows(top, key, classes, len(names), document)

    matrix = []
    for table in top.tables("classes"):
        by_station = table.table(key)
        if by_station is None:
            if default is None:
                example = f"{key} = {{ {names[0] if names else 'cpu'} = 0.05 }} in each class, or one array per class"
                top.notes.missing_key(table.at(key), example)
            matrix.append([default or 0.0] * len(names))
            continue
        for name in by_station.content:
            if name not in names:
                by_station.notes.unknown_key(by_station.at(name), names)
        absent = 0 if default is None else default
        matrix.append([_cell(by_station, by_station.at(n), by_station.content.get(n, absent)) for n in names])
    return matrix


def _check_visits(top: Table, document: Document) -> None:
    """Note visits of classes to stations that serve them in no time."""
    for table in top.tables("classes"):
        visits, service = table.content.get("visits"), table.content.get("service")
        if not (isinstance(visits, dict) and isinstance(service, dict)):
            continue
        for name in visits:
            if name not in service:
                path = (*table.at("visits"), name)
                problem, advice = f"{name} has no service time", f"service = {{ {name} = 0.05 }}, or no visits to it"
                table.notes.diagnostics.append(document.wrong(path, problem, advice))


def _rows(top: Table, key: str, classes: int, stations: int, document: Document) -> list[list[float]]:
    rows = top.content[key]
    if not isinstance(rows, list) or len(rows) != classes:
        note(top, document, key, f"should be {classes} arrays, one per class", f"each has {_per_station(stations)}")
        return [[0.0] * stations] * classes

    matrix = []
    for c, row in enumerate(rows):
        path = (*top.at(key), c)
        if not isinstance(row, list) or len(row) != stations:
            problem, advice = f"should be {_per_station(stations)}", "0 where a class does not come"
            top.notes.diagnostics.append(document.wrong(path, problem, advice))
            matrix.append([0.0] * stations)
            continue
        matrix.append([_cell(top, (*path, k), value) for k, value in enumerate(row)])
    return matrix


def _per_station(stations: int) -> str:
    return f"{stations} numbers, one per station"


def _cell(table: Table, path: tuple[str | int, ...], value: Any) -> float:
    number = table.figure(path, value, "s", False)
    return 0.0 if number is None else number


def _speeds(
    top: Table, queues: Sequence[Station], classes: Sequence[JobClass], document: Document
) -> tuple[tuple[float, ...] | None, ...]:
    """Relative speeds from service times with 1, 2, … jobs present; stations of constant times are plain."""
    key = LOAD_DEPENDENT
    if key not in top.content:
        return ()
    if len(classes) != 1:
        note(top, document, key, "load-dependent service times are those of a single class", "give the file one class")
        return ()
    rows, stations = top.content[key], len(queues)
    if not isinstance(rows, list) or len(rows) != stations or not all(isinstance(r, list) and r for r in rows):
        problem = f"should be {stations} arrays of seconds with 1, 2, … jobs present"
        note(top, document, key, problem, "the last number holds for more jobs")
        return ()

    speeds = list[tuple[float, ...] | None]()
    for k, row in enumerate(rows):
        times = [top.figure((*top.at(key), k, i), value, "s", True) or 1.0 for i, value in enumerate(row)]
        speeds.append(None if len(set(times)) == 1 else tuple(times[0] / t for t in times))
    return tuple(speeds)


def _check_tables(
    top: Table,
    document: Document,
    stations: Sequence[Station],
    service: Sequence[Sequence[float]],
    speeds: Sequence[tuple[float, ...] | None],
) -> None:
    """Note tables of times that contradict `service`, or stations whose `servers` they would override."""
    if not speeds:
        return

    for k, (station, row) in enumerate(zip(stations, top.content[LOAD_DEPENDENT], strict=True)):
        if isinstance(row[0], bool) or not isinstance(row[0], int | float):
            continue  # noted before
        first, own = float(row[0]), service[0][k]
        if abs(first - own) > SAME * max(abs(first), abs(own)) and not station.is_delay:
            problem = f"{first:g} s with one job contradicts the service time {own:g} s of {station.name}"
            top.notes.diagnostics.append(
                document.wrong((*top.at(LOAD_DEPENDENT), k, 0), problem, "let both be the same")
            )
        if speeds[k] is not None and station.servers > 1:
            problem = f"{station.name} has {station.servers} servers, and a table of times with 1, 2, … jobs as well"
            advice = "leave servers out: the table says how fast they are"
            top.notes.diagnostics.append(document.wrong((*top.at("stations"), k, "servers"), problem, advice))
