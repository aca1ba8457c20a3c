"""Loops whose rounds threads share."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program.algebra import as_value
from apet.program.free_names import free_names
from apet.program.ir import CodeLoop, ParameterKind, SourceNote, Weighted
from apet.program.symbols import HIDDEN

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

THREADS = "P"
COUNTED = (ParameterKind.TEST, ParameterKind.CASE, ParameterKind.ROUNDS)


def run_shared(t: Translator, team: s.Team, loop: CodeLoop) -> bool:
    """Write a loop whose rounds are dealt, if their number is known beforehand; whether it is.

    Its threads start and meet by an operation of the library. Each has its own copy of what is reduced: the last one
    adds its copy when it ends, the others while rounds still run, or after them.
    """
    if loop.low is None or loop.leaves.terms:
        t.unsupported("rounds whose number is not known beforehand are counted as if one thread ran them", loop.at)
        return False
    if THREADS not in t.state.parameters:
        t.state.parameter(SourceNote(THREADS, "threads that share the rounds of loops", loop.at), exact=True)
    names = free_names(loop.body)
    if team.next_free and loop.index in names:
        t.unsupported("chunks of different length are dealt in turn, not to the thread that is free first", loop.at)
    elif any(t.state.parameters[n].kind in COUNTED for n in names & t.state.parameters.keys()):
        t.unsupported("of what only a run counts, every thread is taken to have the mean", loop.at)
    t.library("omp_parallel", loop.at, ())
    t.out.append(replace(loop, chunk=team.chunk))

    with t.writing() as reducing:
        for operator, name in team.reduced:
            variable = s.Identifier(name, loop.at)
            t.evaluate(s.Assign(operator, variable, variable, loop.at))
    if reducing:
        others = as_value(THREADS) - 1
        nothing, half = as_value(0), as_value(Fraction(1, 2))
        after = CodeLoop(f"k{HIDDEN}", as_value(1), others, others, tuple(reducing), False, 1, "", nothing, loop.at)
        t.out += (*reducing, Weighted(half, (after,), loop.at))
    return True
