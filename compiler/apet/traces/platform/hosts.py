"""Host files: which host each rank runs on, one name per line, or `name:count`."""

from __future__ import annotations

import os

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.traces.platform import errors
from apet.traces.platform.parts import MOST_ERRORS, MOST_PARTS
from apet.traces.platform.platform import Platform
from apet.traces.platform.units import whole


def read_hostfile(path: str | os.PathLike[str], platform: Platform) -> list[int]:
    """The numbers of the hosts by line; ranks take them in turn, again from the first when there are more ranks."""
    return parse_hostfile(read_source(path), platform)


def parse_hostfile(source: Source, platform: Platform) -> list[int]:
    """As `read_hostfile`, from a text."""
    hosts, diagnostics, at = list[int](), list[Diagnostic](), 0
    names = {h.name: k for k, h in enumerate(platform.hosts)}
    for line in source.text.splitlines(keepends=True):
        text = line.split("#", 1)[0].strip()
        start = at + (len(line) - len(line.lstrip()))
        at += len(line)
        if not text:
            continue

        name, _, count = text.partition(":")
        span = Span(start, start + len(text))
        if name not in names:
            diagnostics.append(errors.UnknownName(source, span, "host", name, nearest(name, names)))
        elif 0 < (number := _count(count)) <= MOST_PARTS - len(hosts):
            hosts += [names[name]] * number
        else:
            problem = f"not a count of ranks, {MOST_PARTS:,} in all at most"
            diagnostics.append(errors.BadValue(source, span, "host", text, problem, "write name:count"))
        if len(diagnostics) >= MOST_ERRORS:
            break
    raise_all(diagnostics)
    if not hosts:
        raise ApetError(errors.EmptyHostfile(source, None))

    return hosts


def _count(text: str) -> int:
    """A number behind a host, 1 if there is none; 0 if it is something else."""
    try:
        return whole(text or "1")
    except ValueError:
        return 0
