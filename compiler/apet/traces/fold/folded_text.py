"""The lines of a folded trace's file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from apet.traces.fold.folded import ByRank, Folded, Kind, Volumes, Word, nested, plain_number
from apet.traces.fold.steps import AFTER
from apet.traces.lines.communicators import ranges
from apet.traces.lines.header import header_of
from apet.traces.lines.sites import NOWHERE, CallSite, CallSites
from apet.traces.trace import Gap

HEAD = "# apet folded trace 1"


def folded_lines(folded: Folded, gaps: Sequence[Gap] = (), sites: CallSites = NOWHERE) -> Iterator[str]:
    """The lines, each with its end; `gaps` are what the header names as missing, `sites` the calls of the lines that
    slots name."""
    yield f"{HEAD}\n{header_of(gaps)}# {folded.name}: {folded.actions:,} actions\nranks {folded.ranks}\n"
    lists: dict[tuple[str, ...], int] = {}
    numbers: dict[CallSite, int] = {}
    for kind in folded.kinds:
        for words in _lists(kind):
            if words not in lists:
                lists[words] = len(lists) + 1
                yield f"list {lists[words]} {' '.join(_runs(words))}\n"
        yield f"kind {ranges(kind.ranks)}\n"
        yield from _kind(kind, lists, sites, numbers)


def by_rank(word: ByRank, lists: dict[tuple[str, ...], int]) -> str:
    """`5`, `rank+1`, `rank^4`, `@2`"""
    match word.how:
        case "same":
            return word.words[0]
        case "listed":
            return f"@{lists[word.words]}"
        case "xor":
            return f"rank^{word.number}"
        case _:
            return f"rank{word.number:+d}" if word.number else "rank"


def advancing(word: Word, lists: dict[tuple[str, ...], int]) -> str:
    """`5{1}`, `rank+1{0,-1}`"""
    base = by_rank(word.base, lists)
    if not word.steps:
        return base
    steps = dict(word.steps)
    return f"{base}{{{','.join(by_rank(steps[k], lists) if k in steps else '0' for k in range(max(steps) + 1))}}}"


def _lists(kind: Kind) -> Iterator[tuple[str, ...]]:
    for slot, volumes in zip(kind.slots, kind.volumes, strict=True):
        for word in slot.words:
            for column in (word.base, *(step for _, step in word.steps)):
                if column.how == "listed":
                    yield column.words
        yield from (_volume_words(each) for each in (volumes, *(w.aside for w in slot.words)) if _constant(each))
    if len(kind.rest) > 1:
        yield _volume_words(kind.rest)


def _volume_words(volumes: Sequence[Volumes]) -> tuple[str, ...]:
    return tuple(_parts(parts) for each in volumes for parts, _ in each.runs())


def _parts(parts: Sequence[float]) -> str:
    """`2544`; `0`: nothing; `18,2544`: one after the other; `0,`: an action that computes nothing."""
    text = ",".join(map(plain_number, parts)) if parts else "0"
    return "0," if parts == (0.0,) else text


def _constant(volumes: Sequence[Volumes]) -> bool:
    """Whether each of several ranks has one volume for all iterations."""
    return len(volumes) > 1 and all(len(v.values) == 1 for v in volumes)


def _runs(words: Sequence[str]) -> Iterator[str]:
    for word, same in groupby(words):
        times = len(list(same))
        yield word if times == 1 else f"{word}*{times}"


def _kind(
    kind: Kind, lists: dict[tuple[str, ...], int], sites: CallSites, numbers: dict[CallSite, int]
) -> Iterator[str]:
    for what, number, depth in nested(kind):
        indent = "  " * (depth + 1)
        if what == "loop":
            counts = kind.loops[number].counts
            if counts is not None:
                yield f"{indent}times {_stream(counts)}\n"
            yield f"{indent}loop {kind.loops[number].times if counts is None else AFTER}\n"
        elif what == "end":
            yield f"{indent}end\n"
        else:
            slot = kind.slots[number]
            yield from _computing("compute", kind.volumes[number], indent, lists)
            for word in slot.words:
                if word.aside:
                    yield from _computing("size", word.aside, indent, lists)
            if site := sites.at(kind.ranks[0], slot.line):
                yield from _site(site, numbers, indent)
            yield f"{indent}{' '.join((slot.action, *(advancing(word, lists) for word in slot.words)))}\n"

    if len(kind.rest) > 1:
        yield f"  compute @{lists[_volume_words(kind.rest)]}\n"
    elif not kind.rest[0].nothing:
        yield f"  compute {_stream(kind.rest[0])}\n"


def _site(site: CallSite, numbers: dict[CallSite, int], indent: str) -> Iterator[str]:
    # A program calls from few places: names are written once, since they would make up most of a file.
    if site not in numbers:
        numbers[site] = len(numbers) + 1
        yield f"{indent}# site {numbers[site]} {site.written}\n"
    yield f"{indent}# at {numbers[site]}\n"


def _computing(what: str, volumes: Sequence[Volumes], indent: str, lists: dict[tuple[str, ...], int]) -> Iterator[str]:
    if len(volumes) == 1:
        if what != "compute" or not volumes[0].nothing:
            yield f"{indent}{what} {_stream(volumes[0])}\n"
        return
    if _constant(volumes):
        yield f"{indent}{what} @{lists[_volume_words(volumes)]}\n"
        return
    yield f"{indent}{what}\n"
    for stream, same in groupby(map(_stream, volumes)):
        times = len(list(same))
        yield f"{indent}{times if times > 1 else ''}| {stream}\n"


def _stream(volumes: Volumes) -> str:
    runs = [(_parts(parts), count) for parts, count in volumes.runs()]
    return runs[0][0] if len(runs) == 1 else " ".join(v if n == 1 else f"{v}*{n}" for v, n in runs)
