"""Walking over models: what terms are made of, by one table for processes and one for expressions; names, circles.

Whoever asks the same of every kind of term asks these tables; a kind that one of them forgets is a type error here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import TypeVar, assert_never

from apet.model import resolved, terms
from apet.model.resolved import Step
from apet.model.terms import Expression, Model, Process

SEND = "send"
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
P = TypeVar("P", Process, Step)
Inside = tuple[Expression, tuple[str, ...]]
"""An expression of a process, with the names that the process itself binds there."""


def parts(process: P) -> tuple[P, ...]:
    """The processes that a process is directly made of."""
    match process:
        case terms.Invoke() | terms.Delay() | resolved.Operation() | resolved.Call() | resolved.Message():
            return ()  # the most frequent kinds first
        case terms.Sequence():
            return process.steps
        case terms.Use() | terms.Loop() | resolved.Hold():
            return (process.body,)
        case terms.Parallel():
            return process.branches
        case terms.Branch():
            return process.then, process.otherwise
        case terms.PartGraph():
            return tuple([p.body for p in process.parts])
        case _:
            assert_never(process)


def expressions(process: Process | Step) -> tuple[Expression, ...]:
    """The expressions that stand in a process itself, but for those that stand behind `after`."""
    match process:
        case terms.Invoke(_, subscripts, arguments, _):
            return *(subscripts or ()), *(arguments or ())
        case resolved.Operation(_, processor, passed, _):
            return processor, *passed
        case resolved.Call(_, values, _):
            return values
        case resolved.Message(sender, receiver, size, _):
            return sender, receiver, size
        case terms.Delay(time, _):
            return (time,)
        case terms.Use(resource, _, _):
            return (resource,)
        case resolved.Hold(member, _, _):
            return member.subscripts

        case terms.Loop(_, _, low, high, _, _):
            return low, high
        case terms.Branch(probability, _, _, _):
            return () if probability is None else (probability,)
        case terms.Sequence() | terms.Parallel() | terms.PartGraph():
            return ()
        case _:
            assert_never(process)


def bound_expressions(process: Process | Step) -> Iterator[Inside]:
    """All expressions that stand in a process itself; behind `after` the indices of the part are bound."""
    for expression in expressions(process):
        yield expression, ()
    if isinstance(process, terms.PartGraph):
        for part in process.parts:
            for subscript in (s for a in part.after for s in a.subscripts or ()):
                yield subscript, own_indices(part)


def own_indices(part: terms.GraphPart[P]) -> tuple[str, ...]:
    """The indices of a part's ranges, the outermost first."""
    return tuple([loop.index for loop in own_ranges(part)])


def own_ranges(part: terms.GraphPart[P]) -> list[terms.Loop[P]]:
    """The loops over a part's ranges, the outermost first."""
    loops, body = list[terms.Loop[P]](), part.body
    for _ in range(part.dimensions):
        assert isinstance(body, terms.Loop)
        loops.append(body)
        body = body.body
    return loops


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is directly made of; a sum binds its index in the last one."""
    match expression:
        case terms.Number() | terms.Name():
            return ()
        case terms.Unary(_, one, _) | terms.Lookup(_, one, _):
            return (one,)
        case terms.Binary(_, left, right, _):
            return left, right
        case terms.SumOver(_, low, high, body, _):
            return low, high, body
        case terms.Invoke(_, subscripts, arguments, _):
            return *(subscripts or ()), *(arguments or ())
        case _:
            assert_never(expression)


def children(term: Process | Expression) -> Iterator[Process | Expression]:
    """The terms that a term is directly made of."""
    match term:
        case terms.Number() | terms.Name() | terms.Unary() | terms.Binary() | terms.SumOver() | terms.Lookup():
            yield from operands(term)
        case _:
            yield from (expression for expression, _ in bound_expressions(term))
            yield from parts(term)


def operation_of(step: Step) -> str:
    """The machine operation, or the message, that a step is; "" for others."""
    if isinstance(step, resolved.Message):
        return SEND
    return step.name if isinstance(step, resolved.Operation) else ""


def processes(model: Model) -> Iterator[Process]:
    """Every process of every equation, the outer before the inner, in the order of the text."""
    return (process for process, _ in scoped(model.equations))


def scoped(equations: Mapping[str, terms.Equation[P]]) -> Iterator[tuple[P, frozenset[str]]]:
    """Every process in the order of the text, with the subscripts, formals and indices in force."""
    equation: terms.Equation[P]
    for equation in equations.values():
        yield from _scoped_in(equation.body, frozenset((*equation.subscripts, *equation.formals)))


def _scoped_in(process: P, bound: frozenset[str]) -> Iterator[tuple[P, frozenset[str]]]:
    stack: list[tuple[P, frozenset[str]]] = [(process, bound)]
    while stack:
        process, bound = stack.pop()
        yield process, bound
        inside = bound | {process.index} if isinstance(process, terms.Loop) else bound
        stack += [(inner, inside) for inner in reversed(parts(process))]


def called(process: Process, model: Model) -> Iterator[str]:
    """The names of the equations that a process calls, in order."""
    stack: list[Process] = [process]
    while stack:
        current = stack.pop()
        if isinstance(current, terms.Invoke):
            if current.name in model.equations:
                yield current.name
        else:
            stack.extend(reversed(parts(current)))


def reached(model: Model, start: str) -> dict[str, None]:
    """An equation and those that it calls, directly or through others, in the order of the first call."""
    names: dict[str, None] = {}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        if name not in names:
            names[name] = None
            waiting.extend(called(model.equations[name].body, model))
    return names


def names_in(expression: Expression) -> Iterator[str]:
    """The free names in an expression, in order."""
    if isinstance(expression, terms.Name):
        yield expression.name
        return
    *before, last = operands(expression) or (None,)
    for operand in before:
        yield from names_in(operand)
    if last is not None:
        bound = expression.index if isinstance(expression, terms.SumOver) else None
        yield from (name for name in names_in(last) if name != bound)


def first_cycle(edges: Mapping[str, list[str]]) -> list[str]:
    """A circle in a graph as names from one back to itself; empty if there is none."""
    finished: set[str] = set()
    for start in edges:
        path: list[str] = []
        on_path: set[str] = set()
        stack = [(start, iter(edges[start]))] if start not in finished else []
        if stack:
            path.append(start)
            on_path.add(start)
        while stack:
            node, following = stack[-1]
            step = next((n for n in following if n not in finished), None)
            if step is None:
                finished.add(node)
                on_path.discard(path.pop())
                stack.pop()
            elif step in on_path:
                return [*path[path.index(step) :], step]
            else:
                path.append(step)
                on_path.add(step)
                stack.append((step, iter(edges[step])))

    return []
