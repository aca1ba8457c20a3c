"""A task graph to the text of a PAMELA-E model: the stages in order."""

from __future__ import annotations

import os
from dataclasses import dataclass

from apet.cost import deep_recursion
from apet.ground.diagnostics import Advisory, ApetError, Diagnostic
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.model.expression_text import expression_text
from apet.model.pamela import parse
from apet.model.terms import Model
from apet.pasl.assembly import Assembly
from apet.pasl.check import check
from apet.pasl.generate import model_text
from apet.pasl.read import read_tasks
from apet.pasl.syntax import TaskFile
from apet.pasl.task_graph import Arc, BatchNode, BatchOrder, TaskGraph, order
from apet.pasl.tasks import TaskModel, TranslateJava, bound, read_task

USUAL_LEVEL = "core"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text of a model, the task graph that it was made of, and advice."""

    text: str
    graph: TaskGraph
    advice: tuple[Advisory, ...]


def translate(
    source: Source,
    translate_java: TranslateJava,
    level: str = "",
    usual_level: str = USUAL_LEVEL,
    counted: bool = False,
) -> Outcome:
    """The model of a task graph.

    `level` is "core" or "flat" for what Java tasks cost; "" takes the one that the file names, else the usual one.
    Tasks are read from files beside the source. `counted` leaves open what a run of the tasks can count, whatever
    `with` says of it. Raises `ApetError` with every error in the task graph or its tasks.
    """
    with deep_recursion():
        file = read_tasks(source)
        check(file)
        chosen = level or file.level or usual_level
        tasks = _tasks(file, chosen, translate_java)
        assembly = Assembly(file)
        assembly.reserve(t.model for t in tasks.values())
        placed = {name: assembly.add(batch, tasks[name], counted) for name, batch in file.batches.items()}
        plan = order(list(file.batches), _successors(file))
        text = model_text(file, chosen, plan, assembly, placed)

    advice = {d: None for t in tasks.values() for d in t.advice}
    return Outcome(text, graph_of(file), tuple(advice))


def read_model(
    path: str | os.PathLike[str],
    translate_java: TranslateJava,
    entry: str | None = None,
    usual_level: str = USUAL_LEVEL,
) -> Model:
    """The model of the task graph in a file; `usual_level` holds where it names none. `ApetError` as `translate`."""
    source = read_source(path)
    text = translate(source, translate_java, usual_level=usual_level).text
    return parse(Source(f"{source.name} (translated)", text), entry)


def programs(source: Source, translate_java: TranslateJava) -> tuple[TaskFile, dict[str, TaskModel], BatchOrder]:
    """A task graph as written, the task of each batch with its values checked, and the order of the batches."""
    with deep_recursion():
        file = read_tasks(source)
        check(file)
        tasks = _tasks(file, USUAL_LEVEL, translate_java)
        for name, task in tasks.items():
            bound(file, file.batches[name], task)
    return file, tasks, order(list(file.batches), _successors(file))


def graph_of(file: TaskFile) -> TaskGraph:
    """What there is to draw of a task graph."""
    nodes = [
        BatchNode(
            name,
            expression_text(batch.count),
            f"{os.path.basename(batch.task.file.name)} {batch.task.entry}".rstrip(),
            "coordinator" if batch.coordinator else "workers",
        )
        for name, batch in file.batches.items()
    ]
    arcs = [Arc(f.source.name, f.target.name, "" if f.size is None else expression_text(f.size)) for f in file.flows]
    return TaskGraph(file.title, tuple(nodes), tuple(arcs))


def _tasks(file: TaskFile, level: str, translate_java: TranslateJava) -> dict[str, TaskModel]:
    tasks: dict[str, TaskModel] = {}
    wrong: dict[Diagnostic, None] = {}
    for name, batch in file.batches.items():
        try:
            tasks[name] = read_task(file, batch, level, translate_java)
        except ApetError as error:
            wrong |= dict.fromkeys(error.diagnostics)
    if wrong:
        raise ApetError(tuple(wrong))
    return tasks


def _successors(file: TaskFile) -> dict[str, list[str]]:
    successors: dict[str, list[str]] = {}
    for flow in file.flows:
        successors.setdefault(flow.source.name, []).append(flow.target.name)
    return successors
