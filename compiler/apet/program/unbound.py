"""Names that nothing gives a value: what a model would be refused for. They become parameters of their own.

A value is followed through a program as far as names reach. Where it goes further, as the index of a loop that a
value outlives, the model still has to be one: whoever predicts is asked for that value, as for any other that only a
run tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apet.model import terms
from apet.model.walk import scoped
from apet.program.ir import SourceNote
from apet.program.named_factors import names_in
from apet.program.value_terms import number


def unbound_names(
    equations: Mapping[str, terms.Equation[terms.Process]], names: Mapping[str, set[str]], notes: Iterable[SourceNote]
) -> list[str]:
    """The names in equations and in values of parameters that are no parameter, formal or index, in order; `names` are
    all that an equation has."""
    parameters, unbound = list(notes), dict[str, None]()
    declared = frozenset(n.name for n in parameters)
    for note in parameters:
        for value in (note.value, note.low, note.high):
            unbound |= dict.fromkeys(sorted(value.names - declared) if value is not None else ())

    for equation in equations.values():
        if names[equation.name] <= declared.union(equation.formals, equation.subscripts):
            continue
        for process, bound in scoped({equation.name: equation}):
            unbound |= dict.fromkeys(sorted(names_in(_expressions(process)) - bound - declared))
    return list(unbound)


def _expressions(process: terms.Process) -> tuple[terms.Expression, ...]:
    """What a process computes itself: arguments, bounds and probabilities."""
    match process:
        case terms.Invoke(_, _, arguments, _):
            return arguments or ()
        case terms.Loop():
            return (process.low, process.high)
        case terms.Branch():
            return () if process.probability is None else (process.probability,)
        case _:
            return (number(0),)
