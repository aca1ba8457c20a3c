"""How often the loops of a function run: from above and from below, as formulas of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apet.program.rounds.bounds import Bound, add, extreme
from apet.program.rounds.building import system_of
from apet.program.rounds.invariants import strengthened
from apet.program.rounds.lower import Lows
from apet.program.rounds.sizes import Sizes
from apet.program.rounds.splitting import phased
from apet.program.rounds.statements import Statement
from apet.program.rounds.system import System


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds of a loop in one run of the function, all entries together; None where nothing is proved. The lower bound
    is that of runs that end."""

    lower: Bound | None
    upper: Bound | None


def rounds_of(statement: Statement, parameters: Sequence[str]) -> dict[str, Rounds]:
    """By the labels of loops, the rounds that are proved for whole numbers without a largest one."""
    return rounds_in(system_of(statement, parameters))


def rounds_in(system: System) -> dict[str, Rounds]:
    plain_system = strengthened(system)
    refined = (
        strengthened(phased(plain_system))
        if len(phased(plain_system).transitions) > len(plain_system.transitions)
        else plain_system
    )
    sizes = Sizes(refined)
    sizes.solve()
    lows = Lows(plain_system, sizes if refined is plain_system else _solved(plain_system))
    return {label: Rounds(lows.rounds(head), _upper(sizes, head)) for label, head in system.loops.items()}


def _solved(system: System) -> Sizes:
    sizes = Sizes(system)
    sizes.solve()
    return sizes


def _upper(sizes: Sizes, head: int) -> Bound | None:
    began = [t for t in sizes.system.transitions if head in t.began]
    if any(t not in sizes.counts for t in began):
        return None
    once = [sizes.counts[t] for t in began if not sizes.system.component(t)]
    many = [sizes.counts[t] for t in began if sizes.system.component(t)]
    return add(*many, *([extreme("max", *once)] if once else []))
