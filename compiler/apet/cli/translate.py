"""`apet translate`: source code of a task, or a task graph, to an application model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from apet import api
from apet.answers.answer import Answer
from apet.answers.json_form import json_text
from apet.cli import output
from apet.cli.diagnostics_json import diagnostic_json
from apet.cli.errors import NotForThisFile, UnknownEnding, bad_option
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.ground.diagnostics import Advisory, ApetError, render
from apet.pasl import Outcome, picture
from apet.program.translation import Translation
from apet.trials.languages import is_task_graph

DESCRIPTION = """Make a PAMELA-E model from the Java or C source of a task, or from a PASL task graph whose tasks are
Java or models. What no source can tell (rounds of a loop that does not count, probabilities of conditions) becomes a
parameter that says where it comes from."""
LEVELS = ("core", "flat")
EMITS = ("model", "dot", "svg")
FRONT_ENDS = {".java": "Java", ".c": "C", ".pasl": "PASL"}


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("source", metavar="FILE", help="a Java, C or PASL file, or the name of a sample")
    text = "the method or function to begin with: Class.method, with types if overloaded (default: main, else run)"
    parser.add_argument("--entry", metavar="E", help=text)
    text = "a folder with further classes, as Name.java; may be repeated (usual: the folder of the file)"
    parser.add_argument("--source-path", metavar="DIR", action="append", default=[], help=text)
    text = "core: loops as a compiled program runs them (default, unless a PASL file names one); flat: counts of "
    parser.add_argument("--level", choices=LEVELS, help=text + "operations, as published")

    text = "of a PASL file: the model (default), or its task graph, as Graphviz text or as a picture"
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--emit", choices=EMITS, default="model", help=text)
    text = "print JSON, for programs with the model, what a run can count, the task graph, and advice"
    form.add_argument("--json", action="store_true", help=text)
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Translate and print the model; advice goes to standard error."""
    output.check_writable(options.output)
    ending = os.path.splitext(options.source)[1].lower()
    if ending not in FRONT_ENDS:
        raise ApetError(
            UnknownEnding(
                None, None, "translate", options.source, ", ".join(FRONT_ENDS), "front end: apet translate Task.java"
            )
        )
    with Activity(f"translating {options.source}"):
        if options.json:
            output.write_result(_json(options), options.output)
            return
        text, advice = (_graph if ending == ".pasl" else _task)(options)
    for one in advice:
        output.warn(render(one))

    output.write_result(text, options.output)


def _task(options: argparse.Namespace) -> tuple[str, Sequence[Advisory]]:
    """The model of a Java or C task."""
    if options.emit != "model":
        _refuse(f"--emit {options.emit}", options.source, "a task graph is in a PASL file")
    translation = _translated(options)
    return translation.text, translation.advice


def _graph(options: argparse.Namespace) -> tuple[str, Sequence[Advisory]]:
    """The model of a task graph, or what it looks like."""
    graph = _translated(options)
    if options.emit == "model":
        return graph.text, graph.advice

    assert isinstance(graph, Outcome)
    return (picture.dot if options.emit == "dot" else picture.svg)(graph.graph), ()


def check_folders(folders: Sequence[str]) -> None:
    """`ApetError` for a folder of classes that is none."""
    missing = [folder for folder in folders if not os.path.isdir(folder)]
    if missing:
        raise ApetError([bad_option("--source-path", folder, "there is no such folder") for folder in missing])


def _translated(options: argparse.Namespace) -> Translation | Outcome:
    check_folders(options.source_path)
    if options.source_path and is_task_graph(options.source):
        _refuse("--source-path", options.source, "its classes lie beside the tasks that it names")
    if options.entry is not None and is_task_graph(options.source):
        _refuse("--entry", options.source, 'its batches name their entries: task "Task.java" Class.method;')
    more = {} if is_task_graph(options.source) else {"entry": options.entry, "source_path": options.source_path}
    return api.translate(options.source, level=options.level or "", **more)


def _json(options: argparse.Namespace) -> str:
    """The model with what is known of it: of Java the places of what a run can count, of PASL the task graph."""
    translated = _translated(options)
    source = os.path.basename(options.source)
    document: dict[str, object] = {
        "source": source,
        "model": translated.text,
        "advice": [diagnostic_json(one) for one in translated.advice],
    }
    if isinstance(translated, Outcome):
        document["graph"] = translated.graph
    else:
        placed = ((name, note.site.at) for name, note in translated.parameters.items() if note.site is not None)
        counted = [{"name": name, "line": line, "column": column} for name, (line, column) in placed]
        document |= {"entry": translated.entry, "counted": counted}
    return json_text(Answer(kind="translation", subject=source, results=document), version())


def _refuse(option: str, path: str, advice: str) -> None:
    raise ApetError(NotForThisFile(None, None, option, path, advice))
