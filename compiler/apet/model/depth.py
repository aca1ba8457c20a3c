"""How deep a model nests: equations count where they are called, parameters where they are named.

Whoever walks a model recurses once per level. Python's own stack is no limit (`deep_recursion`), the machine's is: a
generator inside a generator takes some 200 bytes of it, so that 30,000 levels end the process without a word.
"""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model import errors, terms
from apet.model.terms import Expression, Model, Process
from apet.model.walk import children

DEEPEST = 10_000
PROCESSES = frozenset((terms.Sequence, terms.Parallel, terms.Use, terms.Loop, terms.Branch, terms.PartGraph))
"""Kinds of terms whose span may be only their head."""


class _Extent(NamedTuple):
    """How deep a text nests by itself, the place of its deepest term, and what it refers to with the depth there."""

    depth: int
    deepest: Span
    refers: dict[str, int]


def too_deep(model: Model) -> Diagnostic | None:
    """The error of a model that nests more than `DEEPEST` levels deep, or None."""
    extents: dict[str, _Extent] = {}
    for parameter in model.parameters.values():
        if parameter.value is not None:
            extents[parameter.name] = _extent(parameter.value, parameter.span)
    for equation in model.equations.values():
        extents[equation.name] = _extent(equation.body, equation.span, DEEPEST)
    depths = _depths(extents)
    for name, extent in extents.items():
        if extent.depth > DEEPEST:
            return errors.ModelTooDeep(model.source, extent.deepest, DEEPEST)
        if depths.get(name, 0) > DEEPEST:
            declared = model.equations.get(name) or model.parameters[name]
            return errors.ModelTooDeep(model.source, declared.span, DEEPEST)

    return None


def _extent(top: Process | Expression, span: Span, least: int = 0) -> _Extent:
    """Level by level; an expression of no more than `least` characters is not looked into: it cannot nest deeper."""
    depth, deepest, refers = 0, span, dict[str, int]()
    level: list[Process | Expression] = [top]
    while level:
        depth, deepest = depth + 1, level[0].span
        inner: list[Process | Expression] = []
        for term in level:
            if type(term) is terms.Invoke or type(term) is terms.Name:
                refers[term.name] = depth
            if term.span.end - term.span.start > least or type(term) in PROCESSES:
                inner += children(term)
        level = inner

    return _Extent(depth, deepest, refers)


def _depths(extents: dict[str, _Extent]) -> dict[str, int]:
    """The depth of each equation or parameter with all that it refers to; what needs itself is left out."""
    depths: dict[str, int] = {}
    begun: set[str] = set()
    for start in extents:
        stack = [start]
        while stack:
            name = stack[-1]
            extent = extents[name]
            waiting = [r for r in extent.refers if r in extents and r not in depths and r not in begun]
            if name not in begun and waiting:
                begun.add(name)
                stack += waiting
                continue
            stack.pop()
            begun.add(name)
            depths[name] = max([extent.depth, *(at + depths.get(r, 0) for r, at in extent.refers.items())])

    return depths
