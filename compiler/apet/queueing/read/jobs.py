"""Jobs with precedence: stations, classes, and for each class the tree of its tasks."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import (
    Circulation,
    Job,
    JobChoice,
    JobGraph,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pipeline,
    PipelineStage,
    Scenario,
    SerialJob,
)
from apet.queueing.data.unrolling import MOST_TASKS, JobTooBig, variants
from apet.queueing.read.distributions import distribution, note
from apet.queueing.read.networks import (
    check_kind,
    check_ranks,
    check_unique,
    discipline,
    numbered_name,
    population,
    priority,
    servers,
)
from apet.queueing.read.pools import pools

ARRIVALS = ("arrival_rate", "arrival_dist")
OPERATORS = ("task", "S", "P", "O", "pipeline", "dag")
NOTHING = JobTask("nothing", ())
MOST_DEPTH = 200
"""Operators in each other: far below Python's limit of recursion."""
LONGEST = 1e18
"""Seconds of a step or a think time: products of several stay finite."""
SUM_TOLERANCE = 1e-6


def scenario(top: Table, document: Document, also: Sequence[str]) -> Scenario:
    """The scenario of a file; `ApetError` with every error."""
    top.allow(("stations", "classes", "pools", *also))
    if not top.content.get("stations"):
        top.notes.missing_key(top.at("stations"), "jobs need at least one station")

    stations = [_station(t, document) for t in top.tables("stations")]
    check_unique(top, "stations", [s.name for s in stations])
    reader = _JobReader(document, [s.name for s in stations])
    classes = [reader.circulation(t) for t in top.tables("classes")]
    check_unique(top, "classes", [c.name for c in classes])
    limits = pools(top, document, classes)
    check_ranks(top, document, [s.discipline for s in stations])
    top.notes.finish()
    return Scenario(tuple(stations), tuple(classes), limits)


def _station(table: Table, document: Document) -> JobStation:
    table.allow(("name", "discipline", "servers", "type", "price", "note"))
    name, order = numbered_name(table, "station"), discipline(table, document, "PS")
    return JobStation(name, order, servers(table), table.number("price") or 0.0)


class _JobReader:
    """Reads classes and the trees of their jobs; `stations` are names, a name given twice is its last station."""

    def __init__(self, document: Document, stations: Sequence[str]) -> None:
        self.document = document
        self.stations = {name: k for k, name in enumerate(stations)}

    def note(self, table: Table, key: str, problem: str, advice: str) -> None:
        note(table, self.document, key, problem, advice)

    def circulation(self, table: Table) -> Circulation:
        table.allow(("name", "population", "think", "think_dist", *ARRIVALS, "priority", "job", "note"))
        name, is_open = numbered_name(table, "class"), "arrival_rate" in table
        size = population(table) if "population" in table else 0
        think = table.number("think", 0.0, LONGEST) or 0.0
        check_kind(table, self.document)
        shape = distribution(table, "arrival_dist" if is_open else "think_dist", self.document)
        rate = table.number("arrival_rate", above=True) if is_open else None

        empty = Circulation(name, size, think, (), shape, rate, priority(table))
        tree = table.table("job")
        if tree is None:
            table.notes.missing_key(table.at("job"), 'what each job does: { op = "task", name = …, steps = […] }')
            return empty
        before = len(table.notes.diagnostics)
        job = self.job(tree, 0)
        if len(table.notes.diagnostics) > before:
            return empty
        try:
            return empty._replace(variants=variants(job))
        except JobTooBig as error:
            self.note(table, "job", str(error), "make the job smaller")
            return empty

    def job(self, table: Table, depth: int) -> Job:
        kind = table.text("op", "task")
        if depth > MOST_DEPTH:
            self.note(table, "op", f"more than {MOST_DEPTH} operators in each other", "make it flatter")
            return NOTHING

        match kind:
            case "S" | "P" | "O":
                return self.operator(kind, table, depth)
            case "pipeline":
                return self.pipeline(table)
            case "dag":
                return self.graph(table)
            case "task":
                table.allow(("op", "name", "steps"))
                return JobTask(table.text("name") or "task", self.steps(table, "steps"))
            case _:
                advice = f"choose one of: {', '.join(OPERATORS)}"
                self.note(table, "op", f"there is no operator '{kind}'{nearest(kind, OPERATORS)}", advice)
                return NOTHING

    def operator(self, kind: str, table: Table, depth: int) -> Job:
        table.allow(("op", "name", "children", "probs") if kind == "O" else ("op", "name", "children"))
        parts = tuple(self.job(t, depth + 1) for t in table.tables("children"))
        if not parts:
            self.note(table, "children", "an empty tree", "give it at least one part")
            return NOTHING
        if kind in ("S", "P"):
            return SerialJob(parts) if kind == "S" else ParallelJob(parts)

        numbers = table.content.get("probs", [])
        chances = [table.figure((*table.at("probs"), i), p, "", False) or 0.0 for i, p in enumerate(numbers)]
        if len(chances) != len(parts):
            self.note(table, "probs", f"{len(chances)} probabilities for {len(parts)} parts", "give one per part")
            return parts[0]
        if abs(sum(chances) - 1) > SUM_TOLERANCE:
            problem = f"their sum is {sum(chances):.6g}, not 1"
            self.note(table, "probs", problem, "one of the parts is always taken")
        return JobChoice(tuple(chances), parts)

    def pipeline(self, table: Table) -> Job:
        table.allow(("op", "name", "items", "buffer", "stages"))
        stages = list[PipelineStage]()
        for stage in table.tables("stages"):
            stage.allow(("name", "item_steps"))
            stages.append(
                PipelineStage(stage.text("name") or f"stage{len(stages) + 1}", self.steps(stage, "item_steps"))
            )

        if "items" not in table:
            table.notes.missing_key(table.at("items"), "how many items go through: items = 8")
        items = table.count("items")
        buffer = table.count("buffer") if table.content.get("buffer") is not None else None
        if not stages:
            self.note(table, "stages", "a pipeline without stages", "give it at least one")
            return NOTHING
        return Pipeline(table.text("name") or "pipeline", items, tuple(stages), buffer)

    def graph(self, table: Table) -> Job:
        table.allow(("op", "name", "tasks"))
        rows = table.tables("tasks")
        names = [row.text("name") or f"task{i + 1}" for i, row in enumerate(rows)]
        if not rows:
            self.note(table, "tasks", "a graph without tasks", "give it at least one")
            return NOTHING
        if len(rows) > MOST_TASKS:
            self.note(table, "tasks", f"more than {MOST_TASKS:,} tasks", "describe a smaller job")
            return NOTHING

        predecessors: list[list[int]] = []
        for i, row in enumerate(rows):
            row.allow(("name", "steps", "preds"))
            if names[i] in names[:i]:
                self.note(row, "name", f"the name '{names[i]}' is taken", "give each task its own")
            predecessors.append(self.predecessors(row, names))

        try:
            order = list(TopologicalSorter(dict(enumerate(predecessors))).static_order())
        except CycleError as error:
            cycle = " -> ".join(names[i] for i in error.args[1])
            self.note(table, "tasks", f"tasks wait for each other: {cycle}", "take one of these arrows away")
            return NOTHING
        place = {old: new for new, old in enumerate(order)}
        tasks = tuple(
            JobTask(names[i], self.steps(rows[i], "steps"), tuple(sorted(place[p] for p in predecessors[i])))
            for i in order
        )
        return JobGraph(table.text("name") or "graph", tasks)

    def predecessors(self, row: Table, names: Sequence[str]) -> list[int]:
        listed = row.content.get("preds", [])
        if not isinstance(listed, list):
            row.notes.wrong_type(row.at("preds"), "an array of task names", listed)
            return []
        for i, name in enumerate(listed):
            if name not in names:
                problem = f"there is no task '{name}'{nearest(str(name), names)}"
                path = (*row.at("preds"), i)
                row.notes.diagnostics.append(self.document.wrong(path, problem, "name a task of this graph"))
        return [names.index(name) for name in listed if name in names]

    def steps(self, table: Table, key: str) -> tuple[JobStep, ...]:
        """The steps under a key; those that take no time are left out."""
        steps = []
        if key not in table:
            table.notes.missing_key(table.at(key), f'{key} = [{{ station = "cpu", demand = 0.5 }}]')
        for row in table.tables(key):
            row.allow(("station", "demand", "dist"))
            name = row.text("station")
            if name not in self.stations:
                problem = f"there is no station '{name}'{nearest(name, self.stations)}"
                self.note(row, "station", problem, f"stations: {', '.join(self.stations) or 'none'}")
            if "demand" not in row:
                row.notes.missing_key(row.at("demand"), "seconds of service: demand = 0.5")

            demand = row.number("demand", 0.0, LONGEST) or 0.0
            steps.append(JobStep(self.stations.get(name, 0), demand, distribution(row, "dist", self.document)))
        return tuple(s for s in steps if s.demand > 0)
