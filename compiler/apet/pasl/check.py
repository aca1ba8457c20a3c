"""What is wrong with the names, numbers and flows of a task graph, all in one go."""

from __future__ import annotations

from collections.abc import Iterator

from apet.ground.diagnostics import Diagnostic, nearest, raise_all
from apet.ground.source import Span
from apet.model import terms
from apet.model.check import check as check_model
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Expression, Model, Parameter, Process
from apet.pasl import errors
from apet.pasl.syntax import TaskBatch, TaskFile
from apet.pasl.task_graph import cycle

MOST_SHOWN = 8
NOWHERE = Span(0, 0)
KEYWORDS = frozenset(("param", "resource", "servers", "in", "delay", "use", "seq", "par", "if", "else", "sum"))


def check(file: TaskFile) -> None:
    """`ApetError` with every error, in the order of the text."""
    diagnostics = [*_reserved(file), *_unknown_batches(file), *_numbers(file)]
    for batch in file.batches.values():
        diagnostics += _no_messages(file, batch)
    raise_all(sorted(diagnostics, key=lambda d: -1 if d.span is None else d.span.start))
    raise_all(_cycle(file))


def with_processors(parameters: dict[str, Parameter]) -> dict[str, Parameter]:
    """The parameters with P, the number of processors in use, which need not be declared."""
    implied = {} if "P" in parameters else {"P": Parameter("P", None, None, None, NOWHERE)}
    return implied | parameters


def _reserved(file: TaskFile) -> Iterator[Diagnostic]:
    names = [(p.name, p.span, "a parameter") for p in file.parameters.values()]
    names += [(b.name.name, b.name.span, "a batch") for b in file.batches.values()]
    names += [(b.index.name, b.index.span, "an index") for b in file.batches.values() if b.index]

    for name, span, kind in names:
        meaning = "a keyword of models" if name in KEYWORDS else "a function of models" if name in FUNCTIONS else ""
        meaning = meaning or ("what each processor is dealt" if name in BUILTINS else "")
        if kind != "a parameter":
            others = {"L": "the whole program", "P": "the number of processors", "send": "a message"}
            meaning = meaning or others.get(name, "")
        if kind == "an index" and name in file.parameters:
            meaning = "a parameter"
        if meaning:
            yield errors.ReservedName(file.source, span, name, kind, meaning)


def _unknown_batches(file: TaskFile) -> Iterator[Diagnostic]:
    names = ", ".join(list(file.batches)[:MOST_SHOWN])
    seen: set[tuple[str, Span]] = set()
    for flow in file.flows:
        for end in (flow.source, flow.target):
            if end.name not in file.batches and end not in seen:
                seen.add(end)
                yield errors.UnknownBatch(file.source, end.span, end.name, nearest(end.name, file.batches), names)


def _no_messages(file: TaskFile, batch: TaskBatch) -> Iterator[Diagnostic]:
    if not batch.coordinator:
        return
    for what, sizes in (("arguments", batch.arguments), ("results", batch.results)):
        for data in sizes:
            yield errors.NoMessages(file.source, data.span, batch.name.name, what)
    if batch.replicas is not None:
        yield errors.NoMessages(file.source, batch.replicas.span, batch.name.name, "replicas")


def _cycle(file: TaskFile) -> list[Diagnostic]:
    after: dict[str, list[str]] = {}
    for flow in file.flows:
        after.setdefault(flow.source.name, []).append(flow.target.name)
    path = cycle(list(file.batches), after)  # the first batch stands at both ends
    if not path:
        return []
    closing = next(f for f in file.flows if (f.source.name, f.target.name) == (path[-2], path[-1]))
    span = closing.source.span.to(closing.target.span)
    return [errors.Cycle(file.source, span, " -> ".join(path))]


def _numbers(file: TaskFile) -> list[Diagnostic]:
    """Names and units of all expressions: those of a model that has each where it will stand."""
    equations: dict[str, Equation[Process]] = {}
    for name, batch in file.batches.items():
        steps: list[Process] = [terms.Loop("seq", "", _one(), batch.count, terms.Sequence((), NOWHERE), NOWHERE)]
        steps += [_message(d.size) for d in (*batch.arguments, *batch.results)]
        if batch.replicas is not None:
            steps.append(terms.Loop("seq", "", _one(), batch.replicas, terms.Sequence((), NOWHERE), NOWHERE))
        values = tuple(terms.Invoke("a value", (_one(),), (b.value,), NOWHERE) for b in batch.task.bindings)
        index = batch.index.name if batch.index else ""
        steps.append(terms.Loop("seq", index, _one(), batch.count, terms.Sequence(values, NOWHERE), NOWHERE))
        equations[f"batch {name}"] = Equation(name, (), (), terms.Sequence(tuple(steps), NOWHERE), batch.name.span)

    steps = [_message(f.size) for f in file.flows if f.size is not None]
    equations["flows"] = Equation("flows", (), (), terms.Sequence(tuple(steps), NOWHERE), NOWHERE)
    model = Model(file.source, with_processors(file.parameters), {}, equations, "")
    diagnostics = dict.fromkeys(d for d in check_model(model).diagnostics if d.severity == "error")
    return list(diagnostics)


def _message(size: Expression) -> Process:
    return terms.Invoke("send", (_one(), _one()), (size,), NOWHERE)


def _one() -> terms.Number:
    return terms.Number(1, "", NOWHERE)
