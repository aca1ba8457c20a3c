"""A PASL text to a `TaskFile`: Lark reads it, the actions here make terms; what it refuses is put into words."""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.resources import data_text
from apet.ground.source import Source, Span
from apet.model.terms import Expression, Parameter
from apet.pasl import errors
from apet.pasl.syntax import BatchTask, Data, DataFlow, Named, TaskBatch, TaskFile

if TYPE_CHECKING:
    from lark import Lark

LEVELS = ("core", "flat")
PLACES = ("coordinator", "workers")
PER = ("task", "worker")


def read_tasks(source: Source) -> TaskFile:
    """The task graph in a text, names unchecked; `ApetError` with what is wrong."""
    from lark import UnexpectedInput

    from apet.model.pamela.errors import UnreasonableNumber
    from apet.model.pamela.literals import MOST_DIGITS, UnreasonableLiteral
    from apet.pasl.actions import DEEPEST, DeepExpression, items
    from apet.pasl.refused_text import diagnosed

    try:
        parsed = items(_parser().parse(source.text))
    except UnexpectedInput as stop:
        raise ApetError(diagnosed(source, stop, _accepted(source.text))) from None
    except DeepExpression as deep:
        raise ApetError(errors.NestsTooDeep(source, deep.span, DEEPEST)) from None
    except UnreasonableLiteral as wrong:
        raise ApetError(UnreasonableNumber(source, wrong.span, MOST_DIGITS)) from None
    collected = _Collector(source)
    for kind, at, values in parsed:
        getattr(collected, kind)(at, *values)
    return collected.file()


@cache
def _parser() -> Lark:
    from lark import Lark

    text = data_text("grammar", "pasl.lark")
    return Lark(text, parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False)


def _accepted(text: str) -> set[str]:
    """The terminals that may stand where a text that is refused stops."""
    from lark import UnexpectedInput

    reading = _parser().parse_interactive(text)
    try:
        for _ in reading.iter_parse():
            pass
    except UnexpectedInput:
        pass
    return set(reading.accepts())  # type: ignore[no-untyped-call]


class _Collector:
    """Collects items in order; what may stand once is taken once. Methods are named after the grammar's items."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parameters: dict[str, Parameter] = {}
        self.batches: dict[str, TaskBatch] = {}
        self.flows: list[DataFlow] = []
        self.wrong: list[Diagnostic] = []
        self._once: dict[str, Span] = {}
        self._words = {"application": "", "level": ""}

    def application(self, at: Span, name: Named) -> None:
        """Its name."""
        if self._first("the name of the application", "application", name.span, "a file describes one application"):
            self._words["application"] = name.name

    def level(self, at: Span, name: Named) -> None:
        """Its cost level."""
        advice = "flat counts operations; core runs loops as a compiled program does"
        if self._first("the level", "level", name.span, "one level holds for all tasks") and self._word(
            name, LEVELS, advice
        ):
            self._words["level"] = name.name

    def parameter(self, at: Span, name: Named, value: Expression | None, low: Expression | None, high: Any) -> None:
        """`param`."""
        if self._first(f"'{name.name}'", name.name, name.span, "parameters and batches need names of their own"):
            self.parameters[name.name] = Parameter(name.name, value, low, high, name.span)

    def batch(self, at: Span, name: Named, index: Any, count: Expression, members: list[tuple[str, Span, Any]]) -> None:
        """`batch`."""
        seen: dict[str, Span] = {}
        parts: dict[str, Any] = {"arguments": [], "results": []}
        for kind, span, value in members:
            key = kind
            if kind in ("arguments", "results"):
                value = self._data(span, *value)
                key = f"{kind} per {value.per}"
            if key in seen:
                line = self.source.position(seen[key].start)[0]
                self.wrong.append(errors.StatedTwice(self.source, span, f"'{key}'", line, "a batch has it once"))
                continue

            seen[key] = span
            if kind in ("arguments", "results"):
                parts[kind].append(value)
            else:
                parts[kind] = value
        self._add(name, self._index(index), count, parts)

    def _index(self, index: tuple[Named, Named] | None) -> Named | None:
        if index is None:
            return None
        name, first = index
        if first.name != "1":
            self.wrong.append(errors.NotFromOne(self.source, first.span, name.name, first.name))
        return name

    def _add(self, name: Named, index: Named | None, count: Expression, parts: dict[str, Any]) -> None:
        place = parts.get("place")
        if place is not None:
            self._word(place, PLACES, "without 'on', the tasks are dealt to the workers")
        if "task" not in parts:
            self.wrong.append(errors.NoTask(self.source, name.span, name.name))
            parts["task"] = BatchTask(Named("", name.span), "", (), name.span)

        if self._first(f"'{name.name}'", name.name, name.span, "parameters and batches need names of their own"):
            coordinator = place is not None and place.name == "coordinator"
            sizes = tuple(parts["arguments"]), tuple(parts["results"])
            replicas = parts.get("replicas")
            self.batches[name.name] = TaskBatch(name, count, parts["task"], *sizes, replicas, coordinator, index)

    def flow(self, at: Span, names: list[Named], size: Expression | None, per: Named | None) -> None:
        """`flow`, one for each arrow."""
        if per is not None:
            self._word(per, PER, "without 'per', the tasks of the target get equal parts")
        for source, target in pairwise(names):
            arrow = f"{source.name} -> {target.name}"
            if self._first(f"the flow {arrow}", arrow, source.span.to(target.span), "add up the sizes"):
                self.flows.append(DataFlow(source, target, size, per.name if per else ""))

    def file(self) -> TaskFile:
        """Everything, or `ApetError`."""
        if not self.batches and not self.wrong:
            self.wrong.append(errors.NoBatch(self.source, None))
        raise_all(sorted(self.wrong, key=lambda d: -1 if d.span is None else d.span.start))
        title = self._words["application"] or os.path.splitext(os.path.basename(self.source.name))[0]
        return TaskFile(self.source, title, self._words["level"], self.parameters, self.batches, tuple(self.flows))

    def _data(self, span: Span, size: Expression, per: Named | None) -> Data:
        if per is not None:
            self._word(per, PER, "without 'per', every task has its own")
        return Data(size, per.name if per else "task", span)

    def _first(self, what: str, key: str, span: Span, advice: str) -> bool:
        if key in self._once:
            line = self.source.position(self._once[key].start)[0]
            self.wrong.append(errors.StatedTwice(self.source, span, what, line, advice))
            return False
        self._once[key] = span
        return True

    def _word(self, word: Named, words: tuple[str, ...], advice: str) -> bool:
        if word.name in words:
            return True
        near = nearest(word.name, words)
        self.wrong.append(errors.WrongWord(self.source, word.span, word.name, ", ".join(words), near, advice))
        return False
