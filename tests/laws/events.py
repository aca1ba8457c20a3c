"""A short event simulator: processes wait for servers under any of four orders of service, and times are drawn.

It runs the trees of `unrolled` and shares nothing with the product. No server stays idle while somebody waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from random import Random

from tests.laws.meaning import AT_ONCE, CHOICE, HOLD, LEAF, ORDERED, Key, Tree, Unrolled
from tests.laws.numbers import Exact

SERVICES = ("first come", "last come", "random", "priority")
DURATIONS = ("least", "greatest", "drawn", "either end")
SIDES = ("drawn", "first", "second")
DRAWN = (Fraction(1, 4), Fraction(1, 2), Fraction(7, 8))

Done = Callable[[], None]


class DeadlockError(Exception):
    """Processes wait for each other."""


class ServiceQueue:
    """The servers of one resource and who waits for them; the greater of two priorities goes first."""

    def __init__(self, servers: int, service: str, random: Random) -> None:
        self.idle = servers
        self.service = service
        self.random = random
        self.waiting: list[tuple[int, Done]] = []

    def acquire(self, priority: int, begin: Done) -> None:
        if self.idle:
            self.idle -= 1
            begin()
        else:
            self.waiting.append((priority, begin))

    def release(self) -> None:
        if self.waiting:
            self.waiting.pop(self._next())[1]()
        else:
            self.idle += 1

    def _next(self) -> int:
        match self.service:
            case "first come":
                return 0
            case "last come":
                return -1
            case "random":
                return self.random.randrange(len(self.waiting))
            case _:
                return max(range(len(self.waiting)), key=lambda i: self.waiting[i][0])


class Schedule:
    """One run of a tree. `durations` and `sides` say how times and branches are drawn."""

    def __init__(self, program: Unrolled, service: str, durations: str, sides: str, random: Random) -> None:
        self.program, self.durations, self.sides, self.random = program, durations, sides, random
        self.stations = {key: ServiceQueue(count, service, random) for key, count in program.servers.items()}
        self.now: Exact = 0
        self.agenda: list[tuple[Exact, int, int, Done]] = []
        self.events = 0
        self.shuffles = service == "random"

    def makespan(self) -> Exact:
        """When the last leaf ends; `DeadlockError` where that never is."""
        ended: list[Exact] = []
        self.begin(self.program.tree, frozenset(), lambda: ended.append(self.now))
        while self.agenda:
            self.now, _, _, proceed = heappop(self.agenda)
            proceed()
        if not ended:
            raise DeadlockError
        return ended[0]

    def begin(self, tree: Tree, held: frozenset[Key], done: Done) -> None:
        kind = tree[0]
        if kind == LEAF:
            self.leaf(tree, held, done)
        elif kind == HOLD:
            self.hold(tree[1], held, lambda release: self.begin(tree[2], held | {tree[1]}, release), done)
        elif kind == CHOICE:
            self.begin(tree[2 if self.takes_first(tree[1]) else 3], held, done)
        elif kind == AT_ONCE:
            self.fork(tree[1], held, done)
        elif kind == ORDERED:
            self.ordered(tree[1], tree[2], held, done)
        else:
            self.step(tree[1], 0, held, done)

    def leaf(self, tree: Tree, held: frozenset[Key], done: Done) -> None:
        _, least, greatest, key = tree
        if key is None:
            self.later(self.duration(least, greatest), done)
        else:
            self.hold(key, held, lambda release: self.later(self.duration(least, greatest), release), done)

    def hold(self, key: Key, held: frozenset[Key], act: Callable[[Done], None], done: Done) -> None:
        if key in held:
            act(done)
            return
        station = self.stations[key]

        def released() -> None:
            station.release()
            done()

        def granted() -> None:
            if self.shuffles:  # others may do something first in the same instant
                self.later(0, lambda: act(released))
            else:
                act(released)

        station.acquire(self.random.randrange(1000), granted)

    def step(self, parts: tuple[Tree, ...], i: int, held: frozenset[Key], done: Done) -> None:
        if i == len(parts):
            done()
        else:
            self.begin(parts[i], held, lambda: self.step(parts, i + 1, held, done))

    def fork(self, parts: tuple[Tree, ...], held: frozenset[Key], done: Done) -> None:
        if not parts:
            done()
            return
        left = len(parts)

        def ended() -> None:
            nonlocal left
            left -= 1
            if not left:
                done()

        for part in self.random.sample(parts, left) if self.shuffles else parts:
            self.begin(part, held, ended)

    def ordered(
        self, parts: tuple[Tree, ...], after: tuple[tuple[int, ...], ...], held: frozenset[Key], done: Done
    ) -> None:
        """Each part begins in the instant in which the last of those before it ends."""
        waiting, left = [len(before) for before in after], len(parts)

        def ended(part: int) -> None:
            nonlocal left
            left -= 1
            if not left:
                done()
            for later in (k for k, before in enumerate(after) if part in before):
                waiting[later] -= 1
                if not waiting[later]:
                    begin(later)

        def begin(part: int) -> None:
            self.begin(parts[part], held, lambda: ended(part))

        first = [k for k, before in enumerate(after) if not before]
        for part in self.random.sample(first, len(first)) if self.shuffles else first:
            begin(part)
        if not parts:
            done()

    def takes_first(self, probability: Exact | None) -> bool:
        """A side that has any chance may be taken."""
        chance = Fraction(1, 2) if probability is None else probability
        return self.sides == "first" or (self.sides == "drawn" and self.random.random() < chance)

    def duration(self, least: Exact, greatest: Exact) -> Exact:
        if least == greatest or self.durations == "least":
            return least
        match self.durations:
            case "greatest":
                return greatest
            case "drawn":
                return least + (greatest - least) * DRAWN[self.random.randrange(3)]
            case _:
                return self.random.choice((least, greatest))

    def later(self, seconds: Exact, done: Done) -> None:
        self.events += 1
        order = self.random.randrange(1000) if self.shuffles else 0
        heappush(self.agenda, (self.now + seconds, order, self.events, done))
