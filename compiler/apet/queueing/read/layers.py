"""Layered queues: processors, tasks, entries with phases or activities, and how activities follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import JobStation
from apet.queueing.data.layers import Activity, Call, Fork, Layered, LayeredEntry, LayeredTask
from apet.queueing.data.networks import BY_RANK
from apet.queueing.read.distributions import distribution, note
from apet.queueing.read.networks import TYPES, check_unique, discipline, numbered_name, population, priority, servers

KEYS = ("processors", "tasks", "entries", "activities", "precedences")
WORK = ("name", "demand", "dist", "calls", "sends", "order", "think", "note")
LONGEST = 1e18
MOST_CALLS = 1e6
SUM_TOLERANCE = 1e-6


def layered(top: Table, document: Document, also: Sequence[str]) -> Layered:
    """The layered queues of a file; `ApetError` with every error."""
    top.allow((*KEYS, *also))
    for key in KEYS[:3]:
        if not top.content.get(key):
            top.notes.missing_key(top.at(key), f"layered queues have at least one of their {key}")
    top.notes.finish()
    reader = _LayersReader(top, document)
    model = reader.model()
    top.notes.finish()
    return model


class _LayersReader:
    """The tables of a file, and the numbers of names in them; activities and forks as they are read."""

    def __init__(self, top: Table, document: Document) -> None:
        self.document = document
        self.tables = {key: top.tables(key) for key in KEYS}
        self.names: dict[str, list[str]] = {}
        for key in KEYS[:3]:
            self.names[key] = [numbered_name(table, key) for table in self.tables[key]]
            check_unique(top, key, self.names[key])
        self.speeds = [table.number("speed", above=True) or 1.0 for table in self.tables["processors"]]
        self.owners = [self.number(table, "task", "tasks") for table in self.tables["entries"]]
        self.activities: list[Activity] = []
        self.forks: list[Fork] = []
        self.replies: dict[int, list[Any]] = {}  # by activity, the entries that it answers
        self.places: dict[tuple[int, str], int] = {}  # activities by task and name
        self.loops: list[tuple[int, list[int]]] = []  # forks that may come again, and what begins in them

    def model(self) -> Layered:
        processors = tuple(self.processor(table) for table in self.tables["processors"])
        self.homes = [self.number(table, "processor", "processors") for table in self.tables["tasks"]]
        for table in self.tables["activities"]:
            self.activity_of_graph(table)
        for table in self.tables["precedences"]:
            self.precedence(table)
        self.close_loops()
        entries = tuple(self.entry(e, table) for e, table in enumerate(self.tables["entries"]))

        tasks = [self.task(t, table) for t, table in enumerate(self.tables["tasks"])]
        ranked = {p for p, station in enumerate(processors) if station.discipline in BY_RANK}
        for table, home in zip(self.tables["tasks"], self.homes, strict=True):
            if "priority" in table and home not in ranked:
                note(table, self.document, "priority", "its processor does not serve by priority", "leave it out")
        for e, table in enumerate(self.tables["entries"]):
            if "arrival_rate" in table:
                rate = table.number("arrival_rate", 0.0, LONGEST, above=True) or 1.0
                owner = self.owners[e]
                tasks.append(LayeredTask(entries[e].name, self.homes[owner], 1, 1, e, 1 / rate, True))
                if tasks[owner].reference is not None:
                    note(table, self.document, "arrival_rate", "its task makes its own requests", "leave it out")
        self.check_calls(tasks, entries)
        if not any(task.reference is not None for task in tasks):
            path, advice = ("tasks",), "let a task have population = 10, or an entry arrival_rate = 2"
            problem = "nobody makes requests"
            self.tables["tasks"][0].notes.diagnostics.append(self.document.wrong(path, problem, advice))
        return Layered(processors, tuple(tasks), entries, tuple(self.activities), tuple(self.forks))

    def number(self, table: Table, key: str, kind: str, default: str = "") -> int:
        """The number of what a key names; 0 with a note where there is no such thing."""
        names, name = self.names[kind], table.text(key, default)
        if name in names:
            return names.index(name)
        if key not in table:
            table.notes.missing_key(table.at(key), f"the name of one of the {kind}")
        else:
            self.unknown(table, (*table.at(key),), name, kind)
        return 0

    def unknown(self, table: Table, path: tuple[str | int, ...], name: str, kind: str) -> None:
        names = self.names[kind]
        problem = f"'{name}' is none of the {kind}{nearest(name, names)}"
        table.notes.diagnostics.append(self.document.wrong(path, problem, f"{kind}: {', '.join(names)}"))

    def processor(self, table: Table) -> JobStation:
        table.allow(("name", "servers", "discipline", "type", "speed", "price", "note"))
        name, order = numbered_name(table, "processor"), discipline(table, self.document, "FCFS")
        return JobStation(name, order, servers(table), table.number("price") or 0.0)

    def task(self, t: int, table: Table) -> LayeredTask:
        """A task; its entries are read."""
        table.allow(("name", "processor", "processes", "type", "population", "think", "priority", "note"))
        own = [e for e, owner in enumerate(self.owners) if owner == t]
        if not own:
            note(table, self.document, "name", "it has no entries", "give it one: [[entries]] with its name as task")
        rank = priority(table)
        if "population" in table:
            if len(own) > 1:
                note(table, self.document, "population", "it begins one entry, and has more", "split it")
            for key in ("processes", "type"):
                if key in table:
                    note(table, self.document, key, "a task with a population serves nobody", "leave it out")
            think = table.number("think", 0.0, LONGEST) or 0.0
            first = own[0] if own else 0
            return LayeredTask(self.names["tasks"][t], self.homes[t], population(table), rank, first, think)
        if "think" in table:
            note(table, self.document, "think", "only a task with a population thinks", "leave it out")
        kind, processes = table.text("type", "queue"), servers(table, "processes")
        if kind not in TYPES:
            table.notes.wrong_type(table.at("type"), '"queue" or "delay"', kind)
        if kind == "delay" and "processes" in table:
            note(table, self.document, "processes", "a delay serves any number at once", "leave it out")
        return LayeredTask(self.names["tasks"][t], self.homes[t], 0 if kind == "delay" else processes, rank)

    def work(self, table: Table, t: int, name: str) -> Activity:
        """An activity with its calls."""
        order = table.text("order", "random")
        if order not in ("random", "fixed"):
            note(table, self.document, "order", f"there is no '{order}'", '"random" or "fixed"')
        calls = [*self.calls(table, "calls", True), *self.calls(table, "sends", False)]
        fixed = order == "fixed"
        for key in ("calls", "sends"):
            inner = table.table(key)
            for entry, mean in inner.content.items() if inner and fixed else ():
                if not isinstance(mean, int | float) or not float(mean).is_integer():
                    note(inner or table, self.document, entry, "a fixed number of calls is a whole one", "round it")
        demand = (table.number("demand", 0.0, LONGEST) or 0.0) / self.speeds[self.homes[t]]
        shape, think = distribution(table, "dist", self.document), table.number("think", 0.0, LONGEST) or 0.0
        return Activity(name, t, demand, shape, tuple(calls), fixed, think)

    def calls(self, table: Table, key: str, waits: bool) -> list[Call]:
        inner, calls = table.table(key), list[Call]()
        for name in inner.content if inner else ():
            assert inner
            mean = inner.number(name, 0.0, MOST_CALLS) or 0.0
            if name not in self.names["entries"]:
                self.unknown(inner, inner.at(name), name, "entries")
            elif mean:
                calls.append(Call(self.names["entries"].index(name), mean, waits))
        return calls

    def entry(self, e: int, table: Table) -> LayeredEntry:
        """An entry; its phases become activities, the first of which answers."""
        table.allow(("name", "task", "arrival_rate", "phases", "start", "forward", "note"))
        t, name = self.owners[e], self.names["entries"][e]
        forwards = [(c.entry, c.mean) for c in self.calls(table, "forward", True)]
        if sum(chance for _, chance in forwards) > 1 + SUM_TOLERANCE:
            note(table, self.document, "forward", "probabilities have a sum above 1", "the rest is answered here")
        if "start" in table:
            if "phases" in table:
                note(table, self.document, "phases", "this entry starts with an activity", "leave phases or start out")
            first = self.place(table, "start", t, table.text("start"))
            for a in self.reached(first):
                if self.activities[a].replies and name not in self.replies[a]:
                    problem = f"{self.activities[a].name} answers other entries, and it leads there"
                    note(table, self.document, "start", problem, f"let its replies name {name}, or give it its own")
            return LayeredEntry(name, t, first[0] if first else 0, tuple(forwards))

        phases, start = table.tables("phases"), len(self.activities)
        if not phases:
            table.notes.missing_key(table.at("phases"), "phases = [{ demand = 0.5 }], or start with an activity")
        for i, phase in enumerate(phases):
            phase.allow(WORK)
            last = i + 1 == len(phases)
            fork = None if last else len(self.forks)
            activity = self.work(phase, t, f"{name}, phase {i + 1}")
            self.activities.append(activity._replace(replies=i == 0, fork=fork))
            if not last:
                self.forks.append(Fork((len(self.activities),)))
        return LayeredEntry(name, t, start, tuple(forwards))

    def activity_of_graph(self, table: Table) -> None:
        table.allow((*WORK, "task", "replies"))
        t, name = self.number(table, "task", "tasks"), numbered_name(table, "activity")
        if (t, name) in self.places:
            note(table, self.document, "name", f"the task has an activity '{name}'", "give each its own name")
        self.places[t, name] = len(self.activities)
        replies = self.listed(table, "replies")
        for reply in replies:
            if reply not in self.names["entries"]:
                self.unknown(table, table.at("replies"), str(reply), "entries")
        self.replies[len(self.activities)] = replies
        self.activities.append(self.work(table, t, name)._replace(replies=bool(replies)))

    def place(self, table: Table, key: str, t: int, name: str) -> list[int]:
        """The number of an activity of a task; none, with a note, where there is no such activity."""
        if (t, name) not in self.places:
            names = [n for task, n in self.places if task == t]
            problem = f"'{name}' is no activity of this task{nearest(name, names)}"
            note(table, self.document, key, problem, f"activities: {', '.join(names) or 'none'}")
            return []
        return [self.places[t, name]]

    def listed(self, table: Table, key: str, needed: str = "") -> list[Any]:
        """The values of an array, which may be left out unless something is needed."""
        values = table.content.get(key, [])
        if not isinstance(values, list):
            table.notes.wrong_type(table.at(key), "an array, [...]", values)
            return []
        if needed and not values:
            table.notes.missing_key(table.at(key), needed)
        return values

    def precedence(self, table: Table) -> None:
        """What begins after activities: all of `then`, or one of them, or one again and again."""
        table.allow(("task", "after", "join", "then", "chances", "counts", "note"))
        t, join = self.number(table, "task", "tasks"), table.text("join", "all")
        if join not in ("all", "any"):
            note(table, self.document, "join", f"there is no '{join}'", '"all" or "any"')
        after, then = (
            [a for n in self.listed(table, key, "names of activities") for a in self.place(table, key, t, str(n))]
            for key in ("after", "then")
        )
        needed = len(after) if join == "all" else 1
        chances, counts = (
            [table.figure((*table.at(key), i), n, "", False) or 0.0 for i, n in enumerate(self.listed(table, key))]
            for key in ("chances", "counts")
        )
        if chances and counts:
            note(table, self.document, "chances", "one begins, or each again and again", "leave chances or counts out")
        if chances and (len(chances) != len(then) or abs(sum(chances) - 1) > SUM_TOLERANCE):
            note(table, self.document, "chances", "there is one for each, and their sum is 1", "one of them begins")
        if counts and len(then) not in (len(counts), len(counts) + 1):
            note(table, self.document, "counts", "there is one for each but the last, which ends the loop", "")

        node, targets = len(self.forks), list(then)
        for a in after:
            if self.activities[a].fork is not None:
                problem = f"what follows {self.activities[a].name} is given twice"
                note(table, self.document, "after", problem, "write it once")
            self.activities[a] = self.activities[a]._replace(fork=node)
        if not counts:
            self.forks.append(Fork(tuple(targets), tuple(chances), needed))
            return
        # A loop goes on geometrically often in the mean; what ends in it comes back to its fork.
        if len(then) == len(counts):
            targets.append(len(self.activities))
            self.activities.append(Activity(f"end of loop {node + 1}", t, 0.0))
        total = 1 + sum(counts)
        self.forks.append(Fork(tuple(targets), (*(n / total for n in counts), 1 / total), needed))
        self.loops.append((node, then[: len(counts)]))

    def close_loops(self) -> None:
        """Let the last activities of loops lead back to them, of inner loops first."""
        for node, starts in sorted(self.loops, key=lambda loop: len(self.reached(loop[1]))):
            for a in self.reached(starts):
                if self.activities[a].fork is None:
                    self.activities[a] = self.activities[a]._replace(fork=node)

    def reached(self, starts: Sequence[int]) -> set[int]:
        """These activities, and what may come after them."""
        reached, agenda = set[int](), list(starts)
        while agenda:
            a = agenda.pop()
            if a not in reached:
                reached.add(a)
                fork = self.activities[a].fork
                agenda += [] if fork is None else self.forks[fork].activities
        return reached

    def check_calls(self, tasks: Sequence[LayeredTask], entries: Sequence[LayeredEntry]) -> None:
        """Note calls of tasks that take none, and tasks that would wait for themselves."""
        waits: dict[int, set[int]] = {t: set() for t in range(len(self.tables["tasks"]))}
        called = [(a.task, c.entry, c.waits) for a in self.activities for c in a.calls]
        called += [(e.task, f, True) for e in entries for f, _ in e.forwards]
        for t, entry, waiting in called:
            target = entries[entry].task
            if tasks[target].reference is not None:
                problem = f"it is called by {self.names['tasks'][t]}, and makes requests of its own"
                note(self.tables["tasks"][target], self.document, "population", problem, "give it processes instead")
            elif waiting:
                waits[t].add(target)
        try:
            TopologicalSorter(waits).prepare()
        except CycleError as error:
            cycle = " -> ".join(self.names["tasks"][t] for t in reversed(error.args[1]))
            advice = "let one of the calls be a send, which does not wait"
            note(self.tables["tasks"][error.args[1][0]], self.document, "name", f"it waits for itself: {cycle}", advice)
