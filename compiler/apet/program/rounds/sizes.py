"""How large values get in a system, from above, as far as it is counted how often its transitions run.

Counts and sizes take turns (M. Brockschmidt et al., Analyzing runtime and size complexity of integer programs, TOPLAS
2016)."""

from __future__ import annotations

from fractions import Fraction

from apet.program.rounds.bounds import Bound, Power, add, extreme, plain, positive, times
from apet.program.rounds.guards import factor_of, largest
from apet.program.rounds.polynomial import Polynomial, variable
from apet.program.rounds.system import FRESH, System, Transition

DEEPEST = 5
"""Sizes that rest on more sizes than these are left."""
MOST_STEPS = 100
MOST_STEPS_IN_ALL = 600


class Sizes:
    """Bounds of values from above; `counts` of transitions are what is known so far."""

    """Bounds of a system from above, as far as they are found; `counts` of transitions grows round by round."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.counts: dict[Transition, Bound] = {}
        self.steps = self.all_steps = 0
        self.known: dict[tuple[Polynomial, int], Bound | None] = {}
        self.open: set[tuple[Polynomial, int]] = set()
        for t in system.transitions:
            if not system.component(t):
                self.counts[t] = plain(1)

    def upper(self, e: Polynomial, t: Transition, depth: int = 0) -> Bound | None:
        """The largest value of an expression of what holds before a transition, and of its fresh numbers."""
        self.steps += 1
        self.all_steps += 1
        if e.constant is not None:
            return plain(e)
        number = largest(e, t.guard)
        if number is not None:
            return plain(number)
        if depth > DEEPEST or self.steps > MOST_STEPS or self.all_steps > MOST_STEPS_IN_ALL:
            return None
        if not any(n.startswith(FRESH) for n in e.names):
            found = self.at(e, t.source, depth)
            if found is not None:
                return found
        if e.degree > 1:
            return self.product(e, t, depth)
        return self.by_guard(e, t, depth) or self.by_parts(e, t, depth)

    def by_guard(self, e: Polynomial, t: Transition, depth: int) -> Bound | None:
        """By a condition that has a name away, such as i <= n for i."""
        for atom in t.guard:
            for monomial, factor in e.terms.items():
                other = atom.terms.get(monomial, 0)
                if monomial and other * factor < 0 and atom.degree == 1:
                    rest = e + atom * Fraction(-factor, other)
                    if len(rest.terms) <= len(e.terms) + 1 and rest != e:
                        found = self.upper(rest, t, depth + 2)
                        if found is not None:
                            return found
        return None

    def by_parts(self, e: Polynomial, t: Transition, depth: int) -> Bound | None:
        parts = [(m, f) for m, f in e.terms.items() if m]
        if len(parts) < 2:
            return None
        sums: list[Bound] = [plain(e.offset)]
        for monomial, factor in parts:
            found = self.upper(Polynomial({monomial: factor}), t, depth + 1)
            if found is None:
                return None
            sums.append(found)
        return add(*sums)

    def product(self, e: Polynomial, t: Transition, depth: int) -> Bound | None:
        """Products by the largest size of each factor."""
        sums: list[Bound] = [plain(e.offset)]
        for monomial, factor in e.terms.items():
            if not monomial:
                continue
            size = factor if factor > 0 else -factor
            product: Bound = plain(size if len(monomial) > 1 else 1)
            for name in monomial if len(monomial) > 1 else ():
                both = [self.upper(variable(name) * sign, t, depth + 1) for sign in (1, -1)]
                if both[0] is None or both[1] is None:
                    return None
                product = times(product, positive(extreme("max", both[0], both[1])))
            if len(monomial) == 1:
                single = self.upper(Polynomial({monomial: factor}), t, depth + 1)
                if single is None:
                    return None
                product = single
            sums.append(product)
        return add(*sums)

    def at(self, e: Polynomial, place: int, depth: int) -> Bound | None:
        """The largest value of an expression at a location."""
        if place == 0:
            return plain(e)
        key = e, place
        if key in self.open:
            return None
        if key not in self.known:
            self.open.add(key)
            found = self.grown(e, place, depth)
            self.open.discard(key)
            if found is None and self.open:
                return None  # it may rest on what is still open
            self.known[key] = found
        return self.known[key]

    def grown(self, e: Polynomial, place: int, depth: int) -> Bound | None:
        """From its first values, what is added to it, what it is set to and what multiplies it."""
        own = self.system.components.get(place, frozenset())
        entries = self.system.entries(own) if own else [o for o in self.system.transitions if o.target == place]
        starts, added, power = list[Bound](), list[Bound](), list[tuple[int, Bound]]()
        for o in own:
            after = o.after(e)
            change = largest(after - e, o.guard)
            if change is not None and change <= 0:
                continue
            factor = factor_of(e, after, o.guard)
            if o in self.counts and change is not None:
                added.append(times(plain(change), self.counts[o]))
                continue
            size = None if e.names & after.names else self.upper(after, o, depth + 1)
            if size is not None:
                starts.append(size)
                continue
            gain = self.upper(after - e, o, depth + 1) if o in self.counts else None
            if gain is not None:
                added.append(times(positive(gain), self.counts[o]))
            elif factor and o in self.counts:
                power.append((factor, self.counts[o]))
            else:
                size = self.upper(after, o, depth + 1)
                if size is None:
                    return None
                starts.append(size)
        for o in entries:
            size = self.upper(o.after(e), o, depth + 1)
            if size is None:
                return None
            starts.append(size)
        if not starts or (power and added):
            return None
        if not added and not power:
            return extreme("max", *starts)
        start = extreme("max", *starts, *([plain(0)] if power else []))
        for base, exponent in power:
            start = times(start, Power(base, exponent))
        return add(start, *added)
