"""Loops in a sequence of steps, found while it grows: where its tail repeats what is before it, the two are one loop.

Appended steps are folded as in the regular section descriptors of ScalaTrace (M. Noeth, P. Ratn, F. Mueller,
M. Schulz, B. R. de Supinski, 2009): a tail equal to the body of the loop before it is one more iteration; two equal
tails become a loop of two. A second pass over what is left also folds three or more tails whose numbers advance by
constant steps. `folding_core/loops.h` does the same in C, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

DIRECT = 8
"""Bodies up to this long are looked for one by one; longer ones where as many steps at the end have occurred before."""
CONTEXTS = (8, 64)
MOST_TRIES, FEWER_TRIES = 64, 16
"""How many earlier occurrences of a context are looked at; where numbers may advance, contexts say less."""
_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15

Symbol = tuple[int, tuple[int, ...]]
"""The number of a form, and the numbers in it."""


class Node:
    """A step with the volumes before it, as runs of equal ones, or a loop over nodes.

    `steps` of a loop say by how much each number of the steps in its body advances; None: not at all.
    """

    __slots__ = ("body", "counts", "digest", "line", "parts", "pending", "steps", "symbol", "times", "values")

    def __init__(self, symbol: int, volume: float, line: int) -> None:
        self.symbol, self.line = symbol, line
        self.values, self.counts = [volume], [1]
        self.parts: list[tuple[list[float], list[int]]] = []
        self.body: list[Node] = []
        self.times, self.digest, self.pending = 1, 0, False
        self.steps: list[int] | None = None

    @classmethod
    def loop(cls, times: int, body: list[Node], digest: int, steps: list[int] | None) -> Node:
        """A loop that may still grow."""
        made = cls(-1, 0.0, body[0].line)
        made.values, made.counts = [], []
        made.body, made.times, made.digest, made.steps, made.pending = body, times, digest, steps, True
        return made

    def absorb(self, other: Node, around: int) -> None:
        """Take over the volumes of a node of equal form that comes later, both in loops of so many iterations."""
        if self.body:
            for mine, theirs in zip(self.body, other.body, strict=True):
                mine.absorb(theirs, around)
        elif around == 1:
            self.append(other.values, other.counts)
        else:
            self.parts += [(other.values, other.counts), *other.parts]

    def append(self, values: list[float], counts: list[int]) -> None:
        """Add runs at the end."""
        first = 0
        if self.values and values[0] == self.values[-1]:
            self.counts[-1] += counts[0]
            first = 1
        self.values += values[first:]
        self.counts += counts[first:]

    def interleave(self, around: int) -> None:
        """Bring what was taken over into the order of execution: all parts once in each iteration around."""
        for node in self.body:
            node.interleave(around)
        if not self.parts:
            return
        parts = [(self.values, self.counts), *self.parts]
        self.parts, self.values, self.counts = [], [], []
        if all(values == parts[0][0] and len(values) == 1 for values, _ in parts):
            self.append(parts[0][0], [sum(counts[0] for _, counts in parts)])
            return
        runs = [list(zip(values, counts, strict=True))[::-1] for values, counts in parts]
        chunks = [sum(counts) // around for _, counts in parts]
        for _ in range(around):
            for part, chunk in zip(runs, chunks, strict=True):
                needed = chunk
                while needed:
                    value, count = part.pop()
                    taken = min(count, needed)
                    self.append([value], [taken])
                    needed -= taken
                    if taken < count:
                        part.append((value, count - taken))


class Symbols(NamedTuple):
    """What the symbols of steps mean to a pass: which have the same form, and the numbers of one; which numbers of a
    form count modulo the number of ranks, if that is known (not 0); whether numbers may advance at all."""

    form: Callable[[int], int]
    numbers: Callable[[int], Sequence[int]]
    wraps: Callable[[int], Sequence[bool]]
    ranks: int
    moving: bool = True

    def between(self, first: int, second: int) -> list[int]:
        """By how much numbers differ."""
        wraps = self.wraps(self.form(first))
        pairs = zip(self.numbers(first), self.numbers(second), wraps, strict=True)
        return [self.normal(b - a, wrapped) for a, b, wrapped in pairs]

    def normal(self, difference: int, wrapped: bool) -> int:
        """Of the differences that mean the same, the one nearest to 0."""
        if not wrapped or not self.ranks:
            return difference
        found = difference % self.ranks
        return found - self.ranks if 2 * found > self.ranks else found


class Tail:
    """A sequence whose end is folded as it grows; as a whole it is repeated `around` times."""

    def __init__(self, symbols: Symbols, around: int = 1) -> None:
        self.symbols, self.around = symbols, around
        self.items: list[Node] = []
        self.prefix = [0]
        self.powers = [1]
        self.heads: list[dict[int, int]] = [{} for _ in CONTEXTS]
        self.earlier: list[list[int]] = [[] for _ in CONTEXTS]
        self.due: dict[int, int] = {}
        self.due_before: list[int] = []

    def push(self, node: Node) -> None:
        """Append a node, and fold."""
        self.settle(_first(node))
        self.place(node)
        self.fold()

    def finish(self) -> list[Node]:
        """The folded sequence."""
        self.settle(None)
        for node in self.items if self.around > 1 else ():
            node.interleave(self.around)
        return self.items

    def take_over(self, nodes: Sequence[Node]) -> None:
        """Append nodes that another sequence has folded."""
        for node in nodes:
            self.redigest(node)
            self.place(node)

    def redigest(self, node: Node) -> None:
        """Bring the digests of loops into the terms of this sequence."""
        if node.body:
            node.digest = 0
            for inner in node.body:
                self.redigest(inner)
                node.digest = (node.digest * _FACTOR + self.key(inner)) & _MASK

    def settle(self, following: Node | None) -> None:
        """Fold with the loop at the end as a whole, unless what follows may be its next iteration."""
        while self.items and self.items[-1].pending:
            loop = self.items[-1]
            if following is not None and self.symbols.form(_first(loop).symbol) == self.symbols.form(following.symbol):
                return
            loop.pending = False
            self.fold()

    def fold(self) -> bool:
        """Fold the end once, if possible."""
        return self.extend() or self.repeat()

    def extend(self) -> bool:
        """The tail as one more iteration of the loop before it."""
        length = len(self.items)
        at = self.due.get(length, -1)
        while at >= 0:
            loop = self.items[at]
            if self.digest(at + 1, length) == loop.digest:
                found = self.changes(loop.body, self.items[at + 1 :])
                if found is not None and self.advances(loop, found):
                    self.join(at, len(loop.body), loop.times + 1, loop)
                    return True
            at = self.due_before[at]
        return False

    def advances(self, loop: Node, found: Sequence[int]) -> bool:
        """Whether numbers that differ so much from those of the first iteration are those of the next one."""
        if loop.steps is None:
            return not any(found)
        if not found:
            return False  # symbols as they are
        wraps = list[bool]()
        self.collect(loop.body, wraps)
        normal = self.symbols.normal
        return all(normal(loop.times * s, w) == f for s, w, f in zip(loop.steps, wraps, found, strict=True))

    def collect(self, nodes: Sequence[Node], wraps: list[bool]) -> None:
        """Which numbers of all steps count modulo the number of ranks."""
        for node in nodes:
            if node.body:
                self.collect(node.body, wraps)
            else:
                wraps += self.symbols.wraps(self.symbols.form(node.symbol))

    def repeat(self) -> bool:
        """Equal tails as a new loop."""
        length = len(self.items)
        half = length // 2
        for width in range(1, min(DIRECT, half) + 1):
            if self.attempt(width):
                return True
        tried = DIRECT
        for earlier in self.earlier:
            at = earlier[length - 1]
            for _ in range(FEWER_TRIES if self.symbols.moving else MOST_TRIES):
                if at < 0:
                    return False
                width = length - 1 - at
                if width > half:
                    return False
                if width > tried:
                    if self.attempt(width):
                        return True
                    tried = width
                at = earlier[at]
        return False

    def attempt(self, width: int) -> bool:
        """Blocks of this width at the end as a loop: two that are equal, or three that advance (four of one)."""
        length = len(self.items)
        first, second = length - 2 * width, length - width
        digest = self.digest(second, length)
        if self.digest(first, second) != digest or not self.plausible(width):
            return False
        found = self.changes(self.items[first:second], self.items[second:])
        if found is None:
            return False
        if not any(found):
            self.join(first, width, 2, None)
            return True
        blocks = 4 if width == 1 else 3
        for _ in range(2, blocks):
            second, first = first, first - width
            if first < 0 or self.digest(first, second) != digest:
                return False
            if self.changes(self.items[first:second], self.items[second : second + width]) != found:
                return False
        self.join(first, width, blocks, None, found)
        return True

    def plausible(self, width: int) -> bool:
        """Whether the last node of blocks of this width may be equal, or advance."""
        if not self.symbols.moving:
            return True
        last, items = len(self.items) - 1, self.items
        found = self.changes([items[last - width]], [items[last]])
        if found is None or not any(found):
            return found is not None
        at = last - 2 * width
        return last + 1 >= 3 * width and self.changes([items[at]], [items[last - width]]) == found

    def changes(self, first: Sequence[Node], second: Sequence[Node]) -> list[int] | None:
        """By how much the numbers of the second differ from those of the first; None where the forms differ."""
        found = list[int]()
        return found if self._changes(first, second, found) else None

    def _changes(self, first: Sequence[Node], second: Sequence[Node], found: list[int]) -> bool:
        form, between = self.symbols.form, self.symbols.between
        if len(first) != len(second):
            return False
        for a, b in zip(first, second, strict=True):
            if a.body:
                if a.times != b.times or a.steps != b.steps or not self._changes(a.body, b.body, found):
                    return False
            elif b.body or form(a.symbol) != form(b.symbol):
                return False
            else:
                found += between(a.symbol, b.symbol)
        return True

    def join(self, first: int, width: int, times: int, loop: Node | None, steps: list[int] | None = None) -> None:
        """Make the end from a place on a loop of so many iterations; the loop that stands there grows by one."""
        digest = loop.digest if loop else self.digest(first, first + width)
        nodes = self.items[first:]
        body = loop.body if loop else nodes[:width]
        for begin in range(1 if loop else width, len(nodes), width):
            for mine, theirs in zip(body, nodes[begin : begin + width], strict=True):
                mine.absorb(theirs, self.around)
        while len(self.items) > first:
            self.remove()
        if loop is None:
            loop = Node.loop(times, body, digest, steps)
        loop.times, loop.pending = times, True
        self.place(loop)

    def place(self, node: Node) -> None:
        """Append without folding."""
        self.items.append(node)
        self.prefix.append((self.prefix[-1] * _FACTOR + self.key(node)) & _MASK)
        length = len(self.items)
        if length == len(self.powers):
            self.powers.append((self.powers[-1] * _FACTOR) & _MASK)
        for heads, earlier, context in zip(self.heads, self.earlier, CONTEXTS, strict=True):
            if length < context:
                earlier.append(-1)
                continue
            digest = self.digest(length - context, length)
            earlier.append(heads.get(digest, -1))
            heads[digest] = length - 1
        if node.body:
            at = length + len(node.body)
            self.due_before.append(self.due.get(at, -1))
            self.due[at] = length - 1
        else:
            self.due_before.append(-1)

    def remove(self) -> None:
        """Take the last node off."""
        length = len(self.items)
        node = self.items[-1]
        for heads, earlier, context in zip(self.heads, self.earlier, CONTEXTS, strict=True):
            before = earlier.pop()
            if length >= context:
                heads[self.digest(length - context, length)] = before
        before = self.due_before.pop()
        if node.body:
            self.due[length + len(node.body)] = before
        self.items.pop()
        self.prefix.pop()

    def digest(self, first: int, last: int) -> int:
        """A number that equal stretches have in common."""
        return (self.prefix[last] - self.prefix[first] * self.powers[last - first]) & _MASK

    def key(self, node: Node) -> int:
        if node.body:
            return _mixed(node.digest ^ _mixed(2 * node.times))
        return _mixed(2 * self.symbols.form(node.symbol) + 1)


def folded(nodes: Sequence[Node], symbols: Symbols, around: int = 1) -> list[Node]:
    """The nodes with loops in them folded inside out."""
    tail = Tail(symbols, around)
    for node in nodes:
        if node.body and node.steps is None:
            node.body = folded(node.body, symbols, around * node.times)
        tail.redigest(node)
        tail.push(node)
    return tail.finish()


def _first(node: Node) -> Node:
    while node.body:
        node = node.body[0]
    return node


def _mixed(value: int) -> int:
    """G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, 2014."""
    value = (value + _FACTOR) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
