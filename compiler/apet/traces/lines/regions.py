"""Regions of a program, which it names by `MPI_Pcontrol`: `# region K` at the end of the lines that compute in one."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from apet.traces.lines.files import listed, opened
from apet.traces.trace import Trace

_COMPUTE = re.compile(rb"^\s*\d+\s+compute\s+(\d{1,18})\S*(?:\s+# region (\d{1,9}))?", re.MULTILINE)

_SLEEP = re.compile(rb"^\s*\d+\s+sleep\s+(\S+)", re.MULTILINE)


def sleeping(pieces: Iterable[bytes]) -> float:
    """Seconds for which pieces of whole lines sleep."""
    return sum(float(seconds) for piece in pieces for seconds in _SLEEP.findall(piece))


def volumes_by_region(pieces: Iterable[bytes]) -> Counter[int]:
    """What is computed in each region by pieces of whole lines; region 0 is what lies in none."""
    volumes = Counter[int]()
    for piece in pieces:
        for volume, region in _COMPUTE.findall(piece):
            volumes[int(region or 0)] += int(volume)
    return volumes


def volumes_of_file(path: str) -> Counter[int]:
    """The same of a trace."""
    return volumes_by_region(line for file in listed(path) or [path] for _, line in _lines(file))


def at_speeds(trace: Trace, path: str, speeds: Mapping[int, float]) -> Trace:
    """A trace in which the volumes of regions are divided by their relative speeds; it was read from this file."""
    factors: dict[str, dict[int, float]] = {}
    for file in listed(path) or [path]:
        matches = ((number, _COMPUTE.match(line)) for number, line in _lines(file))
        regions = {number: int(match[2]) for number, match in matches if match and match[2]}
        slower = {number: 1 / speeds[region] for number, region in regions.items() if region in speeds}
        factors[os.path.basename(file)] = slower

    ranks = []
    for rank, actions in enumerate(trace.ranks):
        own = factors.get(trace.files[rank], {}) if trace.files else next(iter(factors.values()))
        scaled = [own.get(trace.line(rank, at), 1.0) if a[0] == "compute" else 1.0 for at, a in enumerate(actions)]
        ranks.append([(*a[:1], a[1] * f) if f != 1 else a for a, f in zip(actions, scaled, strict=True)])
    return replace(trace, ranks=tuple(ranks))


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    with opened(os.fspath(path)) as file:
        yield from enumerate(file, start=1)
