"""Free names: which are processors, and which a process depends on."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model import terms
from apet.model.resolved import ResolvedModel, Step
from apet.model.terms import Expression, Model, Process
from apet.model.walk import bound_expressions, expressions, names_in, operands, parts, scoped


def named_processors(model: Model) -> frozenset[str]:
    """The free names that somewhere are a whole subscript: of a process, a resource or a value of the machine.

    As the resource of a `use`, such a name is that processor; any other free name is a resource of its own. A name is
    free where no parameter, formal or loop index of that name is in force.
    """
    processors: set[str] = set()
    for process, bound in scoped(model.equations):
        processors.update(name.name for name in whole_subscripts(process) if name.name not in bound)
    return frozenset(processors - model.resources.keys() - model.parameters.keys())


def whole_subscripts(process: Process) -> Iterator[terms.Name]:
    """The names that are whole subscripts in a process, those of processes in it apart."""
    if isinstance(process, terms.Invoke):
        yield from (s for s in process.subscripts or () if isinstance(s, terms.Name))
    for expression in expressions(process):
        yield from _subscripts_in(expression)


def _subscripts_in(expression: Expression) -> Iterator[terms.Name]:
    if isinstance(expression, terms.Invoke):
        yield from (s for s in expression.subscripts or () if isinstance(s, terms.Name))
    for operand in operands(expression):
        bound = expression.index if isinstance(expression, terms.SumOver) and operand is expression.body else None
        yield from (name for name in _subscripts_in(operand) if name.name != bound)


class FreeNames:
    """The names in force that a process uses and does not bind itself, found once for each process.

    Parameters and named processors are left out: they mean the same everywhere. An equation that is called sees
    nothing but what it is given.
    """

    def __init__(self, model: ResolvedModel) -> None:
        self._names: dict[int, frozenset[str]] = {}
        self._bound = frozenset[str]().union(*(bound for _, bound in scoped(model.equations)))

    def of(self, process: Step) -> frozenset[str]:
        """The free names of a process."""
        names = self._names.get(id(process))
        if names is None:
            inner = frozenset[str]().union(*(self.of(p) for p in parts(process)))
            if isinstance(process, terms.Loop):
                inner -= {process.index}
            own = (set(names_in(e)).difference(bound) for e, bound in bound_expressions(process))
            names = self._names[id(process)] = inner.union(*own) & self._bound
        return names
