"""What a job does in order: work at stations, forks, alternatives; and how long rows of them are made short.

Folding keeps what the bounds of a program rest on: its time without contention and the load on every station.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from apet.queueing.data.jobs import Distribution, Job, JobChoice, JobStep, JobTask, ParallelJob, SerialJob

FOLDED = 4
"""Rounds that are left of a loop whose body uses several stations."""
MOST_ALIKE = 64
"""Parallel flows over the same stations that are kept apart; more are put together to as many (or four per server)."""
MOST_AT_ONCE = 4
"""Tasks per server that are left of parallel branches which are one step at the same station."""
CONSTANT = Distribution("det")


class StationWork(NamedTuple):
    """Seconds at a station, by number."""

    station: int
    seconds: float


class Split(NamedTuple):
    """Flows at the same time, joined at the end."""

    parts: tuple[Flow, ...]


class Either(NamedTuple):
    """The first flow with this probability, else the second."""

    probability: float
    then: Flow
    otherwise: Flow


Flow = tuple[StationWork | Split | Either, ...]


def duration(flow: Flow) -> float:
    """The time without contention; alternatives weigh by their probability."""
    total = 0.0
    for item in flow:
        match item:
            case StationWork(_, seconds):
                total += seconds
            case Split(parts):
                total += max(map(duration, parts), default=0.0)
            case Either(q, then, otherwise):
                total += q * duration(then) + (1 - q) * duration(otherwise)

    return total


def chained(flows: Iterable[Flow]) -> Flow:
    """One after the other; work at the same station is put together."""
    items = [item for flow in flows for item in flow if not (isinstance(item, StationWork) and not item.seconds)]
    merged: list[StationWork | Split | Either] = []
    for item in items:
        last = merged[-1] if merged else None
        if isinstance(item, StationWork) and isinstance(last, StationWork) and item.station == last.station:
            merged[-1] = StationWork(item.station, last.seconds + item.seconds)
        else:
            merged.append(item)
    return tuple(merged)


def scaled(flow: Flow, by: float) -> Flow:
    """Every piece of work that many times as long."""
    return _summed([flow], by)


def repeated(flow: Flow, times: int) -> Flow:
    """The same flow again and again, folded."""
    if times <= 0:
        return ()
    if _stations(flow) <= 1 and all(isinstance(item, StationWork) for item in flow):
        return scaled(flow, times)
    rounds = min(times, FOLDED)
    return chained([scaled(flow, times / rounds)] * rounds)


def looped(flows: Sequence[Flow]) -> Flow:
    """Flows one after the other, those of the same shape folded."""
    folded = []
    for _, same in groupby(flows, _shape):
        rows = list(same)
        size = -(-len(rows) // FOLDED)
        folded += [_summed(rows[i : i + size], 1.0) for i in range(0, len(rows), size)]
    return chained(folded)


def together(flows: Sequence[Flow], servers: Sequence[int]) -> Flow:
    """Flows at the same time; many that are one step at the same station are dealt to fewer."""
    flows = [inner for f in flows if f for inner in _branches(f)]
    single: dict[int, list[float]] = {}
    parts: list[Flow] = []
    for flow in flows:
        first = flow[0]
        if len(flow) == 1 and isinstance(first, StationWork):
            single.setdefault(first.station, []).append(first.seconds)
        else:
            parts.append(flow)

    parts = _fewer(parts, servers)
    for station, seconds in single.items():
        for dealt in _dealt(seconds, MOST_AT_ONCE * servers[station]):
            parts.append((StationWork(station, dealt),))
    if len(parts) == 1:
        return parts[0]
    return (Split(tuple(parts)),) if parts else ()


def _branches(flow: Flow) -> tuple[Flow, ...]:
    """A fork inside a fork is one of more branches."""
    return flow[0].parts if len(flow) == 1 and isinstance(flow[0], Split) else (flow,)


def _fewer(flows: list[Flow], servers: Sequence[int]) -> list[Flow]:
    """Of many flows over the same stations a few, each of which takes the work of several through them at once.

    No work is lost, and any such order of work is one that the program allows.
    """
    if len(flows) <= MOST_ALIKE:
        return flows
    alike: dict[object, list[Flow]] = {}
    for flow in flows:
        alike.setdefault(_shape(flow), []).append(flow)
    fewer: list[Flow] = []

    for same in alike.values():
        most = max(MOST_ALIKE, *(MOST_AT_ONCE * servers[k] for k in _everywhere(same[0])))
        fewer += [_summed(same[i::most], 1.0, beside=True) for i in range(min(most, len(same)))]
    return fewer


def _everywhere(flow: Flow) -> set[int]:
    """The stations of a flow and of all inside it."""
    stations = _stations_of(flow)
    for item in flow:
        match item:
            case Split(parts):
                stations = stations.union(*map(_everywhere, parts))
            case Either(_, then, otherwise):
                stations = stations | _everywhere(then) | _everywhere(otherwise)
    return stations


def _dealt(seconds: list[float], most: int) -> list[float]:
    """The same work in at most so many parts; where nobody waits (0) the longest."""
    if not most:
        return [max(seconds)]
    return [sum(seconds[i::most]) for i in range(min(most, len(seconds)))]


def _stations(flow: Flow) -> int:
    return len(_stations_of(flow))


def _stations_of(flow: Flow) -> set[int]:
    return {item.station for item in flow if isinstance(item, StationWork)}


def _shape(flow: Flow) -> object:
    """What two flows must share to be added piece by piece."""
    shape: list[object] = []
    for item in flow:
        match item:
            case StationWork(station, _):
                shape.append(station)
            case Split(parts):
                shape.append(("split", *map(_shape, parts)))
            case Either(q, then, otherwise):
                shape.append(("either", q, _shape(then), _shape(otherwise)))

    return tuple(shape)


def _summed(flows: Sequence[Flow], by: float, beside: bool = False) -> Flow:
    """The sum, piece by piece, of flows of one shape; of those beside each other the longest wait where nobody queues
    (station 0)."""
    total: list[StationWork | Split | Either] = []
    for same in zip(*flows, strict=True):
        first = same[0]
        match first:
            case StationWork(station, _):
                seconds = [w.seconds for w in same if isinstance(w, StationWork)]
                total.append(StationWork(station, by * (max(seconds) if beside and not station else sum(seconds))))
            case Split():
                rows = zip(*(s.parts for s in same if isinstance(s, Split)), strict=True)
                total.append(Split(tuple(_summed(row, by, beside) for row in rows)))
            case Either(q, _, _):
                sides = [e for e in same if isinstance(e, Either)]
                then = _summed([e.then for e in sides], by, beside)
                total.append(Either(q, then, _summed([e.otherwise for e in sides], by, beside)))

    return tuple(total)


def job(flow: Flow, names: Sequence[str]) -> Job:
    """The tree of a flow; works in a row are the steps of one task."""
    parts: list[Job] = []
    for plain, items in groupby(flow, lambda item: isinstance(item, StationWork)):
        if plain:
            steps = tuple(JobStep(w.station, w.seconds, CONSTANT) for w in items if isinstance(w, StationWork))
            parts.append(JobTask("+".join(names[s.station] for s in steps), steps))
            continue
        for item in items:
            if isinstance(item, Split):
                parts.append(ParallelJob(tuple(job(p, names) for p in item.parts)))
            elif isinstance(item, Either):
                sides = (job(item.then, names), job(item.otherwise, names))
                parts.append(JobChoice((item.probability, 1 - item.probability), sides))

    if not parts:
        return JobTask("nothing", ())
    return parts[0] if len(parts) == 1 else SerialJob(tuple(parts))
