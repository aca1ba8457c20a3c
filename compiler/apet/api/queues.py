"""Queueing problems."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.api.arguments import located

if TYPE_CHECKING:
    from apet.queueing.mva.symbolic import Symbolic
    from apet.queueing.problems import Answer, Asked
    from apet.queueing.read import QueueFile


def read_queue(path: str | os.PathLike[str]) -> QueueFile:
    """The queueing problem in a TOML or JSON file, or in a shipped sample; `ApetError` with every mistake found."""
    from apet.queueing.read import read_queue_file

    return read_queue_file(located(path))


def queue(problem: Asked, method: str = "auto", bound: str = "") -> Answer:
    """Solve a queueing problem: a network, jobs with precedence, or an open fork-join; of an uncertain one, the ranges.

    `method` is "auto", "exact", "schweitzer", "linearizer" or "bounds" (`bound`: "aba", "bsb", "gb", or the sharpest);
    of jobs with precedence "reference" or "forkjoin". Raises `ApetError` where there is no steady state, or a method
    does not apply.
    """
    from apet.queueing.answer import answer

    return answer(problem, method, bound)


def queue_formulas(problem: Asked) -> Symbolic:
    """A small network in symbols: `formulas` by name, and the `values` of what is in them. `ApetError` for others."""
    from apet.queueing.mva.symbolic import symbolic

    return symbolic(problem)
