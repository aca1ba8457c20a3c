"""GOAL, the language of LogGOPSim, LLAMP and ATLAHS: operations of ranks with dependencies, as text or as `txt2bin`
makes it (T. Hoefler et al., 2009), read as a trace.

The operations of a rank become one sequence: of those that are ready receives are posted first, then sends, then it
computes, each kind in the order of the file. What an operation requires is waited for before it. Several CPUs and
networks of a rank are read as one.
"""

from __future__ import annotations

import heapq
import os
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.errors import BadGoal
from apet.traces.lines.files import opened
from apet.traces.trace import Action, Trace

MAGIC = struct.pack("<Q", 4223)
RECV, SENDS, CALC = range(3)
KINDS = {"recv": RECV, "send": SENDS, "calc": CALC}
IN_BINARY = {1: SENDS, 2: RECV, 3: CALC}
NODE = struct.Struct("<IBIQIBBIIII")
"""Dependencies, kind, partner, size, tag, CPU, network; numbers and places of what waits for its end and its begin."""
_OPERATION = re.compile(r"(\w+)\s*:\s*(calc|send|recv)\s+(\d+)b?(?:\s+(?:to|from)\s+(\d+))?((?:\s+\w+\s+\d+)*)")
_REQUIRES = re.compile(r"(\w+)\s+(i?)requires\s+(\w+)")
_RANK, _RANKS = re.compile(r"rank\s+(\d+)\s*\{"), re.compile(r"num_ranks\s+(\d+)")
NANOSECONDS = 1e9


@dataclass(slots=True)
class Operation:
    """One of a rank: nanoseconds of computing, or bytes to or from a partner."""

    kind: int
    size: int
    partner: int = -1
    tag: int = 0
    after: list[int] = field(default_factory=list)  #: of its rank, that must have ended
    beside: list[int] = field(default_factory=list)  #: of its rank, that must have begun


Ranks = list[list[Operation]]


def is_goal(head: bytes) -> bool:
    """Whether a file that begins so is GOAL."""
    return head.startswith(MAGIC) or re.match(rb"(?:\s|//[^\n]*\n)*num_ranks\s+\d", head) is not None


def read_goal(name: str, rate: float) -> Trace:
    """The trace; `rate` says how many flops a second of computing stands for. `ApetError` if it cannot be read."""
    with opened(name) as file:
        content = file.read()
    ranks = _Binary(name, content).ranks() if content.startswith(MAGIC) else _text(name, content)
    for rank, operations in enumerate(ranks):
        for operation in operations:
            if operation.kind != CALC and not 0 <= operation.partner < len(ranks):
                _refuse(name, f"rank {rank} names rank {operation.partner} of {len(ranks)}")

    actions = (tuple(_Sequence(name, r, operations, rate).actions()) for r, operations in enumerate(ranks))
    return Trace(os.path.basename(name), tuple(actions))


def _text(name: str, content: bytes) -> Ranks:
    ranks, operations, labels = Ranks(), list[Operation](), dict[str, int]()
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        text = line.partition("//")[0].strip()
        if match := _OPERATION.fullmatch(text):
            words = match[5].split()
            more = dict(zip(words[::2], map(int, words[1::2]), strict=True))
            labels[match[1]] = len(operations)
            partner = int(match[4]) if match[4] else -1
            operations.append(Operation(KINDS[match[2]], int(match[3]), partner, more.get("tag", 0)))
        elif match := _REQUIRES.fullmatch(text):
            missing = next((label for label in (match[1], match[3]) if label not in labels), None)
            if missing is not None:
                _refuse(name, f"line {number}: there is no operation '{missing}' before it")
            operation = operations[labels[match[1]]]
            (operation.beside if match[2] else operation.after).append(labels[match[3]])
        elif match := _RANK.fullmatch(text):
            if int(match[1]) >= len(ranks):
                _refuse(name, f"line {number}: there are {len(ranks)} ranks")
            operations, labels = ranks[int(match[1])], {}
        elif match := _RANKS.fullmatch(text):
            ranks = [[] for _ in range(int(match[1]))]
        elif text not in ("", "}"):
            _refuse(name, f"line {number}: '{text[:40]}' is no operation")
    return ranks


class _Binary:
    """The binary form: by rank a table of operations, and what waits for each."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name, self.content = name, content

    def ranks(self) -> Ranks:
        """All."""
        base = len(MAGIC)
        try:
            (number,) = struct.unpack_from("<I", self.content, base)
            begins = [struct.unpack_from("<QQ", self.content, base + 6 + 16 * r)[0] for r in range(number)]
            return [self._rank(base + begin) for begin in begins]
        except (struct.error, IndexError, KeyError):
            _refuse(self.name, "it is cut off, or damaged")

    def _rank(self, at: int) -> list[Operation]:
        nodes, roots = struct.unpack_from("<II", self.content, at)
        first = at + 8 + 4 * roots
        rows = [NODE.unpack_from(self.content, first + NODE.size * k) for k in range(nodes)]
        operations = [Operation(IN_BINARY[row[1]], row[3], row[2], row[4]) for row in rows]
        behind = first + NODE.size * nodes

        for k, row in enumerate(rows):
            for number, place, ends in ((*row[7:9], True), (*row[9:11], False)):
                for waits in struct.unpack_from(f"<{number}I", self.content, behind + 4 * place):
                    (operations[waits].after if ends else operations[waits].beside).append(k)
        return operations


class _Sequence:
    """The operations of a rank in order, and those that it has not waited for."""

    def __init__(self, name: str, rank: int, operations: Sequence[Operation], rate: float) -> None:
        self.name, self.rank, self.operations, self.rate = name, rank, operations, rate
        self.open: dict[int, tuple[int, int, int]] = {}
        self.alike: dict[tuple[int, int, int], list[int]] = {}

    def actions(self) -> Iterator[Action]:
        """Its actions, from first to last."""
        for k in self._order():
            operation = self.operations[k]
            for required in sorted(operation.after):
                yield from self._wait(required)
            if operation.kind == CALC:
                if operation.size:
                    yield "compute", operation.size / NANOSECONDS * self.rate
                continue
            yield ("irecv", "isend")[operation.kind], operation.partner, operation.tag, operation.size
            to_itself = operation.partner == self.rank  # then a wait does not tell sends from receives
            key = RECV if to_itself else operation.kind, operation.partner, operation.tag
            self.open[k] = key
            self.alike.setdefault(key, []).append(k)
        for k in list(self.open):
            yield from self._wait(k)

    def _wait(self, k: int) -> Iterator[Action]:
        if k not in self.open:
            return
        key = self.open.pop(k)
        older = self.alike[key].index(k)
        del self.alike[key][older]
        kind, partner, tag = key
        ends = (partner, self.rank) if kind == RECV else (self.rank, partner)
        yield ("wait", *ends, tag, older) if older else ("wait", *ends, tag)

    def _order(self) -> Iterator[int]:
        left = [len(each.after) + len(each.beside) for each in self.operations]
        following: list[list[int]] = [[] for _ in self.operations]
        for k, each in enumerate(self.operations):
            for before in (*each.after, *each.beside):
                following[before].append(k)
        ready = [(each.kind, k) for k, each in enumerate(self.operations) if not left[k]]
        heapq.heapify(ready)
        ordered = 0
        while ready:
            _, k = heapq.heappop(ready)
            ordered += 1
            yield k
            for other in following[k]:
                left[other] -= 1
                if not left[other]:
                    heapq.heappush(ready, (self.operations[other].kind, other))
        if ordered < len(self.operations):
            _refuse(self.name, f"operations of rank {self.rank} require each other")


def _refuse(name: str, problem: str) -> NoReturn:
    raise ApetError(BadGoal(None, None, name, problem))
