"""Machine models from TOML text: every error of a file is reported in one run."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from apet.ground.diagnostics import nearest
from apet.ground.documents.document_errors import DocumentErrors
from apet.ground.documents.places import Locator
from apet.ground.documents.table import Table
from apet.ground.interval import Interval
from apet.ground.source import Source, Span
from apet.machine import errors
from apet.machine.fit_reader import fits_of, is_fit
from apet.machine.fitted import Fit
from apet.machine.interval_reader import interval
from apet.machine.machines import NO_LOAD, MachineGroup, Machines
from apet.machine.network import ANY, TOPOLOGIES, MachineLink, MachineNetwork, both_ways
from apet.machine.operation_classes import class_of

SCHEMA = 1
TOP_KEYS = ("schema", "name", "title", "note", "coordinator", "machine", "network", "provenance")
COORDINATOR_KEYS = ("name", "cores", "load", "op_s", "memory_MB", "cost_per_hour", "note")
MACHINE_KEYS = ("name", "count", "cores", "load", "factor", "op_s", "memory_MB", "cost_per_hour", "note")
NETWORK_KEYS = ("topology", "latency_s", "bandwidth_B_per_s", "link", "note")
LINK_KEYS = ("from", "to", "latency_s", "bandwidth_B_per_s", "note")
MARKS = {"fictitious": " (fictitious machine)", "derived": " (derived)", "measured": ""}
"""What `kind` of `[provenance]` adds to the name of a machine model, so that every output shows it."""
# Words of the modelling language: an operation of such a name could never be called.
RESERVED = frozenset({"send", "delay", "use", "seq", "par", "if", "else"})
COORDINATOR = "coordinator"

_OPERATION = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_CLASS = r"(?=.*\*)(?=.*[\w$])(?!\d)[\w$*]+"
_SYNTAX_PLACE = r"(?s)(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)"


def parse_machines(source: Source, fit: Fit | None = None, bare: bool = False) -> Machines:
    """The machine model that a TOML text describes; `fit` makes times of operations out of measured runs, `bare`
    machines may have no operation.

    Raises `ApetError` with every error of the text. A file of another schema is not looked at any further.
    """
    notes = DocumentErrors(Locator(source))
    top = Table(_toml(source), (), notes)
    if not _check_schema(top):
        notes.finish()

    top.allow(TOP_KEYS)
    groups = _groups(top, fit, bare)
    coordinator = _coordinator(top, groups, fit)
    network = _network(top.table("network"), [g.name for g in (*groups, coordinator)])
    provenance = top.table("provenance")
    file = re.split(r"[/\\]", source.name)[-1]
    name = top.text("name") or top.text("title") or file
    note = top.text("note")
    notes.finish()
    origin = dict(provenance.content) if provenance else {}
    name += MARKS.get(str(origin.get("kind")), "")
    return Machines(name, file, tuple(groups), coordinator, network, origin, note)


def _toml(source: Source) -> Mapping[str, Any]:
    try:
        return tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        detail = "arrays or tables are nested too deeply" if isinstance(error, RecursionError) else str(error)
    from apet.ground.diagnostics import ApetError
    from apet.machine.errors import NotToml

    span = None
    if match := re.fullmatch(_SYNTAX_PLACE, detail):
        detail = match[1]
        at = source.offset(int(match[2]), int(match[3])) if match[2] else len(source.text.rstrip())
        span = Span(at, at + 1)
    raise ApetError(NotToml(source, span, detail[:1].lower() + detail[1:]))


def _check_schema(top: Table) -> bool:
    """Whether the rest is worth reading: the schema is the known one, or absent (which is noted)."""
    if "schema" not in top:
        top.notes.missing_key(top.at("schema"), f"begin the file with: schema = {SCHEMA}")
        return True
    value = top.content["schema"]
    if isinstance(value, bool) or not isinstance(value, int):
        top.notes.wrong_type(top.at("schema"), f"the number {SCHEMA}", value)
        return True
    if value != SCHEMA:
        top.notes.at_value(errors.UnknownSchema, top.at("schema"), str(value), SCHEMA)
    return value == SCHEMA


def _groups(top: Table, fit: Fit | None, bare: bool) -> list[MachineGroup]:
    tables = top.tables("machine")
    if not top.content.get("machine"):
        top.notes.missing_key(top.at("machine"), "a file needs at least one [[machine]] with a [machine.op_s]")
    groups = [_group(table, f"machine-{index}", fit, bare) for index, table in enumerate(tables, 1)]
    _check_names(tables, groups)
    return groups


def _group(table: Table, default_name: str, fit: Fit | None, bare: bool) -> MachineGroup:
    table.allow(MACHINE_KEYS)
    if not bare and "op_s" not in table and "op" not in _stems(table):
        example = "give seconds per operation: [machine.op_s] with lines such as sum_double = [1.1e-9, 1.4e-9]"
        table.notes.missing_key(table.at("op_s"), example)
    return _described(table, default_name, fit)


def _described(table: Table, default_name: str, fit: Fit | None) -> MachineGroup:
    """What machines and the coordinator have in common."""
    times = _operations(table)

    return MachineGroup(
        name=_name(table, default_name),
        op_s={name: time for name, time in times.items() if ANY not in name},
        classes={name: time for name, time in times.items() if ANY in name},
        fits=fits_of(table, fit),
        count=table.count("count"),
        cores=table.count("cores"),
        load=_load(table),
        factor=table.number("factor", 0.0, 1.0, above=True),
        memory_MB=table.number("memory_MB", above=True),
        cost_per_hour=table.number("cost_per_hour"),
        note=table.text("note"),
    )


def _name(table: Table, default: str) -> str:
    name = table.text("name", default)
    if name == ANY or not name.strip():
        reason = "'*' stands for every machine" if name == ANY else "give it a name, or leave the key out"
        table.notes.at_value(errors.NotAName, table.at("name"), name, "a machine", reason)
    return name


def _check_names(tables: list[Table], groups: list[MachineGroup]) -> None:
    seen: dict[str, Table] = {}
    for table, group in zip(tables, groups, strict=True):
        if group.name in seen:
            advised = "equal machines are one [[machine]] with a count"
            table.notes.duplicate_name(table.at("name"), group.name, seen[group.name].at("name"), advised)
        seen.setdefault(group.name, table)


def _load(table: Table) -> Interval:
    load = interval(table, "load")
    if load is not None and load.hi >= 1:
        table.notes.out_of_range(table.at("load"), load.hi, "a share less than 1 (0.2 is a fifth of the processor)")
        return NO_LOAD
    return load or NO_LOAD


def _operations(table: Table) -> dict[str, Interval]:
    key = table.spelled("op_s")
    operations = table.table(key)
    if operations is None:
        return {}
    if not operations.content:
        operations.notes.at_key(errors.NoOperations, operations.path)
    times = {}
    for name in operations.content:
        if not (_OPERATION.fullmatch(name) or re.fullmatch(_CLASS, name)) or name in RESERVED:
            reason = "it is a word of the modelling language" if name in RESERVED else "names are as in Java"
            operations.notes.at_key(errors.NotAName, operations.at(name), name, "an operation", reason)
        if is_fit(operations.content[name]):
            continue
        time = interval(operations, name, unit_key=key)
        if time is not None:
            times[name] = time

    return times


def _coordinator(top: Table, groups: list[MachineGroup], fit: Fit | None) -> MachineGroup:
    """The coordinator: what [coordinator] gives, all else as the first machine has it."""
    like = groups[0] if groups else MachineGroup("", {})
    table = top.table("coordinator")
    if table is None:
        return like.replace(name=COORDINATOR, count=1, factor=None)

    table.allow(COORDINATOR_KEYS)
    spelled = {*COORDINATOR_KEYS, *map(table.spelled, COORDINATOR_KEYS)}
    known = {key: value for key, value in table.content.items() if key in spelled}
    described = _described(Table(known, table.path, table.notes), COORDINATOR, fit)
    for index, group in enumerate(groups):
        if group.name == described.name:
            advised = "the coordinator is apart from the machines: give it a name of its own"
            table.notes.duplicate_name(table.at("name"), group.name, ("machine", index, "name"), advised)
    own = described.op_s.keys() | described.fits.keys()
    others = (like.op_s.keys() | like.fits.keys()) - own
    lacking = {name for name in others if class_of(name, described) is None}
    costs = table.spelled("op_s") in table
    return described.replace(
        op_s={**{name: time for name, time in like.op_s.items() if name in lacking}, **described.op_s},
        classes={**like.classes, **described.classes},
        fits={**{name: fit for name, fit in like.fits.items() if name in lacking}, **described.fits},
        cores=described.cores if costs or "cores" in table else like.cores,
        load=described.load if costs or "load" in table else like.load,
    )


def _network(table: Table | None, names: list[str]) -> MachineNetwork:
    if table is None:
        return MachineNetwork()

    table.allow(NETWORK_KEYS)
    topology = table.text("topology", "none")
    if topology not in TOPOLOGIES:
        expected = ", ".join(TOPOLOGIES)
        suggestion = nearest(topology, TOPOLOGIES)
        table.notes.at_value(errors.UnknownTopology, table.at("topology"), topology, suggestion, expected)
        topology = "none"
    latency = interval(table, "latency_s")
    bandwidth = interval(table, "bandwidth_B_per_s", above=True)
    _check_costs_given(table, topology)
    links = tuple(_link(link, names) for link in table.tables("link"))
    expected = next(t for t in TOPOLOGIES if t == topology)
    return MachineNetwork(expected, latency, bandwidth, both_ways(links))


def _check_costs_given(table: Table, topology: str) -> None:
    """A network gives both latency and bandwidth; `topology = "none"` alone says that there are no messages."""
    stems = _stems(table)
    if topology == "none" and not stems & {"latency", "bandwidth", "link"}:
        return
    if "latency" not in stems:
        table.notes.missing_key(table.at("latency_s"), "seconds per message, for example: latency_s = [1e-4, 3e-4]")
    if "bandwidth" not in stems:
        example = "bytes per second, for example: bandwidth_B_per_s = [0.9e6, 1.2e6]"
        table.notes.missing_key(table.at("bandwidth_B_per_s"), example)


def _link(table: Table, names: list[str]) -> MachineLink:
    table.allow(LINK_KEYS)
    for key in ("from", "to"):
        if key not in table:
            table.notes.missing_key(table.at(key), f'name a machine, or write {key} = "*" for every machine')
        elif (name := table.text(key, ANY)) not in (ANY, *names):
            table.notes.at_value(errors.UnknownLinkEnd, table.at(key), name, nearest(name, names), ", ".join(names))
    if not _stems(table) & {"latency", "bandwidth"}:
        table.notes.at_key(errors.EmptyLink, table.path)

    return MachineLink(
        table.text("from", ANY) if isinstance(table.content.get("from"), str) else ANY,
        table.text("to", ANY) if isinstance(table.content.get("to"), str) else ANY,
        interval(table, "latency_s"),
        interval(table, "bandwidth_B_per_s", above=True),
    )


def _stems(table: Table) -> set[str]:
    """The keys without their units: who wrote `latency` has a unit to add, not a key."""
    return {key.split("_")[0] for key in table.content}
