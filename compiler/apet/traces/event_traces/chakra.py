"""Graphs of Chakra brought into an order.

An operation comes after those in its `data_deps`, as for Chakra's feeder (`ctrl_deps` say what called what). A process
computes on one lane, which also sends and receives; its collectives are on a second one, and what its host does is on a
third. Of what is ready, sends and collectives come first, then what has the smallest number. Sends do not wait for
receivers, so that all receives are posted at the beginning.
"""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.chakra_graph import (
    COLLECTIVE,
    RECEIVES,
    SENDS,
    Node,
    graph_of,
)
from apet.traces.event_traces.errors import BadRecording
from apet.traces.event_traces.processes import NO_ROOT, ROOTED, Call, Operation, check_room, equal_parts, trace_of
from apet.traces.event_traces.source_lines import MISFITS, size
from apet.traces.trace import Gap, Trace

COLLECTIVES = ("allreduce", "reduce", "allgather", "gather", "scatter", "bcast", "alltoall", *["reducescatter"] * 2)
COLLECTIVES += ("barrier",)
COMPUTING, COMMUNICATING, HOST = range(3)
DEFAULT_GROUPS = ("", "0")
"""Names of the group of all processes."""
NO_TIME = "operations without a duration take no time"
BY_FLOPS = "operations without a duration take their num_ops as flops"
NO_SIZE = "messages without a size are empty"
NO_NODE = "what depends on operations that the graph lacks does not wait for them"
UNSIZED = "communication without kind, size or group of all takes as long as recorded"


def read_chakra(files: Sequence[str], name: str, rate: float, processes: int | None) -> Trace:
    """The trace of all processes; those without a file do what others do. `ApetError` if it cannot be read."""
    number = processes or len(files)
    if number < len(files):
        raise ApetError(BadRecording(None, None, name, f"there are graphs of {len(files)} processes"))
    files = sorted(files, key=_process)
    graphs = [graph_of(file) for file in over(files, "reading the trace", "files")]
    check_room(name, number, max(map(len, graphs)))
    gaps = dict[str, int]()
    operations = list[list[Operation]]()
    for process in range(number):
        file, graph = files[process % len(files)], graphs[process % len(files)]
        try:
            operations.append(_Graph(graph, process, number, rate, gaps).operations)
        except MISFITS as error:
            raise ApetError(BadRecording(None, None, file, str(error))) from None
    if len(files) < number:
        gaps[f"processes without a recording do what others do ({len(files)} of {number} recorded)"] = number - len(
            files
        )
    return trace_of(os.path.basename(name), operations, [Gap("assumed", *each) for each in gaps.items()])


def _process(file: str) -> tuple[int, str]:
    numbers = re.findall(r"\d+", file)
    return int(numbers[-1]) if numbers else 0, file


class _Graph:
    """A graph brought into an order: `operations`. `ValueError` where it has a circle, and other `MISFITS`."""

    def __init__(self, nodes: Sequence[Node], process: int, number: int, rate: float, gaps: dict[str, int]) -> None:
        self.process, self.number, self.rate, self.gaps = process, number, rate, gaps
        self.all = tuple(range(number))
        self.places = dict[int, int]()
        self.received = set[int]()
        self.operations = list[Operation]()
        by_number = {node.number: node for node in nodes}
        self.needs = {n.number: tuple(a for a in n.after if a in by_number) for n in nodes}
        self._count(NO_NODE, sum(len(n.after) - len(self.needs[n.number]) for n in nodes))

        for node in nodes:
            if node.kind == RECEIVES:
                self._append(node, Operation(COMPUTING, (), 0.0, self._call(node)))
        if self._in_order(by_number) < len(nodes):
            raise ValueError("operations depend on each other")

    def _in_order(self, nodes: Mapping[int, Node]) -> int:
        """Append what is ready until nothing is; how many nodes that were."""
        following, left, done = dict[int, list[int]](), {n: len(set(a)) for n, a in self.needs.items()}, 0
        for number, after in self.needs.items():
            for before in set(after):
                following.setdefault(before, []).append(number)
        ready = [(nodes[n].kind < SENDS, n) for n, count in left.items() if not count]
        heapq.heapify(ready)
        while ready:
            number, done = heapq.heappop(ready)[1], done + 1
            if nodes[number].kind != RECEIVES:
                self._take(nodes[number])
            for then in following.get(number, ()):
                left[then] -= 1
                if not left[then]:
                    heapq.heappush(ready, (nodes[then].kind < SENDS, then))
        return done

    def _take(self, node: Node) -> None:
        """Append an operation that is no receive."""
        lane = HOST if node.attributes.get("is_cpu_op") else (node.kind == COLLECTIVE and COMMUNICATING) or COMPUTING
        call = self._call(node)
        flops = 0.0 if call else node.microseconds * self.rate / 1e6 or float(size(node.of("num_ops")))
        if not (node.microseconds or call or node.kind == COLLECTIVE or lane == HOST):
            self._count(BY_FLOPS if flops else NO_TIME, 1)
        after = self._ended(node)
        if lane != COMPUTING and any(self._is_open(place) for place in after):  # a side of a message ends on its lane
            self.operations.append(Operation(COMPUTING, after))
            after = [len(self.operations) - 1]
        self._append(node, Operation(lane, after, flops, call))

    def _is_open(self, place: int) -> bool:
        call = self.operations[place].call
        return call is not None and call.name in ("isend", "irecv")

    def _ended(self, node: Node) -> list[int]:
        """What has to have ended before, also what receives needed, which were posted without it: the first that waits
        for a receive waits for that, too, on the lane on which all sides of messages end."""
        after, open_ = set[int](), list(self.needs[node.number])
        while open_:
            before = open_.pop()
            place = self.places[before]
            after.add(place)
            call = self.operations[place].call
            if call is not None and call.name == "irecv" and place not in self.received:
                self.received.add(place)
                open_ += self.needs[before]
        return sorted(after)

    def _append(self, node: Node, operation: Operation) -> None:
        self.places[node.number] = len(self.operations)
        self.operations.append(operation)

    def _count(self, what: str, number: int) -> None:
        if number:
            self.gaps[what] = self.gaps.get(what, 0) + number

    def _call(self, node: Node) -> Call | None:
        """A communication, None where its size or group is not known."""
        length, kind = size(node.attributes.get("comm_size", 0)), int(node.attributes.get("comm_type", -1))
        if node.kind in (SENDS, RECEIVES):
            sends = node.kind == SENDS
            partner = node.attributes.get("comm_dst" if sends else "comm_src")
            if partner is None:
                raise ValueError(f"message {node.number} has no comm_{'dst' if sends else 'src'}")
            self._count(NO_SIZE, "comm_size" not in node.attributes)
            ends = (self.process, int(partner)) if sends else (int(partner), self.process)
            return Call("isend" if sends else "irecv", ends, (length,), node.of("comm_tag"))
        if node.kind != COLLECTIVE:
            return None
        name = COLLECTIVES[kind] if 0 <= kind < len(COLLECTIVES) else ""
        if not name or (not length and name != "barrier") or not self._is_of_all(node):
            self._count(UNSIZED, 1)
            return None
        root = node.of("root")
        if not 0 <= root < self.number:
            raise ValueError(f"collective {node.number} has root {root} of {self.number}")
        self._count(NO_ROOT, name in ROOTED and "root" not in node.attributes)
        return Call(name, self.all, self._arguments(name, length, root))

    def _is_of_all(self, node: Node) -> bool:
        """Whether all processes take part, in all dimensions of their network."""
        dimensions = node.attributes.get("involved_dim") or ()
        return str(node.attributes.get("pg_name", "")) in DEFAULT_GROUPS and all(dimensions)

    def _arguments(self, kind: str, length: int, root: int) -> tuple[Any, ...]:
        """The size is what a process has before it (ASTRA-sim's Ring.cc)."""
        part = length // self.number
        match kind:
            case "barrier":
                return ()
            case "allreduce":
                return length, 0.0
            case "reduce":
                return length, 0.0, root
            case "bcast":
                return length, root
            case "gather" | "scatter":
                return part if kind == "scatter" else length, root
            case "reducescatter":
                return equal_parts(part, self.number), 0.0
            case _:
                return (length if kind == "allgather" else part,)
