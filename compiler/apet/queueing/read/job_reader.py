"""Jobs with precedence: stations, classes, and for each class the tree of its tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.job_variants import TooLarge, variants
from apet.queueing.jobs import (
    Choice,
    Circulation,
    Graph,
    Job,
    JobStation,
    Parallel,
    Pipeline,
    Scenario,
    Serial,
    Stage,
    Step,
    Task,
)
from apet.queueing.read.network_reader import jobs, unique
from apet.queueing.read.shapes import distribution

DISCIPLINES = ("PS", "FCFS", "delay")
OPERATORS = ("task", "S", "P", "O", "pipeline", "dag")
NOTHING = Task("nothing", ())
MOST_DEPTH = 200
SUM_TOLERANCE = 1e-6


class _Context(NamedTuple):
    document: Document
    stations: Mapping[str, int]


def scenario(top: Table, document: Document, also: Sequence[str]) -> Scenario:
    """The scenario of a file; `ApetError` with every mistake."""
    top.allow(("stations", "classes", *also))
    if not top.content.get("stations"):
        top.notes.missing_key(top.at("stations"), "jobs need at least one station")
    stations = [_station(t, document) for t in top.tables("stations")]
    unique(top, "stations", [s.name for s in stations], document)
    context = _Context(document, {s.name: k for k, s in enumerate(stations)})
    classes = [_circulation(t, context) for t in top.tables("classes")]
    unique(top, "classes", [c.name for c in classes], document)
    top.notes.finish()
    return Scenario(tuple(stations), tuple(classes))


def _station(table: Table, document: Document) -> JobStation:
    table.allow(("name", "discipline", "servers", "type", "note"))
    name = table.text("name") or f"station {int(table.path[-1]) + 1}"
    default = "delay" if table.content.get("type") == "delay" else "PS"
    discipline = table.text("discipline", default)
    if discipline not in DISCIPLINES:
        problem = f"there is no '{discipline}'{nearest(discipline, DISCIPLINES)}"
        note(table, document, "discipline", problem, f"choose one of: {', '.join(DISCIPLINES)}")
    servers = table.count("servers") if table.content.get("servers") is not None else 1
    return JobStation(name, discipline, servers)


def note(table: Table, document: Document, key: str, problem: str, advice: str) -> None:
    """Note a mistake at a key of a table."""
    table.notes.found.append(document.wrong(table.at(key), problem, advice))


def _circulation(table: Table, context: _Context) -> Circulation:
    table.allow(("name", "population", "think", "think_dist", "job", "note"))
    name = table.text("name") or f"class {int(table.path[-1]) + 1}"
    if "population" not in table:
        table.notes.missing_key(table.at("population"), "how many jobs circulate: population = 4")
    population = jobs(table) if "population" in table else 1
    think = table.number("think") or 0.0
    shape = distribution(table, "think_dist", context.document)
    found = table.table("job")
    if found is None:
        table.notes.missing_key(table.at("job"), 'what each job does: { op = "task", name = …, steps = […] }')
        return Circulation(name, population, think, ())
    before = len(table.notes.found)
    job = _job(found, context, 0)
    if len(table.notes.found) > before:
        return Circulation(name, population, think, ())
    try:
        return Circulation(name, population, think, variants(job), shape)
    except TooLarge as error:
        note(table, context.document, "job", str(error), "make the job smaller")
        return Circulation(name, population, think, ())


def _job(table: Table, context: _Context, depth: int) -> Job:
    kind = table.text("op", "task")
    if depth > MOST_DEPTH:
        note(table, context.document, "op", f"more than {MOST_DEPTH} operators in each other", "make it flatter")
        return NOTHING
    if kind in ("S", "P", "O"):
        return _operator(kind, table, context, depth)
    if kind == "pipeline":
        return _pipeline(table, context)
    if kind == "dag":
        return _graph(table, context)
    if kind != "task":
        advice = f"choose one of: {', '.join(OPERATORS)}"
        note(table, context.document, "op", f"there is no operator '{kind}'{nearest(kind, OPERATORS)}", advice)
        return NOTHING
    table.allow(("op", "name", "steps"))
    return Task(table.text("name") or "task", _steps(table, "steps", context))


def _operator(kind: str, table: Table, context: _Context, depth: int) -> Job:
    table.allow(("op", "name", "children", "probs") if kind == "O" else ("op", "name", "children"))
    parts = tuple(_job(t, context, depth + 1) for t in table.tables("children"))
    if not parts:
        note(table, context.document, "children", "an empty tree", "give it at least one part")
        return NOTHING
    if kind == "S":
        return Serial(parts)
    if kind == "P":
        return Parallel(parts)
    given = table.content.get("probs", [])
    chances = [table.figure((*table.at("probs"), i), p, "", False) or 0.0 for i, p in enumerate(given)]
    if len(chances) != len(parts):
        problem = f"{len(chances)} probabilities for {len(parts)} parts"
        note(table, context.document, "probs", problem, "give one per part")
        return parts[0]
    if abs(sum(chances) - 1) > SUM_TOLERANCE:
        note(
            table,
            context.document,
            "probs",
            f"their sum is {sum(chances):.6g}, not 1",
            "one of the parts is always taken",
        )
    return Choice(tuple(chances), parts)


def _pipeline(table: Table, context: _Context) -> Job:
    table.allow(("op", "name", "items", "buffer", "stages"))
    stages = list[Stage]()
    for stage in table.tables("stages"):
        stage.allow(("name", "item_steps"))
        stages.append(Stage(stage.text("name") or f"stage{len(stages) + 1}", _steps(stage, "item_steps", context)))
    if "items" not in table:
        table.notes.missing_key(table.at("items"), "how many items go through: items = 8")
    items = table.count("items")
    buffer = table.count("buffer") if table.content.get("buffer") is not None else None
    if not stages:
        note(table, context.document, "stages", "a pipeline without stages", "give it at least one")
        return NOTHING
    return Pipeline(table.text("name") or "pipeline", items, tuple(stages), buffer)


def _graph(table: Table, context: _Context) -> Job:
    table.allow(("op", "name", "tasks"))
    rows = table.tables("tasks")
    names = [row.text("name") or f"task{i + 1}" for i, row in enumerate(rows)]
    if not rows:
        note(table, context.document, "tasks", "a graph without tasks", "give it at least one")
        return NOTHING
    before: list[list[int]] = []
    for i, row in enumerate(rows):
        row.allow(("name", "steps", "preds"))
        if names[i] in names[:i]:
            note(row, context.document, "name", f"the name '{names[i]}' is taken", "give each task its own")
        before.append(_predecessors(row, names, context))
    order = _order(before)
    if order is None:
        cycle = " -> ".join(names[i] for i in _cycle(before))
        note(table, context.document, "tasks", f"tasks wait for each other: {cycle}", "take one of these arrows away")
        return NOTHING
    place = {old: new for new, old in enumerate(order)}
    tasks = tuple(
        Task(names[i], _steps(rows[i], "steps", context), tuple(sorted(place[p] for p in before[i]))) for i in order
    )
    return Graph(table.text("name") or "graph", tasks)


def _predecessors(row: Table, names: Sequence[str], context: _Context) -> list[int]:
    found = []
    given = row.content.get("preds", [])
    for i, name in enumerate(given if isinstance(given, list) else []):
        if name in names:
            found.append(names.index(name))
        else:
            problem = f"there is no task '{name}'{nearest(str(name), names)}"
            row.notes.found.append(context.document.wrong((*row.at("preds"), i), problem, "name a task of this graph"))
    if not isinstance(given, list):
        row.notes.wrong_type(row.at("preds"), "an array of task names", given)
    return found


def _order(before: Sequence[Sequence[int]]) -> list[int] | None:
    """An order in which predecessors come first; None if there is none."""
    from graphlib import CycleError, TopologicalSorter

    try:
        return list(TopologicalSorter(dict(enumerate(before))).static_order())
    except CycleError:
        return None


def _cycle(before: Sequence[Sequence[int]]) -> list[int]:
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(dict(enumerate(before))).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _steps(table: Table, key: str, context: _Context) -> tuple[Step, ...]:
    found = []
    if key not in table:
        table.notes.missing_key(table.at(key), f'{key} = [{{ station = "cpu", demand = 0.5 }}]')
    for row in table.tables(key):
        row.allow(("station", "demand", "dist"))
        name = row.text("station")
        if name not in context.stations:
            problem = f"there is no station '{name}'{nearest(name, context.stations)}"
            note(row, context.document, "station", problem, f"stations: {', '.join(context.stations) or 'none'}")
        if "demand" not in row:
            row.notes.missing_key(row.at("demand"), "seconds of service: demand = 0.5")
        demand = row.number("demand") or 0.0
        found.append(Step(context.stations.get(name, 0), demand, distribution(row, "dist", context.document)))
    return tuple(s for s in found if s.demand > 0)
