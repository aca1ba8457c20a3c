"""A PAMELA-E text to a `Model`: items joined to equations, names declared once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.model import terms
from apet.model.pamela import errors
from apet.model.pamela.actions import join
from apet.model.pamela.including import joined
from apet.model.pamela.items import (
    ContinuationItem,
    EquationItem,
    FunctionItem,
    IncludeItem,
    ParameterItem,
    ResourceItem,
    TableItem,
)
from apet.model.pamela.reader import read_items
from apet.model.pamela.table_entries import table_entries
from apet.model.pamela.unfolding import unfolded
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Model, Parameter, Process

ENTRY = "L"


def read_model(
    path: str | os.PathLike[str], entry: str | None = None, tables: Mapping[str, Source] | None = None
) -> Model:
    """The model in a file and those that it includes; `ApetError` with every error.

    `tables` are declarations that take the place of those of the model, by name.
    """
    return parse(joined(read_source(path), tables), entry)


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

    model = Model(source, declared.parameters, declared.resources, declared.equations, "", declared.tables)
    if not (declared.functions or declared.tables):
        return model

    core, diagnostics = unfolded(model._replace(functions=declared.functions))
    raise_all(diagnostics)
    return core


class _Declarations:
    """Collects items in order; every name is declared once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parameters: dict[str, Parameter] = {}
        self.resources: dict[str, terms.ResourceDeclaration] = {}
        self.equations: dict[str, Equation[Process]] = {}
        self.tables: dict[str, terms.EntryTable] = {}
        self.functions: dict[str, terms.UserFunction] = {}
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
        elif isinstance(item, TableItem):
            self._table(item)
        elif isinstance(item, FunctionItem):
            self._distinct(item.name, tuple(item.formals), item.span)
            if self._declare(item.name, "a function", item.span):
                self.functions[item.name] = terms.UserFunction(item.name, tuple(item.formals), item.body, item.span)
        elif isinstance(item, IncludeItem):
            self.diagnostics.append(errors.IncludeWithoutFile(self.source, item.span, item.path))
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

    def _table(self, item: TableItem) -> None:
        entries, diagnostics = table_entries(self.source, item)
        self.diagnostics += diagnostics
        if self._declare(item.name, "a table", item.span) and not diagnostics:
            values = tuple(value for value, _ in entries)
            self.tables[item.name] = terms.EntryTable(
                item.name, values, next((u for _, u in entries if u), ""), item.span
            )

    def _resource(self, item: ResourceItem) -> None:
        self._distinct(item.name, tuple(item.formals), item.span)
        if self._declare(item.name, "a resource", item.span):
            declared = terms.ResourceDeclaration(item.name, tuple(item.formals), item.servers, item.span)
            self.resources[item.name] = declared

    def _declare(self, name: str, kind: str, span: Span) -> bool:
        if name in FUNCTIONS or name in BUILTINS:
            what = "function" if name in FUNCTIONS else "value of the machine model"
            self.diagnostics.append(errors.ReservedModelName(self.source, span, name, what))
            return False
        if name in self._kinds:
            before, where = self._kinds[name]
            line = self.source.line_of(where.start, span.start)
            self.diagnostics.append(errors.Redefined(self.source, span, name, before, line))
            return False
        self._kinds[name] = (kind, span)
        return True

    def _formals(self, left: terms.Invoke, expressions: tuple[Any, ...], what: str) -> tuple[str, ...]:
        for e in expressions:
            if not isinstance(e, terms.Name):
                text = self.source.text[e.span.start : e.span.end]
                self.diagnostics.append(errors.MalformedEquation(self.source, e.span, what, text, left.name))
        return tuple(e.name for e in expressions if isinstance(e, terms.Name))

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
