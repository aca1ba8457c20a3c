"""How often transitions run, from above.

A norm e counts a transition that lowers max(e, 0) whenever it runs: at most as often as the norm's first value, what
others add to it and what they set it to allow (M. Sinn, F. Zuleger, H. Veith, Complexity and resource bound analysis
of imperative programs using difference constraints, JAR 2017)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction
from functools import partial

from apet.program.rounds.bounds import Bound, Digits, add, ceiling, degree, extreme, plain, positive, times
from apet.program.rounds.guards import at_least, is_nearer, largest, norms, sign_of
from apet.program.rounds.polynomial import Polynomial, variable
from apet.program.rounds.simplex import least
from apet.program.rounds.sizes import Sizes
from apet.program.rounds.system import FRESH, Transition, components

MOST_FACTOR = 10


class Counts(Sizes):
    """Bounds of a system from above, as far as they are found; `counts` of transitions grows round by round."""

    def solve(self) -> None:
        """Bounds of as many transitions as possible."""
        while self.counted_by(lambda t: self.by_norms(t) or self.by_cut(t), at_most=len(self.system.transitions)) or (
            self.counted_by(self.within, at_most=1)
        ):
            pass

    def counted_by(self, way: Callable[[Transition], Bound | None], at_most: int) -> bool:
        """Whether a way counts further transitions; of these at most so many are taken."""
        before = len(self.counts)
        for t in self.system.transitions:
            if t not in self.counts and len(self.counts) < before + at_most:
                self.known.clear()
                self.steps = 0
                found = way(t)
                if found is not None:
                    self.counts[t] = found
        return len(self.counts) > before

    def by_cut(self, t: Transition) -> Bound | None:
        """As often as its source is entered; or, if it is on no cycle without some others, once between two of them."""
        own = self.system.component(t)
        into = [o for o in self.system.transitions if o.target == t.source and o.source != t.source]
        if t.target != t.source and all(o in self.counts for o in into):
            return add(*(self.counts[o] for o in into))
        known = [o for o in own if o in self.counts]
        for cut in [[o] for o in known] + ([known] if known else []):
            rest = components([o for o in own if o not in cut])
            if t not in rest.get(t.source, frozenset()):
                return add(plain(1), *(self.counts[o] for o in cut))
        return None

    def by_norms(self, t: Transition) -> Bound | None:
        own = self.system.component(t)
        found = self.least_of((self.by_norm(t, norm, own) for norm in norms(t)), enough=1)
        return found if found is not None else self.by_size(t, {t}, own)

    def within(self, t: Transition) -> Bound | None:
        """By the norms of the cycles that are left without what is counted already: it enters them again and again."""
        own = self.system.component(t)
        rest = components([o for o in own if o not in self.counts]).get(t.source, frozenset())
        found: Bound | None = None
        if t in rest and len(rest) < len(own):
            found = self.least_of((self.by_norm(t, norm, rest) for norm in norms(t)), enough=1)
        return found if found is not None else self.least_of(self.by_others(t, own), enough=1)

    def by_others(self, t: Transition, own: frozenset[Transition]) -> Iterator[Bound | None]:
        """By what the guard says is at least 1 and keeps, where every cycle takes something of it elsewhere."""
        for atom in t.guard:
            norm = atom + 1
            if norm.constant is None and not any(n.startswith(FRESH) for n in norm.names) and t.after(norm) == norm:
                falls = [(o, largest(o.after(norm) - norm, o.guard)) for o in own]
                steady = [o for o, fall in falls if fall is None or fall > -1]
                if len(steady) < len(own) and t not in components(steady).get(t.source, frozenset()):
                    yield self.spent(norm, {t}, own, _share(Fraction(1)))

    def by_size(self, t: Transition, users: Collection[Transition], own: frozenset[Transition]) -> Bound | None:
        """By a norm whose absolute value every round of either sign makes smaller."""
        for norm in norms(t):
            norm = norm - 1
            for e in (norm, norm + 1):
                signs = {o: sign_of(e, o.guard) for o in own}
                if all(is_nearer(o, e, sign, 1 if o in users else 0) for o, sign in signs.items()):
                    starts = [self.upper(o.after(e) * s, o) for o in self.system.entries(own) for s in (1, -1)]
                    if all(start is not None for start in starts):
                        return extreme("max", *(s for s in starts if s is not None))
        return None

    def least_of(self, found: Iterable[Bound | None], *, enough: float) -> Bound | None:
        """The bound of the least degree; the first that is good enough."""
        best: Bound | None = None
        for bound in found:
            self.steps = 0
            if bound is not None and (best is None or degree(bound) < degree(best)):
                best = bound
            if best is not None and degree(best) <= enough:
                break
        return best

    def together(self, many: Collection[Transition]) -> Bound | None:
        """How often some transitions run in all: those that one norm counts share it."""
        left, parts = [t for t in many if self.system.component(t)], list[Bound]()
        if len(left) < len(many):
            parts.append(extreme("max", *(self.counts[t] for t in many if t not in left)))
        while left:
            self.steps = 0
            first, own = left[0], self.system.component(left[0])
            shared, users = self.counts.get(first), {first}
            for norm in norms(first) if len(left) > 1 else ():
                falls = {
                    t: largest(t.after(norm) - norm, t.guard) for t in left if t in own and at_least(norm, t.guard, 1)
                }
                lowered = {t: -c for t, c in falls.items() if c is not None and c <= -1}
                halved = {t for t in lowered if at_least(norm - t.after(norm) * 2, t.guard, 0)}
                if len(lowered) > len(users) and first in lowered:
                    found = self.spent(norm, set(lowered), own, _share(min(lowered.values())))
                    if len(halved) == len(lowered):
                        logarithm = self.spent(norm, halved, own, partial(Digits, base=2), grows=False)
                        found = logarithm if logarithm is not None else found
                    if found is not None and (shared is None or degree(found) <= degree(shared)):
                        shared, users = found, set(lowered)
            if len(users) < len(left) and own.issuperset(left):
                self.steps = 0
                by_size = self.by_size(first, left, own)
                if by_size is not None and shared is not None and degree(by_size) <= degree(shared):
                    shared, users = by_size, set(left)
            if shared is None:
                return None
            parts.append(shared)
            left = [t for t in left if t not in users]
        return add(*parts)

    def by_norm(self, t: Transition, norm: Polynomial, own: frozenset[Transition]) -> Bound | None:
        after = t.after(norm)
        base = 1
        for larger in (2, 3, 4, 8, 10):
            if not at_least(norm - after * larger, t.guard, 0):
                break
            base = larger
        if base > 1:
            found = self.spent(norm, {t}, own, partial(Digits, base=base), grows=False)
            if found is not None:
                return found
        if any(t.update[n].terms.get((n,), 0) > 1 for n in norm.names & t.update.keys()):
            found = self.by_growth(t, norm, own)
            if found is not None:
                return found
        change = largest(after - norm, t.guard)
        if change is not None and change <= -1:
            return self.spent(norm, {t}, own, _share(-change))
        return self.by_growth(t, norm, own)

    def spent(
        self,
        norm: Polynomial,
        users: set[Transition],
        own: frozenset[Transition],
        cost: Callable[[Bound], Bound],
        *,
        grows: bool = True,
    ) -> Bound | None:
        """Count by a norm that nothing makes larger but what is counted itself, in cycles that are entered once, or as
        often as what enters them from cycles around."""
        resets, additions = list[tuple[Transition, Polynomial]](), list[tuple[Transition, Bound]]()
        for o in own - users:
            after = o.after(norm)
            change = largest(after - norm, o.guard)
            if change is not None and change <= 0:
                continue
            end = largest(after, o.guard)
            if end is not None and end <= 0:
                continue
            if o not in self.counts:
                return None
            step = (after - norm).constant
            if grows and step is not None:
                additions.append((o, plain(step)))
                continue
            resets.append((o, after))

        parts = list[Bound]()
        for o, after in resets:
            size = self.upper(after, o)
            if size is None and grows and (gain := self.upper(after - norm, o)) is not None:
                additions.append((o, gain))
            elif size is None:
                return None
            else:
                parts.append(times(self.counts[o], cost(size)))
        parts += [times(self.counts[o], cost(gain)) for o, gain in additions]

        cut = {o for o, _ in resets if o not in {a for a, _ in additions}}
        first = list[Bound]()
        for o in self.system.entries(own):
            if self.leads(o, users, own - cut):
                size = self.upper(o.after(norm), o)
                if size is None or o not in self.counts:
                    return None
                if self.system.component(o):
                    parts.append(times(self.counts[o], cost(size)))
                else:
                    first.append(cost(size))
        return add(*([extreme("max", *first)] if first else []), *parts)

    def leads(self, entry: Transition, users: Collection[Transition], through: Collection[Transition]) -> bool:
        """Whether a transition is met on a path from an entry that takes only some."""
        seen, waiting = {entry.target}, [entry.target]
        while waiting:
            place = waiting.pop()
            if any(u.source == place for u in users):
                return True
            new = {t.target for t in through if t.source == place} - seen
            seen |= new
            waiting += new
        return False

    def by_growth(self, t: Transition, norm: Polynomial, own: frozenset[Transition]) -> Bound | None:
        """A variable from 1 up that each run multiplies, and that is below a limit when it runs."""
        for name in sorted(norm.names & t.update.keys()):
            for sign in (1, -1):
                grown, after = variable(name) * sign, t.update[name] * sign
                start = least(grown, t.guard)
                factor = next((b for b in range(MOST_FACTOR, 1, -1) if at_least(after - grown * b, t.guard, 0)), None)
                if factor is None or isinstance(start, str) or start < 1:
                    continue
                found = self.multiplied(t, grown, factor, own)
                if found is not None:
                    return found
        return None

    def multiplied(self, t: Transition, grown: Polynomial, factor: int, own: frozenset[Transition]) -> Bound | None:
        again = [o for o in self.system.entries(own) if self.system.component(o)]
        if any(o not in self.counts for o in again):
            return None
        segments: list[Bound] = [plain(1), *(self.counts[o] for o in again)]
        for o in own - {t}:
            if at_least(o.after(grown) - grown, o.guard, 0):
                continue
            if o not in self.counts or not at_least(o.after(grown), o.guard, 1):
                return None
            segments.append(self.counts[o])
        limit = self.by_guard(grown, t, 0) or self.upper(grown, t)
        return None if limit is None else times(add(*segments), Digits(limit, factor))


def _share(by: Fraction) -> Callable[[Bound], Bound]:
    return lambda size: ceiling(positive(size), plain(by))
