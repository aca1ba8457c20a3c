"""Layered queueing networks as LQNS writes them in XML (`.lqnx`)."""

from __future__ import annotations

from typing import Any

from apet.ground.documents.document import Document
from apet.ground.documents.xml import Element, parse
from apet.ground.source import Source
from apet.queueing.read.lqn import LqnTables

PRECEDENCES = ("pre", "pre-OR", "pre-AND", "post", "post-OR", "post-AND", "post-LOOP")
PROCESSOR = ("name", "scheduling", "multiplicity", "quantum", "speed-factor", "replication")
TASK = ("name", "scheduling", "multiplicity", "think-time", "priority", "replication", "activity-graph", "queue-length")
ENTRY = ("name", "type", "open-arrival-rate", "priority")
WORK = ("name", "phase", "host-demand-mean", "host-demand-cvsq", "think-time", "max-service-time", "call-order")
ACTIVITY = (*WORK, "bound-to-entry")
WITHOUT_MEANING = ("solver-params", "plot-control", "run-control", "service-time-distribution", "histogram-bin")


def lqn_of_xml(source: Source) -> Document:
    """The layered queues of a file; `ApetError` with its place for what is not modelled."""
    reader = _XmlReader(source)
    root = parse(source)
    if root.tag != "lqn-model":
        raise reader.out.refuse(root.span, f"this is a <{root.tag}>", "a layered queueing network is an <lqn-model>")
    for element in reader.inside(root, ("processor",)):
        reader.processor(element)
    return reader.out.document()


class _XmlReader:
    def __init__(self, source: Source) -> None:
        self.out = LqnTables(source)

    def inside(self, element: Element, tags: tuple[str, ...]) -> list[Element]:
        """The elements in one; those of results and of solvers say nothing about the model."""
        inside = [e for e in element.inside if not e.tag.startswith("result") and e.tag not in WITHOUT_MEANING]
        for other in inside:
            if other.tag not in tags:
                raise self.out.not_modelled(other.span, f"<{other.tag}>")
        return inside

    def take(self, element: Element, names: tuple[str, ...]) -> dict[str, Any]:
        """Attributes, as numbers where they are; `ApetError` for others than these."""
        for name in element.attributes:
            if name not in names and not name.startswith("xml"):
                raise self.out.not_modelled(element.span, f"{name} of <{element.tag}>")
        texts = ("name", "scheduling", "type", "dest", "call-order", "bound-to-entry", "activity-graph", "end")
        return {
            name: value if name in texts else self.out.number(value, element.span)
            for name, value in element.attributes.items()
        }

    def processor(self, element: Element) -> None:
        given = self.take(element, PROCESSOR)
        self.out.processor(element.span, given, given.get("scheduling", "fcfs"))
        for task in self.inside(element, ("task",)):
            self.task(task, given.get("name", ""))

    def task(self, element: Element, processor: str) -> None:
        given = self.take(element, TASK)
        if given.get("queue-length"):
            raise self.out.not_modelled(element.span, "a queue of limited size")
        name = given.get("name", "")
        self.out.task(element.span, given, processor, given.get("scheduling", "fcfs"))
        for part in self.inside(element, ("entry", "task-activities")):
            if part.tag == "entry":
                self.entry(part, name)
            else:
                self.graph(part, name)

    def entry(self, element: Element, task: str) -> None:
        given = self.take(element, ENTRY)
        if given.get("priority"):
            raise self.out.not_modelled(element.span, "priorities of entries")
        name = given.get("name", "")
        self.out.entry(element.span, name, task)["arrival_rate"] = given.get("open-arrival-rate", 0)
        for part in self.inside(element, ("entry-phase-activities", "forwarding")):
            if part.tag == "forwarding":
                forward = self.take(part, ("dest", "prob"))
                self.out.forward(part.span, name, forward.get("dest", ""), forward.get("prob", 0))
                continue
            for activity in self.inside(part, ("activity",)):
                phase = self.take(activity, ACTIVITY).get("phase", 1)
                self.work(activity, self.out.phase(activity.span, name, phase))

    def work(self, element: Element, row: dict[str, Any]) -> None:
        """The demand and the calls of a phase or an activity."""
        given = self.take(element, ACTIVITY)
        self.out.put(row, element.span, "demand", given.get("host-demand-mean", 0))
        self.out.put(row, element.span, "variation", given.get("host-demand-cvsq", 1))
        self.out.put(row, element.span, "think", given.get("think-time", 0))
        self.out.put(row, element.span, "fixed", given.get("call-order", "STOCHASTIC").upper() == "DETERMINISTIC")
        for call in self.inside(element, ("synch-call", "asynch-call")):
            of_call = self.take(call, ("dest", "calls-mean"))
            key = "calls" if call.tag == "synch-call" else "sends"
            self.out.put(row, call.span, key, of_call.get("calls-mean", 0), of_call.get("dest", ""))

    def graph(self, element: Element, task: str) -> None:
        """Activities and how they follow each other."""
        parts = self.inside(element, ("activity", "precedence", "reply-entry"))
        for part in parts:
            if part.tag == "activity":
                given = self.take(part, ACTIVITY)
                self.work(part, self.out.activity(part.span, given.get("name", ""), task))
                if "bound-to-entry" in given:
                    self.out.start(part.span, given["bound-to-entry"], given.get("name", ""))
        for part in parts:
            if part.tag == "reply-entry":
                for activity in self.inside(part, ("reply-activity",)):
                    name = self.take(activity, ("name",)).get("name", "")
                    self.out.reply(activity.span, task, name, part.attributes.get("name", ""))
            if part.tag == "precedence":
                self.precedence(part, task)

    def precedence(self, element: Element, task: str) -> None:
        before, after = list[str](), list[tuple[str, float | None]]()
        join, fork = "pre", "post"
        for side in self.inside(element, PRECEDENCES):
            end = self.take(side, ("end",)).get("end")
            for activity in self.inside(side, ("activity",)):
                given = self.take(activity, ("name", "prob", "count"))
                if side.tag.startswith("pre"):
                    before.append(given.get("name", ""))
                else:
                    after.append((given.get("name", ""), given.get("prob", given.get("count", 1))))
            after += [(end, None)] if end else []
            join, fork = (side.tag, fork) if side.tag.startswith("pre") else (join, side.tag)
        kinds = {"post-OR": "chances", "post-LOOP": "counts"}
        self.out.precedence(element.span, task, (before, join != "pre-OR"), after, kinds.get(fork, ""))
