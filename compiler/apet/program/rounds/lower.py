"""How often a loop runs at least: it ends only where a norm is used up, and each round uses a bounded part of it."""

from __future__ import annotations

from fractions import Fraction

from apet.program.rounds.bounds import (
    Bound,
    Digits,
    Joined,
    Plain,
    Where,
    add,
    ceiling,
    constant,
    degree,
    extreme,
    plain,
    positive,
    times,
)
from apet.program.rounds.guards import largest
from apet.program.rounds.polynomial import Polynomial, variable
from apet.program.rounds.simplex import is_empty, least
from apet.program.rounds.sizes import Sizes
from apet.program.rounds.system import FRESH, TRAPPED, System, Transition, components, reached

Transitions = frozenset[Transition]
MOST_BASE = 10


class Lows:
    """Bounds from below; sizes of what loops begin with are those of `sizes`."""

    def __init__(self, system: System, sizes: Sizes) -> None:
        self.system = system
        self.sizes = sizes
        self.known: dict[int, Bound | None] = {}

    def rounds(self, head: int) -> Bound | None:
        """The least number of rounds of a loop in a run that ends; None where it is not known to be more than 0."""
        if head not in self.known:
            outer = min(
                (h for h, inside in self.system.inside.items() if head in inside and h != head),
                key=lambda h: len(self.system.inside[h]),
                default=None,
            )
            found = self.of_outermost(head) if outer is None else self.of_inner(head, outer)
            self.known[head] = None if found is None or constant(found) == 0 else found
        return self.known[head]

    def cycles(self, head: int) -> Transitions:
        """The transitions of the loop's own cycles, those of loops within it too."""
        inside = self.system.inside[head]
        own = [t for t in self.system.transitions if t.source in inside and t.target in inside]
        return components(own).get(head, frozenset())

    def of_outermost(self, head: int) -> Bound | None:
        entries = [t for t in self.system.transitions if t.target == head and t.source not in self.system.inside[head]]
        direct = [t for t in entries if t.source == 0]
        others = [t for t in entries if t.source]
        if others and self.is_sure(head):
            lows = [self.per_entry(head, t) for t in entries]
            return (
                None if any(low is None for low in lows) else extreme("min", *(low for low in lows if low is not None))
            )
        parts = list[Bound]()
        for t in direct:
            low = self.per_entry(head, t)
            if low is not None and self.is_chosen(t):
                parts.append(Where(t.guard, low) if t.guard else low)
        return add(*parts) if parts else None

    def is_chosen(self, t: Transition) -> bool:
        """Whether parameters that meet a guard leave no other way."""
        others = [o for o in self.system.transitions if o.source == t.source and o is not t and o.target != TRAPPED]
        fixed = not any(n.startswith(FRESH) for c in t.guard for n in c.names)
        return fixed and all(is_empty((*t.guard, *o.guard)) for o in others)

    def is_sure(self, head: int) -> bool:
        """Whether every run that ends has been at a location."""
        around = [t for t in self.system.transitions if t.target != head]
        return self.system.end not in reached(around, {0})

    def per_entry(self, head: int, entry: Transition) -> Bound | None:
        """Rounds after one entry: the least over all ways out."""
        own = self.cycles(head)
        if not own:
            return plain(1) if all(head in t.began for t in self.system.transitions if t.source == head) else None
        lows = list[Bound]()
        for way in self.ways_out(own):
            low = self.until(way, head, own, entry)
            if low is None:
                return None
            if not isinstance(low, str):
                lows.append(low)
        return extreme("min", *lows) if lows else None

    def ways_out(self, own: Transitions) -> list[Transition]:
        places = {t.source for t in own}
        return [t for t in self.system.transitions if t.source in places and t not in own and t.target != TRAPPED]

    def until(self, way: Transition, head: int, own: Transitions, entry: Transition) -> Bound | str | None:
        """Rounds until one way out can be taken; "never" where no round brings it nearer."""
        best: Bound | None = None
        for atom in way.guard:
            norm = -atom
            if norm.constant is not None or any(n.startswith(FRESH) for n in norm.names):
                continue
            found = self.by_norm(norm, head, own, entry, way)
            if isinstance(found, str):
                return found
            if found is not None and (best is None or degree(found) > degree(best)):
                best = found
        return plain(1) if best is None and head in way.began else best

    def by_norm(
        self, norm: Polynomial, head: int, own: Transitions, entry: Transition, way: Transition
    ) -> Bound | str | None:
        start = self.lowest(entry.after(norm), entry)
        if start is None:
            return None
        extra = plain(1 if head in way.began else 0)
        drop = self.drop(norm, head, own, is_inside=way.source != head)
        if drop is not None:
            if drop > 0:
                return add(ceiling(positive(start), plain(drop)), extra)
            return "never" if _is_positive(start) else None
        if all(t.source == t.target for t in own):
            steps = self.steps(norm, own, entry)
            if steps is not None:
                return add(ceiling(positive(start), extreme("max", plain(1), *steps)), extra)
            base = next((b for b in range(2, MOST_BASE + 1) if all(_shrinks(t, norm, b) for t in own)), None)
            if base is not None:
                return add(Digits(start, base), extra)
            grown = self.by_growth(norm, own, entry)
            return None if grown is None else add(grown, extra)
        return None

    def steps(self, norm: Polynomial, own: Transitions, entry: Transition) -> list[Bound] | None:
        """What each round takes from a norm at most, where that is made of what no round changes."""
        changed = {n for t in own for n in t.update}
        falls = [norm - t.after(norm) for t in own]
        if any(n in changed or n.startswith(FRESH) for fall in falls for n in fall.names):
            return None
        steps = [self.sizes.upper(entry.after(fall), entry) for fall in falls]
        known = [step for step in steps if step is not None]
        return known if len(known) == len(steps) else None

    def by_growth(self, norm: Polynomial, own: Transitions, entry: Transition) -> Bound | None:
        """A variable that a round multiplies by no more than a factor reaches a limit no sooner than its logarithm."""
        for name in sorted(norm.names):
            first = entry.after(variable(name)).constant
            limit = norm + variable(name)
            if norm.terms.get((name,)) != -1 or first is None or first < 1 or name in limit.names:
                continue
            start = self.lowest(entry.after(limit), entry)
            steady = all(_least_change(limit, t) == 0 for t in own)
            for base in range(2, MOST_BASE + 1):
                slow = all(
                    (m := largest(t.after(variable(name)) - variable(name) * base, t.guard)) is not None and m <= 0
                    for t in own
                )
                if slow and steady and start is not None:
                    return Digits(times(plain(Fraction(1) / first), add(start, plain(-1))), base)
        return None

    def lowest(self, e: Polynomial, t: Transition) -> Bound | None:
        if t.source == 0 and not any(n.startswith(FRESH) for n in e.names):
            return plain(e)
        found = self.sizes.upper(-e, t)
        return None if found is None else negative(found)

    def drop(self, norm: Polynomial, head: int, own: Transitions, *, is_inside: bool = False) -> Fraction | None:
        """By how much a round, or with `is_inside` its beginning too, lowers a norm at most, negative where it raises
        it; cycles within a round must not lower it."""
        inner = {t for found in components([t for t in own if t.target != head]).values() for t in found}
        if any(not _at_least_same(norm, t) for t in inner):
            return None
        if any(t.source != t.target for t in inner):
            return None
        return self.path_drop(norm, head, head, own - inner, is_inside=is_inside)

    def path_drop(
        self, norm: Polynomial, place: int, head: int, steps: Transitions, *, is_inside: bool
    ) -> Fraction | None:
        worst: Fraction | None = None
        for t in steps:
            if t.source != place:
                continue

            change = _least_change(norm, t)
            rest: Fraction | None = Fraction(0)
            if t.target != head:
                rest = self.path_drop(norm, t.target, head, steps, is_inside=is_inside)
            if change is None or rest is None:
                return None
            rest = max(rest, Fraction(0)) if is_inside else rest
            worst = max(rest - change, rest - change if worst is None else worst)
        return worst

    # Loops within loops

    def of_inner(self, head: int, outer: int) -> Bound | None:
        """Rounds of a loop that each round of the one around it enters, summed over those rounds."""
        own, outer_own = self.cycles(head), self.cycles(outer)
        around = components([t for t in outer_own if t.target != head]).get(outer)
        many = self.rounds(outer)
        if many is None or around or not own:
            return None
        entries = [t for t in outer_own if t.target == head and t.source not in self.system.inside[head]]
        if any(t.source != outer for t in entries):
            return None
        if any(outer in t.began and t.target != head for t in self.system.transitions if t.source == outer):
            many = positive(add(many, plain(-1)))

        lows = list[Bound]()
        for entry in entries:
            low = self.per_entry(head, entry)
            found = low if low is None else times(many, low)
            summed = self.progression(head, own, entry, outer, outer_own, many) if len(entries) == 1 else None
            if summed is not None and (found is None or degree(summed) > degree(found)):
                found = summed
            if found is None:
                return None
            lows.append(found)
        return extreme("min", *lows) if lows else None

    def progression(
        self, head: int, own: Transitions, entry: Transition, outer: int, outer_own: Transitions, many: Bound
    ) -> Bound | None:
        """The sum of an arithmetic progression, where what the inner loop begins with changes by a constant at most."""
        ways = self.ways_out(own)
        inside = self.system.inside[outer]
        firsts = [t for t in self.system.transitions if t.target == outer and t.source not in inside]
        if len(ways) != 1 or len(firsts) != 1 or firsts[0].source:
            return None
        guard = firsts[0].guard
        if not self.is_chosen(firsts[0]):
            return None
        for atom in ways[0].guard:
            norm = entry.after(-atom)
            if norm.constant is not None or any(n.startswith(FRESH) for n in norm.names):
                continue
            fall, drop = self.drop(norm, outer, outer_own), self.drop(-atom, head, own)
            if (
                fall is None
                or drop is None
                or drop <= 0
                or any(n.startswith(FRESH) for n in firsts[0].after(norm).names)
            ):
                continue
            start = plain(firsts[0].after(norm))
            count = extreme("min", many, ceiling(positive(start), plain(fall))) if fall > 0 else many
            total = times(count, add(start, times(plain(-fall / 2), add(count, plain(-1)))))
            summed = positive(times(plain(1 / drop), total))
            return Where(guard, summed) if guard else summed
        return None


def negative(bound: Bound) -> Bound | None:
    """Minus a bound, for sums and extremes of polynomials."""
    match bound:
        case Plain(polynomial):
            return Plain(-polynomial)
        case Joined("max" | "min" as kind, parts):
            negated = [negative(p) for p in parts]
            if any(n is None for n in negated):
                return None
            return extreme("min" if kind == "max" else "max", *(n for n in negated if n is not None))
        case _:
            return times(plain(-1), bound)


def _least_change(norm: Polynomial, t: Transition) -> Fraction | None:
    change = t.after(norm) - norm
    if change.constant is not None:
        return Fraction(change.constant)
    low = least(change, t.guard)
    return Fraction(0) if low == "empty" else None if isinstance(low, str) else low


def _at_least_same(norm: Polynomial, t: Transition) -> bool:
    change = _least_change(norm, t)
    return change is not None and change >= 0


def _shrinks(t: Transition, norm: Polynomial, base: int) -> bool:
    """Whether a step leaves at least floor(norm / base)."""
    low = least(t.after(norm) * base - norm + (base - 1), t.guard)
    return low == "empty" or (not isinstance(low, str) and low >= 0)


def _is_positive(start: Bound) -> bool:
    number = constant(start)
    return number is not None and number > 0
