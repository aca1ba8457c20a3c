"""Integer transition systems: locations, and transitions with guards and updates; which reach which."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from apet.program.rounds.polynomial import Polynomial

FRESH = "?"
"""What the name of a number begins with that may be any, as far as the guard lets it."""


TRAPPED = -2
"""The location of runs that divide by zero: they do not end."""


@dataclass(frozen=True, eq=False)
class Transition:
    """From one location to another where every polynomial of the guard is at least 0; variables that `update` leaves
    out keep their values. Guard and update may name fresh numbers (`?1`). `began` are the loops of which it begins a
    round."""

    source: int
    target: int
    guard: tuple[Polynomial, ...]
    update: Mapping[str, Polynomial]
    began: tuple[int, ...] = ()

    def after(self, expression: Polynomial) -> Polynomial:
        """The value that an expression has behind it, in terms of what held before."""
        return expression.substituted(self.update)

    def given(self, *more: Polynomial) -> Transition:
        return replace(self, guard=tuple(dict.fromkeys((*self.guard, *more))))


@dataclass(frozen=True, eq=False)
class System:
    """Transitions from location 0, where the variables have the values of the parameters; `loops` are the locations of
    loop heads, by label, and `inside` the locations within a loop, by its head."""

    transitions: tuple[Transition, ...]
    variables: tuple[str, ...]
    loops: Mapping[str, int]
    inside: Mapping[int, frozenset[int]]
    end: int

    @cached_property
    def components(self) -> dict[int, frozenset[Transition]]:
        """The transitions of the cycles through each location."""
        return components(self.transitions)

    def component(self, transition: Transition) -> frozenset[Transition]:
        """The transitions on cycles with this one; none if it lies on no cycle."""
        inner = self.components.get(transition.source, frozenset())
        return inner if transition in inner else frozenset()

    def entries(self, component: Collection[Transition]) -> list[Transition]:
        places = {t.source for t in component}
        return [t for t in self.transitions if t.target in places and t not in component]


def components(transitions: Sequence[Transition]) -> dict[int, frozenset[Transition]]:
    """By location, the transitions on cycles through it."""
    nodes = {t.source for t in transitions} | {t.target for t in transitions}
    reach = {n: reached(transitions, {n}) for n in nodes}
    inner: dict[int, set[Transition]] = {n: set() for n in nodes}
    for t in transitions:
        if t.source in reach[t.target]:
            for n in nodes:
                if n == t.source or (n in reach[t.source] and t.source in reach[n]):
                    inner[n].add(t)
    return {n: frozenset(found) for n, found in inner.items()}


def reached(transitions: Sequence[Transition], start: set[int]) -> set[int]:
    """The locations that paths from some lead to, with these."""
    seen, waiting = set(start), list(start)
    while waiting:
        place = waiting.pop()
        for t in transitions:
            if t.source == place and t.target not in seen:
                seen.add(t.target)
                waiting.append(t.target)
    return seen
