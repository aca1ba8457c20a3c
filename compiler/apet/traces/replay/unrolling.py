"""Collectives as the messages that they are, so that programs without communicators replay them: those of some ranks,
and non-blocking ones. Synchronous sends become sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from apet.traces.replay.lowering import lower_for_unrolling
from apet.traces.replay.program import COMPUTE, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, Programs
from apet.traces.trace import ANY_SOURCE, WAIT_TAGS, Action, Trace

FIRST_TAG = 2_000_000_000
"""Tags of unrolled collectives; those of programs lie below."""
FIRST_BEGUN = FIRST_TAG + 10_000
"""The tag of the first non-blocking collective; each has its own, since they need not end in their order."""
KINDS = frozenset(WAIT_TAGS.values())
SIMPLER = {"ssend": "send", "issend": "isend"}
"""SimGrid replays no synchronous sends."""
NOTHING_OF_MESSAGES = frozenset(("waitall", "waitany", "waitsome"))
"""These stay, and the flops of non-blocking collectives that have ended follow."""

Group = tuple[int, ...]


def unrolled(trace: Trace) -> Trace:
    """The trace in which each collective of a communicator of some ranks, and each non-blocking one, is written as
    messages and waits."""
    programs, tags = lower_for_unrolling(trace)
    begun: dict[tuple[Group, int], int] = {}
    ranks = (list(_UnrolledRank(trace, number, programs, tags, begun).run()) for number in range(len(trace.ranks)))
    return Trace(trace.name, tuple(ranks), gaps=trace.gaps, processes=trace.processes)


class _UnrolledRank:
    """One rank's actions in the making; `begun` gives the k-th non-blocking collective of a communicator a tag."""

    def __init__(
        self, trace: Trace, number: int, programs: Programs, tags: Sequence[int], begun: dict[tuple[Group, int], int]
    ) -> None:
        self.trace, self.number, self.begun = trace, number, begun
        self.programs, self.tags = programs, tags
        self.own: dict[int, int] = {}  # by message of a non-blocking collective, its tag
        self.counts: dict[Group, int] = {}

    def run(self) -> Iterator[Action]:
        """All actions."""
        groups = self.trace.communicators[self.number] if self.trace.communicators else {}
        steps = zip(self.programs.origins[self.number], self.programs.operations[self.number], strict=True)
        operations = {at: [operation for _, operation in own] for at, own in groupby(steps, itemgetter(0))}

        for at, action in enumerate(self.trace.ranks[self.number]):
            name, own = action[0], operations.get(at, [])
            if name in WAIT_TAGS:
                self.begin(own, groups.get(at) or tuple(range(len(self.trace.ranks))))
            elif not (at in groups or (name == "wait" and action[1] == ANY_SOURCE and action[3] in KINDS)):
                yield (SIMPLER.get(name, name), *action[1:])
                own = [o for o in own if name in NOTHING_OF_MESSAGES and o & MASK == COMPUTE]
            yield from map(self.action, own)

    def begin(self, operations: Sequence[int], group: Group) -> None:
        """Note the tag of a non-blocking collective by its messages."""
        number = self.counts[group] = self.counts.get(group, 0) + 1
        tag = FIRST_BEGUN + self.begun.setdefault((group, number), len(self.begun))
        self.own |= {operation >> SHIFT: tag for operation in operations}

    def action(self, operation: int) -> Action:
        """The action that does what an operation of a collective does."""
        code, what = operation & MASK, operation >> SHIFT
        if code == COMPUTE:
            return "compute", self.programs.values[what]

        source, target = self.programs.pairs[self.programs.pair[what]]
        tag = self.own.get(what, FIRST_TAG - self.tags[what])
        if code in (SENT, RECEIVED):
            return "wait", source, target, tag
        # SimGrid takes sizes of receives below 0 for something else: they have those of their sends.
        name, other = {SEND: ("isend", target), RECEIVE: ("irecv", source)}[code]
        return name, other, tag, self.programs.size[what]
