"""Walking over models: the parts of a process, the equations it calls, the names in an expression, circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apet.model import terms
from apet.model.terms import Expression, Model, Process

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def parts(process: Process) -> tuple[Process, ...]:
    """The processes that a process is directly made of."""
    if isinstance(process, terms.Invoke | terms.Delay):  # the most frequent kinds first
        return ()
    if isinstance(process, terms.Sequence):
        return process.steps
    if isinstance(process, terms.Use | terms.Loop):
        return (process.body,)
    if isinstance(process, terms.Parallel):
        return process.branches
    if isinstance(process, terms.PartGraph):
        return tuple([p.body for p in process.parts])
    return (process.then, process.otherwise)


def processes(model: Model) -> Iterator[Process]:
    """Every process of every equation, the outer before the inner, in the order of the text."""
    stack: list[Process] = [e.body for e in reversed(model.equations.values())]
    while stack:
        process = stack.pop()
        yield process
        stack.extend(reversed(parts(process)))


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


def names_in(expression: Expression) -> Iterator[str]:
    """The names in an expression."""
    match expression:
        case terms.Name(name, _):
            yield name
        case terms.SumOver(index, low, high, body, _):
            yield from (n for e in (low, high) for n in names_in(e))
            yield from (n for n in names_in(body) if n != index)
        case _:
            for inner in operands(expression):
                yield from names_in(inner)


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is directly made of."""
    match expression:
        case terms.Unary(_, one, _) | terms.Lookup(_, one, _):
            return (one,)
        case terms.Binary(_, left, right, _):
            return left, right
        case terms.SumOver(_, low, high, body, _):
            return low, high, body
        case terms.Invoke(_, subscripts, arguments, _):
            return *(subscripts or ()), *(arguments or ())
        case _:
            return ()


def leaves_to_chance(model: Model) -> bool:
    """Whether a branch has a probability that may lie between 0 and 1, or none."""
    return any(isinstance(p, terms.Branch) and _is_chance(p) for p in processes(model))


def chance_at_once(model: Model) -> bool:
    """Whether something left to chance runs at once with something else: a maximum of means is less than the mean of
    the maximum."""
    stack: list[tuple[Process, bool]] = [(model.equations[model.entry].body, False)]
    visited: set[tuple[str, bool]] = set()
    while stack:
        process, at_once = stack.pop()
        if at_once and isinstance(process, terms.Branch) and _is_chance(process):
            return True

        if isinstance(process, terms.Invoke) and process.name in model.equations:
            if (process.name, at_once) not in visited:
                visited.add((process.name, at_once))
                stack.append((model.equations[process.name].body, at_once))
            continue

        at_once = (
            at_once
            or isinstance(process, terms.Parallel | terms.PartGraph)
            or (isinstance(process, terms.Loop) and process.kind == "par")
        )
        stack += [(part, at_once) for part in parts(process)]

    return False


def _is_chance(branch: terms.Branch) -> bool:
    return branch.probability is None or not is_condition(branch.probability)


def is_condition(expression: Expression) -> bool:
    """Whether an expression is always 0 or 1: a comparison, or a product of comparisons."""
    match expression:
        case terms.Number(value, _, _):
            return value in (0, 1)
        case terms.Binary("*", left, right, _):
            return is_condition(left) and is_condition(right)
        case terms.Binary(operator, _, _, _):
            return operator in COMPARISONS
        case _:
            return False


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
