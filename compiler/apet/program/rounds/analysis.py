"""How often the loops of a function run: from above and from below, as formulas of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apet.program.rounds.bounds import Bound, plain, times
from apet.program.rounds.building import system_of
from apet.program.rounds.counts import Counts
from apet.program.rounds.invariants import strengthened
from apet.program.rounds.lower import Lows
from apet.program.rounds.splitting import variants
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
    """Of the system as it is, and where that is not enough of its phases."""
    system = strengthened(system)
    counts = Counts(system)
    counts.solve()
    lows = Lows(system, counts)
    uppers = {label: _upper(counts, head) for label, head in system.loops.items()}
    for variant in variants(system):
        if all(upper is not None for upper in uppers.values()):
            break
        refined = Counts(strengthened(variant))
        refined.solve()
        uppers = {n: upper or _upper(refined, system.loops[n]) for n, upper in uppers.items()}
    return {label: Rounds(lows.rounds(head), uppers[label]) for label, head in system.loops.items()}


def _upper(counts: Counts, head: int) -> Bound | None:
    began = [t for t in counts.system.transitions if head in t.began]
    many = max((t.began.count(head) for t in began), default=1)
    found = counts.together(began) if all(t in counts.counts for t in began) else None
    return None if found is None else times(plain(many), found)
