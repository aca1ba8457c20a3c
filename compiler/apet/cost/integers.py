"""Which parameters must be whole numbers: those that bound loops, number processors or servers, or stand in a `%`."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model import terms
from apet.model.names import held_process
from apet.model.terms import Expression, Model, Process
from apet.model.walk import parts

ALWAYS = ("P", "tasks")
ROUNDED = frozenset(("+", "-", "*"))
EXACTLY = ROUNDED | {"^", "%"}
"""Operators of which the operands are whole where the result must be: in the end of a loop, which is rounded, and in
a subscript, a number of servers or an operand of `%`."""
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
            names.update(_plain(resource.servers, EXACTLY))
            names.update(_modular(resource.servers))

    for equation in model.equations.values():
        stack: list[Process] = [equation.body]
        while stack:
            process = stack.pop()
            if isinstance(process, terms.PartGraph):
                after = (a for p in process.parts for a in p.after)
                names.update(n for a in after for s in a.subscripts or () for n in _plain(s, EXACTLY))
            for expression, is_whole in own_expressions(process):
                if is_whole:
                    # a loop runs to the integer below its end; a subscript must be one
                    names.update(_plain(expression, ROUNDED if isinstance(process, terms.Loop) else EXACTLY))
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


def _plain(expression: Expression, operators: frozenset[str]) -> Iterator[str]:
    """The names in an expression of which the whole is whole only if they are, joined by some operators."""
    match expression:
        case terms.Name(name, _):
            yield name
        case terms.Unary(_, operand, _):
            yield from _plain(operand, operators)
        case terms.Binary(operator, left, right, _) if operator in operators:
            yield from _plain(left, operators)
            yield from _plain(right, operators)
        case terms.Invoke("min" | "max" | "abs", None, arguments, _):
            for inner in arguments or ():
                yield from _plain(inner, operators)
        case _:
            return


def _modular(expression: Expression) -> Iterator[str]:
    """The names in the operands of a `%` anywhere in an expression, and in the bounds of a sum."""
    match expression:
        case terms.Binary(operator, left, right, _):
            for inner in (left, right):
                yield from _plain(inner, EXACTLY) if operator == "%" else _modular(inner)

        case terms.Unary(_, operand, _):
            yield from _modular(operand)
        case terms.Invoke(_, subscripts, arguments, _):
            for inner in (*(subscripts or ()), *(arguments or ())):
                yield from _modular(inner)
        case terms.Lookup(_, index, _):
            yield from _plain(index, EXACTLY)
            yield from _modular(index)

        case terms.SumOver(_, low, high, body, _):
            yield from _plain(low, ROUNDED)
            yield from _plain(high, ROUNDED)
            yield from _modular(body)
        case _:
            return
