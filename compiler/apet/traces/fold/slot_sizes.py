"""How many bytes the messages of a folded trace have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from apet.traces.fold.folded import DEFAULT, Kind, Slot, plain_number, word_at
from apet.traces.lines.actions import Reader
from apet.traces.lines.communicators import parse_communicator

SIZE = {"sendrecv": 1, "send": 3, "isend": 3, "ssend": 3, "issend": 3, "recv": 3, "irecv": 3}
NO_SIZE = frozenset(("wait", "waitall", "waitany", "waitsome", "barrier", "ibarrier", "sleep", DEFAULT))
LOOKED_AT = 4096
"""Ranks of a kind that are looked at."""


def slot_sizes(kind: Kind, ranks: int) -> list[tuple[int, int] | None]:
    """By slot the least and the greatest number of bytes, over ranks and iterations; None where there are none."""
    default = 1
    extremes = list[tuple[int, int] | None]()
    size_of: dict[tuple[str, ...], int] = {}
    for slot in kind.slots:
        if slot.action == DEFAULT:
            default = 8 if slot.words else 1
            size_of.clear()
        if slot.action in NO_SIZE:
            extremes.append(None)
            continue
        sizes = set[int]()
        for words in _corners(kind, slot, ranks):
            if words not in size_of:
                size_of[words] = _size(ranks, default, words)
            sizes.add(size_of[words])
        extremes.append((min(sizes), max(sizes)))

    return extremes


def _corners(kind: Kind, slot: Slot, ranks: int) -> Iterator[tuple[str, ...]]:
    """The words of ranks in the first and in the last iterations."""
    loops, at = list[int](), slot.parent
    while at >= 0:
        loops.append(kind.loops[at].times - 1)
        at = kind.loops[at].parent

    ends = [
        (0, last) if any(level == k for w in slot.words for level, _ in w.steps) else (0,)
        for k, last in enumerate(loops)
    ]
    # Sizes that are put aside: all at their least, and all at their greatest.
    extremes: list[Callable[[Sequence[float]], float]] = [min, max] if any(w.aside for w in slot.words) else [min]
    for position, rank in enumerate(kind.ranks[:LOOKED_AT]):
        for extreme, indices in product(extremes, product(*ends)):
            words = [slot.action]
            for word in slot.words:
                if word.aside:
                    words.append(plain_number(extreme(word.values(position).values)))
                    continue
                text = word_at(word.base, position, rank, ranks, word.wraps)
                if word.steps:
                    gone = sum(
                        int(word_at(s, position, rank, ranks, False)) * indices[level] for level, s in word.steps
                    )
                    value = int(text) + gone
                    text = str(value % ranks if word.wraps else value)
                words.append(text)
            yield tuple(words)


def _size(ranks: int, default: int, words: tuple[str, ...]) -> int:
    action = commented_action(ranks, default, words)
    size = 0 if action is None else action[SIZE.get(words[0], 1)]
    return sum(size) if isinstance(size, list) else int(size)


def commented_action(ranks: int, default: int, words: Sequence[str]) -> tuple[Any, ...] | None:
    """An action with all its words and, after a `#`, those of its comment; `ValueError` says what is wrong."""
    name, *arguments = words
    if "#" in arguments:
        mark = arguments.index("#")
        group = parse_communicator(" ".join(arguments[mark + 1 :]))
        ranks = ranks if group is None else len(group)
        arguments = arguments[:mark]
    return Reader(lambda: ranks, default).action(name, arguments)
