"""Which free names of a model are processors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from apet.model.terms import Branch, Delay, Invoke, Loop, Model, Name, Parallel, Process, Sequence, Use

Scoped = tuple[Process, frozenset[str]]


def named_processors(model: Model) -> frozenset[str]:
    """The free names that somewhere are the whole subscript of an operation, a message or an equation.

    As the resource of a `use`, such a name is that processor; any other free name is a resource of its own. A name is
    free where no parameter, formal or loop index of that name is in force.
    """
    processors: set[str] = set()
    parameters = frozenset(model.parameters)
    for equation in model.equations.values():
        bound = parameters.union(equation.subscripts, equation.formals)
        stack: list[Scoped] = [(equation.body, bound)]
        while stack:
            process, bound = stack.pop()
            if isinstance(process, Invoke):
                names = (s.name for s in process.subscripts or () if isinstance(s, Name))
                processors.update(name for name in names if name not in bound)
            else:
                stack.extend(_parts(process, bound))

    return frozenset(processors)


def _parts(process: Process, bound: frozenset[str]) -> Iterator[Scoped]:
    match process:
        case Invoke() | Delay():
            pass
        case Use():
            yield process.body, bound
        case Sequence():
            yield from ((step, bound) for step in process.steps)
        case Parallel():
            yield from ((branch, bound) for branch in process.branches)
        case Loop():
            yield process.body, bound | {process.index}
        case Branch():
            yield process.then, bound
            yield process.otherwise, bound
        case _:
            assert_never(process)
