"""Walking over models: the parts of a process, the equations it calls, the names in an expression, circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apet.model.terms import (
    Binary,
    Delay,
    Expression,
    Invoke,
    Loop,
    Model,
    Name,
    Number,
    Parallel,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)


def parts(process: Process) -> tuple[Process, ...]:
    """The processes that a process is directly made of."""
    if isinstance(process, Invoke | Delay):  # the most frequent kinds first
        return ()
    if isinstance(process, Sequence):
        return process.steps
    if isinstance(process, Use | Loop):
        return (process.body,)
    if isinstance(process, Parallel):
        return process.branches
    return (process.then, process.otherwise)


def called(process: Process, model: Model) -> Iterator[str]:
    """The names of the equations that a process calls, in order."""
    stack: list[Process] = [process]
    while stack:
        current = stack.pop()
        if isinstance(current, Invoke):
            if current.name in model.equations:
                yield current.name
        else:
            stack.extend(reversed(parts(current)))


def names_in(expression: Expression) -> Iterator[str]:
    """The names in an expression."""
    match expression:
        case Number():
            return
        case Name(name, _):
            yield name
        case Unary(_, operand, _):
            yield from names_in(operand)
        case Binary(_, left, right, _):
            yield from names_in(left)
            yield from names_in(right)
        case SumOver(index, low, high, body, _):
            yield from (n for e in (low, high) for n in names_in(e))
            yield from (n for n in names_in(body) if n != index)
        case Invoke(_, subscripts, arguments, _):
            for inner in (*(subscripts or ()), *(arguments or ())):
                yield from names_in(inner)


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
