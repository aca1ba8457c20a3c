"""Folding a trace: loops and equal ranks are found while it is read, so that memory grows with what remains."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from apet.ground.activity import over
from apet.ground.collection import paused_collector
from apet.traces.fold.folded import Folded
from apet.traces.fold.kinds_of_ranks import kinds_of, nodes_of
from apet.traces.fold.steps import AFTER, NUMBERS, SIZES, FoldedRank, Folding
from apet.traces.lines.actions import MOST_RANKS, PARTNERS, Reader
from apet.traces.lines.communicators import parse_communicator
from apet.traces.lines.files import DAMAGED, LONGEST, listed, opened
from apet.traces.trace import COLLECTIVES

BLOCK = 1 << 20
WELL_FOLDED, FEW_NODES, MANY_NODES = 20, 2000, 1 << 16
"""Actions per slot or loop from which on, and numbers of these up to which, a trace counts as folded well; beyond many
of a rank it does not, before all of it is read."""
_NUMBER = re.compile(r"[-+.0-9eE]+")
_MEMBERS = re.compile(r"[-,0-9]+")


def fold_trace(path: str | os.PathLike[str], sizes_aside: bool = False) -> Folded | None:
    """The folded form of a trace in a file; None where it has to be read as a whole, if only to say what is wrong.

    `sizes_aside`: where it hardly becomes smaller, sizes of messages and counts of loops that vary are put aside.
    """
    name = os.fspath(path)
    if not sizes_aside:
        return fold_file(name, NUMBERS)
    try:
        plain = _folded_ranks(name, NUMBERS, False, MANY_NODES)
        nodes = 0 if plain is None else plain.nodes()
        if plain is None or nodes <= min(FEW_NODES, plain.actions // WELL_FOLDED):
            return plain and plain.folded()
    except _HardlyFoldsError:
        plain, nodes = None, MANY_NODES // 2

    aside = _folded_ranks(name, SIZES, True)
    if aside is not None and (2 * aside.nodes() < nodes):
        return aside.folded()
    return fold_file(name, NUMBERS) if plain is None else plain.folded()


def fold_file(name: str, numbers: dict[str, str], counts_aside: bool = False) -> Folded | None:
    """The same, by what the words of actions are, `SIZES` puts all sizes aside; counts of loops too or not."""
    ranks = _folded_ranks(name, numbers, counts_aside)
    return ranks and ranks.folded()


class _HardlyFoldsError(Exception):
    """Some rank has too many steps and loops."""


class _FoldedRanks(NamedTuple):
    """What the core makes of a trace: its name and actions, and its ranks with their forms and gaps."""

    name: str
    actions: int
    flats: Sequence[FoldedRank]
    forms: Sequence[str]
    gaps: Sequence[tuple[float, ...]]

    def nodes(self) -> int:
        """Slots and loops of all kinds."""
        return nodes_of(self.flats, self.forms)

    def folded(self) -> Folded:
        """With kinds of ranks."""
        with paused_collector():
            kinds = kinds_of(self.flats, self.forms, self.gaps)
        return Folded(self.name, len(self.flats), self.actions, kinds)


def _folded_ranks(
    name: str, numbers: dict[str, str], counts_aside: bool, most: int | None = None
) -> _FoldedRanks | None:
    folding = Folding(numbers, counts_aside)

    try:
        for file in over(listed(name) or (name,), "reading the trace", "files"):
            folding.next_file()
            with opened(file) as lines:
                for text in _whole_lines(lines):
                    if not folding.feed(text):
                        return None
                    if most is not None and folding.left() > most:
                        raise _HardlyFoldsError
        return _result(os.path.basename(name), folding)
    except (*DAMAGED, ValueError):
        return None
    finally:
        folding.close()


def fold_lines(name: str, lines: Callable[[], Iterable[str]]) -> Folded | None:
    """The folded form of lines as `apet import` writes them; `lines` gives them, some at a time."""
    for numbers in (NUMBERS, {}):
        folding = Folding(numbers)
        try:
            plain = all(folding.feed(block.encode()) for block in lines())
            ranks = _result(name, folding) if plain else None
        finally:
            folding.close()
        if ranks is not None:
            return ranks.folded()
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


def _result(name: str, folding: Folding) -> _FoldedRanks | None:
    ranks = folding.ranks()
    if not 0 < ranks <= MOST_RANKS or not folding.actions():
        return None
    forms = folding.forms()
    if not all(_sound(line, ranks) for line in folding.greatest_lines()):
        return None
    flats = [folding.take(rank) for rank in range(ranks)]
    if not _among_their_own(flats, forms):
        return None
    return _FoldedRanks(name, folding.actions(), flats, forms, folding.gaps())


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
