"""Systems with the same runs of which more can be proved: phases, flags and steps are told apart.

Each keeps what transitions have `began`, so that what bounds one bounds the loops of the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, product

from apet.program.rounds.guards import at_least
from apet.program.rounds.polynomial import Polynomial, names_of, variable
from apet.program.rounds.simplex import is_empty, least
from apet.program.rounds.system import FRESH, System, Transition, components

MOST_TRANSITIONS = 24
MOST_FLAGS = 3


def variants(system: System) -> Iterator[System]:
    """Systems that are not the same as before, one after the other."""
    for change in (phased, by_flags, entered, unrolled):
        other = change(system)
        if other is not None:
            yield other


def phased(system: System) -> System | None:
    """Each transition of a cycle is split where a step of a guard's left side can go up and down."""
    done = list[Transition]()
    waiting = list(reversed(system.transitions))
    while waiting:
        t = waiting.pop()
        sign = _open_sign(t) if system.component(_origin(t, system)) else None
        if sign is None or len(done) + len(waiting) >= MOST_TRANSITIONS:
            done.append(t)
            continue
        parts = [t.given(sign), t.given(-sign - 1)]
        waiting += [p for p in parts if not is_empty(p.guard)]
    return replace(system, transitions=tuple(done)) if len(done) > len(system.transitions) else None


def _origin(t: Transition, system: System) -> Transition:
    return next(o for o in system.transitions if o.source == t.source and o.target == t.target)


def _open_sign(t: Transition) -> Polynomial | None:
    for atom in t.guard:
        if atom.degree != 1 or any(n.startswith(FRESH) for n in atom.names):
            continue
        step = t.after(atom) - atom
        if step.constant is not None or step.degree != 1 or any(n.startswith(FRESH) for n in step.names):
            continue
        low, high = least(step, t.guard), least(-step, t.guard)
        if _is_below(low, 0) and _is_below(high, 1):
            return step
    return None


def _is_below(low: object, limit: int) -> bool:
    return low == "unbounded" or (not isinstance(low, str) and low < limit)  # type: ignore[operator]


def by_flags(system: System) -> System | None:
    """Locations of cycles are split by conditions on variables that cycles set to numbers or leave as they are."""
    turning = [t for t in system.transitions if system.component(t)]
    moving = {n for t in turning for n, v in t.update.items() if v.constant is None}
    flags = list[Polynomial]()
    for atom in dict.fromkeys(a for t in turning for a in t.guard if a.degree == 1 and a.names.isdisjoint(moving)):
        is_flag = not any(n.startswith(FRESH) for n in atom.names) and -atom - 1 not in flags
        if is_flag and any(at_least(-atom - 1, t.guard, 0) for t in turning):
            flags.append(atom)
    if not 0 < len(flags) <= MOST_FLAGS:
        return None

    cycles = {t.source for t in turning}
    numbers = count(max(t.source for t in system.transitions) + 1)
    truths = [tuple(f if yes else -f - 1 for f, yes in zip(flags, way, strict=True))
              for way in product((True, False), repeat=len(flags))]  # fmt: skip
    places = {(p, held): next(numbers) for p in cycles for held in truths}
    done = list[Transition]()
    for t in system.transitions:
        for before in truths if t.source in cycles else ((),):
            for behind in truths if t.target in cycles else ((),):
                one = t.given(*before, *(t.after(f) for f in behind))
                source, target = places.get((t.source, before), t.source), places.get((t.target, behind), t.target)
                if not is_empty(one.guard):
                    done.append(replace(one, source=source, target=target))
    return replace(system, transitions=tuple(done)) if len(done) <= 2 * MOST_TRANSITIONS else None


def entered(system: System) -> System | None:
    """What enters a loop within a loop also does its first step, where the outer one may need it."""
    heads = {h for h, own in components(system.transitions).items() if own}
    done, changed = list[Transition](), False
    for t in system.transitions:
        into = t.target in heads and t.source != t.target and t.target != 0
        if not into or not system.component(t) or t.target in _before(system, t.source) or not _is_linear(t):
            done.append(t)
            continue
        changed = True
        done += _joined([t], [u for u in system.transitions if u.source == t.target])
    return replace(system, transitions=tuple(done)) if changed and len(done) <= 2 * MOST_TRANSITIONS else None


def _before(system: System, place: int) -> frozenset[int]:
    """The heads of the loops that a location is inside of."""
    return frozenset(h for h, inside in system.inside.items() if place in inside)


def unrolled(system: System) -> System | None:
    """Two rounds of a loop are one transition, where each round is one."""
    done = list(system.transitions)
    for place in {t.source for t in done if t.source == t.target}:
        own = [t for t in done if t.source == t.target == place]
        if not all(map(_is_linear, own)):
            continue
        others = [t for t in done if t.source == place and t.target != place]
        done = [t for t in done if t not in own] + _joined(own, [*own, *others])
    return replace(system, transitions=tuple(done)) if len(system.transitions) < len(done) <= MOST_TRANSITIONS else None


def _is_linear(t: Transition) -> bool:
    """Whether what a transition leaves may be put into another: products of products grow without end."""
    return all(value.degree <= 1 for value in t.update.values())


def _joined(firsts: Sequence[Transition], seconds: Sequence[Transition]) -> list[Transition]:
    """Transitions that do one of each after another, as far as they can be taken."""
    done = list[Transition]()
    for one, other in product(firsts, seconds):
        fresh = {n: variable(f"{n}'") for n in names_of((*other.guard, *other.update.values())) if n.startswith(FRESH)}
        guard = tuple(one.after(a.substituted(fresh)) for a in other.guard)
        update = {**one.update, **{n: one.after(v.substituted(fresh)) for n, v in other.update.items()}}
        both = Transition(one.source, other.target, one.guard, update, one.began + other.began).given(*guard)
        if not is_empty(both.guard):
            done.append(both)
    return done
