"""What both forms of layered queueing networks say, in the words of LQNS, as tables of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apet.ground.documents.document import Document
from apet.ground.source import Source, Span
from apet.queueing.read.foreign import ForeignTables, shape

DISCIPLINES = {"fcfs": "FCFS", "f": "FCFS", "ps": "PS", "s": "PS", "inf": "delay", "i": "delay"}
DISCIPLINES |= {"hol": "priority", "h": "priority", "pri": "preemptive", "ppr": "preemptive", "p": "preemptive"}
TASKS = {"ref": "ref", "r": "ref", "fcfs": "queue", "f": "queue", "n": "queue", "inf": "delay", "i": "delay"}


class LqnTables(ForeignTables):
    """Tables of layered queues, filled in the order of a file."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, "layered queueing network")
        self.rows: dict[tuple[str, ...], dict[str, Any]] = {}

    def processor(self, place: Span, given: Mapping[str, Any], scheduling: str) -> None:
        """A processor: its name, multiplicity and speed-factor."""
        if scheduling not in DISCIPLINES:
            raise self.not_modelled(place, f"scheduling '{scheduling}' of processors")
        number = self.many(place, given)
        order = "delay" if number == 0 else DISCIPLINES[scheduling]
        speed = given.get("speed-factor")
        self.add(
            "processors",
            place,
            name=given.get("name"),
            discipline=order,
            servers=number if number > 1 else None,
            speed=speed,
        )

    def many(self, place: Span, given: Mapping[str, Any]) -> int:
        """The multiplicity, 0 where it is infinite."""
        if given.get("replication", 1) != 1:
            raise self.not_modelled(place, "replication")
        number = given.get("multiplicity", 1)
        return 0 if number == float("inf") else int(number)

    def task(self, place: Span, given: Mapping[str, Any], processor: str, scheduling: str) -> None:
        """A task: its name, multiplicity, think-time and priority."""
        if scheduling not in TASKS:
            raise self.not_modelled(place, f"scheduling '{scheduling}' of tasks")
        kind, number = TASKS[scheduling], self.many(place, given)
        row = self.add("tasks", place, name=given.get("name"), processor=processor)
        self.rows["task", given.get("name", "")] = row
        if kind == "ref":
            row |= {"population": number} | ({"think": given["think-time"]} if given.get("think-time") else {})
        elif kind == "delay" or not number:
            row["type"] = "delay"
        elif number > 1:
            row["processes"] = number
        if given.get("priority"):
            row["priority"] = int(given["priority"])

    def entry(self, place: Span, name: str, task: str) -> dict[str, Any]:
        """The row of an entry."""
        self.rows["entry", name] = self.add("entries", place, name=name, task=task)
        return self.rows["entry", name]

    def known(self, place: Span, *key: str) -> dict[str, Any]:
        """A row by kind and name; `ApetError` where there is none."""
        if key not in self.rows:
            raise self.refuse(place, f"there is no {key[0]} '{key[-1]}'", "names are declared before they are used")
        return self.rows[key]

    def forward(self, place: Span, name: str, target: str, chance: float) -> None:
        """Leave answers to another entry."""
        self.known(place, "entry", name).setdefault("forward", {})[target] = chance

    def phase(self, place: Span, name: str, number: int) -> dict[str, Any]:
        """The row of a phase of an entry."""
        phases = self.known(place, "entry", name).setdefault("phases", [])
        phases += [{} for _ in range(number - len(phases))]
        return phases[number - 1]  # type: ignore[no-any-return]

    def put(self, row: dict[str, Any], place: Span, key: str, value: float, of: str = "") -> None:
        """What an activity does: demand, variation, think, fixed, or calls and sends of an entry."""
        if key in ("calls", "sends"):
            if value:
                row.setdefault(key, {})[of] = value
        elif key == "variation":
            distribution = shape(value)
            if distribution and distribution["type"] == "erlang" and abs(distribution["k"] * value - 1) > 1e-3:
                raise self.not_modelled(place, f"a squared coefficient of variation of {value:g}")
            row |= {"dist": distribution} if distribution else {}
        elif key == "fixed":
            row |= {"order": "fixed"} if value else {}
        elif value:
            row[key] = value

    def activity(self, place: Span, name: str, task: str) -> dict[str, Any]:
        """The row of an activity of a task."""
        key = ("activity", task, name)
        if key not in self.rows:
            self.rows[key] = self.add("activities", place, name=name, task=task)
        return self.rows[key]

    def start(self, place: Span, entry: str, activity: str) -> None:
        """Let an entry begin with an activity."""
        self.known(place, "entry", entry)["start"] = activity

    def reply(self, place: Span, task: str, activity: str, entry: str) -> None:
        """Let an activity answer."""
        self.known(place, "activity", task, activity).setdefault("replies", []).append(entry)

    def precedence(
        self,
        place: Span,
        task: str,
        before: tuple[Sequence[str], bool],
        after: Sequence[tuple[str, float]],
        numbers: str,
    ) -> None:
        """Activities behind others, all of which must end or any; numbers are "chances", or "counts" of a loop, whose
        end has none."""
        if not after:
            return
        names, all_of_them = before
        row = self.add("precedences", place, task=task, after=list(names), then=[name for name, _ in after])
        row |= {} if all_of_them else {"join": "any"}
        if numbers:
            row[numbers] = [n for _, n in after if numbers == "chances" or n]

    def document(self) -> Document:
        """The tables; the greatest priority is the first of ours."""
        tasks = self.content.get("tasks", [])
        ranked = {
            p["name"] for p in self.content.get("processors", []) if p["discipline"] in ("priority", "preemptive")
        }
        greatest = max((task.get("priority", 0) for task in tasks), default=0)
        for task in tasks:
            rank = greatest - task.pop("priority", 0) + 1
            if task["processor"] in ranked and rank > 1:
                task["priority"] = rank
        for entry in self.content.get("entries", []):
            if not entry.get("arrival_rate"):
                entry.pop("arrival_rate", None)
            if "start" not in entry and "phases" not in entry:
                entry["phases"] = [{}]
        return super().document()
