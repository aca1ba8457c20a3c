"""Which free names of a model are processors."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model.terms import (
    Binary,
    Branch,
    Delay,
    Expression,
    Invoke,
    Lookup,
    Loop,
    Model,
    Name,
    Number,
    Process,
    SumOver,
    Unary,
    Use,
)
from apet.model.walk import parts


def named_processors(model: Model) -> frozenset[str]:
    """The free names that somewhere are a whole subscript: of a process, a resource or a value of the machine.

    As the resource of a `use`, such a name is that processor; any other free name is a resource of its own. A name is
    free where no parameter, formal or loop index of that name is in force.
    """
    processors: set[str] = set()
    parameters = frozenset(model.parameters)
    for equation in model.equations.values():
        bound = parameters.union(equation.subscripts, equation.formals)
        stack: list[tuple[Process, frozenset[str]]] = [(equation.body, bound)]
        while stack:
            process, bound = stack.pop()
            processors.update(name.name for name in whole_subscripts(process) if name.name not in bound)
            inside = bound | {process.index} if isinstance(process, Loop) else bound
            stack.extend((inner, inside) for inner in parts(process))

    return frozenset(processors - model.resources.keys())


def whole_subscripts(process: Process) -> Iterator[Name]:
    """The names that are whole subscripts in a process, those of processes in it apart."""
    match process:
        case Invoke(_, subscripts, arguments, _):
            yield from (s for s in subscripts or () if isinstance(s, Name))
            expressions: tuple[Expression | None, ...] = (*(subscripts or ()), *(arguments or ()))
        case Delay(time, _):
            expressions = (time,)
        case Use(resource, _, _):
            expressions = (resource,)
        case Loop(_, _, low, high, _, _):
            expressions = (low, high)
        case Branch(probability, _, _, _):
            expressions = (probability,)
        case _:
            return

    for expression in expressions:
        if not isinstance(expression, Name | Number | None):
            yield from _subscripts_in(expression)


def _subscripts_in(expression: Expression) -> Iterator[Name]:
    stack = [expression]
    while stack:
        match stack.pop():
            case Unary(_, operand, _):
                stack.append(operand)
            case Binary(_, left, right, _):
                stack += (left, right)
            case Lookup(_, index, _):
                stack.append(index)
            case SumOver(index, low, high, body, _):
                stack += (low, high)
                yield from (name for name in _subscripts_in(body) if name.name != index)
            case Invoke(_, subscripts, arguments, _):
                yield from (s for s in subscripts or () if isinstance(s, Name))
                stack += (*(subscripts or ()), *(arguments or ()))
            case _:
                pass
