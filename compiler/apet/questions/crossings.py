"""Where another term takes over, or a value begins to change, along one quantity; with a proof where there is one.

What is proved rests on the shapes of terms. A term is below another one all along an interval if it is so at both ends
and lies below its chord (convex) where the other lies above its chord (concave), above an extended chord of its own
(convex), or if both are monotone and the greatest value of the one is not above the least of the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from apet.formula.extremes.curvature import Shape
from apet.ground.interval import Interval, Number

TIE = 1e-12
"""Terms this close, relatively, are equal: values are rounded."""
NEAR = 1e-9
MOST_EVALUATIONS = 80
BISECTIONS = 60
TOO_CLOSE = 1e-3
ASIDE = 1e-3
BESIDE = (1e-6, 0.0011, 0.013, 0.07, 0.19, 0.37)
"""Shares of a present value at which a change is looked for first."""

Values = Sequence[float]


class TermsAlong(NamedTuple):
    """Terms along one quantity: their values there (None where it may not be), and what is known of each.

    `directions`: 1 rising, -1 falling, 0 neither, None unknown. `shapes` are those in `coordinate` of the quantity.
    Both hold over `range`.
    """

    at: Callable[[Number], Values | None]
    directions: Sequence[int | None]
    shapes: Sequence[Shape]
    whole: bool
    range: Interval
    coordinate: Callable[[Number], float] = float


class TermChange(NamedTuple):
    """At `at` the term number `winner` is the greatest, at `after` the present one still is."""

    at: Number
    after: Number
    winner: int
    proved: bool


def winner_of(values: Values, present: int | None = None) -> int:
    """The greatest term: the present one where it is equal to it, else the first resource before T0, which is 0."""
    best = max(range(len(values)), key=lambda k: (values[k], k > 0, -k))
    return best if present is None or values[best] > values[present] * (1 + TIE) else present


def nearest_change(line: TermsAlong, now: Number, far: Number) -> tuple[TermChange | None, bool]:
    """The change of the greatest term nearest to `now` on the way to `far`; and whether what is said is proved."""
    if line.at(now) is None:
        return None, False
    search = _ChangeSearch(line, now)
    if any(line.shapes) or any(d is not None for d in line.directions):
        change, proved = search.proving(far)
        if proved:
            return change, True
    return search.probing(far), False


def first_of_all(line: TermsAlong, now: int, limit: int) -> TermChange | None:
    """The nearest change where every whole value on the way to a limit is tried; None where one has no value."""
    search, before = _ChangeSearch(line, now), now
    for value in range(now, limit, 1 if limit > now else -1):
        held = search.holds(value)
        if held is None:
            return None
        if not held:
            break
        before = value

    at = before + (1 if limit > now else -1)
    values = search.at(at)
    return None if values is None else TermChange(at, before, winner_of(values, search.present), True)


class _ChangeSearch:
    def __init__(self, line: TermsAlong, now: Number) -> None:
        self.line = line
        self.now = now
        self.evaluated: dict[Number, Values | None] = {}
        self.present = winner_of(self.known_at(now))
        self.inside = now

    def at(self, value: Number) -> Values | None:
        if value not in self.evaluated:
            self.evaluated[value] = self.line.at(value)
        return self.evaluated[value]

    def known_at(self, value: Number) -> Values:
        """What is known to have values there."""
        values = self.at(value)
        assert values is not None
        return values

    def holds(self, value: Number) -> bool | None:
        """Whether the present term is the greatest there; None where there is no value."""
        values = self.at(value)
        return None if values is None else winner_of(values, self.present) == self.present

    # With a proof

    def proving(self, far: Number) -> tuple[TermChange | None, bool]:
        """Intervals are halved until the present term is proved to be the greatest over each up to a change."""
        waiting, certain = [(self.now, far)], True
        while waiting:
            a, b = waiting.pop()
            before, after = self.at(a), self.at(b)
            if before is None or after is None or len(self.evaluated) > MOST_EVALUATIONS:
                return None, False
            if self.covered(a, b, before, after):
                self.inside = b
                continue
            middle = between(a, b, self.line.whole)
            if middle is not None:
                if self.hopeless(before):
                    return None, False
                waiting += [(middle, b), (a, middle)]
            elif winner_of(after, self.present) != self.present:
                return TermChange(b, a, winner_of(after, self.present), certain), certain
            else:
                certain, self.inside = False, b

        return None, certain

    def hopeless(self, values: Values) -> bool:
        """Whether another term, of which too little is known, is so close that too many intervals are needed."""
        d = self.present
        return any(
            values[c] > values[d] * (1 - TOO_CLOSE) and not self.line.shapes[c] & Shape.CONVEX
            for c in range(len(values))
            if c != d
        ) or (
            not self.line.shapes[d]
            and max((v for c, v in enumerate(values) if c != d), default=0.0) > values[d] * (1 - TOO_CLOSE)
        )

    def covered(self, a: Number, b: Number, before: Values, after: Values) -> bool:
        return all(self.below(c, a, b, before, after) for c in range(len(before)) if c != self.present)

    def below(self, c: int, a: Number, b: Number, before: Values, after: Values) -> bool:
        """Whether term c is proved to be nowhere above the present one between two values."""
        d, (directions, shapes) = self.present, (self.line.directions, self.line.shapes)
        roof = 1 + TIE
        monotone = directions[c] is not None and directions[d] is not None
        if monotone and max(before[c], after[c]) <= min(before[d], after[d]) * roof:
            return True
        if not shapes[c] & Shape.CONVEX or before[c] > before[d] * roof:
            return False
        least = after[d] if shapes[d] & Shape.CONCAVE else self.extended(a, b, before[d], shapes[d])
        return least is not None and after[c] <= least * roof

    def extended(self, a: Number, b: Number, value: float, shape: Shape) -> float | None:
        """What the present term, if convex, is not below at b: its chord from a little before a, made longer."""
        if not shape & Shape.CONVEX:
            return None
        aside, u = self.aside(a, b > a), self.line.coordinate
        values = self.at(aside) if aside in self.line.range else None
        if values is None or u(aside) == u(a):
            return None
        slope = (value - values[self.present]) / (u(a) - u(aside))
        return value + slope * (u(b) - u(a))

    def aside(self, a: Number, down: bool) -> Number:
        """A value a little below or above."""
        if self.line.whole:
            step = max(1, int(abs(int(a)) * ASIDE))
            return a - step if down else a + step
        return float(a) * (1 - ASIDE if down else 1 + ASIDE)

    # Without

    def probing(self, far: Number) -> TermChange | None:
        """Values twice as far each time, then bisection."""
        inside = self.inside
        for outside in probes(inside, far, self.line.whole):
            held = self.holds(outside)
            if held is None:
                return None
            if not held:
                return self.bisected(inside, outside)
            inside = outside
        return None

    def bisected(self, inside: Number, outside: Number) -> TermChange:
        for _ in range(BISECTIONS):
            middle = between(inside, outside, self.line.whole)
            if middle is None:
                break
            if self.holds(middle) is False:
                outside = middle
            else:
                inside = middle
        return TermChange(outside, inside, winner_of(self.known_at(outside), self.present), False)


def first_different(
    at: Callable[[Number], float | None], now: Number, far: Number, whole: bool, monotone: bool
) -> tuple[Number | None, bool]:
    """The value nearest to `now` on the way to `far` at which a number is not what it is now; and whether it is proved.

    Where the number is monotone, it is the same wherever it is the same farther out.
    """
    here = at(now)
    if here is None:
        return None, False

    def differs(value: Number) -> bool | None:
        value_there = at(value)
        return None if value_there is None else abs(value_there - here) > TIE * abs(here)

    inside = now
    steps: Iterator[Number] = iter([far]) if monotone else chain(beside(now, far, whole), probes(now, far, whole))
    for outside in steps:
        changed = differs(outside)
        if changed is None:
            return None, False
        if changed:
            return _border(differs, inside, outside, whole), monotone
        inside = outside
    return None, monotone


def _border(differs: Callable[[Number], bool | None], inside: Number, outside: Number, whole: bool) -> Number:
    for _ in range(BISECTIONS * 4):
        middle = between(inside, outside, whole)
        if middle is None:
            break
        if differs(middle):
            outside = middle
        else:
            inside = middle
    return outside


def between(a: Number, b: Number, whole: bool) -> Number | None:
    """A value between two, by factors where they are far apart; None where they are neighbours."""
    low, high = (a, b) if a <= b else (b, a)
    if whole and high - low <= 1:
        return None
    if low > 0 and high > 4 * low:
        middle: Number = math.sqrt(low) * math.sqrt(high)
    else:
        middle = (low + high) / 2
    if whole:
        return min(max(round(middle), int(low) + 1), int(high) - 1)
    middle = float(middle)
    return middle if high - low > NEAR * max(abs(float(low)), abs(float(high))) and low < middle < high else None


def beside(now: Number, far: Number, whole: bool) -> Iterator[Number]:
    """Values close to `now` on the way to `far`, between the numbers at which roundings hide a change."""
    if whole:
        yield from (v for v in (now + 1, now - 1) if min(now, far) <= v <= max(now, far))
        return
    distance = float(far - now)
    for share in BESIDE:
        value = float(now) + math.copysign(min(share * (abs(float(now)) or 1.0), abs(distance)), distance)
        if value != now and abs(value - float(now)) < abs(distance):
            yield value


def probes(now: Number, far: Number, whole: bool) -> Iterator[Number]:
    """Values on the way to `far`, each twice as far from `now` as a factor, `far` last."""
    distance, factor = far - now, 2
    if not distance:
        return
    while now > 0 and factor < 2**60:
        probe = now * factor if distance > 0 else (int(now) // factor if whole else now / factor)
        if (probe >= far) if distance > 0 else (probe <= far or probe <= 0):
            break
        yield probe
        factor *= 2
    yield far
