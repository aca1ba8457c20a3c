"""The lines of a trace as sequences of symbols, folded while they are read; in Python what `folding_core` does in C.

A symbol is the form of a line, where each number that may advance from iteration to iteration is a `PLACE`, and those
numbers. Computing is no step: its volume is kept with the step that follows. Several volumes before one step, or none
above 0, are a gap: a number below 0, -1 for the first of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from apet.traces.fold.loops import Node, Symbol, Symbols, Tail, folded
from apet.traces.read.reader import MOST_RANKS
from apet.traces.trace import WAIT_TAGS

PLACE = "\x01"
LONGEST = 1 << 15
"""Steps and loops of a rank that are kept before numbers that advance are looked for, ahead of the end."""
NUMBERS = {
    **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), "pii"),
    "wait": "ppi",
    "sendrecv": "ipip",
    **dict.fromkeys(("bcast", "allgather", "alltoall"), "ii"),
    **dict.fromkeys(("reduce", "allreduce", "scan", "exscan"), "i"),
    **dict.fromkeys(("gather", "scatter"), "iii"),
}
NUMBERS |= {name: NUMBERS[name[1:]] for name in WAIT_TAGS if name[1:] in NUMBERS}
"""By action, what its words are: p another rank, which counts modulo their number, i a whole number."""
FREE = frozenset((b"finalize", b"comm_size", b"comm_split", b"comm_dup", b"location", b"test"))
_ODD = re.compile(rb"[^\t\x0b\x0c\x20-\x7f]")
_VOLUME = re.compile(rb"[0-9.+\-eE]{1,63}")
_WHOLE = re.compile(rb"[0-9]{1,15}")


PLAIN = Symbols(int, lambda k: (), lambda f: (), 0, False)
"""Symbols as they are."""


class Flat(NamedTuple):
    """A folded rank in the order of its lines. By node: the number of its form, or minus the iterations of a loop; the
    number of runs of volumes, or of nodes in a loop; its first line; how many `steps` a loop has. `bases` are the
    numbers of all steps, `steps` by how much those in a loop advance, `values` and `counts` the runs; `rest` is the
    volume after the last step."""

    codes: Sequence[int]
    widths: Sequence[int]
    lines: Sequence[int]
    bases: Sequence[int]
    stepped: Sequence[int]
    steps: Sequence[int]
    values: Sequence[float]
    counts: Sequence[int]
    rest: float


class Folding(Protocol):
    """What folds lines as they come, in C or in Python."""

    def feed(self, text: bytes) -> bool:
        """Read whole lines; False where one is not plain, and has to be read by other means."""

    def next_file(self) -> None:
        """The next line is the first of another file."""

    def ranks(self) -> int:
        """The number of ranks; 0 if one has no line."""

    def actions(self) -> int:
        """The number of actions so far."""

    def greatest(self) -> int:
        """The greatest rank named as a partner; -1 if none is."""

    def forms(self) -> list[str]:
        """The forms by their numbers."""

    def gaps(self) -> list[tuple[float, ...]]:
        """The volumes of gaps by their numbers; complete when all ranks are taken."""

    def take(self, rank: int) -> Flat:
        """A rank at its end; once."""

    def close(self) -> None:
        """Give back memory."""


class PlainFolding:
    """In Python."""

    def __init__(self, numbers: dict[str, str], longest: int = LONGEST) -> None:
        self.numbers, self.longest = numbers, longest
        self.limits: list[int] = []
        self.form_numbers: dict[str, int] = {}
        self.symbol_numbers: dict[Symbol, int] = {}
        self.symbols: list[Symbol] = []
        self.wraps: list[tuple[bool, ...]] = []
        self.tails: list[Tail] = []
        self.volumes: list[list[float]] = []
        self.gap_numbers: dict[tuple[float, ...], int] = {}
        self.elements: list[bool] = []
        self.seen: list[bool] = []
        self.line = self.count = 0
        self.most = -1

    def feed(self, text: bytes) -> bool:
        lines = text.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return all(map(self._line, lines))

    def next_file(self) -> None:
        self.line = 0

    def ranks(self) -> int:
        return len(self.seen) if all(self.seen) else 0

    def actions(self) -> int:
        return self.count

    def greatest(self) -> int:
        return self.most

    def forms(self) -> list[str]:
        return list(self.form_numbers)

    def gaps(self) -> list[tuple[float, ...]]:
        return list(self.gap_numbers)

    def _gap(self, rank: int) -> float:
        volumes = tuple(self.volumes[rank])
        self.volumes[rank].clear()
        if not volumes:
            return 0.0
        if len(volumes) == 1 and volumes[0] > 0:
            return volumes[0]
        return -1.0 - self.gap_numbers.setdefault(volumes, len(self.gap_numbers))

    def close(self) -> None:
        self.tails.clear()

    def take(self, rank: int) -> Flat:
        nodes = folded(self.tails[rank].finish(), self._meaning(len(self.tails)))
        found = Flat([], [], [], [], [], [], [], [], self._gap(rank))
        self._flatten(nodes, found)
        return found

    def _meaning(self, ranks: int) -> Symbols:
        symbols = self.symbols
        return Symbols(lambda k: symbols[k][0], lambda k: symbols[k][1], self.wraps.__getitem__, ranks)

    def _flatten(self, nodes: Sequence[Node], into: Flat) -> None:
        codes, widths, lines, bases, stepped, steps, values, counts = (_list(column) for column in into[:-1])
        for node in nodes:
            lines.append(node.line)
            if node.body:
                codes.append(-node.times)
                widths.append(len(node.body))
                stepped.append(len(node.steps or ()))
                steps += node.steps or ()
                self._flatten(node.body, into)
                continue
            form, numbers = self.symbols[node.symbol]
            codes.append(form)
            widths.append(len(node.values))
            stepped.append(0)
            bases += numbers
            values += node.values
            counts += node.counts

    def _line(self, text: bytes) -> bool:
        self.line += 1
        if text[-1:] == b"\r":
            text = text[:-1]
        if _ODD.search(text):
            return False
        text, _, comment = text.partition(b"#")
        words = text.split()
        if not words:
            return True
        said = comment.split()
        if said and not (said[0] == b"comm" or said[0].startswith(b"request")):
            said = []
        if len(words) < 2 or len(words[0]) > 7 or not words[0].isdigit() or int(words[0]) >= MOST_RANKS:
            return False
        if len(words[1]) > 15:
            return False
        return self._action(int(words[0]), words[1].lower(), words[2:], said)

    def _action(self, rank: int, name: bytes, words: list[bytes], said: list[bytes]) -> bool:
        while rank >= len(self.tails):
            self.tails.append(Tail(PLAIN))
            self.limits.append(self.longest)
            self.volumes.append([])
            self.elements.append(False)
            self.seen.append(False)
        self.seen[rank] = True
        if said and (name in FREE or name in (b"compute", b"init")):
            return False
        if name in FREE:
            return True
        if name == b"compute":
            volume = _volume(words)
            if volume is None:
                return False
            self.volumes[rank].append(volume)
            self.count += 1
        elif name == b"init":
            if bool(words) != self.elements[rank]:
                self.elements[rank] = bool(words)
                self._step(rank, name, [b"1"] if words else [], said)
        else:
            self.count += 1
            self._step(rank, name, words, said)
        return True

    def _step(self, rank: int, name: bytes, words: list[bytes], said: list[bytes]) -> None:
        kinds = self.numbers.get(name.decode(), "")
        form, numbers, wraps = [name.decode()], list[int](), list[bool]()
        for at, word in enumerate(words):
            kind = kinds[at] if at < len(kinds) else "-"
            if kind != "-" and _WHOLE.fullmatch(word):
                form.append(PLACE)
                numbers.append(int(word))
                wraps.append(kind == "p")
                if kind == "p":
                    self.most = max(self.most, numbers[-1])
            else:
                form.append(word.decode())
        if said:
            form += ["#", *(word.decode() for word in said)]
        number = self.form_numbers.setdefault(" ".join(form), len(self.form_numbers))
        if number == len(self.wraps):
            self.wraps.append(tuple(wraps))
        symbol = number, tuple(numbers)
        found = self.symbol_numbers.setdefault(symbol, len(self.symbols))
        if found == len(self.symbols):
            self.symbols.append(symbol)
        before = self.tails[rank]
        before.push(Node(found, self._gap(rank), self.line))
        if len(before.items) >= self.limits[rank]:
            self.tails[rank] = Tail(PLAIN)
            self.tails[rank].take_over(folded(before.items, self._meaning(0)))
            self.limits[rank] = max(self.longest, 4 * len(self.tails[rank].items))


def _list(column: object) -> list[float]:
    assert isinstance(column, list)
    return column


def _volume(words: list[bytes]) -> float | None:
    if not words or not _VOLUME.fullmatch(words[0]):
        return None
    try:
        value = float(words[0])
    except ValueError:
        return None
    return value + 0.0 if math.isfinite(value) and value >= 0 else None
