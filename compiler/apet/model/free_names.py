"""Which free names of a model are processors."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model import terms
from apet.model.terms import Expression, Model, Process
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
            inside = bound | {process.index} if isinstance(process, terms.Loop) else bound
            stack.extend((inner, inside) for inner in parts(process))

    return frozenset(processors - model.resources.keys())


def whole_subscripts(process: Process) -> Iterator[terms.Name]:
    """The names that are whole subscripts in a process, those of processes in it apart."""
    match process:
        case terms.Invoke(_, subscripts, arguments, _):
            yield from (s for s in subscripts or () if isinstance(s, terms.Name))
            expressions: tuple[Expression | None, ...] = (*(subscripts or ()), *(arguments or ()))
        case terms.Delay(time, _):
            expressions = (time,)
        case terms.Use(resource, _, _):
            expressions = (resource,)
        case terms.Loop(_, _, low, high, _, _):
            expressions = (low, high)
        case terms.Branch(probability, _, _, _):
            expressions = (probability,)
        case _:
            return

    for expression in expressions:
        if not isinstance(expression, terms.Name | terms.Number | None):
            yield from _subscripts_in(expression)


def _subscripts_in(expression: Expression) -> Iterator[terms.Name]:
    stack = [expression]
    while stack:
        match stack.pop():
            case terms.Unary(_, operand, _):
                stack.append(operand)
            case terms.Binary(_, left, right, _):
                stack += (left, right)
            case terms.Lookup(_, index, _):
                stack.append(index)

            case terms.SumOver(index, low, high, body, _):
                stack += (low, high)
                yield from (name for name in _subscripts_in(body) if name.name != index)
            case terms.Invoke(_, subscripts, arguments, _):
                yield from (s for s in subscripts or () if isinstance(s, terms.Name))
                stack += (*(subscripts or ()), *(arguments or ()))
            case _:
                pass
