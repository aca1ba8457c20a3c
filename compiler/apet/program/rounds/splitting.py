"""Transitions are split by the sign of what they add to a norm, so that the phases of a loop are told apart."""

from __future__ import annotations

from dataclasses import replace

from apet.program.rounds.polynomial import Polynomial
from apet.program.rounds.simplex import is_empty, least
from apet.program.rounds.system import FRESH, System, Transition

MOST_TRANSITIONS = 24


def phased(system: System) -> System:
    """The system with each transition of a cycle split where a step of a guard's left side can go up and down."""
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
    return replace(system, transitions=tuple(done))


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
