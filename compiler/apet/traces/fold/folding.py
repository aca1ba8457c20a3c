"""Folding a trace: loops and equal ranks are found while it is read, so that memory grows with what remains."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from apet.ground.activity import over
from apet.ground.collection import paused_collector
from apet.traces.fold.folded import Folded
from apet.traces.fold.kinds_of_ranks import kinds_of
from apet.traces.fold.steps import AFTER, NUMBERS, SIZES, FoldedRank, Folding
from apet.traces.lines.actions import MOST_RANKS, PARTNERS, Reader
from apet.traces.lines.communicators import parse_communicator
from apet.traces.lines.files import LONGEST, listed, opened
from apet.traces.trace import COLLECTIVES

BLOCK = 1 << 20
WELL_FOLDED = 20
"""Actions per part of the structure from which on a trace counts as folded well."""
_NUMBER = re.compile(r"[-+.0-9eE]+")
_MEMBERS = re.compile(r"[-,0-9]+")


def fold_trace(path: str | os.PathLike[str], sizes_aside: bool = False) -> Folded | None:
    """The folded form of a trace in a file; None where it has to be read as a whole, if only to say what is wrong.

    `sizes_aside`: where it hardly becomes smaller, sizes of messages that neither stay nor advance are put aside.
    """
    folded = fold_file(os.fspath(path), NUMBERS)
    if folded is None or not sizes_aside or folded.actions >= WELL_FOLDED * folded.size().structure:
        return folded
    nodes = sum((len(kind.slots) + len(kind.loops)) * len(kind.ranks) for kind in folded.kinds)
    other = fold_file(os.fspath(path), SIZES, most=nodes * 3 // 4)
    return other if other is not None and 2 * other.size().structure < folded.size().structure else folded


def fold_file(name: str, numbers: dict[str, str], most: int | None = None) -> Folded | None:
    """The same, by what the words of actions are; `SIZES` puts all sizes aside. None also for more steps and loops than
    `most`, of all ranks."""
    folding = Folding(numbers)

    try:
        size = 0
        for file in over(listed(name) or (name,), "reading the trace", "files"):
            folding.next_file()
            with opened(file) as lines:
                for text in _whole_lines(lines):
                    size += len(text)
                    if not folding.feed(text):
                        return None
        return _result(os.path.basename(name), folding, size, most)
    except (OSError, EOFError, zlib.error, ValueError):
        return None
    finally:
        folding.close()


def fold_lines(name: str, lines: Callable[[], Iterable[str]]) -> Folded | None:
    """The folded form of lines as `apet trace convert` writes them; `lines` gives them, some at a time."""
    for numbers in (NUMBERS, {}):
        folding = Folding(numbers)
        try:
            plain = all(folding.feed(block.encode()) for block in lines())
            folded = _result(name, folding, 0) if plain else None
        finally:
            folding.close()
        if folded is not None:
            return folded
    return None


def _whole_lines(file: Any) -> Iterator[bytes]:
    rest = b""
    while block := file.read(BLOCK):
        text = rest + block
        whole = text.rfind(b"\n") + 1
        rest = text[whole:]
        if len(rest) > LONGEST:
            raise ValueError("a line without end")
        if whole:
            yield text[:whole]
    if rest:
        yield rest


def _result(name: str, folding: Folding, size: int, most: int | None = None) -> Folded | None:
    ranks = folding.ranks()
    if not 0 < ranks <= MOST_RANKS or not folding.actions():
        return None
    forms = folding.forms()
    if not all(_sound(line, ranks) for line in folding.greatest_lines()):
        return None
    flats = [folding.take(rank) for rank in range(ranks)]
    if not _among_their_own(flats, forms) or (most is not None and sum(len(f.codes) for f in flats) > most):
        return None
    with paused_collector():
        kinds = kinds_of(flats, forms, folding.gaps())
    return Folded(name, ranks, folding.actions(), kinds, size)


def _among_their_own(flats: Sequence[FoldedRank], forms: Sequence[str]) -> bool:
    """Whether all ranks are in the communicators that they name."""
    named = {k: form.partition("# ")[2] for k, form in enumerate(forms) if "# comm" in form}
    groups = {k: frozenset(parse_communicator(text) or ()) for k, text in named.items()}
    return not groups or all(
        rank in groups[code] for rank, flat in enumerate(flats) for code in groups.keys() & set(flat.codes)
    )


def _sound(line: str, ranks: int) -> bool:
    """Whether lines of a form are right, if this one, which has the greatest numbers, is."""
    name, *words = line.split(" ")
    if name == "init":
        return True
    words, comment = (words[: words.index("#")], words[words.index("#") + 1 :]) if "#" in words else (words, [])
    words = ["1" if word == AFTER else word for word in words]  # a size: any number
    if not all(map(_NUMBER.fullmatch, words)):
        return False

    members = ranks
    try:
        if comment:
            if len(comment) != 2 or not _MEMBERS.fullmatch(comment[1]):
                return False
            group = parse_communicator(" ".join(comment))
            if (group is None) != (name == "wait") or (group is not None and name not in COLLECTIVES):
                return False
            if group is None and (comment[0] != "request" or not comment[1].isdecimal() or len(comment[1]) > 9):
                return False
            members = ranks if group is None else len(group)
            if group is not None and max(group) >= ranks:
                return False
        action = Reader(lambda: members).action(name, words)
    except ValueError:
        return False

    return action is not None and _partners(action, members)


def _partners(action: Sequence[Any], ranks: int) -> bool:
    return max((action[k] for k in PARTNERS.get(action[0], ())), default=0) < ranks
