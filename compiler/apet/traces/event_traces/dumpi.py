"""Events of DUMPI traces, from what `dumpi2ascii` prints of them: a file for each rank.

A call is two lines with its dates, and between them a line for each argument: `int count=4`,
`MPI_Datatype datatype=11 (MPI_DOUBLE)`, `MPI_Request requests[2]=[3, 4]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source
from apet.traces.event_traces import errors
from apet.traces.event_traces.dumpi_calls import Arguments, BadCall, RankCalls
from apet.traces.event_traces.dumpi_communicators import WORLD, communicators_of
from apet.traces.event_traces.events import INSTRUCTIONS, Event, Recorded
from apet.traces.event_traces.source_lines import SourceLines

LINE = re.compile(r"(MPI_\w+) (entering|returning) at walltime (\d{1,12}\.?\d{0,12})(?:, cputime |\s|$)")
ARGUMENT = re.compile(r"\w+ (\w+)((?:\[-?\d+\])*)=(.*)")
COUNTER = re.compile(r"(\w+)=(-?\d{1,19})")


class DumpiCall(NamedTuple):
    """A call: its name, dates in seconds, counted instructions before and after, and where it ends in the file."""

    name: str
    dates: tuple[float, float]
    counted: tuple[int | None, int | None]
    arguments: Arguments
    line: int


def read_dumpi(names: Sequence[str]) -> Recorded:
    """The events of all ranks, in the order of their files. `ApetError` at the first line that cannot be understood."""
    files = [SourceLines(read_source(name), "dumpi2ascii") for name in names]
    calls = [list(_calls(lines)) for lines in files]
    communicators = communicators_of([[(c.name, c.arguments) for c in own] for own in calls])
    return recorded_of(names, files, calls, communicators, {})


def recorded_of(
    names: Sequence[str],
    files: Sequence[SourceLines],
    calls: Sequence[Sequence[DumpiCall]],
    communicators_and_numbers: tuple[Mapping[int, tuple[int, ...]], Sequence[Mapping[int, int]]],
    types: Mapping[int, int],
) -> Recorded:
    """The events of calls by rank, with its numbers of communicators; `types` have the bytes of datatypes."""
    communicators, numbers = communicators_and_numbers

    def events() -> Iterator[tuple[int, Event]]:
        for rank, own in enumerate(calls):
            of_rank = RankCalls(rank, communicators, numbers[rank], types)
            for call in own:
                yield rank, ("enter", call.dates[0], call.name, call.counted[0])
                try:
                    yield from ((rank, event) for event in of_rank.events(call.name, call.arguments))
                except BadCall as problem:
                    text = f"line {call.line}: {call.name}: {problem}"
                    raise ApetError(errors.BadEvent(files[rank].source, None, text, files[rank].writer)) from None
                yield rank, ("leave", call.dates[1], call.name, call.counted[1])

    def wrong(problem: str) -> ApetError:
        return ApetError(errors.Incomplete(None, None, names[0], problem))

    assert WORLD in communicators
    return Recorded(names[0], {rank: rank for rank in range(len(names))}, communicators, events(), wrong)


def _calls(lines: SourceLines) -> Iterator[DumpiCall]:
    """The calls in a file. Counters stand behind the line that they belong to."""
    name, begin, counted, number = "", 0.0, list[int | None]([None, None]), 0
    values: dict[str, str] = {}
    ended: tuple[float, int] | None = None
    for number, line in enumerate(lines, start=1):
        match = LINE.match(line)
        if match is None:
            argument = ARGUMENT.match(line)
            if line.startswith("Perfcounters:"):
                counted[ended is not None] = _instructions(line)
            elif argument is not None and name:
                values.setdefault(argument[1], argument[3].strip())
            continue

        if ended is not None:
            yield DumpiCall(name, (begin, ended[0]), (counted[0], counted[1]), Arguments(values), ended[1])
            name, ended = "", None
        if match[2] == "entering":
            if name:
                raise lines.wrong(f"{match[1]} begins before {name} returns")
            name, begin, values, counted = match[1], float(match[3]), {}, [None, None]
        elif match[1] != name:
            raise lines.wrong(f"{match[1]} returns, but it is not under way")
        else:
            ended = float(match[3]), number
    if ended is not None:
        yield DumpiCall(name, (begin, ended[0]), (counted[0], counted[1]), Arguments(values), ended[1])
    elif name:
        raise lines.wrong(f"the file ends before {name} returns: is it cut off?")


def _instructions(line: str) -> int | None:
    return next((int(value) for name, value in COUNTER.findall(line) if name in INSTRUCTIONS), None)
