"""Which language a file is in, by its name, what translates it, and what predicts its model."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.java import Translation
    from apet.machine import Machines
    from apet.prediction import Predictor

Path = str | os.PathLike[str]
FrontEnd = Callable[..., "Translation"]


def is_program(path: Path) -> bool:
    """Whether a file is source code of a task, or a task graph."""
    return is_source(path) or is_task_graph(path)


def is_source(path: Path) -> bool:
    """Whether a file's name says that it is the source of a task."""
    return is_java(path) or is_c(path)


def is_c(path: Path) -> bool:
    """Whether a file's name says that it is C, or C++, which the reader of C refuses."""
    return os.fspath(path).lower().endswith((".c", ".cpp", ".cc", ".cxx"))


def is_java(path: Path) -> bool:
    """Whether a file's name says that it is Java."""
    return os.fspath(path).lower().endswith(".java")


def is_task_graph(path: Path) -> bool:
    """Whether a file's name says that it is a task graph."""
    return os.fspath(path).lower().endswith(".pasl")


def front_end(path: Path) -> FrontEnd:
    """What translates a source of its language with all that is known of its names."""
    if is_c(path):
        from apet import c

        return c.translate_resolved
    from apet.java import translate_resolved

    return translate_resolved


def compiled(model: str) -> Application:
    """The formulas of a translated model."""
    from apet.cost import analyse
    from apet.ground.source import Source
    from apet.model.pamela import parse

    return analyse(parse(Source("<text>", model)))


def predictor(app: Application, machines: Machines, schedule: str = "static") -> Predictor:
    """What predicts it on machines."""
    from apet.prediction import Predictor
    from apet.simulator.trial import trying_deadlocks

    return trying_deadlocks(Predictor(app, machines, schedule))
