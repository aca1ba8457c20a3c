"""What travels between coordinator and workers for each batch: arguments, results, and the data of flows.

Everything goes by the coordinator: a flow's data comes back with the results of the source's tasks, and goes out again
with the arguments of the target.
"""

from __future__ import annotations

from typing import NamedTuple

from apet.ground.source import Span
from apet.model.expression_text import expression_text
from apet.model.terms import Binary, Expression, Number
from apet.pasl.syntax import Data, TaskBatch, TaskFile

NOWHERE = Span(0, 0)


class Traffic(NamedTuple):
    """Sizes of the messages of a batch: to and from each task, to and from each worker; None where there is none."""

    to_task: Expression | None
    from_task: Expression | None
    to_worker: Expression | None
    from_worker: Expression | None


def traffic(file: TaskFile, batch: TaskBatch) -> Traffic:
    """The messages of a batch of the workers.

    Each task is a message out and one back, even without data, unless its arguments (or results) are declared for
    workers only: then those messages are all there is in that direction.
    """
    to_task, to_worker = _declared(batch.arguments)
    from_task, from_worker = _declared(batch.results)
    for flow in file.flows:
        if flow.size is None:
            continue
        if flow.source.name == batch.name.name:
            from_task.append(flow.size)
        if flow.target.name == batch.name.name:
            source = file.batches[flow.source.name]
            data = flow.size if _is_one(source.count) else _product(source.count, flow.size)
            if flow.per == "worker":
                to_worker.append(data)
            else:
                to_task.append(data if flow.per == "task" else _part(flow.size, data, source, batch))

    return Traffic(
        _sum(to_task, bool(to_worker)), _sum(from_task, bool(from_worker)), _sum(to_worker), _sum(from_worker)
    )


def _declared(data: tuple[Data, ...]) -> tuple[list[Expression], list[Expression]]:
    return [d.size for d in data if d.per == "task"], [d.size for d in data if d.per == "worker"]


def _part(size: Expression, data: Expression, source: TaskBatch, target: TaskBatch) -> Expression:
    """An equal part of a flow's data: what one task of the source makes, if there are as many in the target."""
    if expression_text(source.count) == expression_text(target.count):
        return size
    return data if _is_one(target.count) else Binary("/", data, target.count, NOWHERE)


def _product(left: Expression, right: Expression) -> Expression:
    return Binary("*", left, right, NOWHERE)


def _is_one(expression: Expression) -> bool:
    return isinstance(expression, Number) and expression.value == 1


def _sum(sizes: list[Expression], otherwise: bool = True) -> Expression | None:
    """The sum of sizes; for none, nothing if `otherwise` serves, else an empty message."""
    if not sizes:
        return None if otherwise else Number(0, "B", NOWHERE)
    total = sizes[0]
    for size in sizes[1:]:
        total = Binary("+", total, size, NOWHERE)
    return total
