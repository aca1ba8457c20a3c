"""Ways of taking a trace compared on this machine: what they record, what they cost, and whether they repeat.

The criteria are those by which G. Markomanolis (2014) compares instrumentation tools: what is recorded, overhead, size
of the trace, and how easily it is used; and, since volumes are to be properties of the program, their repeatability.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.mpi import merging
from apet.traces.mpi.acquiring import MODES, Acquired, Order, acquire, checked
from apet.traces.mpi.rates import volumes_of
from apet.traces.mpi.running import run
from apet.traces.mpi.weights import counts_blocks

NEEDS = {
    "counters": "hardware counters that the system lets a user read",
    "blocks": "a build by 'apet record --cc'",
    "cpu": "nothing",
}


class Scored(NamedTuple):
    """A way of taking a trace. `reason` says why it does not work here, then the rest is empty.

    Seconds of each run by the clock; events and bytes of the trace; the greatest deviation between runs of what a rank
    computes, relative to its mean; whether all traces are equal byte by byte, and in what is sent.
    """

    mode: str
    volumes: str
    needs: str
    reason: str = ""
    seconds: tuple[float, ...] = ()
    events: int = 0
    size: int = 0
    left_out: int = 0
    deviation: float = 0.0
    identical: bool = False
    same_messages: bool = False


class Scores(NamedTuple):
    """Seconds of each run without a recorder, all ways, and the one that is best here."""

    plain: tuple[float, ...]
    modes: tuple[Scored, ...]

    def overhead(self, scored: Scored) -> float:
        """What the median run takes longer than one without a recorder, relative to it."""
        return statistics.median(scored.seconds) / statistics.median(self.plain) - 1

    @property
    def noise(self) -> float:
        """Half of the distance between the quartiles of runs without a recorder, relative to their median."""
        ordered = sorted(self.plain)
        number = len(ordered)
        quarter = number // 4
        return (ordered[number - 1 - quarter] - ordered[quarter]) / 2 / statistics.median(ordered)

    @property
    def best(self) -> str:
        """The way that repeats best; of equal ones the one that takes the least time."""
        working = [m for m in self.modes if not m.reason]
        return min(working, key=lambda m: (not m.identical, round(m.deviation, 3), self.overhead(m))).mode


def score(order: Order, instrumented: str | None, runs: int, progress: Callable[[str, float], None]) -> Scores:
    """Run the program without and with each recorder, in turn, and compare. `ApetError` if it does not run at all."""
    program, mpi = checked(order)
    builds = {"blocks": instrumented or program}
    working, failed = list[str](), dict[str, str]()
    for mode in MODES:
        changed = _with(order, mode, builds.get(mode, program))
        if mode == "blocks" and not counts_blocks(builds[mode]):
            failed[mode] = "the program does not count them; give a build that does with --blocks"
            continue
        try:
            acquire(changed, lambda advice: None)
            working.append(mode)
        except ApetError as error:
            failed[mode] = error.diagnostics[0].text
    if not working:
        acquire(_with(order, "cpu", program), lambda advice: None)

    plain = list[float]()
    taken: dict[str, list[_Taken]] = {mode: [] for mode in working}
    for k in range(runs):
        progress("runs", k / runs)
        plain.append(run(mpi.start(order.ranks, {}, (program, *order.command[1:])), order.limit).seconds)
        for mode in working:
            taken[mode].append(_take(_with(order, mode, builds.get(mode, program))))

    progress("runs", 1.0)
    modes = [
        _scored(mode, taken[mode]) if mode in taken else Scored(mode, "", NEEDS[mode], failed[mode]) for mode in MODES
    ]
    return Scores(tuple(plain), tuple(modes))


def _with(order: Order, mode: str, program: str) -> Order:
    return order._replace(mode=mode, command=(program, *order.command[1:]))


class _Taken(NamedTuple):
    seconds: float
    volumes: list[int]
    kind: str
    events: int
    size: int
    left_out: int
    whole: str
    messages: str


def _take(order: Order) -> _Taken:
    taken = list[_Taken]()
    acquire(order, lambda run: taken.append(_summed(run)))
    return taken[0]


def _summed(run: Acquired) -> _Taken:
    whole, messages = hashlib.sha256(), hashlib.sha256()
    events = size = 0
    for part in run.parts:
        for piece in merging.chunks(part):
            whole.update(piece)
            size += len(piece)
            lines = piece.splitlines(keepends=True)
            events += len(lines)
            messages.update(b"".join(line for line in lines if b" compute " not in line))

    left = sum(merging.left_out(run.parts).values())
    return _Taken(
        run.seconds,
        [by_region.total() for by_region in volumes_of(run)],
        run.volumes,
        events,
        size,
        left,
        whole.hexdigest(),
        messages.hexdigest(),
    )


def _scored(mode: str, taken: Sequence[_Taken]) -> Scored:
    deviation = 0.0
    for rank in zip(*(t.volumes for t in taken), strict=True):
        mean = statistics.mean(rank)
        deviation = max(deviation, max(abs(v - mean) for v in rank) / mean if mean else 0.0)

    return Scored(
        mode,
        merging.VOLUMES[taken[0].kind],
        NEEDS[mode],
        "",
        tuple(t.seconds for t in taken),
        taken[0].events,
        taken[0].size,
        taken[0].left_out,
        deviation,
        len({t.whole for t in taken}) == 1,
        len({t.messages for t in taken}) == 1,
    )
