"""A task graph with numbers in place of names: what there is to run for a configuration of workers."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.java import errors
from apet.java.profile.workload import BatchWork, Group, MessageSizes, Workload, dealt_in_turn
from apet.model.precedence import InSeries, Order, Prime, levels

if TYPE_CHECKING:
    from apet.ground.source import Source
    from apet.machine import Configuration
    from apet.model.terms import Expression
    from apet.pasl.syntax import TaskBatch, TaskFile


def workload(source: Source, on: Configuration, schedule: str, settings: Mapping[str, Number]) -> Workload:
    """What the workers of a configuration run. `ApetError` where a task is a model, or a number has no value."""
    from apet.java import translate
    from apet.pasl import programs

    file, tasks, order = programs(source, translate)
    scope = _Scope(file, {"P": on.P, **settings})
    wrong = [
        errors.NotRunnable(file.source, batch.task.file.span, name, batch.task.file.name)
        for name, batch in file.batches.items()
        if not tasks[name].program
    ]
    if wrong:
        raise ApetError(wrong)
    batches = [_work(file, batch, tasks[name], scope, on, schedule) for name, batch in file.batches.items()]
    return Workload(file.title, on.P, tuple(batches), _group(order.order, order.names))


class _Scope:
    """Values of the parameters of a task graph; expressions are evaluated with them."""

    def __init__(self, file: TaskFile, settings: Mapping[str, Number]) -> None:
        from apet.model.evaluate import parameter_values
        from apet.model.terms import Model
        from apet.pasl.check import with_processors

        self.source = file.source
        model = Model(file.source, with_processors(file.parameters), {}, {}, "")
        self.values = parameter_values(model, {n: v for n, v in settings.items() if n in model.parameters})

    def number(self, expression: Expression, **more: Number) -> Number:
        from apet.model.evaluate import evaluate

        return evaluate(expression, {**self.values, **more}, source=self.source)

    def size(self, expression: Expression | None) -> int | None:
        """Whole bytes of a message; None of none."""
        return None if expression is None else max(0, math.ceil(self.number(expression)))


def _work(file: TaskFile, batch: TaskBatch, task: Any, scope: _Scope, on: Configuration, schedule: str) -> BatchWork:
    from apet.pasl.messages import traffic

    count = max(0, math.floor(scope.number(batch.count)))
    names = {n: None for n in file.parameters if n in task.inputs and n in scope.values}
    names |= {b.name.name: None for b in batch.task.bindings if b.name.name in task.inputs}
    static, dynamic = ((), ()) if batch.coordinator else _dealt(on, count, schedule)
    owner, _, method = task.program.rpartition(".")
    return BatchWork(
        batch.name.name,
        os.path.abspath(task.path),
        owner,
        method,
        count,
        batch.coordinator,
        MessageSizes(None, None, None, None)
        if batch.coordinator
        else MessageSizes(*map(scope.size, traffic(file, batch))),
        0 if batch.replicas is None else max(0, math.floor(scope.number(batch.replicas))),
        tuple(names),
        tuple(_rows(batch, tuple(names), count, scope)),
        static,
        dynamic,
    )


def _rows(batch: TaskBatch, names: Sequence[str], count: int, scope: _Scope) -> Iterator[tuple[float, ...]]:
    """The values that tasks are called with: one row where all are alike, else one for each."""
    bound = {b.name.name: b.value for b in batch.task.bindings}
    if batch.index is None:
        yield tuple(float(scope.number(bound[n]) if n in bound else scope.values[n]) for n in names)
        return
    for number in range(1, max(count, 1) + 1):
        index = {batch.index.name: number}
        yield tuple(float(scope.number(bound[n], **index) if n in bound else scope.values[n]) for n in names)


def _dealt(on: Configuration, count: int, schedule: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Tasks of each worker beforehand, and those for whoever is free: every second one under the schedule "join"."""
    if schedule == "static":
        return dealt_in_turn(on.shares(count)), ()
    fixed = [k for k in range(count) if k % 2]
    places = dealt_in_turn(on.shares(len(fixed)))
    return tuple(tuple(fixed[k] for k in own) for own in places), tuple(range(0, count, 2))


def _group(order: Order, names: Sequence[str]) -> Group:
    """What is run in which order; where that is neither in series nor in parallel, level by level."""
    if isinstance(order, int):
        return ";", (names[order],)
    parts = tuple(names[p] if isinstance(p, int) else _group(p, names) for p in order.parts)
    if isinstance(order, Prime):
        rows = (tuple(parts[k] for k in row) for row in levels(order))
        return ";", tuple(row[0] if len(row) == 1 else ("|", row) for row in rows)
    return ";" if isinstance(order, InSeries) else "|", parts
