"""Which front end reads a file: models as they are, task graphs and programs by way of a translation."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.ground.diagnostics import ApetError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apet.java import Translation
    from apet.model.terms import Model
    from apet.pasl import Outcome

TASK_GRAPH = ".pasl"


def read_source_model(path: str | os.PathLike[str], entry: str | None, usual_level: str) -> Model:
    """The model in a file; that of a Java task at the usual level, that of a task graph at its own, if any.

    The entry of a Java task is a method.
    """
    if is_java(path):
        from apet import java
        from apet.ground.source import Source
        from apet.ground.source_files import read_source
        from apet.model.pamela import parse

        source = read_source(path)
        return parse(Source(f"{source.name} (translated)", java.translate(source, entry, usual_level).text), None)
    if is_task_graph(path):
        from apet import java
        from apet.pasl import read_model as read_graph

        return read_graph(path, java.translate, entry, usual_level)
    from apet.model.pamela import read_model

    return read_model(path, entry)


def translated(
    path: str | os.PathLike[str], entry: str | None, level: str, parser: str, source_path: Sequence[str] = ()
) -> Translation | Outcome:
    """The translation of a Java task, or of a task graph; `level` "" is what the graph names, else "core"."""
    from apet import java
    from apet.ground.source_files import read_source
    from apet.ground.values import NotAllowed

    for what, value, allowed in (("level", level, ("", *java.LEVELS)), ("parser", parser, java.PARSERS)):
        if value not in allowed:
            raise ApetError(NotAllowed(None, None, what, value, ", ".join(a for a in allowed if a)))
    if is_task_graph(path):
        from apet import pasl

        return pasl.translate(read_source(path), java.translate, level)
    return java.translate(read_source(path), entry, level or "core", parser, source_path)


def is_java(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name says that it is Java."""
    return os.fspath(path).lower().endswith(".java")


def is_task_graph(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name says that it is a task graph."""
    return os.fspath(path).lower().endswith(TASK_GRAPH)
