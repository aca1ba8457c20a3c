"""Calls whose method depends on the class of an object: a branch for each; and iterators of the program's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from apet.java.translator.facts import Evaluated, Instance
from apet.java.translator.invocation import invoke
from apet.program.ir import CodeBranch, Condition, Items, LineColumn, ParameterKind
from apet.program.syntax.declarations import Method

if TYPE_CHECKING:
    from apet.java.translator.translator import Translator

MOST_INLINED = 2
"""Classes of objects that compiled code asks for one by one, with the methods' bodies in place (HotSpot's bimorphic
inline cache); of more, every call goes through the class's table."""


def dispatched(
    t: Translator, methods: Sequence[Method], arguments: Sequence[Evaluated], target: Evaluated, at: LineColumn
) -> Evaluated:
    """A call that is one of several methods: how often it is each, only a run tells."""
    bodies: list[Items] = []
    results: list[Evaluated] = []
    for method in methods:
        with t.writing() as items:
            results.append(invoke(t, method, arguments, target, at))
        bodies.append(tuple(items))

    through_table = len(methods) > MOST_INLINED
    if through_table:
        t.op("call_virtual", None)
    condition = Condition("", None, None, on_class=True, indirect=through_table)

    # From the last one back: each is a branch whose other side is everything behind it.
    rest = bodies[-1]
    for k in range(len(methods) - 2, -1, -1):
        text = f"probability that this call of {methods[k].name} is that of {methods[k].owner}, if of none before it"
        q = t.note(
            f"q_{at.line}",
            text,
            at,
            unit=True,
            kind=ParameterKind.RECEIVER,
            owner=methods[k].owner,
            member=methods[k].name,
        )
        rest = (CodeBranch(q, bodies[k], rest, condition, at),)
    t.out += rest
    return Evaluated(results[0].type, None, t.op("either", None, *(r for r in results if r.value >= 0)), True)


class OwnIterator(NamedTuple):
    """An iterator whose methods have sources."""

    value: Evaluated
    has_next: Method
    next: Method

    def ask(self, t: Translator, at: LineColumn) -> None:
        """Whether there is a next element."""
        invoke(t, self.has_next, (), self.value, at)

    def step(self, t: Translator, at: LineColumn) -> int:
        """One round: whether there is a next element, and the element; the number of its value."""
        self.ask(t, at)
        return invoke(t, self.next, (), self.value, at).value


def iterator_of(t: Translator, source: Evaluated, at: LineColumn) -> OwnIterator | None:
    """The iterator of an object of the program's own classes, made; None for a library's."""
    program = t.state.program
    own = source.fact.type if isinstance(source.fact, Instance) else source.type
    if own.dimensions or program.get(own.name) is None:
        return None
    making = program.method(own.name, "iterator", ())
    if making is None or not making.has_body or making in t.state.stack:
        return None

    value = invoke(t, making, (), source, at)
    iterator_type = value.fact.type if isinstance(value.fact, Instance) else value.type
    members = [program.method(iterator_type.name, name, ()) for name in ("hasNext", "next")]
    if any(m is None or not m.has_body or m in t.state.stack for m in members):
        return None
    has_next, following = members
    assert has_next is not None
    assert following is not None
    return OwnIterator(value, has_next, following)
