"""A PAMELA-E text to a `Model`: items joined to equations, names declared once."""

from __future__ import annotations

import os
from typing import Any

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.model.collection import paused_collector
from apet.model.pamela import errors
from apet.model.pamela.actions import ContinuationItem, EquationItem, ParameterItem, ResourceItem, join
from apet.model.pamela.reader import read_items
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Invoke, Model, Name, Parameter, Process, ResourceDeclaration

ENTRY = "L"


def read_model(path: str | os.PathLike[str], entry: str | None = None) -> Model:
    """The model in a file; `ApetError` with every error."""
    return parse(read_source(path), entry)


def parse(source: Source, entry: str | None = None) -> Model:
    """The model in a text; `entry` overrides the equation to begin with. `ApetError` with every error."""
    return with_entry(declarations(source), entry)


def with_entry(model: Model, entry: str | None = None) -> Model:
    """A model that begins with the equation `entry`, else with L or its first one; `ApetError` if there is none."""
    return model._replace(entry=_entry(model, entry))


def declarations(source: Source) -> Model:
    """The model in a text without an entry, as part of a larger one. `ApetError` with every error."""
    with paused_collector():
        items = read_items(source)
        declared = _Declarations(source)
        for item in items:
            declared.add(item)
        declared.close()
    raise_all(declared.diagnostics)
    return Model(source, declared.parameters, declared.resources, declared.equations, "")


class _Declarations:
    """Collects items in order; every name is declared once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parameters: dict[str, Parameter] = {}
        self.resources: dict[str, ResourceDeclaration] = {}
        self.equations: dict[str, Equation] = {}
        self.diagnostics: list[Diagnostic] = []
        self._kinds: dict[str, tuple[str, Span]] = {}
        self._open: tuple[EquationItem, list[list[Process]]] | None = None

    def add(self, item: Any) -> None:
        """One item; a continuation belongs to the equation before it."""
        if isinstance(item, ContinuationItem):
            if self._open is None:
                self.diagnostics.append(errors.LooseProcess(self.source, item.span))
            else:
                self._open[1].append(item.branches)
            return

        self.close()
        if isinstance(item, EquationItem):
            self._open = (item, [item.branches])
        elif isinstance(item, ParameterItem):
            low, high = item.bounds or (None, None)
            if self._declare(item.name, "a parameter", item.span):
                self.parameters[item.name] = Parameter(item.name, item.value, low, high, item.span)
        else:
            self._resource(item)

    def close(self) -> None:
        """The open equation is complete."""
        if self._open is None:
            return

        item, pieces = self._open
        self._open = None
        left = item.left
        subscripts = self._formals(left, left.subscripts or (), "subscripts")
        arguments = self._formals(left, left.arguments or (), "parameters")
        self._distinct(left.name, (*subscripts, *arguments), left.span)
        name = Span(left.span.start, left.span.start + len(left.name))
        if self._declare(left.name, "an equation", name):
            body = join(pieces, item.span)
            self.equations[left.name] = Equation(left.name, subscripts, arguments, body, name)

    def _resource(self, item: ResourceItem) -> None:
        self._distinct(item.name, tuple(item.formals), item.span)
        if self._declare(item.name, "a resource", item.span):
            declared = ResourceDeclaration(item.name, tuple(item.formals), item.servers, item.span)
            self.resources[item.name] = declared

    def _declare(self, name: str, kind: str, span: Span) -> bool:
        if name in FUNCTIONS or name in BUILTINS:
            what = "function" if name in FUNCTIONS else "value of the machine model"
            self.diagnostics.append(errors.ReservedModelName(self.source, span, name, what))
            return False
        if name in self._kinds:
            before, where = self._kinds[name]
            line = self.source.position(where.start)[0]
            self.diagnostics.append(errors.Redefined(self.source, span, name, before, line))
            return False
        self._kinds[name] = (kind, span)
        return True

    def _formals(self, left: Invoke, expressions: tuple[Any, ...], what: str) -> tuple[str, ...]:
        for e in expressions:
            if not isinstance(e, Name):
                text = self.source.text[e.span.start : e.span.end]
                self.diagnostics.append(errors.MalformedEquation(self.source, e.span, what, text, left.name))
        return tuple(e.name for e in expressions if isinstance(e, Name))

    def _distinct(self, owner: str, names: tuple[str, ...], span: Span) -> None:
        for name in sorted({n for n in names if names.count(n) > 1}):
            self.diagnostics.append(errors.RepeatedFormal(self.source, span, name, owner))


def _entry(model: Model, wanted: str | None) -> str:
    if not model.equations:
        raise ApetError(errors.EmptyModel(model.source, None))
    name = wanted or (ENTRY if ENTRY in model.equations else next(iter(model.equations)))
    equation = model.equations.get(name)
    if equation is None:
        names = ", ".join(list(model.equations)[:8])
        raise ApetError(errors.UnknownEntry(model.source, None, name, nearest(name, model.equations), names))
    formals = (*equation.subscripts, *equation.formals)
    if formals:
        raise ApetError(errors.EntryNeedsValues(model.source, equation.span, name, ", ".join(formals)))
    return name
