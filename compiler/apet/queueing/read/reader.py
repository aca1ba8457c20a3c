"""A queueing problem from a file: a network with service times per visit, jobs with precedence, or an open fork-join.

Which one it is, its keys say: classes with a `job` are jobs with precedence; `service_means` make a fork-join. Times
and rates may be intervals. Every mistake of a file is found in one run.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document, parse_document, read_document
from apet.ground.documents.table import Table
from apet.ground.source import Source
from apet.queueing.jobs import ForkJoin
from apet.queueing.problems import Asked, Problem, Uncertain
from apet.queueing.read.job_reader import scenario
from apet.queueing.read.network_reader import network
from apet.queueing.read.ranges import ends
from apet.queueing.read.shapes import distribution

FORK_JOIN_KEYS = ("k", "arrival_rate", "service_means", "service_dist", "discipline")
DESCRIPTIVE = ("id", "name", "title", "kind", "method", "schema", "note", "description", "group", "tags")
MOST_QUEUES = 10_000


class QueueFile(NamedTuple):
    """What a file asks, and the method that it names ("" if none)."""

    name: str
    problem: Asked
    method: str


class _Read(NamedTuple):
    name: str
    problem: Problem
    method: str


def read_queue_file(path: str | os.PathLike[str]) -> QueueFile:
    """The problem in a TOML or JSON file; `ApetError` with every mistake found."""
    return _problem(read_document(path))


def parse_queue_file(source: Source) -> QueueFile:
    """The problem in a text; TOML if its name ends so, else JSON."""
    return _problem(parse_document(source))


def _problem(document: Document) -> QueueFile:
    split = ends(document)
    if split is None:
        return QueueFile(*_point(document))
    low, high, notes = split
    try:
        least = _point(low)
    except ApetError as error:
        notes.found += error.diagnostics
    notes.finish()
    return QueueFile(least.name, Uncertain(least.problem, _point(high).problem), least.method)


def _point(document: Document) -> _Read:
    top = document.table("a table of stations and classes")
    name = top.text("name") or top.text("id") or os.path.basename(document.source.name)
    method = top.text("method")
    if "service_means" in top:
        return _Read(name, _fork_join(top, document), method)
    classes = document.content.get("classes")
    if isinstance(classes, list) and any(isinstance(c, dict) and "job" in c for c in classes):
        return _Read(name, scenario(top, document, DESCRIPTIVE), method)
    return _Read(name, network(top, document, DESCRIPTIVE), method)


def _fork_join(top: Table, document: Document) -> ForkJoin:
    top.allow((*FORK_JOIN_KEYS, *DESCRIPTIVE))
    means, found = list[float](), document.content["service_means"]
    if not isinstance(found, list) or not found:
        top.notes.wrong_type(top.at("service_means"), "an array of seconds, one per queue", found)
    elif len(found) > MOST_QUEUES:
        top.notes.out_of_range(top.at("service_means"), len(found), f"at most {MOST_QUEUES:,} queues")
    else:
        for i, value in enumerate(found):
            mean = top.figure((*top.at("service_means"), i), value, "s", True)
            means.append(1.0 if mean is None else mean)
    if "arrival_rate" not in top:
        top.notes.missing_key(top.at("arrival_rate"), "give jobs per second: arrival_rate = 0.5")
    rate = top.number("arrival_rate", above=True) or 0.0
    if "k" in top and top.count("k") != len(means):
        problem = document.wrong(
            top.at("k"), f"{len(means)} service means are given", "leave k out, or make both agree"
        )
        top.notes.found.append(problem)
    if top.text("discipline", "FCFS") != "FCFS":
        advice = 'leave it out, or write "FCFS"'
        top.notes.found.append(document.wrong(top.at("discipline"), "a fork-join is first come, first served", advice))
    shape = distribution(top, "service_dist", document)
    top.notes.finish()
    return ForkJoin(rate, tuple(means), shape)
