"""Advice on a model without errors: what is never used, and what is likely not meant as written.

Every lint takes one pass over the model, without recursion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Span
from apet.model import errors, terms
from apet.model.familiar_words import foreign_words
from apet.model.free_names import whole_subscripts
from apet.model.nesting import opposite_nesting
from apet.model.rounding import rounded_ends
from apet.model.terms import Expression, Model, Process
from apet.model.walk import called, names_in, parts, processes

__all__ = ["lints", "mixed_separators", "named_processors", "opposite_nesting", "unused_equations", "unused_parameters"]

BY_SHARES = ("tasks", "P")


def lints(model: Model, processors: Collection[str]) -> list[Diagnostic]:
    """All advice on a model, in the order of the text; `processors` are the free names that are read as processors."""
    advice = [
        *unused_equations(model),
        *unused_parameters(model),
        *mixed_separators(model),
        *rounded_ends(model),
        *foreign_words(model),
        *opposite_nesting(model, processors),
        *named_processors(model, processors),
    ]
    return sorted(advice, key=lambda d: d.span or Span(0, 0))


def unused_equations(model: Model) -> Iterator[Diagnostic]:
    """Equations that the entry does not reach."""
    reached, stack = set[str](), [model.entry]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            stack += called(model.equations[name].body, model)
    for equation in model.equations.values():
        if equation.name not in reached:
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
    for process, hidden in _scoped(model) if processors else ():
        for subscript in whole_subscripts(process):
            if subscript.name in processors and subscript.name not in seen | hidden:
                seen.add(subscript.name)
                yield errors.NamedProcessor(model.source, subscript.span, subscript.name)


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
    for process, hidden in _scoped(model):
        yield from ((e, hidden) for e in _own(process))


def _scoped(model: Model) -> Iterator[tuple[Process, frozenset[str]]]:
    """Every process in the order of the text, with the subscripts, formals and indices in force."""
    for equation in model.equations.values():
        stack: list[tuple[Process, frozenset[str]]]
        stack = [(equation.body, frozenset((*equation.subscripts, *equation.formals)))]
        while stack:
            process, hidden = stack.pop()
            yield process, hidden
            inside = hidden | {process.index} if isinstance(process, terms.Loop) else hidden
            stack += [(inner, inside) for inner in reversed(parts(process))]


def _own(process: Process) -> Iterator[Expression]:
    """The expressions that stand in a process itself; a lone call held by a use may be a time."""
    match process:
        case terms.Invoke():
            yield from (*(process.subscripts or ()), *(process.arguments or ()))
        case terms.Delay(time, _):
            yield time
        case terms.Use(resource, body, _):
            yield resource
            if isinstance(body, terms.Invoke):
                yield (
                    body
                    if body.subscripts is not None or body.arguments is not None
                    else terms.Name(body.name, body.span)
                )

        case terms.Loop(_, _, low, high, _, _):
            yield from (low, high)
        case terms.Branch(probability, _, _, _):
            if probability is not None:
                yield probability
        case terms.PartGraph(graph_parts, _):
            yield from (s for p in graph_parts for a in p.after for s in a.subscripts or ())
        case _:
            return


def _named(expression: Expression, hidden: frozenset[str]) -> set[str]:
    """The free names of an expression, with what `share` depends on."""
    names, stack = set[str](), [(expression, hidden)]
    while stack:
        inner, bound = stack.pop()
        match inner:
            case terms.Number():
                pass
            case terms.Name(name, _):
                names |= {name} - bound
            case terms.Unary(_, operand, _):
                stack.append((operand, bound))
            case terms.Binary(_, left, right, _):
                stack += [(left, bound), (right, bound)]
            case terms.Lookup(_, index, _):
                stack.append((index, bound))
            case terms.SumOver(index, low, high, body, _):
                stack += [(low, bound), (high, bound), (body, bound | {index})]
            case terms.Invoke(name, subscripts, arguments, _):
                names.update(BY_SHARES if name == "share" else ())
                stack += [(e, bound) for e in (*(subscripts or ()), *(arguments or ()))]

    return names
