"""Inequalities that hold at a location whenever it is reached: guessed from the text, kept where they are inductive.

The guesses are guards, also weakened by what a step changes, and the first values of variables (C. Flanagan, K. R. M.
Leino, Houdini, FME 2001)."""

from __future__ import annotations

from dataclasses import replace

from apet.program.rounds.polynomial import Polynomial, as_polynomial, variable
from apet.program.rounds.simplex import is_empty, least
from apet.program.rounds.system import FRESH, System, Transition, reached

MOST_GUESSES = 40


def strengthened(system: System) -> System:
    """The system with each guard extended by what holds at its source; transitions that cannot be taken are gone."""
    system = _possible(system)
    guesses = _guesses(system)
    held = {t.target: list(guesses) for t in system.transitions if t.target != system.end}
    waiting = set(held)
    while waiting:
        place = min(waiting)
        waiting.discard(place)
        into = [t for t in system.transitions if t.target == place]
        kept = [g for g in held[place] if all(_follows(t, g, held.get(t.source, [])) for t in into)]
        if len(kept) < len(held[place]):
            held[place] = kept
            waiting |= {t.target for t in system.transitions if t.source == place and t.target in held}
    return _possible(
        replace(system, transitions=tuple(t.given(*_useful(held.get(t.source, []), t)) for t in system.transitions))
    )


def _possible(system: System) -> System:
    taken = tuple(t for t in system.transitions if not is_empty(t.guard))
    places = reached(taken, {0})
    return replace(system, transitions=tuple(t for t in taken if t.source in places))


def _useful(held: list[Polynomial], t: Transition) -> list[Polynomial]:
    return [g for g in held if g not in t.guard]


def _follows(t: Transition, wanted: Polynomial, held: list[Polynomial]) -> bool:
    after = t.after(wanted)
    if after.constant is not None:
        return after.constant >= 0
    if after in held or after in t.guard:
        return True
    bound = least(after, (*t.guard, *held))
    return bound == "empty" or (not isinstance(bound, str) and bound > -1)


def _guesses(system: System) -> list[Polynomial]:
    found: dict[Polynomial, None] = {}
    names = system.variables
    for t in system.transitions:
        for atom in t.guard:
            if atom.degree == 1 and not any(n.startswith(FRESH) for n in atom.names):
                found |= dict.fromkeys((atom, *_weakened(atom, system)))
        for name, new in t.update.items():
            if new.constant is not None:
                found |= dict.fromkeys((variable(name) - new, -variable(name) + new))
            elif new.degree == 1 and len(new.names) == 1 and name not in new.names:
                found |= dict.fromkeys((variable(name) - new, new - variable(name)))
    for name in names:
        found[variable(name)] = None
    return [g for g in found if g.names <= set(names) and g.constant is None][:MOST_GUESSES]


def _weakened(atom: Polynomial, system: System) -> list[Polynomial]:
    """What is left of a guard after one step that made it smaller by a constant."""
    changes = {c.constant for t in system.transitions if (c := t.after(atom) - atom).constant is not None}
    return [atom + as_polynomial(-change) for change in changes if change is not None and -3 <= change < 0]
