"""Every name in a model with what it means there: where it is declared, where else it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from apet.editor.layout import TOKEN
from apet.ground.source import Span
from apet.model.terms import (
    Binary,
    Branch,
    Delay,
    Equation,
    Expression,
    Invoke,
    Loop,
    Model,
    Name,
    Number,
    Parallel,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)

WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
Scope = Mapping[str, "Meaning"]


class Meaning(NamedTuple):
    """What a name stands for: its kind in words, and where it is declared (None: nowhere in the model)."""

    kind: str  # "parameter", "resource", "equation", "index", "subscript", "formal", "operation", "built-in", "name"
    name: str
    declared: Span | None


class Occurrence(NamedTuple):
    """One place of a name, the declaration among them."""

    span: Span
    meaning: Meaning


def occurrences(model: Model) -> list[Occurrence]:
    """All names of a model in the order of the text; `deep_recursion` is the caller's."""
    finder = _Finder(model)
    finder.run()
    return sorted(set(finder.found), key=lambda found: found.span)


class _Finder:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.text = model.source.text
        self.found: list[Occurrence] = []
        declared: dict[str, Meaning] = {}
        for kind, items in (
            ("parameter", model.parameters),
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

    def _put(self, span: Span | None, meaning: Meaning) -> None:
        if span is not None:
            self.found.append(Occurrence(span, meaning))

    def _of_equation(self, equation: Equation) -> dict[str, Meaning]:
        found = self._formals(equation.span, equation.subscripts, "subscript")
        after = max((m.declared.end for m in found.values() if m.declared), default=equation.span.end)
        return found | self._formals(Span(after, after), equation.formals, "formal")

    def _formals(self, left: Span, names: tuple[str, ...], kind: str) -> dict[str, Meaning]:
        """Names in brackets behind a declared name."""
        found: dict[str, Meaning] = {}
        at = left.end
        for name in names:
            span = self._next(name, at)
            found[name] = Meaning(kind, name, span)
            self._put(span, found[name])
            at = span.end
        return found

    def _next(self, name: str, start: int) -> Span:
        """The next place of a name as a whole word, comments left out."""
        for match in TOKEN.finditer(self.text, start):
            if match.lastgroup == "name" and match.group() == name:
                return Span(*match.span())
        return Span(start, start)

    # Processes

    def _process(self, process: Process, scope: Scope) -> None:
        match process:
            case Invoke():
                self._call(process, scope)
            case Delay(time, _):
                self._expression(time, scope)
            case Use(resource, body, _):
                self._resource(resource, scope)
                self._process(body, scope)
            case Sequence(parts, _) | Parallel(parts, _):
                for part in parts:
                    self._process(part, scope)
            case Loop(_, index, low, high, body, span):
                self._expressions((low, high), scope)
                self._process(body, {**scope, index: self._index(index, span)})
            case Branch(probability, then, otherwise, _):
                self._expressions((probability,), scope)
                self._process(then, scope)
                self._process(otherwise, scope)

    def _index(self, name: str, around: Span) -> Meaning:
        span = self._next(name, around.start)
        meaning = Meaning("index", name, span)
        self._put(span, meaning)
        return meaning

    def _call(self, call: Invoke, scope: Scope) -> None:
        meaning = self.declared.get(call.name)
        if meaning is None or meaning.kind != "equation":
            # a lone name in `use(r, t)` is a time where a value has that name
            plain = call.subscripts is None and call.arguments is None
            meaning = scope[call.name] if plain and call.name in scope else Meaning("operation", call.name, None)
        self._put(_word(self.text, call.span.start), meaning)
        self._expressions((*(call.subscripts or ()), *(call.arguments or ())), scope)

    def _resource(self, expression: Expression, scope: Scope) -> None:
        name = expression.name if isinstance(expression, Name | Invoke) else ""
        if isinstance(expression, Invoke) and expression.subscripts is not None and name != "share":
            self._put(_word(self.text, expression.span.start), self._named_resource(name))
            self._expressions(expression.subscripts, scope)
        elif isinstance(expression, Name) and name not in scope:
            self._put(expression.span, self._named_resource(name))
        else:
            self._expression(expression, scope)

    def _named_resource(self, name: str) -> Meaning:
        found = self.declared.get(name)
        return found if found is not None and found.kind == "resource" else Meaning("resource", name, None)

    # Expressions

    def _expressions(self, given: tuple[Expression | None, ...], scope: Scope) -> None:
        for expression in given:
            if expression is not None:
                self._expression(expression, scope)

    def _expression(self, expression: Expression, scope: Scope) -> None:
        match expression:
            case Number():
                return
            case Name(name, span):
                self._put(span, scope.get(name) or Meaning("name", name, None))
            case Unary(_, operand, _):
                self._expression(operand, scope)
            case Binary(_, left, right, _):
                self._expression(left, scope)
                self._expression(right, scope)
            case Invoke(name, subscripts, arguments, span):
                self._put(_word(self.text, span.start), Meaning("built-in", name, None))
                self._expressions((*(subscripts or ()), *(arguments or ())), scope)
            case SumOver(index, low, high, body, span):
                self._expressions((low, high), scope)
                self._expression(body, {**scope, index: self._index(index, span)})


def _word(text: str, start: int) -> Span:
    found = WORD.match(text, start)
    return Span(start, found.end() if found else start)
