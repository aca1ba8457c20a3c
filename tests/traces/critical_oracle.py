"""An oracle of the critical path: the longest one through all ranks' programs, followed back from its end.

On the way forward it is noted what decided each date; on the way back only the deciding ones are followed
(C.-Q. Yang and B. P. Miller, 1988). Of sides of a message that are posted at one date, that of the waiting rank counts.
"""

from __future__ import annotations

from apet.traces.critical.search import StepSeconds
from apet.traces.replay.program import (
    ANY,
    COMPUTE,
    ENTER,
    LEAVE,
    MASK,
    RECEIVE,
    RECEIVED,
    SEND,
    SENT,
    SHIFT,
    SLEEP,
    Programs,
)

NOBODY = -1
Place = tuple[int, int]
"""A rank and the number of its operation."""
Step = tuple[int, int, int, int]
"""The fields of `Step` in the core."""


class Critical:
    """The critical path, in Python."""

    def __init__(self, programs: Programs, seconds: StepSeconds) -> None:
        self.programs, self.seconds = programs, seconds
        self.syncs = max(0, len(seconds.gaps) - 1)
        self.posts: dict[tuple[int, bool], int] = {}
        self.posted: dict[int, float] = {}
        self.sends: dict[int, bool | None] = {}
        self.ended: dict[int, float] = {}
        self.now = [0.0] * programs.ranks
        self.at = [0] * programs.ranks
        self.decides: dict[Place, int] = {}
        self.marks = [-1.0] * (self.syncs + 1)
        self.marked: list[Place | None] = [None] * (self.syncs + 1)
        self.entered = [0] * self.syncs
        self.waits: dict[int, int] = {}
        self.steps: list[Step] = []

    def run(self) -> list[Step]:
        """The steps, the last one first."""
        self.stack = list(range(self.programs.ranks))[::-1]
        while self.stack:
            self._follow(self.stack.pop())
        if self.syncs:
            self.marks[-1] = self.marks[-2] + self.seconds.gaps[-1]
        self._back()
        return self.steps

    def _follow(self, rank: int) -> None:
        operations, values = self.programs.operations[rank], self.programs.values
        while self.at[rank] < len(operations):
            operation = operations[self.at[rank]]
            code, what = operation & MASK, operation >> SHIFT
            if code in (SEND, RECEIVE):
                self._post(rank, what, code == SEND)
            elif code in (SENT, RECEIVED):
                if what not in self.ended:
                    self.waits[rank] = what
                    return
                self._until(rank, what, self.ended[what])
            elif code == COMPUTE:
                self.now[rank] += values[what] * self.seconds.flop[rank]
            elif code == SLEEP:
                self.now[rank] += values[what]
            elif code == ANY:
                self._some(rank, what)
            elif what < self.syncs:
                self._sync(rank, what, code == ENTER)
            self.at[rank] += 1

    def _until(self, rank: int, what: int, date: float) -> None:
        if date > self.now[rank]:
            self.now[rank] = date
            self.decides[rank, self.at[rank]] = what

    def _post(self, rank: int, message: int, sends: bool) -> None:
        now = self.now[rank]
        self.posts[message, sends] = self.at[rank]
        if message not in self.posted:
            self.posted[message] = now
            return
        before = self.posted[message]
        self.sends[message] = None if before == now else sends == (before < now)
        self.ended[message] = max(before, now) + float(self.seconds.messages[message])
        for each in dict.fromkeys(self.programs.pairs[self.programs.pair[message]]):
            if self.waits.get(each) == message:
                del self.waits[each]
                self.stack.append(each)

    def _some(self, rank: int, number: int) -> None:
        """Nobody waits for those that are not all posted yet, since one of them may be first."""
        group = self.programs.groups[number]
        requests = group.requests
        if all(m in self.ended for messages in requests for m in messages):
            last = [max(messages, key=self.ended.__getitem__) for messages in requests]
            chosen = sorted(last, key=self.ended.__getitem__)[min(group.needed, len(last)) - 1]
            self._until(rank, chosen, self.ended[chosen])

    def _sync(self, rank: int, sync: int, begins: bool) -> None:
        if not begins:
            if self.entered[sync] == self.programs.ranks:
                self._until(rank, sync, self.marks[sync])
            return
        if self.now[rank] > self.marks[sync]:
            self.marks[sync], self.marked[sync] = self.now[rank], (rank, self.at[rank])
        self.entered[sync] += 1
        if self.entered[sync] == self.programs.ranks:
            floor = (self.marks[sync - 1] if sync else 0.0) + self.seconds.gaps[sync]
            if floor > self.marks[sync]:
                self.marks[sync], self.marked[sync] = floor, None

    # Back

    def _back(self) -> None:
        at = self._end()
        while at is not None and at[1] > 0:
            rank, place = at[0], at[1] - 1
            at = rank, place
            operation = self.programs.operations[rank][place]
            code = operation & MASK
            if code in (COMPUTE, SLEEP):
                self.steps.append((operation, rank, place, rank))
            elif at in self.decides:
                what = self.decides[at]
                at = self._from_mark(what) if code == LEAVE else self._from_message(what, code, at)

    def _end(self) -> Place | None:
        last = max(self.now, default=0.0)
        if self.syncs and self.marks[-1] > last:
            return self._from_mark(self.syncs)
        rank = self.now.index(last) if self.now else NOBODY
        return (rank, len(self.programs.operations[rank])) if self.now else None

    def _from_mark(self, sync: int) -> Place | None:
        """Back from the date before which no rank leaves a collective."""
        while sync >= 0:
            where = self.marked[sync]
            if where is not None:
                return where
            self.steps.append((sync << SHIFT | LEAVE, NOBODY, NOBODY, NOBODY))
            sync -= 1
        return None

    def _from_message(self, message: int, code: int, at: Place) -> Place:
        ends = self.programs.pairs[self.programs.pair[message]]
        sends = self.sends[message]
        if sends is None:
            sends = ends[0] == at[0]
        origin = ends[0] if sends else ends[1]
        self.steps.append((message << SHIFT | code, *at, origin))
        return origin, self.posts[message, sends]
