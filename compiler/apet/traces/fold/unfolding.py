"""The lines that a folded trace stands for, made as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.fold.folded import Folded, Kind, Volumes, Word, plain_number, word_at
from apet.traces.lines import errors

BLOCK = 1 << 16
"""Characters of lines that are made at once, about."""
MANY = 2048
MOST_IN_MEMORY = 50_000_000
Part = str | Callable[[], str]


class _Loop(NamedTuple):
    """Parts that are repeated; `number` is that of the loop in its kind."""

    times: int
    number: int
    parts: tuple[Part | _Loop, ...]


def numbered_lines(folded: Folded) -> Iterator[tuple[int, str]]:
    """All lines, rank by rank, each with the line in its file that it comes from. `ApetError` if too many."""
    if folded.actions > MOST_IN_MEMORY:
        raise ApetError(errors.UnfoldsTooLong(None, None, folded.name, folded.actions, MOST_IN_MEMORY))
    for _, (kind, position) in sorted(folded.members().items()):
        lines = [slot.line for slot in kind.slots]
        coming = iter(kind.all_places())
        at = next(coming, -1)
        for block in unfolded(kind, position, folded.ranks):
            for line in block.splitlines():
                yield lines[at] if at >= 0 else 0, line
                if line.split(None, 2)[1] != "compute":
                    at = next(coming, -1)


def unfolded(kind: Kind, position: int, ranks: int) -> Iterator[str]:
    """The lines of a rank, by its position in its kind, some at a time; each with its end."""
    rank = kind.ranks[position]
    indices = [0] * len(kind.loops)
    parts, _ = _parts(_UnfoldedRank(kind, position, ranks, indices, kind.starting()), 0, len(kind.slots), 0)
    out = list[str]()
    yield from _run(parts, indices, out)
    rest = kind.rest_of(position)
    if not rest.nothing:
        out += (_volume_lines(rank, volumes) for volumes, _ in rest.runs())
    elif not kind.slots:
        out.append(f"{rank} finalize\n")

    if out:
        yield "".join(out)


def _run(parts: Sequence[Part | _Loop], indices: list[int], out: list[str]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        elif not isinstance(part, _Loop):
            out.append(part())
        elif any(isinstance(inner, _Loop) for inner in part.parts):
            for index in range(part.times):
                indices[part.number] = index
                yield from _run(part.parts, indices, out)
        else:
            yield from _repeated(part, indices, out)


def _repeated(loop: _Loop, indices: list[int], out: list[str]) -> Iterator[str]:
    """A loop without another one in it."""
    number = loop.number
    simple: Sequence[Part] = loop.parts  # type: ignore[assignment]
    enough = 1 if sum(len(p) for p in simple if isinstance(p, str)) > BLOCK // 2 else MANY
    for index in range(loop.times):
        indices[number] = index
        out += [part if isinstance(part, str) else part() for part in simple]
        if len(out) >= enough:
            yield "".join(out)
            out.clear()


class _UnfoldedRank(NamedTuple):
    """A rank: its kind, its position in that, the number of all ranks, and the present indices of all loops."""

    kind: Kind
    position: int
    ranks: int
    indices: list[int]
    starts: dict[int, list[int]]


def _parts(of: _UnfoldedRank, slot: int, last: int, level: int) -> tuple[list[Part | _Loop], int]:
    """The parts of slots from one to before another one, in so many of the loops that begin with it."""
    kind, position, ranks, indices, starts = of
    parts = list[Part | _Loop]()
    while slot < last:
        begun = starts.get(slot, [])[level:]
        if not begun:
            parts += _computing(kind.ranks[position], kind.volume(slot, position))
            parts.append(_line(kind, slot, position, ranks, indices))
            slot, level = slot + 1, 0
            continue
        loop = kind.loops[begun[0]]
        inside, slot = _parts(of, slot, loop.last, level + 1)
        parts += _looped(loop.times, begun[0], _joined(inside))
        level = 0

    return _joined(parts), slot


def _looped(times: int, number: int, parts: list[Part | _Loop]) -> list[Part | _Loop]:
    """A loop; as text, or many iterations at once, where all are alike."""
    if len(parts) != 1 or not isinstance(parts[0], str):
        return [_Loop(times, number, tuple(parts))]
    text = parts[0]
    at_once = max(1, min(times, BLOCK // max(1, len(text))))
    if at_once == times:
        return [text * times]
    whole = _Loop(times // at_once, number, (text * at_once,))
    return [whole, text * (times % at_once)] if times % at_once else [whole]


def _joined(parts: Sequence[Part | _Loop]) -> list[Part | _Loop]:
    """With texts that follow each other as one."""
    texts = list[Part | _Loop]()
    for part in parts:
        if isinstance(part, str) and texts and isinstance(texts[-1], str) and len(texts[-1]) < BLOCK:
            texts[-1] += part
        elif part != "":
            texts.append(part)
    return texts


def _computing(rank: int, volumes: Volumes) -> list[Part | _Loop]:
    if len(volumes.values) == 1:
        return [_volume_lines(rank, each) for each, _ in volumes.runs()]
    if volumes.all_whole():  # a line each: without a step in Python
        texts: Iterator[str] = map(f"{rank} compute %d\n".__mod__, volumes.values)
    else:
        texts = (_volume_lines(rank, each) for each, _ in volumes.runs())
    return [chain.from_iterable(map(repeat, texts, volumes.counts)).__next__]


def _volume_lines(rank: int, volumes: Sequence[float]) -> str:
    return "".join(f"{rank} compute {plain_number(value)}\n" for value in volumes)


def _line(kind: Kind, slot: int, position: int, ranks: int, indices: list[int]) -> Part:
    """The line of a slot: text, or what makes it of the indices of the loops around it."""
    rank = kind.ranks[position]
    action, words = kind.slots[slot].action, kind.slots[slot].words
    first = [word_at(word.base, position, rank, ranks, word.wraps) for word in words]
    if not any(word.steps for word in words):
        return " ".join((str(rank), NAMES.get(action, action), *first)) + "\n"
    path = kind.path(slot)[::-1]
    template = " ".join(
        (str(rank), NAMES.get(action, action), *("%d" if w.steps else t for w, t in zip(words, first, strict=True)))
    )
    moving = [
        (int(text), _advances(word, path, position, rank, ranks), ranks if word.wraps else 0)
        for word, text in zip(words, first, strict=True)
        if word.steps
    ]

    def line() -> str:
        values = []
        for base, steps, modulus in moving:
            for loop, step in steps:
                base += step * indices[loop]
            values.append(base % modulus if modulus else base)
        return template % tuple(values) + "\n"

    return line


def _advances(word: Word, path: Sequence[int], position: int, rank: int, ranks: int) -> list[tuple[int, int]]:
    return [(path[level], int(word_at(step, position, rank, ranks, False))) for level, step in word.steps]


NAMES = {"sendrecv": "sendRecv", "waitany": "waitAny", "waitsome": "waitSome"}
