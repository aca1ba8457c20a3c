"""`apet translate`: source code of a task, or a task graph, to an application model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from apet import api
from apet.cli import output
from apet.cli.errors import NotForThisFile, UnknownEnding
from apet.ground.activity import Activity
from apet.ground.diagnostics import Advisory, ApetError, render
from apet.pasl import Outcome, picture

DESCRIPTION = """Make a PAMELA-E model from the Java source of a task, or from a PASL task graph whose tasks are Java or
models. What no source can tell (rounds of a loop that does not count, probabilities of conditions) becomes a parameter
that says where it comes from."""
LEVELS = ("core", "flat")
EMITS = ("model", "dot", "svg")
FRONT_ENDS = {".java": "Java", ".pasl": "PASL"}


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("source", metavar="FILE", help="a Java or PASL file, or the name of a shipped sample")
    text = "the method to begin with: Class.method, with types where it is overloaded (default: main, else run)"
    parser.add_argument("--entry", metavar="E", help=text)
    text = "a folder with further classes, as Name.java; may be repeated (usual: the folder of the file)"
    parser.add_argument("--source-path", metavar="DIR", action="append", default=[], help=text)
    text = "core: loops as a compiled program runs them (default, unless a PASL file names one); flat: counts of "
    parser.add_argument("--level", choices=LEVELS, help=text + "operations, as published")
    text = "of a PASL file: the model (default), or its task graph, as Graphviz text or as a picture"
    parser.add_argument("--emit", choices=EMITS, default="model", help=text)
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
        text, advice = (_graph if ending == ".pasl" else _task)(options)
    for one in advice:
        output.warn(render(one))

    output.write_result(text, options.output)


def _task(options: argparse.Namespace) -> tuple[str, Sequence[Advisory]]:
    """The model of a Java task."""
    if options.emit != "model":
        _refuse(f"--emit {options.emit}", options.source, "a task graph is in a PASL file")
    translation = api.translate(
        options.source, entry=options.entry, level=options.level or "", source_path=options.source_path
    )
    return translation.text, translation.advice


def _graph(options: argparse.Namespace) -> tuple[str, Sequence[Advisory]]:
    """The model of a task graph, or what it looks like."""
    if options.entry is not None:
        _refuse("--entry", options.source, 'its batches name their entries: task "Task.java" Class.method;')
    graph = api.translate(options.source, level=options.level or "")
    if options.emit == "model":
        return graph.text, graph.advice

    assert isinstance(graph, Outcome)
    return (picture.dot if options.emit == "dot" else picture.svg)(graph.graph), ()


def _refuse(option: str, path: str, advice: str) -> None:
    raise ApetError(NotForThisFile(None, None, option, path, advice))
