"""Advice on a model without errors: what is never used, and what is likely not meant as written.

Every lint takes one pass over the model, without recursion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Span
from apet.model import errors, free_names, terms
from apet.model.familiar_words import foreign_words
from apet.model.free_names import whole_subscripts
from apet.model.literals import literal_value
from apet.model.nesting import opposite_nesting
from apet.model.resolved import Call, Hold, Member, Operation, ResolvedModel, Step
from apet.model.rounding import rounded_ends
from apet.model.terms import Expression, Model
from apet.model.walk import bound_expressions, names_in, operands, parts, processes, reached, scoped

__all__ = ["lints", "mixed_separators", "named_processors", "opposite_nesting", "unused_equations", "unused_parameters"]

BY_SHARES = ("tasks", "P")


def lints(model: Model, resolved: ResolvedModel | None) -> list[Diagnostic]:
    """All advice on a model, in the order of the text; without resolved names what needs them is left out."""
    processors = resolved.processors if resolved else free_names.named_processors(model)
    advice = [
        *unused_equations(model),
        *unused_parameters(model),
        *mixed_separators(model),
        *rounded_ends(model),
        *foreign_words(model),
        *(opposite_nesting(resolved) if resolved else ()),
        *named_processors(model, processors),
        *(zero_based(resolved) if resolved else ()),
    ]
    return sorted(advice, key=lambda d: d.span or Span(0, 0))


def unused_equations(model: Model) -> Iterator[Diagnostic]:
    """Equations that the entry does not reach."""
    used = reached(model, model.entry)
    for equation in model.equations.values():
        if equation.name not in used:
            yield errors.UnusedEquation(model.source, equation.span, equation.name, model.entry)


def unused_parameters(model: Model) -> Iterator[Diagnostic]:
    """Parameters that no expression names; `share[p]` depends on `tasks` and `P`."""
    used = set[str]()
    for expression, hidden in _expressions(model):
        used |= _named(expression, hidden)
    for parameter in model.parameters.values():
        counted = parameter.name == "P" and parameter.value is not None and any(names_in(parameter.value))
        if parameter.name not in used and not counted:
            yield errors.UnusedParameter(model.source, parameter.span, parameter.name)


def mixed_separators(model: Model) -> Iterator[Diagnostic]:
    """Groups with both `;` and `||`: the reader gives the sequences of such a group the span of the whole."""
    for process in processes(model):
        if isinstance(process, terms.Parallel) and any(
            isinstance(b, terms.Sequence) and b.span == process.span for b in process.branches
        ):
            yield errors.MixedSeparators(model.source, process.span)


def named_processors(model: Model, processors: Collection[str]) -> Iterator[Diagnostic]:
    """The first place of each free name that is read as a processor."""
    seen = set(model.parameters)
    for process, hidden in scoped(model.equations) if processors else ():
        for subscript in whole_subscripts(process):
            if subscript.name in processors and subscript.name not in seen | hidden:
                seen.add(subscript.name)
                yield errors.NamedProcessor(model.source, subscript.span, subscript.name)


def zero_based(resolved: ResolvedModel) -> Iterator[Diagnostic]:
    """Loops from 0 to P - 1 of which the index is a processor."""
    for process, _ in scoped(resolved.equations):
        if isinstance(process, terms.Loop) and _counts_from_zero(process) and _numbers(process.body, process.index):
            yield errors.ProcessorZero(resolved.model.source, process.span, process.index)


def _counts_from_zero(loop: terms.Loop[Step]) -> bool:
    match loop.high:
        case terms.Binary("-", terms.Name("P"), terms.Number(1)):
            return literal_value(loop.low) == 0
        case _:
            return False


def _numbers(process: Step, index: str) -> bool:
    """Whether an index is a processor in a process, or where that calls an equation with it as a subscript."""
    match process:
        case Operation(_, terms.Name(name), _, _):
            return name == index
        case Hold(Member("cpu", (terms.Name(name),)), _, _) if name == index:
            return True
        case Call(equation, values, _):
            places = enumerate(values[: len(equation.subscripts)])
            return any(isinstance(v, terms.Name) and v.name == index for _, v in places)
        case _:
            return any(_numbers(part, index) for part in parts(process))


Scoped = tuple[Expression, frozenset[str]]


def _expressions(model: Model) -> Iterator[Scoped]:
    """Every expression of a model with the names that are bound by something nearer than a parameter."""
    for parameter in model.parameters.values():
        for expression in (parameter.value, parameter.low, parameter.high):
            if expression is not None:
                yield expression, frozenset((parameter.name,))
    for resource in model.resources.values():
        if resource.servers is not None:
            yield resource.servers, frozenset(resource.subscripts)
    for process, hidden in scoped(model.equations):
        yield from ((e, hidden.union(bound)) for e, bound in bound_expressions(process))
        if isinstance(process, terms.Invoke):  # what a use holds may be a time
            lone = process.subscripts is None and process.arguments is None
            yield terms.Name(process.name, process.span) if lone else process, hidden


def _named(expression: Expression, hidden: frozenset[str]) -> set[str]:
    """The free names of an expression, with what `share` depends on."""
    return set(names_in(expression)).difference(hidden).union(BY_SHARES if _deals(expression) else ())


def _deals(expression: Expression) -> bool:
    """Whether an expression has a `share[p]`."""
    return (isinstance(expression, terms.Invoke) and expression.name == "share") or any(
        map(_deals, operands(expression))
    )
