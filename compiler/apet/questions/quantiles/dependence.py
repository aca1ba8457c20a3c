"""Which names the costs of a process depend on."""

from __future__ import annotations

from collections.abc import Iterator

from apet.model import terms
from apet.model.walk import names_in, parts, processes


class Dependence:
    """The free names of terms, found once each; an equation that a term calls sees only what it is given.

    Names that nothing binds are left out: a parameter has one value everywhere.
    """

    def __init__(self, model: terms.Model) -> None:
        self._names: dict[int, frozenset[str]] = {}
        indices = (p.index for p in processes(model) if isinstance(p, terms.Loop))
        self._bound = frozenset(indices).union(*((*e.subscripts, *e.formals) for e in model.equations.values()))

    def of(self, term: terms.Process) -> frozenset[str]:
        """The names that a term uses and does not bind itself."""
        names_of_term = self._names.get(id(term))
        if names_of_term is None:
            inner = frozenset[str]().union(*(self.of(p) for p in parts(term)))
            if isinstance(term, terms.Loop):
                inner -= {term.index}
            inner = inner.union(*(names_in(e) for e in _expressions(term)), _lone(term))
            names_of_term = self._names[id(term)] = inner & self._bound
        return names_of_term


def _expressions(term: terms.Process) -> Iterator[terms.Expression]:
    match term:
        case terms.Invoke():
            yield from (*(term.subscripts or ()), *(term.arguments or ()))
        case terms.Delay():
            yield term.time
        case terms.Use():
            yield term.resource
        case terms.Loop():
            yield from (term.low, term.high)
        case terms.Branch(probability, _, _, _) if probability is not None:
            yield probability
        case terms.PartGraph(graph_parts, _):
            yield from (s for p in graph_parts for a in p.after for s in a.subscripts or ())


def _lone(term: terms.Process) -> tuple[str, ...]:
    """The name that stands alone: `use(p, x)` with a value x takes x seconds."""
    alone = isinstance(term, terms.Invoke) and term.subscripts is None and term.arguments is None
    return (term.name,) if alone else ()  # type: ignore[union-attr]  # an Invoke, by the line above
