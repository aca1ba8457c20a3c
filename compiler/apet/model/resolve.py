"""Names resolved, once: after this an operation is an operation, a call knows its equation, a use what it holds."""

from __future__ import annotations

from typing import assert_never

from apet.ground.diagnostics import raise_all
from apet.model import terms
from apet.model.check import check
from apet.model.names import PROCESSORS, held_process, own_family
from apet.model.resolved import Call, Hold, Member, Message, Operation, ResolvedModel, Step
from apet.model.terms import BUILTINS, Equation, Expression, Model, Process
from apet.model.walk import SEND

Scope = frozenset[str]
"""The names of values in force: parameters, subscripts, formals, indices."""


def resolve(model: Model) -> ResolvedModel:
    """The model with all names resolved; `ApetError` with everything that is wrong with them."""
    checked = check(model)
    raise_all(checked.diagnostics)
    resolver = _Resolver(model, checked.processors)
    for name in model.equations:
        resolver.equation(name)
    return ResolvedModel(model, resolver.resolved, checked.processors, tuple(checked.diagnostics))


class _Resolver:
    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        self.model = model
        self.processors = processors
        self.parameters = frozenset(model.parameters)
        self.resolved: dict[str, Equation[Step]] = {}

    def equation(self, name: str) -> Equation[Step]:
        """The equation of that name; those that it calls come first."""
        if name not in self.resolved:
            read = self.model.equations[name]
            scope = self.parameters.union(read.subscripts, read.formals)
            self.resolved[name] = Equation(
                read.name, read.subscripts, read.formals, self.step(read.body, scope), read.span
            )
        return self.resolved[name]

    def step(self, process: Process, scope: Scope) -> Step:
        """What a process is."""
        match process:
            case terms.Invoke():
                return self._invoke(process)
            case terms.Delay():
                return process
            case terms.Use(resource, _, span):
                return Hold(self._member(resource, scope), self.step(held_process(process, scope), scope), span)

            case terms.Sequence(steps, span):
                return terms.Sequence(tuple([self.step(s, scope) for s in steps]), span)
            case terms.Parallel(branches, span):
                return terms.Parallel(tuple([self.step(b, scope) for b in branches]), span)

            case terms.Loop(kind, index, low, high, body, span):
                return terms.Loop(kind, index, low, high, self.step(body, scope | {index}), span)
            case terms.Branch(probability, then, otherwise, span):
                return terms.Branch(probability, self.step(then, scope), self.step(otherwise, scope), span)
            case terms.PartGraph(parts, span):
                resolved = [
                    terms.GraphPart(p.name, self.step(p.body, scope), p.dimensions, p.after, p.span) for p in parts
                ]
                return terms.PartGraph(tuple(resolved), span)
            case _:
                assert_never(process)

    def _invoke(self, written: terms.Invoke) -> Call | Operation | Message:
        name, subscripts, arguments = written.name, written.subscripts or (), written.arguments or ()
        if name in self.model.equations:
            return Call(self.equation(name), (*subscripts, *arguments), written.span)
        if name == SEND:
            (sender, receiver), (size,) = subscripts, arguments
            return Message(sender, receiver, size, written.span)
        (processor,) = subscripts
        return Operation(name, processor, arguments, written.span)

    def _member(self, held: Expression, scope: Scope) -> Member:
        """A resource by its name, unless that of a processor or a value is in force: then a processor."""
        if isinstance(held, terms.Invoke) and held.subscripts is not None and held.name not in BUILTINS:
            return Member(own_family(held.name), held.subscripts, held.span)
        if isinstance(held, terms.Name) and held.name not in scope and held.name not in self.processors:
            return Member(own_family(held.name), (), held.span)
        return Member(PROCESSORS, (held,), held.span)
