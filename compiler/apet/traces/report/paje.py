"""What ranks did when, as a Paje trace, which ViTE, Paje and pj_dump read.

The format is that of L. M. Schnorr, "Paje trace file format", 2014: definitions of the events, then types, values,
containers (a host, its ranks), then events by time.
"""

from __future__ import annotations

from collections.abc import Iterator

from apet.traces.trace import Replayed

EVENTS = (
    ("PajeDefineContainerType", "Alias string", "Type string", "Name string"),
    ("PajeDefineStateType", "Alias string", "Type string", "Name string"),
    ("PajeDefineEntityValue", "Alias string", "Type string", "Name string", "Color color"),
    ("PajeCreateContainer", "Time date", "Alias string", "Type string", "Container string", "Name string"),
    ("PajeDestroyContainer", "Time date", "Type string", "Name string"),
    ("PajeSetState", "Time date", "Type string", "Container string", "Value string"),
)
"""Names and fields, by number."""
CONTAINER_TYPE, STATE_TYPE, VALUE, CREATE, DESTROY, STATE = range(len(EVENTS))
COMPUTES, WAITS = '"0.12 0.47 0.71"', '"1.0 0.73 0.47"'


def paje(replayed: Replayed) -> Iterator[str]:
    """The lines of the file; `replayed` has its segments."""
    for number, (name, *fields) in enumerate(EVENTS):
        yield f"%EventDef {name} {number}\n"
        yield from (f"% {field}\n" for field in fields)
        yield "%EndEventDef\n"
    yield f'{CONTAINER_TYPE} HOST 0 "host"\n'
    yield f'{CONTAINER_TYPE} RANK HOST "rank"\n'
    yield f'{STATE_TYPE} DOES RANK "what the rank does"\n'
    yield f'{VALUE} computes DOES "computes" {COMPUTES}\n'
    yield f'{VALUE} waits DOES "waits" {WAITS}\n'
    numbers = {host: k for k, host in enumerate(dict.fromkeys(replayed.hosts))}
    for host, k in numbers.items():
        yield f"{CREATE} 0 h{k} HOST 0 {_quoted(host)}\n"
    for rank, host in enumerate(replayed.hosts):
        yield f'{CREATE} 0 r{rank} RANK h{numbers[host]} "rank {rank}"\n'

    ends = [(times.end_s, 1, rank, "") for rank, times in enumerate(replayed.ranks)]
    begins = [(s.begin_s, 0, s.rank, "computes" if s.computes else "waits") for s in replayed.segments]
    for date, _, rank, value in sorted(begins + ends):
        if value:
            yield f"{STATE} {date:.9f} DOES r{rank} {value}\n"
        else:
            yield f"{DESTROY} {date:.9f} RANK r{rank}\n"

    yield from (f"{DESTROY} {replayed.makespan_s:.9f} HOST h{k}\n" for k in numbers.values())


def _quoted(name: str) -> str:
    """A name between quotation marks; it has none itself, nor ends of lines."""
    return '"' + "".join("'" if c == '"' else " " if c.isspace() else c for c in name) + '"'
