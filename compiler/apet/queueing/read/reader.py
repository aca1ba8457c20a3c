"""A queueing problem from a file: a network with service times per visit, jobs with precedence, or an open fork-join,
which is a job of parallel tasks.

Which one it is, its keys say: classes with a `job` are jobs with precedence; `service_means` make a fork-join. Times
and rates may be intervals. Every error of a file is found in one run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document, parse_document, read_document
from apet.ground.documents.document_errors import DocumentErrors
from apet.ground.documents.table import Table
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.queueing.data.jobs import Circulation, JobStation, JobStep, JobTask, NamedCount, Scenario, Variant
from apet.queueing.data.problems import Asked, Problem, Uncertain
from apet.queueing.read.distributions import distribution, note
from apet.queueing.read.jobs import scenario
from apet.queueing.read.layers import layered
from apet.queueing.read.networks import network
from apet.queueing.read.parameters import named_counts
from apet.queueing.read.uncertain_files import ends

FORK_JOIN_KEYS = ("k", "arrival_rate", "service_means", "service_dist", "discipline")
DESCRIPTIVE = ("id", "name", "title", "kind", "method", "schema", "note", "description", "group", "tags")
MOST_QUEUES = 1_000


@dataclass(frozen=True, slots=True)
class QueueFile:
    """What a file asks, and the method that it names ("" if none)."""

    name: str  #: as the file says, or its own
    problem: Asked  #: what is asked
    method: str  #: "" if the file names none


def read_queue(path: str | os.PathLike[str]) -> QueueFile:
    """The queueing problem in a TOML or JSON file, in a layered queueing network (`.lqn`, `.lqnx`), or in a shipped
    sample; `ApetError` with every error."""
    return _queue_file(_document(located(path)))


def _document(path: str | os.PathLike[str]) -> Document:
    form = foreign_form(os.fspath(path))
    return form(read_source(path)) if form else read_document(path)


def foreign_form(path: str) -> Callable[[Source], Document] | None:
    """What reads a file of another tool, by the end of its name; None for files of ours."""
    from apet.queueing.read import jmt, lqn_text, lqn_xml

    forms = {".lqn": lqn_text.lqn_of_text, ".lqnx": lqn_xml.lqn_of_xml, ".jsimg": jmt.network_of_jmt}
    return forms.get(os.path.splitext(path)[1].lower())


def file_of_ours(path: str | os.PathLike[str]) -> str:
    """A file of another tool, written as one of ours; `ApetError` with every error."""
    from apet.queueing.read.foreign import as_toml

    document = _document(located(path))
    _queue_file(document)
    return as_toml(os.path.splitext(os.path.basename(path))[0], document.content)


def parse_queue_file(source: Source) -> QueueFile:
    """The problem in a text; TOML if its name ends so, else JSON."""
    return _queue_file(parse_document(source))


def _queue_file(document: Document) -> QueueFile:
    top = _top(document)
    document, counts = named_counts(document, top)
    both = ends(document)
    problem: Asked
    if both is None:
        problem = _problem(document, counts, top.notes)
    else:
        low, high, notes = both
        try:
            least = _problem(low, counts, top.notes)
        except ApetError as error:
            notes.diagnostics += error.diagnostics
        notes.finish()
        problem = Uncertain(least, _problem(high, counts, top.notes))

    name, method = _name_and_method(_top(document))
    return QueueFile(name or os.path.basename(document.source.name), problem, method)


def _top(document: Document) -> Table:
    return document.table("a table of stations and classes")


def _name_and_method(top: Table) -> tuple[str, str]:
    return top.text("name") or top.text("id"), top.text("method")


def _problem(document: Document, counts: tuple[NamedCount, ...], earlier: DocumentErrors) -> Problem:
    """The problem of a file without intervals and names; errors that were noted `earlier` are reported with its own."""
    top = _top(document)
    top.notes.diagnostics += earlier.diagnostics
    _name_and_method(top)  # so that errors in them are noted with the others
    if "service_means" in top:
        return _fork_join(top, document)
    if "processors" in top:
        return layered(top, document, DESCRIPTIVE)
    classes = document.content.get("classes")
    if isinstance(classes, list) and any(isinstance(c, dict) and "job" in c for c in classes):
        return scenario(top, document, DESCRIPTIVE)._replace(counts=counts)
    return replace(network(top, document, DESCRIPTIVE), counts=counts)


def _fork_join(top: Table, document: Document) -> Scenario:
    """Jobs that arrive at random and split into one task per queue."""
    top.allow((*FORK_JOIN_KEYS, *DESCRIPTIVE))
    means, listed = list[float](), document.content["service_means"]
    if not isinstance(listed, list) or not listed:
        top.notes.wrong_type(top.at("service_means"), "an array of seconds, one per queue", listed)
    elif len(listed) > MOST_QUEUES:
        top.notes.out_of_range(top.at("service_means"), len(listed), f"at most {MOST_QUEUES:,} queues")
    else:
        for i, value in enumerate(listed):
            mean = top.figure((*top.at("service_means"), i), value, "s", True)
            means.append(1.0 if mean is None else mean)

    if "arrival_rate" not in top:
        top.notes.missing_key(top.at("arrival_rate"), "give jobs per second: arrival_rate = 0.5")
    rate = top.number("arrival_rate", above=True) or 0.0
    if "k" in top and top.count("k") != len(means):
        note(top, document, "k", f"{len(means)} service means are given", "leave k out, or make both agree")
    if top.text("discipline", "FCFS") != "FCFS":
        problem, advice = "a fork-join is first come, first served", 'leave it out, or write "FCFS"'
        note(top, document, "discipline", problem, advice)
    shape = distribution(top, "service_dist", document)
    top.notes.finish()
    queues = tuple(JobStation(f"queue {k + 1}", "FCFS") for k in range(len(means)))
    tasks = tuple(JobTask(queues[k].name, (JobStep(k, mean, shape),)) for k, mean in enumerate(means))
    return Scenario(queues, (Circulation("jobs", 0, 0.0, (Variant(1.0, tasks),), arrival_rate=rate),))
