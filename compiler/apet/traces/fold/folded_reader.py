"""Reading a folded trace: lists by rank, kinds of ranks, loops, and actions with what is computed before them."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Sequence
from typing import NoReturn

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.source import Source, Span
from apet.traces.fold.folded import (
    DEFAULT,
    NOTHING,
    ByRank,
    Folded,
    FoldedLoop,
    Kind,
    Slot,
    Volumes,
    Word,
    plain_number,
    word_at,
)
from apet.traces.fold.folded_words import MOST_ACTIONS, WORD, WordError, same_volumes, volumes_of, whole, whole_sizes
from apet.traces.fold.kinds_of_ranks import wraps
from apet.traces.fold.slot_sizes import LOOKED_AT, commented_action
from apet.traces.fold.steps import AFTER, NUMBERS
from apet.traces.lines import errors
from apet.traces.lines.actions import FORMS, MOST_RANKS
from apet.traces.lines.files import FOLDED, opened, plain_lines

DEEPEST = 64
MOST_LISTED = 50_000_000
KEYWORDS = ("ranks", "list", "kind", "loop", "end", "compute", "size", "times")
_LISTED = re.compile(r"[-+.0-9eE,]+")
_COMMENT = re.compile(r"comm|request|[-,0-9]+")
_BY_RANK = re.compile(r"rank(?:([-+])(\d{1,9})|\^(\d{1,9}))?|@(\d{1,9})|(-?\d{1,15})")
_ADVANCING = re.compile(r"([^{}]+)\{([^{}]+)\}")


def read_folded(path: str | os.PathLike[str]) -> Folded:
    """The folded trace in a file; `ApetError` with the first error in it."""
    reading = _Reading(os.fspath(path))
    reading.version()
    for number, line in plain_lines(os.fspath(path)):
        reading.line(number, line)
    return reading.end()


class _Open:
    """What has been read of a kind."""

    def __init__(self, ranks: tuple[int, ...]) -> None:
        self.ranks = ranks
        self.slots: list[Slot] = []
        self.loops: list[FoldedLoop] = []
        self.volumes: list[tuple[Volumes, ...]] = []
        self.around: list[int] = []
        self.times = [1]
        self.computing: tuple[Volumes, ...] | None = None
        self.sizes: list[tuple[Volumes, ...]] = []  # of the action to come
        self.counts: Volumes | None = None  # of the loop to come
        self.missing = 0


class _Reading:
    """Line by line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ranks = 0
        self.lists: dict[int, tuple[str, ...]] = {}
        self.kinds: list[Kind] = []
        self.ranks_read: set[int] = set()
        self.open: _Open | None = None
        self.actions = self.listed = 0
        self.at = (0, "")

    def version(self) -> None:
        """Refuse files of other versions."""
        try:
            with opened(self.name) as file:
                head = file.readline(200).decode("utf-8", "replace")
        except (OSError, EOFError, zlib.error):
            return  # told by who reads it all
        self.at = 1, head
        if head.rstrip() != FOLDED + "1":
            self.refuse(WordError(4, "this version is not known", "it is 1 here; write it anew with 'apet fold'"))

    def line(self, number: int, text: str) -> None:
        """Take in a line."""
        self.at = number, text
        words = text.split()

        try:
            if words[0] in ("ranks", "list", "kind"):
                getattr(self, f"_{words[0]}")(words)
            elif self.open is None:
                raise WordError(0, f"'{words[0]}' stands outside of a kind of ranks", "begin with: ranks 4, kind 0-3")
            elif words[0][0] == "|" or words[0].endswith("|"):
                self._stream(self.open, words)
            else:
                self._inside(self.open, words)
        except WordError as wrong:
            self.refuse(wrong)

    def end(self) -> Folded:
        """The whole, if nothing is missing."""
        try:
            self._close()
            if len(self.ranks_read) < self.ranks or not self.ranks:
                rank = next((r for r in range(self.ranks) if r not in self.ranks_read), 0)
                raise WordError(0, f"there is nothing of rank {rank}", "every rank is in one kind; is the end missing?")
        except WordError as wrong:
            self.refuse(wrong)
        return Folded(os.path.basename(self.name), self.ranks, self.actions, tuple(self.kinds))

    def refuse(self, wrong: WordError) -> NoReturn:
        """Raise an error at a word of the line."""
        number, line = self.at
        text = line.rstrip("\r\n")
        words = list(re.finditer(r"\S+", text))
        first, last = words[min(wrong.word, len(words) - 1)].span() if words else (0, 1)
        source = Source(self.name, "\n" * (max(1, number) - 1) + text)
        span = Span(max(1, number) - 1 + first, max(1, number) - 1 + last)
        raise ApetError(errors.BadLine(source, span, str(wrong), wrong.advice))

    def _ranks(self, words: list[str]) -> None:
        if self.ranks or len(words) != 2:
            raise WordError(0, "the number of ranks is said once, before all", "ranks 16")
        self.ranks = whole(words, 1, 1, MOST_RANKS)

    def _list(self, words: list[str]) -> None:
        number = whole(words, 1, 0, 10**9)
        if number in self.lists:
            raise WordError(1, f"there is a list {number} already", "each list has its own number")

        column = list[str]()
        for at, word in enumerate(words[2:], start=2):
            text, _, times = word.partition("*")
            count = whole([times], 0, 1, MOST_RANKS, at) if times else 1
            if not _LISTED.fullmatch(text):
                raise WordError(at, f"'{text}' is no number", "list 1 0 5600*3")
            self.listed += count
            if len(column) + count > self.ranks or self.listed > MOST_LISTED:
                raise WordError(at, f"the list is longer than there are ranks: {self.ranks}")
            column += [text] * count
        self.lists[number] = tuple(column)

    def _kind(self, words: list[str]) -> None:
        self._close()
        if len(words) != 2:
            raise WordError(0, "which ranks are of this kind?", "kind 0,3,5-7")
        ranks = list[int]()
        for part in words[1].split(","):
            first, _, last = part.partition("-")
            low = whole([first], 0, 0, self.ranks - 1, 1)
            ranks += range(low, whole([last], 0, low, self.ranks - 1, 1) + 1 if last else low + 1)
        twice = self.ranks_read.intersection(ranks)
        if twice or len(set(ranks)) < len(ranks):
            raise WordError(1, f"a rank is named twice: {min(twice or ranks)}", "every rank is in one kind")

        self.ranks_read.update(ranks)
        self.open = _Open(tuple(ranks))

    def _close(self) -> None:
        kind = self.open
        if kind is None:
            return
        self._complete(kind)
        if kind.sizes:
            raise WordError(0, "an action should follow 'size'", "send rank+1 7 ? 0")
        if kind.around:
            raise WordError(0, f"{len(kind.around)} loops have no end", "each 'loop' has an 'end'")
        rest = kind.computing or (NOTHING,)
        self._count(sum(v.actions for v in rest) * (len(kind.ranks) if len(rest) == 1 else 1))
        self.kinds.append(Kind(kind.ranks, tuple(kind.slots), tuple(kind.loops), tuple(kind.volumes), rest))
        self.open = None

    def _complete(self, kind: _Open, word: str = "") -> None:
        if kind.missing:
            raise WordError(0, f"volumes of {kind.missing} more ranks should stand here", "| VOLUMES, for each rank")
        if kind.counts is not None and word != "loop":
            raise WordError(0, "a loop should follow 'times'", "times 40*2 45, and then loop ?")

    def _inside(self, kind: _Open, words: list[str]) -> None:
        self._complete(kind, words[0])

        match words[0]:
            case "loop":
                self._computing_stays(kind)
                counts, kind.counts = kind.counts, None
                if (counts is None) == (words[1:] == [AFTER]):
                    raise WordError(0, "'times' and 'loop ?' come together", "times 40*2 45, and then loop ?")
                greatest = whole(words, 1, 1, MOST_ACTIONS) if counts is None else int(max(counts.values))
                times = kind.times[-1] * greatest if counts is None else int(counts.total)
                if times > MOST_ACTIONS or len(kind.around) >= DEEPEST:
                    what = f"more than {MOST_ACTIONS:,} iterations" if times > MOST_ACTIONS else "loops too deep"
                    raise WordError(1, f"{what}: {times:,} in {len(kind.around) + 1} loops", "is a count wrong?")
                parent = kind.around[-1] if kind.around else -1
                kind.around.append(len(kind.loops))
                kind.times.append(times)
                kind.loops.append(FoldedLoop(greatest, parent, len(kind.slots), 0, self.at[0], counts))
            case "end":
                self._computing_stays(kind)
                if not kind.around:
                    raise WordError(0, "there is no loop to end", "each 'end' has a 'loop'")
                loop = kind.around.pop()
                kind.times.pop()
                if kind.loops[loop].first == len(kind.slots):
                    raise WordError(0, "there is nothing in the loop", "leave it out")
                kind.loops[loop] = kind.loops[loop]._replace(last=len(kind.slots))
            case "compute":
                self._computing_stays(kind)
                kind.computing = self._computed(kind, words)
            case "size":
                kind.sizes.append(self._computed(kind, words))
            case "times":
                self._computing_stays(kind)
                (kind.counts,) = whole_sizes((volumes_of(words, 1, kind.times[-1], self.at[1]),), 1)
                if not 1 <= kind.counts.total <= MOST_ACTIONS:
                    raise WordError(1, f"{kind.counts.total:,.0f} iterations in all", "is a count wrong?")
            case _:
                self._action(kind, words)

    def _computing_stays(self, kind: _Open) -> None:
        if kind.computing is not None or kind.sizes:
            raise WordError(0, "an action should follow 'compute'", "volumes belong to the action after them")

    def _computed(self, kind: _Open, words: list[str]) -> tuple[Volumes, ...]:
        if len(words) == 1:
            kind.missing = len(kind.ranks)
            return ()
        if words[1].startswith("@"):
            column = self._by_rank(kind, words, 1, words[1])
            return tuple(same_volumes(word, 1, kind.times[-1]) for word in column.words)
        return (volumes_of(words, 1, kind.times[-1], self.at[1]),)

    def _stream(self, kind: _Open, words: list[str]) -> None:
        """`| VOLUMES`, or `3| VOLUMES` for three ranks."""
        count = whole([words[0][:-1]], 0, 1, MOST_RANKS) if words[0] != "|" else 1
        if count > kind.missing:
            raise WordError(0, "there are no volumes to be listed here", "'compute' alone comes before volumes by rank")
        kind.missing -= count
        volumes = (volumes_of(words, 1, kind.times[-1], self.at[1]),) * count
        if kind.sizes:
            kind.sizes[-1] += volumes
        else:
            kind.computing = (kind.computing or ()) + volumes

    def _action(self, kind: _Open, words: list[str]) -> None:
        name = words[0]
        if name != DEFAULT and (name not in FORMS or name in ("finalize", "location", "test")):
            names = ", ".join(sorted(FORMS))
            raise WordError(0, f"there is no action '{name}'{nearest(name, (*FORMS, *KEYWORDS))}", f"actions: {names}")

        mark = words.index("#") if "#" in words else len(words)
        path = kind.around[::-1]
        columns = [
            self._word(kind, words, at, path, mark) if at != mark else Word(ByRank("same", 0, ("#",)))
            for at in range(1, len(words))
        ]
        if kind.sizes:
            raise WordError(0, f"{len(kind.sizes)} 'size' without a '?' in the action", "send rank+1 7 ? 0")
        self._check(kind, name, columns)
        volumes = kind.computing if kind.computing is not None else (Volumes((0.0,), (kind.times[-1],)),)
        kind.computing = None
        kind.slots.append(Slot(name, tuple(columns), kind.around[-1] if kind.around else -1, self.at[0]))
        kind.volumes.append(volumes)
        computed = sum(each.actions for each in volumes)
        if len(volumes) == 1:
            computed *= len(kind.ranks)
        self._count(computed + (0 if name == DEFAULT else kind.times[-1] * len(kind.ranks)))

    def _check(self, kind: _Open, name: str, words: Sequence[Word]) -> None:
        """Whether the actions of all ranks that are looked at are one, in the first iteration."""
        alike = all(word.wraps or word.base.how == "same" for word in words)  # and sizes are whole numbers
        checked = set[tuple[str, ...]]()

        for position, rank in enumerate(kind.ranks[: 1 if alike else LOOKED_AT]):
            texts = tuple(
                plain_number(max(word.values(position).values))
                if word.aside
                else word_at(word.base, position, rank, self.ranks, word.wraps)
                for word in words
            )
            try:
                if texts not in checked:
                    commented_action(self.ranks, 1, (name, *texts))
            except ValueError as problem:
                raise WordError(0, f"{name}: {problem}") from None
            checked.add(texts)

    def _count(self, more: int) -> None:
        self.actions += more
        if self.actions > MOST_ACTIONS:
            raise WordError(
                0, f"the trace unfolds to more than {MOST_ACTIONS:,} actions", "is a count of a loop wrong?"
            )

    def _word(self, kind: _Open, words: list[str], at: int, path: Sequence[int], mark: int) -> Word:
        text, steps = words[at], list[tuple[int, ByRank]]()
        wrapped = wraps(words[0], at - 1)
        advancing = _ADVANCING.fullmatch(text)
        if text == AFTER and at < mark:
            if not kind.sizes or wrapped:
                raise WordError(at, "there is no 'size' for it", "size 5600*3 800 comes before send rank+1 7 ? 0")
            return Word(ByRank("same", 0, (AFTER,)), aside=whole_sizes(kind.sizes.pop(0), at))
        if at > mark:
            if not text.startswith("@") and not _COMMENT.fullmatch(text):
                raise WordError(at, f"'{text}' is no communicator", "# comm 0,3,12-15, or # request 1")
            return Word(self._by_rank(kind, words, at, text))
        if advancing:
            kinds = NUMBERS.get(words[0], "")
            parts = advancing[2].split(",")
            if at > len(kinds) or kinds[at - 1] == "-" or len(parts) > len(path):
                raise WordError(
                    at, f"'{text}' cannot advance so", "numbers advance by one step for each loop around them"
                )
            text = advancing[1]
            steps = [(k, self._by_rank(kind, words, at, p)) for k, p in enumerate(parts) if p != "0"]
        word = Word(self._by_rank(kind, words, at, text), tuple(steps), wrapped)
        if steps:
            self._stays_above(kind, word, at, path)

        return word

    def _stays_above(self, kind: _Open, word: Word, at: int, path: Sequence[int]) -> None:
        """Refuse numbers that fall below 0 or become huge."""
        for position, rank in enumerate(kind.ranks):
            try:
                low = high = int(word_at(word.base, position, rank, self.ranks, word.wraps))
                for level, step in word.steps:
                    gone = int(word_at(step, position, rank, self.ranks, False)) * (kind.loops[path[level]].times - 1)
                    low, high = low + min(0, gone), high + max(0, gone)
            except ValueError:
                raise WordError(at, "what advances should be a whole number") from None
            if not word.wraps and (low < 0 or high > 10**15):
                raise WordError(
                    at, f"for rank {rank} it advances from {low} to {high}", "it should stay from 0 to 1e15"
                )

    def _by_rank(self, kind: _Open, words: list[str], at: int, text: str) -> ByRank:
        match = _BY_RANK.fullmatch(text)
        if match is None:
            if WORD.fullmatch(text) or _COMMENT.fullmatch(text):
                return ByRank("same", 0, (text,))
            raise WordError(at, f"'{text}' is no number", "5600, rank+1, rank^4, @2 (list 2), 5{1} (advances by 1)")
        sign, shift, mask, listed, _ = match.groups()
        if text.startswith("rank"):
            if mask is not None:
                return ByRank("xor", int(mask))
            return ByRank("plus", int(f"{sign}{shift}") if shift else 0)
        if listed is None:
            return ByRank("same", 0, (text,))
        column = self.lists.get(int(listed))
        if column is None or len(column) != len(kind.ranks):
            what = "there is no" if column is None else f"{len(column)} instead of {len(kind.ranks)} words are in"
            raise WordError(at, f"{what} list {listed}", "a list has a word for each rank of the kind, before it")

        return ByRank("listed", 0, column)
