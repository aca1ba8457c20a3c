"""Which parameters must be whole numbers: those that bound loops, number processors or servers, or stand in a `%`."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model import terms
from apet.model.names import held_process
from apet.model.terms import Expression, Model, Process
from apet.model.walk import parts

ALWAYS = ("P", "tasks")
LEAVES = frozenset((terms.Name, terms.Number))


def whole_parameters(model: Model) -> frozenset[str]:
    """The names of parameters that stand where only a whole number makes sense.

    `seq (i = 1, n)` makes n one; `seq (i = 1, n / m)` does not: the loop runs to the integer below n / m.
    """
    if not model.parameters:
        return frozenset()

    names: set[str] = set()
    for resource in model.resources.values():
        if resource.servers is not None:
            names.update(_plain(resource.servers))

    for equation in model.equations.values():
        stack: list[Process] = [equation.body]
        while stack:
            process = stack.pop()
            if isinstance(process, terms.PartGraph):
                after = (a for p in process.parts for a in p.after)
                names.update(n for a in after for s in a.subscripts or () for n in _plain(s))
            for expression, is_whole in own_expressions(process):
                if is_whole:
                    names.update(_plain(expression))
                if type(expression) not in LEAVES:
                    names.update(_modular(expression))
            stack.extend(parts(process))
    return frozenset(n for n in model.parameters if n in names or n in ALWAYS)


def own_expressions(process: Process) -> Iterator[tuple[Expression, bool]]:
    """The expressions of one process, each with whether it must be whole."""
    match process:
        case terms.Invoke(_, subscripts, arguments, _):
            yield from ((s, True) for s in subscripts or ())
            yield from ((a, False) for a in arguments or ())
        case terms.Delay(time, _):
            yield time, False
        case terms.Use(resource, _, _):
            subscripts = (isinstance(resource, terms.Invoke) and resource.subscripts) or (resource,)
            yield from ((s, True) for s in subscripts)
            body = held_process(process, ())
            if isinstance(body, terms.Delay) and body is not process.body:
                yield body.time, False

        case terms.Loop(_, _, low, high, _, _):
            yield low, True
            yield high, True
        case terms.Branch(probability, _, _, _) if probability is not None:
            yield probability, False
        case _:
            return


def _plain(expression: Expression) -> Iterator[str]:
    """The names in an expression of which the whole is whole only if they are."""
    match expression:
        case terms.Name(name, _):
            yield name
        case terms.Unary(_, operand, _):
            yield from _plain(operand)
        case terms.Binary("+" | "-" | "*", left, right, _):
            yield from _plain(left)
            yield from _plain(right)
        case terms.Invoke("min" | "max" | "abs", None, arguments, _):
            for inner in arguments or ():
                yield from _plain(inner)
        case _:
            return


def _modular(expression: Expression) -> Iterator[str]:
    """The names in the operands of a `%` anywhere in an expression, and in the bounds of a sum."""
    match expression:
        case terms.Binary(operator, left, right, _):
            for inner in (left, right):
                yield from _plain(inner) if operator == "%" else _modular(inner)

        case terms.Unary(_, operand, _):
            yield from _modular(operand)
        case terms.Invoke(_, subscripts, arguments, _):
            for inner in (*(subscripts or ()), *(arguments or ())):
                yield from _modular(inner)
        case terms.Lookup(_, index, _):
            yield from _plain(index)
            yield from _modular(index)

        case terms.SumOver(_, low, high, body, _):
            yield from _plain(low)
            yield from _plain(high)
            yield from _modular(body)
        case _:
            return
