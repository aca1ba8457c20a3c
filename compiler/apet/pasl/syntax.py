"""A task graph as written: declarations, batches and flows, on one page. Expressions are those of models."""

from __future__ import annotations

from typing import NamedTuple

from apet.ground.source import Source, Span
from apet.model.terms import Expression, Parameter


class Named(NamedTuple):
    """A name and where it stands."""

    name: str
    span: Span


class Binding(NamedTuple):
    """`name = value` after `with`: what a parameter of the task is in this batch."""

    name: Named
    value: Expression


class BatchTask(NamedTuple):
    """`task "FILE" Entry with …;`. The file lies relative to the task graph; `entry` is "" where none is named."""

    file: Named
    entry: str
    bindings: tuple[Binding, ...]
    span: Span


class Data(NamedTuple):
    """Bytes that travel `per` "task" or "worker"."""

    size: Expression
    per: str
    span: Span


class TaskBatch(NamedTuple):
    """A batch (lote): `count` tasks that are alike, dealt to the workers, or run by the coordinator.

    `arguments` and `results` are what each task, or each worker once, is sent and sends back. `replicas` is how many
    copies of unfinished tasks a worker is sent, on average. `index` is what a task's number, 1 to `count`, is called.
    """

    name: Named
    count: Expression  # type: ignore[assignment]  # hides tuple.count, which no batch needs
    task: BatchTask
    arguments: tuple[Data, ...]
    results: tuple[Data, ...]
    replicas: Expression | None
    coordinator: bool
    index: Named | None = None  # type: ignore[assignment]  # hides tuple.index, which no batch needs


class DataFlow(NamedTuple):
    """`flow source -> target (size) per …;`: the target begins when the source has ended, and gets its data.

    `size` is what one task of the source makes; None where nothing flows. `per` says who of the target gets all of it,
    every "task" or every "worker" once; "" deals it out in equal parts.
    """

    source: Named
    target: Named
    size: Expression | None
    per: str


class TaskFile(NamedTuple):
    """Everything in a file, in its order. `level` is "" where none is named."""

    source: Source
    title: str
    level: str
    parameters: dict[str, Parameter]
    batches: dict[str, TaskBatch]
    flows: tuple[DataFlow, ...]
