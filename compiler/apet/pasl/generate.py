"""AMGen: the model of a whole application on coordinator and workers, from its batches and what their tasks cost.

A batch is a parallel section over the workers. Worker p is dealt `share[p]` of its tasks in proportion to its relative
performance factor (or half so and half as they become free, where a prediction chooses that), gets arguments, works,
and sends results back. Batches are joined by barriers in the order of the flows (Herai and Henriques, 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apet.ground.source import Span
from apet.model.expression_text import expression_text
from apet.model.precedence import AtOnce, Order
from apet.model.putting_in import put_into
from apet.model.terms import Expression, Invoke, Name, Number, Parameter, ResourceDeclaration
from apet.pasl.assembly import Assembly, PlacedTask, equation_text
from apet.pasl.check import with_processors
from apet.pasl.dealing import Dealing
from apet.pasl.messages import traffic
from apet.pasl.syntax import TaskBatch, TaskFile
from apet.pasl.task_graph import BatchOrder

COLUMN = 42
INDENT = "    "
NOWHERE = Span(0, 0)


class LoopIndices(NamedTuple):
    """Names of the loops over workers, tasks and replicas that hide no parameter."""

    worker: str
    task: str
    replica: str
    other: str


def model_text(file: TaskFile, level: str, plan: BatchOrder, assembly: Assembly, placed: dict[str, PlacedTask]) -> str:
    """The whole model as text: parameters, the order of the batches, then each batch with its tasks."""
    indices = LoopIndices(*(_index(file, assembly, n) for n in ("p", "k", "r", "q")))
    names = {n: assembly.name(n, f"{n}_batch") for n in file.batches}
    blocks = [_header(file, level), _parameters(file, assembly)]
    if assembly.resources:
        blocks.append("\n".join(_resource(r) for r, _ in assembly.resources.values()))
    blocks.append(f"L = {_plan(plan, names)};")

    for name, batch in file.batches.items():
        first, *rest = _batch(file, batch, names[name], placed[name], assembly, indices)
        blocks += [f"{_comment(batch)}\n{first}", *rest]
        blocks += [equation_text(e) for e in assembly.equations[name]]
    return "\n\n".join(b for b in blocks if b) + "\n"


def _index(file: TaskFile, assembly: Assembly, wanted: str) -> str:
    """A name for an index that is no parameter."""
    while wanted in file.parameters or wanted in assembly.parameters:
        wanted += "_"
    return wanted


def _header(file: TaskFile, level: str) -> str:
    flows = ", ".join(f"{f.source.name} -> {f.target.name}" for f in file.flows)
    lines = [f"// {file.title}: the application on coordinator (0) and workers (1..P), {level} level"]
    lines += [f"// flows: {flows}"] if flows else []
    return "\n".join(lines)


def _comment(batch: TaskBatch) -> str:
    entry = f" {batch.task.entry}" if batch.task.entry else ""
    where = ", on the coordinator" if batch.coordinator else ""
    return f"// batch {batch.name.name}[{expression_text(batch.count)}]: {batch.task.file.name}{entry}{where}"


def _parameters(file: TaskFile, assembly: Assembly) -> str:
    lines = []
    for parameter in with_processors(file.parameters).values():
        note = "bound to the number of processors in use" if parameter.name == "P" else ""
        lines.append(_parameter(parameter, note))
    lines += [_parameter(p, note) for p, note in assembly.parameters.values()]
    return "\n".join(lines)


def _parameter(parameter: Parameter, note: str) -> str:
    line = f"param {parameter.name}"
    if parameter.value is not None:
        line += f" = {expression_text(parameter.value)}"
    if parameter.low is not None and parameter.high is not None:
        line += f" in [{expression_text(parameter.low)}, {expression_text(parameter.high)}]"
    return f"{line};".ljust(COLUMN - 1) + f" // {note}" if note else f"{line};"


def _resource(resource: ResourceDeclaration) -> str:
    subscripts = f"[{', '.join(resource.subscripts)}]" if resource.subscripts else ""
    servers = "" if resource.servers is None else f" servers {expression_text(resource.servers)}"
    return f"resource {resource.name}{subscripts}{servers};"


def _plan(plan: BatchOrder, names: dict[str, str]) -> str:
    """The order of the batches as a process; a graph where it is no nesting of `;` and `||`."""
    if plan.is_series_parallel:
        return _nested(plan.order, [names[n] for n in plan.names], 0)
    parts = []
    for name, before in zip(plan.names, plan.after, strict=True):
        parts.append(f"{INDENT}{name}: {names[name]}" + (f" after {', '.join(before)}" if before else "") + ";\n")
    return "graph {\n" + "".join(parts) + "}"


def _nested(order: Order, names: Sequence[str], level: int) -> str:
    """An order in series and parallel."""
    if isinstance(order, int):
        return names[order]
    inner = [_nested(p, names, level + 1) for p in order.parts]
    if isinstance(order, AtOnce):
        return "{ " + " || ".join(inner) + " }"
    line = "\n" + INDENT * (level + 1)
    return "{" + line + (";" + line).join(inner) + ";\n" + INDENT * level + "}"


def _batch(
    file: TaskFile, batch: TaskBatch, name: str, task: PlacedTask, assembly: Assembly, indices: LoopIndices
) -> list[str]:
    """The equations of a batch, without those of its tasks."""
    worker = indices.worker
    if batch.coordinator:
        call = _call(batch, task, "0", Name(indices.task, NOWHERE))
        return [f"{name} = use(0, {_times(indices.task, batch.count, call, not task.numbered)});"]

    own = assembly.name(f"{name}_worker")
    share = _share_term(file, batch, worker)
    rows = [(expression_text(share), _call(batch, task, worker, share))]
    if task.numbered:
        dealing = Dealing(batch.count, share, worker, indices.other, indices.task)
        rows = [(expression_text(row.rounds), _call(batch, task, worker, row.number)) for row in dealing.rows]
    body = _worker(file, batch, rows, indices)
    return [
        f"{name} = par ({worker} = 1, P) {own}[{worker}];",
        f"{own}[{worker}] = {{\n" + "".join(f"{INDENT}{line};\n" for line in body) + "};",
    ]


def _worker(file: TaskFile, batch: TaskBatch, rows: Sequence[tuple[str, str]], indices: LoopIndices) -> list[str]:
    """What a worker does in a batch, step by step; `rows` are numbers of tasks, with the call of one of them."""
    p, k, r = indices.worker, indices.task, indices.replica
    sizes = traffic(file, batch)

    def out(size: Expression) -> str:
        return f"send[0, {p}]({expression_text(size)})"

    def back(size: Expression) -> str:
        return f"send[{p}, 0]({expression_text(size)})"

    lines = [] if sizes.to_worker is None else [out(sizes.to_worker)]
    if sizes.to_task is None and sizes.from_task is None:
        lines += [f"use({p}, seq ({k} = 1, {rounds}) {call})" for rounds, call in rows]
    else:
        before = [] if sizes.to_task is None else [out(sizes.to_task)]
        behind = [] if sizes.from_task is None else [back(sizes.from_task)]
        for rounds, call in rows:
            steps = [*before, f"use({p}, {call})", *behind]
            lines.append(f"seq ({k} = 1, {rounds}) {{ {'; '.join(steps)} }}")
    if batch.replicas is not None and sizes.to_task is not None:
        lines.append(f"seq ({r} = 1, {expression_text(batch.replicas)}) {out(sizes.to_task)}")
    return lines if sizes.from_worker is None else [*lines, back(sizes.from_worker)]


def _call(batch: TaskBatch, task: PlacedTask, processor: str, number: Expression) -> str:
    """A task on a processor; where tasks differ, the one of this number, 1 to their count."""
    arguments = task.arguments
    if task.numbered and batch.index is not None:
        arguments = (*(put_into(a, {batch.index.name: number}) for a in arguments), number)
    return f"{task.equation}[{processor}]" + (f"({_listed(arguments)})" if arguments else "")


def _share_term(file: TaskFile, batch: TaskBatch, index: str) -> Invoke:
    """The number of tasks of a worker: `share[p]` deals those of the parameter `tasks`."""
    plain = isinstance(batch.count, Name) and batch.count.name == "tasks" and "tasks" in file.parameters
    return Invoke("share", (Name(index, NOWHERE),), None if plain else (batch.count,), NOWHERE)


def _times(index: str, number: Expression, call: str, alike: bool) -> str:
    one = isinstance(number, Number) and number.value == 1 and alike
    return call if one else f"seq ({index} = 1, {expression_text(number)}) {call}"


def _listed(expressions: tuple[Expression, ...]) -> str:
    return ", ".join(expression_text(e) for e in expressions)
