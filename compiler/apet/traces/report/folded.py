"""A folded trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from apet.answers.answer import Answer
from apet.answers.blocks import Block, Heading, Lines
from apet.answers.cells import counted
from apet.traces.fold.folded import ByRank, Folded, FoldedSize, Kind, Slot, Volumes, Word, advancing, by_rank, nested
from apet.traces.lines.communicators import ranges
from apet.traces.lines.sites import NOWHERE, CallSites
from apet.traces.report.replay import size
from apet.traces.trace import WAIT_TAGS

SHOWN = 4
"""Words that differ by rank are shown for so many ranks."""
Sizes = Sequence[tuple[int, int] | None]


def folded_answer(folded: Folded, sizes: Sequence[Sizes], longest: int | None, sites: CallSites = NOWHERE) -> Answer:
    """How small it has become, then by kind of ranks its loops, with the calls in the program; of each kind so many
    lines."""
    size = folded.size()
    short = f"{counted(folded.ranks, 'rank')} · {in_short(folded.actions, size, len(folded.kinds))}"
    made_of = f"{counted(size.slots, 'slot')}, {counted(size.loops, 'loop')}, {counted(size.listed, 'word')} by rank, "
    made_of += f"{size.advancing:,} advancing; {counted(size.runs, 'volume')}"
    blocks: list[Block] = [[Heading(f"{folded.name} · {short}"), Lines([made_of])]]
    for kind, each in zip(folded.kinds, sizes, strict=True):
        listing = list(_listing(kind, each, sites))
        if longest is not None and len(listing) > longest:
            more = counted(len(listing) - longest, "more line")
            listing = [*listing[:longest], f"… {more} (--longest 0 shows all)"]
        title = f"{'rank' if len(kind.ranks) == 1 else 'ranks'} {ranges(kind.ranks)}"
        blocks.append([Heading(title), Lines(listing)])

    return Answer(
        kind="trace",
        subject=folded.name,
        results={
            **{"trace": folded.name, "ranks": folded.ranks, "folded": size_object(folded)},
            "kinds": [_kind_object(kind, each, sites) for kind, each in zip(folded.kinds, sizes, strict=True)],
        },
        blocks=blocks,
    )


def in_short(actions: int, size: FoldedSize, kinds: int) -> str:
    """`420,710 actions, folded to 159 (2,646x), 1 kind of ranks`"""
    ratio = actions / max(1, size.structure)
    times = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"
    return f"{counted(actions, 'action')}, folded to {size.structure:,} ({times}), {counted(kinds, 'kind')} of ranks"


def size_object(folded: Folded) -> dict[str, Any]:
    """What a folded trace is made of."""
    size = folded.size()
    ratio = folded.actions / max(1, size.structure)
    counts = {"actions": folded.actions, "size": size.structure, "ratio": ratio}
    return {**counts, **size._asdict(), "kinds": len(folded.kinds)}


def _kind_object(kind: Kind, sizes: Sizes, sites: CallSites) -> dict[str, Any]:
    slots = []
    lists = _Lists()
    for number, (slot, bytes_, times) in enumerate(zip(kind.slots, sizes, kind.executions(), strict=True)):
        each = kind.volumes[number]
        volumes = {
            "flops": sum(v.total for v in each) * (len(kind.ranks) if len(each) == 1 else 1),
            "least": min(min(v.values) for v in each),
            "greatest": max(max(v.values) for v in each),
        }
        words = [advancing(word, lists) for word in slot.words]
        site = sites.at(kind.ranks[0], slot.line)
        place = {"loop": slot.parent, "line": slot.line, "times": times, "site": site and site._asdict()}
        slots.append({"action": slot.action, "words": words, **place, "bytes": bytes_, "computes": volumes})

    listed = [list(words) for words in lists]
    return {
        "ranks": list(kind.ranks),
        "lists": listed,
        "loops": [loop._asdict() | {"counts": loop.counts and [*map(list, loop.counts[:2])]} for loop in kind.loops],
        "slots": slots,
    }


class _Lists(dict[tuple[str, ...], int]):
    """Numbers of lists, from 0, given as they come."""

    def __missing__(self, words: tuple[str, ...]) -> int:
        self[words] = len(self)
        return self[words]


def _listing(kind: Kind, sizes: Sizes, sites: CallSites) -> Iterator[str]:
    times = kind.executions()
    for what, number, depth in nested(kind):
        indent = "  " * depth
        if what == "loop":
            yield f"{indent}{kind.loops[number].iterations} ×"
        elif what == "slot":
            computed = _computed(kind.volumes[number], times[number], len(kind.ranks))
            if computed:
                yield f"{indent}compute {computed}"
            site = sites.at(kind.ranks[0], kind.slots[number].line)
            where = f"   {site.text}" if site else ""
            yield f"{indent}{_slot(kind.slots[number], sizes[number])}{where}"

    rest = [v.values[0] for v in kind.rest]
    if any(rest):
        yield f"compute {_flops(min(rest), max(rest))}"


def _computed(volumes: Sequence[Volumes], times: int, ranks: int) -> str:
    """Least and greatest volume; in a loop how often there is one, and their sum, of all ranks together."""
    if all(v.nothing for v in volumes):
        return ""
    values = [value for v in volumes for value in v.values if value] or [0.0]
    text = _flops(min(values), max(values))
    if times == 1:
        return text
    alike = ranks if len(volumes) == 1 else 1
    number = alike * sum(n for v in volumes for x, n in zip(v.values, v.counts, strict=True) if x)
    often = "" if number == times * ranks else f", {number:,} of {times * ranks:,} times"
    return f"{text}{often}, {alike * sum(v.total for v in volumes):.4g} in all"


def _flops(low: float, high: float) -> str:
    return f"{low:.4g} flops" if low == high else f"{low:.4g} … {high:.4g} flops"


def _slot(slot: Slot, sizes: tuple[int, int] | None) -> str:
    words = [_word(word) for word in slot.words]
    mark = words.index("#") if "#" in words else len(words)
    after = ""
    if mark < len(words):
        after = f" among {words[-1]}" if words[mark + 1] == "comm" else f", {words[-1]} older ones passed over"

    length = "" if sizes is None else f", {_size(*sizes)}"
    match slot.action:
        case "init":
            return "init: counts are of doubles" if words else "init: counts are of bytes"
        case "send" | "isend" | "ssend" | "issend":
            return f"{slot.action} to {words[0]}, tag {words[1]}{length}"
        case "recv" | "irecv":
            sender = "any" if words[0] == "-333" else words[0]
            return f"{slot.action} from {sender}, tag {'any' if words[1] == '-444' else words[1]}{length}"
        case "wait":
            begun = " or ".join(name for name, tag in WAIT_TAGS.items() if words[2] == str(tag))
            return f"wait for {begun}{after}" if begun else f"wait from {words[0]} to {words[1]}, tag {words[2]}{after}"
        case "sendrecv":
            return f"sendrecv to {words[1]}, from {words[3]}{length}"
        case "sleep":
            return f"sleep {words[0]} s"
        case _:
            return f"{slot.action}{length}{_root(slot.action, words[:mark])}{after}"


ROOTS = {"bcast": 1, "reduce": 2, "gather": 2, "scatter": 2}


def _root(action: str, words: Sequence[str]) -> str:
    at = ROOTS.get(action)
    return "" if at is None else f", root {words[at] if at < len(words) else 0}"


def _size(low: int, high: int) -> str:
    if low < 0:
        return "as sent" if high < 0 else f"up to {size(high)}"
    return size(low) if low == high else f"{size(low)} … {size(high)}"


def _word(word: Word) -> str:
    """`rank+1`, `1, 0, 3, … by rank`, `5 (+1 each)`"""
    text = _column(word.base)
    if not word.steps:
        return text
    steps = dict(word.steps)
    parts = [_signed(steps[k]) if k in steps else "+0" for k in range(max(steps) + 1)]
    return f"{text} ({', '.join(parts)} each)"


def _signed(step: ByRank) -> str:
    text = _column(step)
    return text if text.startswith("-") or step.how != "same" else f"+{text}"


def _column(column: ByRank) -> str:
    if column.how != "listed":
        return by_rank(column, {})
    first = ", ".join(column.words[:SHOWN])
    return f"{first}{', …' if len(column.words) > SHOWN else ''} by rank"
