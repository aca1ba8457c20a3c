"""Host files: which host each rank runs on, one name per line, or `name:count`."""

from __future__ import annotations

import os

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.source import Source, Span
from apet.traces.platform import errors
from apet.traces.platform.platform import Platform


def read_hostfile(path: str | os.PathLike[str], platform: Platform) -> list[int]:
    """The numbers of the hosts by line; ranks take them in turn, again from the first when there are more ranks."""
    return parse_hostfile(read_text(path), platform)


def parse_hostfile(source: Source, platform: Platform) -> list[int]:
    """As `read_hostfile`, from a text."""
    found, diagnostics, at = list[int](), list[Diagnostic](), 0
    names = {h.name for h in platform.hosts}
    for line in source.text.splitlines(keepends=True):
        text = line.split("#", 1)[0].strip()
        start = at + (len(line) - len(line.lstrip()))
        at += len(line)
        if not text:
            continue
        name, _, count = text.partition(":")
        span = Span(start, start + len(text))
        if name not in names:
            diagnostics.append(errors.Unknown(source, span, "host", name, nearest(name, names)))
        elif count and not (count.isdecimal() and int(count) > 0):
            diagnostics.append(errors.BadValue(source, span, "host", text, "not a count of ranks", "write name:count"))
        else:
            found += [platform.number(name)] * (int(count) if count else 1)
    raise_all(diagnostics)
    if not found:
        raise ApetError(errors.EmptyHostfile(source, None))

    return found


def read_text(path: str | os.PathLike[str]) -> Source:
    """A small text file; `ApetError` if it cannot be read."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8-sig") as file:
            return Source(name, file.read())
    except OSError as error:
        raise ApetError(errors.UnreadablePlatform(None, None, name, error.strerror or str(error))) from None
    except UnicodeDecodeError as error:
        raise ApetError(errors.UnreadablePlatform(None, None, name, f"byte {error.start + 1} is not UTF-8")) from None
