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
MOST_PHASES = 3
"""Phases that LQNS knows (its manual, "Phases")."""


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
        if number == float("inf"):
            return 0
        if not isinstance(number, int) or number < 1:
            raise self.refuse(
                place, f"a multiplicity of {number:g}", "write a whole number above 0, or an infinite one"
            )
        return number

    def task(self, place: Span, given: Mapping[str, Any], processor: str, scheduling: str) -> None:
        """A task: its name, multiplicity, think-time and priority."""
        if scheduling not in TASKS:
            raise self.not_modelled(place, f"scheduling '{scheduling}' of tasks")
        kind, number = TASKS[scheduling], self.many(place, given)
        row = self.add("tasks", place, name=given.get("name"), processor=processor)
        self.rows["task", given.get("name", "")] = row
        think, rank = given.get("think-time"), given.get("priority", 0)
        if kind == "ref":
            if not number:
                raise self.not_modelled(place, "a reference task without a number of users")
            row |= {"population": number} | ({"think": think} if think else {})
        elif think:
            raise self.not_modelled(place, "the think time of a task that serves")
        elif kind == "delay" or not number:
            row["type"] = "delay"
        elif number > 1:
            row["processes"] = number
        if not isinstance(rank, int):
            raise self.refuse(place, f"a priority of {rank:g}", "write a whole number")
        if rank:
            row["priority"] = rank

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
        self.once(place, self.known(place, "entry", name).setdefault("forward", {}), target)[target] = chance

    def once(self, place: Span, row: dict[str, Any], key: str) -> dict[str, Any]:
        """The row, which does not have the key yet; `ApetError` where it has."""
        if key in row:
            raise self.refuse(place, f"{key} is given twice", "write it once")
        return row

    def phase(self, place: Span, name: str, number: float) -> dict[str, Any]:
        """The row of a phase of an entry."""
        if not isinstance(number, int) or not 1 <= number <= MOST_PHASES:
            raise self.refuse(place, f"a phase {number:g}", f"phases of LQNS are 1 to {MOST_PHASES}")
        phases = self.known(place, "entry", name).setdefault("phases", [])
        phases += [{} for _ in range(number - len(phases))]
        return phases[number - 1]  # type: ignore[no-any-return]

    def put(self, row: dict[str, Any], place: Span, key: str, value: float, of: str = "") -> None:
        """What an activity does: demand, variation, think, fixed, or calls and sends of an entry."""
        if key in ("calls", "sends"):
            if value:
                self.once(place, row.setdefault(key, {}), of)[of] = value
        elif key == "variation":
            distribution = shape(value)
            if distribution and distribution["type"] == "erlang" and abs(distribution["k"] * value - 1) > 1e-3:
                raise self.not_modelled(place, f"a squared coefficient of variation of {value:g}")
            row |= {"dist": distribution} if distribution else {}
        elif key == "fixed":
            row |= {"order": "fixed"} if value else {}
        elif value:
            self.once(place, row, key)[key] = value

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
        after: Sequence[tuple[str, float | None]],
        numbers: str,
    ) -> None:
        """Activities behind others, all of which must end or any; numbers are "chances", or "counts" of a loop, whose
        end has none and is its last."""
        if not after:
            return
        names, all_of_them = before
        counted = after[:-1] if numbers == "counts" and after[-1][1] is None else after
        if numbers and any(n is None for _, n in counted):
            what = "a probability" if numbers == "chances" else "a number of rounds"
            raise self.refuse(
                place, f"{what} is missing", "write one for each; only the end of a loop, its last, has none"
            )
        row = self.add("precedences", place, task=task, after=list(names), then=[name for name, _ in after])
        row |= {} if all_of_them else {"join": "any"}
        if numbers:
            row[numbers] = [n for _, n in counted]

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
