"""Calls whose method depends on the class of an object: a branch for each; and iterators of the program's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeGuard

from apet.java.translator.generics import element_of
from apet.program import types
from apet.program.ir import CodeBranch, Condition, Items, LineColumn, ParameterKind
from apet.program.syntax.declarations import Method
from apet.program.translator.facts import Evaluated, Instance
from apet.program.translator.for_each import Iterator
from apet.program.translator.invocation import invoke

if TYPE_CHECKING:
    from apet.java.translator.program import JavaProgram
    from apet.java.translator.translator import JavaTranslator
    from apet.program.translator.translator import Translator

MOST_INLINED = 2
"""Classes of objects that compiled code asks for one by one, with the methods' bodies in place (HotSpot's bimorphic
inline cache); of more, every call goes through the class's table."""


def dispatched(
    t: JavaTranslator, methods: Sequence[Method], arguments: Sequence[Evaluated], target: Evaluated, at: LineColumn
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


QUICK = ("ArrayList", "List", "Vector", "Iterable", types.UNKNOWN.name)
"""What a loop over costs no more than `next_iterator`, as a rule; nodes of other collections lie anywhere."""


class LibraryIterator(Iterator):
    """An iterator of a collection whose elements lie anywhere."""

    def step(self, t: Translator, at: LineColumn) -> int:
        """One round."""
        return t.library("Iterator_next", at, (self.source,)).value


class OwnIterator(Iterator):
    """An iterator whose methods have sources."""

    def __init__(self, source: Evaluated, element: types.Type, has_next: Method, following: Method) -> None:
        super().__init__(source, element)
        self.has_next, self.following = has_next, following

    def step(self, t: Translator, at: LineColumn) -> int:
        """One round: whether there is a next element, and the element."""
        invoke(t, self.has_next, (), self.source, at)
        return invoke(t, self.following, (), self.source, at).value

    def end(self, t: Translator, at: LineColumn, early: bool) -> None:
        """Whether there is a next element, once more; where the loop may be left before, a comparison."""
        if early:
            super().end(t, at, early)
        else:
            invoke(t, self.has_next, (), self.source, at)


def iterator(t: JavaTranslator, source: Evaluated, at: LineColumn) -> Iterator:
    """What gives the elements of a collection; that of the program's own class is made."""
    program, element = t.program, element_of(source.type)
    own = source.fact.type if isinstance(source.fact, Instance) else source.type
    making = program.method(own.name, "iterator", ()) if program.get(own.name) is not None else None
    if making is not None and making.has_body and making not in t.state.stack:
        value = invoke(t, making, (), source, at)
        kind = value.fact.type if isinstance(value.fact, Instance) else value.type
        has_next, following = (program.method(kind.name, name, ()) for name in ("hasNext", "next"))
        if _runs(has_next, t) and _runs(following, t):
            return OwnIterator(value, element, has_next, following)
    return (Iterator if source.type.name in QUICK else LibraryIterator)(source, element)


def _runs(method: Method | None, t: JavaTranslator) -> TypeGuard[Method]:
    return method is not None and method.has_body and method not in t.state.stack


def this(t: JavaTranslator, name: str = "") -> Instance | None:
    """The class that `this` is made of, where it is not that of the method; with a name, only if it has a method so."""
    own: Instance | None = t.state.own_classes.get(t.method)
    if own is None or (name and not any(name in c.named for c in t.program.line(own.type.name))):
        return None
    return own


def on_object(t: JavaTranslator, method: Method, target: Evaluated) -> Method:
    """The method as it runs on an object: a copy where the object's class overrides what the method calls."""
    kind = target.fact.type if isinstance(target.fact, Instance) else target.type
    if method.static or kind.name == method.owner or kind.dimensions:
        return method
    state, inherited, key = t.state, t.program.inherited, (method, kind.name)
    if key not in inherited:
        inherited[key] = method
        if _calls_overridden(t.program, method, kind.name):
            inherited[key] = copy = replace(method)
            state.own_classes[copy] = Instance(kind)
            if method in state.given:
                state.given[copy] = state.given[method]
    return inherited[key]


def _calls_overridden(program: JavaProgram, method: Method, owner: str) -> bool:
    """Whether a method that a class inherits calls, itself or through others of the class, one that a class below the
    method's own declares again. Calls count by name: more than there are, never fewer."""
    line = list(program.line(owner))
    depths: Mapping[str, int] = {c.name: depth for depth, c in enumerate(line)}
    seen, waiting = {method}, [method]
    while waiting:
        one = waiting.pop()
        if one.owner not in depths:
            continue
        for name in one.called:
            named = [m for c in line for m in c.named.get(name, ()) if m.has_body and not m.static]
            if any(depths[m.owner] < depths[method.owner] for m in named) and method.owner in depths:
                return True
            waiting += [m for m in named if m not in seen]
            seen.update(named)
    return False
