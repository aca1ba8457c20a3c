"""Ranks whose folded steps have equal names, loops and nesting become one kind; words that differ become columns."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from apet.traces.fold.folded import ByRank, FoldedLoop, Kind, Slot, Volumes, Word, merged, plain_number
from apet.traces.fold.steps import AFTER, NUMBERS, PLACE, FoldedRank, listed_counts


class _Form(NamedTuple):
    """A form of lines: its name, its words, the number of the skeleton that forms of equal name and length share, which
    words are numbers that may advance, and which are put aside."""

    name: str
    words: tuple[str, ...]
    skeleton: int
    places: tuple[int, ...]
    aside: tuple[int, ...]


_Symbol = tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]
"""The number of a form, its numbers, and by how much those advance by enclosing loop, innermost first (or ())."""


class _Steps(NamedTuple):
    """The steps of a rank in order, their volumes, and the values of their words that are put aside."""

    symbols: list[_Symbol]
    volumes: list[Volumes]
    aside: list[tuple[Volumes, ...]]


def wraps(action: str, at: int) -> bool:
    """Whether a word of an action names a rank modulo their number."""
    kinds = NUMBERS.get(action, "")
    return at < len(kinds) and kinds[at] == "p"


def kinds_of(flats: Sequence[FoldedRank], forms: Sequence[str], gaps: Sequence[tuple[float, ...]]) -> tuple[Kind, ...]:
    """The kinds of ranks, by their first rank; of their folded steps, the forms of those and gaps in computing."""
    forms_by_code = _forms(forms)
    return tuple(
        _kind(tuple(ranks), [flats[r] for r in ranks], forms_by_code, gaps, len(flats))
        for ranks in _alike(flats, forms_by_code)
    )


def nodes_of(flats: Sequence[FoldedRank], forms: Sequence[str]) -> int:
    """Slots and loops of all kinds of ranks."""
    return sum(len(flats[ranks[0]].codes) for ranks in _alike(flats, _forms(forms)))


def _alike(flats: Sequence[FoldedRank], forms: Sequence[_Form]) -> Iterable[list[int]]:
    groups: dict[bytes, list[int]] = {}
    for rank, flat in enumerate(flats):
        groups.setdefault(_skeleton(flat, forms), []).append(rank)
    return groups.values()


def _forms(texts: Sequence[str]) -> list[_Form]:
    skeletons: dict[tuple[object, ...], int] = {}
    parsed = list[_Form]()
    for text in texts:
        name, *words = text.split(" ")
        places, aside = (tuple(k for k, word in enumerate(words) if word == what) for what in (PLACE, AFTER))
        key = name, len(words), words.index("#") if "#" in words else -1, aside
        skeleton = skeletons.setdefault(key, len(skeletons))
        parsed.append(_Form(name, tuple(words), skeleton, places, aside))
    return parsed


def _skeleton(flat: FoldedRank, forms: Sequence[_Form]) -> bytes:
    codes, runs = array("q"), 0
    for code, width in zip(flat.codes, flat.widths, strict=True):
        if code < 0:
            first, runs = runs, runs + listed_counts(code)
            codes.extend((code, width, *map(int, flat.values[first:runs]), *flat.counts[first:runs]))
        else:
            codes.append(forms[code].skeleton)
            runs += width
    return codes.tobytes()


def _kind(
    ranks: tuple[int, ...],
    flats: Sequence[FoldedRank],
    forms: Sequence[_Form],
    gaps: Sequence[tuple[float, ...]],
    everybody: int,
) -> Kind:
    loops, parents, lines = _loops(flats[0])
    by_rank = [_steps(flat, forms, gaps) for flat in flats]
    slots, words_by_symbols = list[Slot](), dict[tuple[_Symbol, ...], tuple[Word, ...]]()
    for number, symbols in enumerate(zip(*(steps.symbols for steps in by_rank), strict=True)):
        first = forms[symbols[0][0]]
        words = words_by_symbols.get(symbols)
        if words is None:
            words = tuple(_word(symbols, forms, at, ranks, everybody) for at in range(len(first.words)))
            words_by_symbols[symbols] = words
        if first.aside:
            columns = iter([_once(each) for each in zip(*(steps.aside[number] for steps in by_rank), strict=True)])
            words = tuple(_aside(next(columns), ranks, everybody) if w.base.words == (AFTER,) else w for w in words)
        slots.append(Slot(first.name, words, parents[number], lines[number]))

    volumes = [_once(each) for each in zip(*(steps.volumes for steps in by_rank), strict=True)]
    rest = tuple(of_runs(array("d", (flat.rest,)), array("q", (1,)), gaps) for flat in flats)
    return Kind(ranks, tuple(slots), tuple(loops), tuple(volumes), _once(rest))


def _once(volumes: tuple[Volumes, ...]) -> tuple[Volumes, ...]:
    return volumes[:1] if all(v == volumes[0] for v in volumes) else volumes


def of_runs(values: array[float], counts: array[int], gaps: Sequence[tuple[float, ...]]) -> Volumes:
    """Runs, where numbers below 0 stand for gaps."""
    if min(values) >= 0:
        return Volumes(values, counts)
    parts = {k: gaps[-1 - int(value)] for k, value in enumerate(values) if value < 0}
    for k, volume in zip(parts, map(math.fsum, parts.values()), strict=True):
        values[k] = volume
    return Volumes(values, counts, parts)


def _loops(flat: FoldedRank) -> tuple[list[FoldedLoop], list[int], list[int]]:
    """The loops, and by slot its loop and line."""
    loops, parents, lines = list[FoldedLoop](), list[int](), list[int]()
    left = list[list[int]]()  # of open loops: number, nodes to come
    runs = 0
    for code, width, line in zip(flat.codes, flat.widths, flat.lines, strict=True):
        parent = left[-1][0] if left else -1
        if left:
            left[-1][1] -= 1
        if code < 0:
            first, runs = runs, runs + listed_counts(code)
            counts = Volumes(flat.values[first:runs], flat.counts[first:runs]) if runs > first else None
            times = int(max(counts.values)) if counts else -code
            loops.append(FoldedLoop(times, parent, len(lines), 0, line, counts))
            left.append([len(loops) - 1, width])
        else:
            parents.append(parent)
            lines.append(line)
            runs += width
        while left and not left[-1][1]:
            loop = left.pop()[0]
            loops[loop] = loops[loop]._replace(last=len(lines))

    return loops, parents, lines


def _steps(flat: FoldedRank, forms: Sequence[_Form], gaps: Sequence[tuple[float, ...]]) -> _Steps:
    all_steps, single = _Steps([], [], []), dict[tuple[float, int], Volumes]()
    base = runs = stepped = 0
    left = list[list[int]]()  # of open loops: nodes to come, where its steps are (-1: it has none)
    for code, width, count in zip(flat.codes, flat.widths, flat.stepped, strict=True):
        if left:
            left[-1][0] -= 1
        if code < 0:
            left.append([width, stepped if count else -1])
            stepped += count
            runs += listed_counts(code)
        else:
            numbers = len(forms[code].places)
            steps = list[tuple[int, ...]]()
            for loop in reversed(left):
                at = loop[1]
                steps.append(tuple(flat.steps[at : at + numbers]) if at >= 0 else ())
                if at >= 0:
                    loop[1] += numbers
            all_steps.symbols.append((code, tuple(flat.bases[base : base + numbers]), tuple(steps)))
            first, last = runs, runs + width
            run = flat.values[first], flat.counts[first]
            volumes = single.get(run) if width == 1 else None
            if volumes is None:
                volumes = of_runs(array("d", flat.values[first:last]), array("q", flat.counts[first:last]), gaps)
                if width == 1:
                    single[run] = volumes
            aside = len(forms[code].aside)
            all_steps.volumes.append(merged((v[: len(v) - aside], n) for v, n in volumes.runs()) if aside else volumes)
            columns = ([((v[-k],) if v[-k] else (), n) for v, n in volumes.runs()] for k in range(aside, 0, -1))
            all_steps.aside.append(tuple(map(merged, columns)))
            base += numbers
            runs += width
        while left and not left[-1][0]:
            left.pop()

    return all_steps


def _aside(columns: tuple[Volumes, ...], ranks: Sequence[int], everybody: int) -> Word:
    """A word that was put aside: a plain one if it is the same in all iterations."""
    if any(len(column.values) > 1 for column in columns):
        return Word(ByRank("same", 0, (AFTER,)), aside=columns)
    texts = [plain_number(column.values[0]) for column in columns]
    return Word(described(texts * (len(ranks) if len(columns) == 1 else 1), ranks, everybody, False))


def _word(symbols: Sequence[_Symbol], forms: Sequence[_Form], at: int, ranks: Sequence[int], everybody: int) -> Word:
    """One word of a slot, for all ranks."""
    if len(symbols) == 1 and not any(symbols[0][2]):
        code, numbers, _ = symbols[0]
        form = forms[code]
        text = str(numbers[form.places.index(at)]) if form.words[at] == PLACE else form.words[at]
        return _constant(text, wraps(form.name, at))

    texts, advances = list[str](), list[list[int]]()
    for code, numbers, steps in symbols:
        form = forms[code]
        if form.words[at] != PLACE:
            texts.append(form.words[at])
            advances.append([0] * len(steps))
            continue
        number = form.places.index(at)
        texts.append(str(numbers[number]))
        advances.append([loop[number] if loop else 0 for loop in steps])

    wrapped = wraps(forms[symbols[0][0]].name, at)
    advancing = tuple(
        (level, described([str(each[level]) for each in advances], ranks, everybody, False))
        for level in range(len(advances[0]))
        if any(each[level] for each in advances)
    )
    return Word(described(texts, ranks, everybody, wrapped), advancing, wrapped)


@lru_cache(maxsize=1 << 16)
def _constant(text: str, wrapped: bool) -> Word:
    """A word that does not change; made once, since a trace that hardly folds has it millions of times."""
    return Word(ByRank("same", 0, (text,)), (), wrapped)


def described(words: Sequence[str], ranks: Sequence[int], everybody: int, wrapped: bool) -> ByRank:
    """The shortest description of words by rank."""
    if len(set(words)) == 1:
        return ByRank("same", 0, (words[0],))
    listed = ByRank("listed", 0, tuple(words))
    if not all(word.isdecimal() and str(int(word)) == word for word in words):
        return listed
    numbers = list(map(int, words))
    if wrapped and all(number < everybody for number in numbers):
        distance = (numbers[0] - ranks[0]) % everybody
        if all((rank + distance) % everybody == number for rank, number in zip(ranks, numbers, strict=True)):
            return ByRank("plus", distance - everybody if 2 * distance > everybody else distance)
    elif not wrapped and all(
        number - rank == numbers[0] - ranks[0] for rank, number in zip(ranks, numbers, strict=True)
    ):
        return ByRank("plus", numbers[0] - ranks[0])
    if all(rank ^ number == ranks[0] ^ numbers[0] for rank, number in zip(ranks, numbers, strict=True)):
        return ByRank("xor", ranks[0] ^ numbers[0])

    return listed
