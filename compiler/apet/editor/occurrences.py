"""Every name in a model with its meaning: what it names, where it is declared, where it is used."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from apet.editor.layout import TOKEN
from apet.ground.source import Span
from apet.model import terms
from apet.model.putting_in import NEW
from apet.model.walk import expressions, operands, own_ranges, parts

WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
Scope = Mapping[str, "Meaning"]


class Meaning(NamedTuple):
    """What a name stands for: its kind in words, and where it is declared (None: nowhere in the model).

    Kinds: parameter, resource, equation, function, index, subscript, formal, part, operation, built-in, name.
    """

    kind: str
    name: str
    declared: Span | None


class Occurrence(NamedTuple):
    """One place of a name, its declaration among them; an empty one behind `share[p]`: it is `share[p](tasks)`."""

    span: Span
    meaning: Meaning


def occurrences(model: terms.Model) -> list[Occurrence]:
    """All names of a model in the order of the text; `deep_recursion` is the caller's."""
    finder = _Finder(model)
    finder.run()
    return sorted(set(finder.names), key=lambda name: name.span)


class _Finder:
    def __init__(self, model: terms.Model) -> None:
        self.model = model
        self.text = model.source.text
        self.names: list[Occurrence] = []
        declared: dict[str, Meaning] = {}
        for kind, items in (
            ("parameter", model.parameters),
            ("parameter", model.tables),
            ("function", model.functions),
            ("resource", model.resources),
            ("equation", model.equations),
        ):
            for name, item in items.items():
                declared.setdefault(name, Meaning(kind, name, item.span))

        self.declared = declared

    def run(self) -> None:
        for meaning in self.declared.values():
            self._put(meaning.declared, meaning)
        values = {n: m for n, m in self.declared.items() if m.kind == "parameter"}
        for parameter in self.model.parameters.values():
            self._expressions((parameter.value, parameter.low, parameter.high), values)
        for resource in self.model.resources.values():
            inner = dict(values, **self._formals(resource.span, resource.subscripts, "subscript"))
            self._expressions((resource.servers,), inner)
        for equation in self.model.equations.values():
            self._process(equation.body, dict(values, **self._of_equation(equation)))
        self._library(values)

    def _library(self, values: Mapping[str, Meaning]) -> None:
        """Functions and tables, which the terms of the model no longer name: all words that are called so."""
        for name in (*self.model.tables, *self.model.functions):
            self._words(self.declared[name])
        if self.model.tables:
            self._words(Meaning("built-in", "len", None))
        for function in self.model.functions.values():
            self._expression(function.body, dict(values, **self._formals(function.span, function.formals, "formal")))

    def _words(self, meaning: Meaning) -> None:
        spans = {o.span for o in self.names}
        for match in TOKEN.finditer(self.text):
            span = Span(*match.span())
            if match.lastgroup == "name" and match.group() == meaning.name and span not in spans:
                self._put(span, meaning)

    def _put(self, span: Span | None, meaning: Meaning) -> None:
        if span is not None:
            self.names.append(Occurrence(span, meaning))

    def _of_equation(self, equation: terms.Equation[terms.Process]) -> dict[str, Meaning]:
        subscripts = self._formals(equation.span, equation.subscripts, "subscript")
        # formals are looked for behind the subscripts, which may have the same names
        after = max((m.declared.end for m in subscripts.values() if m.declared), default=equation.span.end)
        return subscripts | self._formals(Span(after, after), equation.formals, "formal")

    def _formals(self, left: Span, names: tuple[str, ...], kind: str) -> dict[str, Meaning]:
        """Names in brackets behind a declared name."""
        meanings: dict[str, Meaning] = {}
        at = left.end
        for name in names:
            span = self._next(name, at)
            meanings[name] = Meaning(kind, name, span)
            self._put(span, meanings[name])
            at = span.end
        return meanings

    def _next(self, name: str, start: int) -> Span:
        """The next place of a name as a whole word, comments left out."""
        for match in TOKEN.finditer(self.text, start):
            if match.lastgroup == "name" and match.group() == name:
                return Span(*match.span())
        return Span(start, start)

    # Processes

    def _process(self, process: terms.Process, scope: Scope) -> None:
        match process:
            case terms.Invoke():
                self._call(process, scope)
            case terms.Use(resource, body, _):
                self._resource(resource, scope)
                self._process(body, scope)

            case terms.Loop(_, index, low, high, body, span):
                self._expressions((low, high), scope)
                self._process(body, {**scope, index: self._index(index, span)})

            case terms.PartGraph(graph_parts, _):
                self._graph(graph_parts, scope)
            case _:
                self._expressions(expressions(process), scope)
                for part in parts(process):
                    self._process(part, scope)

    def _graph(self, graph_parts: tuple[terms.GraphPart[terms.Process], ...], scope: Scope) -> None:
        """Names of parts mean something in their graph only."""
        meanings = {p.name: Meaning("part", p.name, _word(self.text, p.span.start)) for p in reversed(graph_parts)}
        for part in graph_parts:
            self._put(_word(self.text, part.span.start), meanings[part.name])
            self._process(part.body, scope)
            inner = dict(scope)
            for loop in own_ranges(part):
                inner[loop.index] = self._index(loop.index, loop.span)
            for reference in part.after:
                unknown = Meaning("name", reference.name, None)
                self._put(_word(self.text, reference.span.start), meanings.get(reference.name, unknown))
                self._expressions(reference.subscripts or (), inner)

    def _index(self, name: str, around: Span) -> Meaning:
        span = self._next(name, around.start)
        if span.start == span.end:  # one that got a new name
            name = name.rstrip(NEW)
            span = self._next(name, around.start)
        meaning = Meaning("index", name, span)
        self._put(span, meaning)
        return meaning

    def _call(self, call: terms.Invoke, scope: Scope) -> None:
        meaning = self.declared.get(call.name)
        if meaning is None or meaning.kind != "equation":
            # a lone name in `use(r, t)` is a time where a value has that name
            plain = call.subscripts is None and call.arguments is None
            meaning = scope[call.name] if plain and call.name in scope else Meaning("operation", call.name, None)
        self._put(_word(self.text, call.span.start), meaning)
        self._share(call)
        self._expressions((*(call.subscripts or ()), *(call.arguments or ())), scope)

    def _resource(self, expression: terms.Expression, scope: Scope) -> None:
        name = expression.name if isinstance(expression, terms.Name | terms.Invoke) else ""
        if isinstance(expression, terms.Invoke) and expression.subscripts is not None and name != "share":
            self._put(_word(self.text, expression.span.start), self._named_resource(name))
            self._expressions(expression.subscripts, scope)
        elif isinstance(expression, terms.Name) and name not in scope:
            self._put(expression.span, self._named_resource(name))
        else:
            self._expression(expression, scope)

    def _share(self, call: terms.Invoke) -> None:
        """The place where the parameter `tasks` is understood."""
        tasks = self.declared.get("tasks")
        if call.name == "share" and call.arguments is None and tasks is not None:
            self._put(Span(call.span.end, call.span.end), tasks)

    def _named_resource(self, name: str) -> Meaning:
        meaning = self.declared.get(name)
        return meaning if meaning is not None and meaning.kind == "resource" else Meaning("resource", name, None)

    # Expressions

    def _expressions(self, expressions: tuple[terms.Expression | None, ...], scope: Scope) -> None:
        for expression in expressions:
            if expression is not None:
                self._expression(expression, scope)

    def _expression(self, expression: terms.Expression, scope: Scope) -> None:
        match expression:
            case terms.Name(name, span):
                self._put(span, scope.get(name) or Meaning("name", name, None))

            case terms.Invoke(name, _, _, span):
                self._share(expression)
                word = _word(self.text, span.start)
                if self.text[word.start : word.end] == name:  # else it is what a step or a function became
                    self._put(word, self.declared.get(name) or Meaning("built-in", name, None))
                self._expressions(operands(expression), scope)
            case terms.Lookup(table, index, span):
                self._put(_word(self.text, span.start), Meaning("parameter", table.name, table.span))
                self._expression(index, scope)

            case terms.SumOver(index, low, high, body, span):
                self._expressions((low, high), scope)
                self._expression(body, {**scope, index: self._index(index, span)})
            case _:
                self._expressions(operands(expression), scope)


def _word(text: str, start: int) -> Span:
    word = WORD.match(text, start)
    return Span(start, word.end() if word else start)
