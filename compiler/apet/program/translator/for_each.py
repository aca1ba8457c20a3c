"""Loops over the elements of an array, or of what its language iterates over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import as_value
from apet.program.ir import Access, CodeLoop, LineColumn, Op
from apet.program.jumps import Jumps, leaving
from apet.program.symbols import HIDDEN
from apet.program.translator.arithmetic import converted
from apet.program.translator.facts import Evaluated, Lengths, shown
from apet.program.translator.loop_parts import forget, mean_rounds, write_loop
from apet.program.translator.variables import assign_variable, declare

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


class Iterator:
    """What gives the elements of `source`, one after another."""

    def __init__(self, source: Evaluated, element: types.Type) -> None:
        self.source = source
        self.element = element

    def step(self, t: Translator, at: LineColumn) -> int:
        """One round: whether there is a next element, and the element; the number of its value."""
        return t.op("next_iterator", None, self.source)

    def end(self, t: Translator, at: LineColumn, early: bool) -> None:
        """The question that ends the loop, unless it was left before."""
        t.op("compare", types.BOOLEAN)


def for_each(t: Translator, loop: s.ForEach, label: str) -> Jumps:
    source = t.evaluate(loop.iterable)
    is_array = bool(source.type.dimensions)
    iterator = None if is_array else t.iterator(source, loop.at)
    forget(t, loop)
    inferred = types.element(source.type) if iterator is None else iterator.element
    declare(t, loop.name, inferred if loop.type == types.UNKNOWN else loop.type)
    length = source.fact.lengths[0] if isinstance(source.fact, Lengths) and source.fact.lengths else None
    many = shown(length) if is_array else None
    with t.writing() as body:
        kind = inferred if inferred != types.UNKNOWN else t.types[loop.name]
        if iterator is not None:
            value = iterator.step(t, loop.at)
        else:
            symbol = as_value(f"{loop.name}{HIDDEN}{loop.at.line}")
            name = loop.iterable.name if isinstance(loop.iterable, s.Identifier) else f"{HIDDEN}{loop.at.line}"
            value = t.op("array_access", None, source, memory=Access(name, (symbol,), False), variable=kind.name)
        fact = source.fact.element() if isinstance(source.fact, Lengths) else None
        assign_variable(t, loop.name, converted(t, Evaluated(kind, fact, value, True), t.types[loop.name]))
        t.loops.append(label)
        jumps = t.run(loop.body)
        t.loops.pop()
        counter = (("assign", types.INT), ("access", types.INT), ("sum", types.INT), ("compare", None))
        for name, of in counter if is_array else ():
            t.out.append(Op(name, of, control=True))

    leaves, away = leaving(jumps, label)
    forget(t, loop)
    if iterator is not None:
        iterator.end(t, loop.at, bool(leaves.terms))
    else:
        t.out += [
            Op(name, of, control=True) for name, of in (("assign", types.INT), ("access", None), ("compare", None))
        ]

    if many is not None:
        index = t.state.bound(f"k_{loop.name}")
        written = CodeLoop(
            index, as_value(1), many, many, tuple(body), True, 1, "", leaves, loop.at, bool(leaves.terms)
        )
    else:
        many = mean_rounds(t, loop, None)
        written = CodeLoop(f"k{HIDDEN}", None, None, many, tuple(body), is_array, 1, "", leaves, loop.at)
    return write_loop(t, loop, written, None, away, leaves)
