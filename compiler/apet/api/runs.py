"""Predictions from measured runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from apet.api.arguments import located

if TYPE_CHECKING:
    from apet.runs.answer import RunsAnswer
    from apet.runs.measurements import Curve, Extrapolation
    from apet.runs.read import RunsFile


def read_runs(
    *paths: str | os.PathLike[str],
    at: Iterable[tuple[float, str]] = (),
    curve: str | None = None,
    metric: str | None = None,
    kind: str = "size",
) -> RunsFile:
    """Measured runs from files, a folder, or a shipped sample: a curve over "size" or "procs", and notes about it.

    `at` gives profiles with their n; `curve` chooses one of several, `metric` one of Extra-P's. `ApetError` with every
    mistake found.
    """
    from apet.runs.read import read_runs as read_them
    from apet.runs.read.reader import Options

    return read_them([os.fspath(located(p)) for p in paths], list(at), Options(curve, metric, kind))


def extrapolate(runs: Curve, to: Iterable[float], method: str = "auto") -> Extrapolation:
    """Predict run times at other sizes or numbers of processors, with intervals for 90 % of such runs, in seconds.

    `method` is "auto", "powerlaw", for sizes also "fractal", for processors "adept", "amdahl" or "usl". Raises
    `ApetError` where there are too few runs for the method.
    """
    from apet.runs.fit.methods import extrapolate as extrapolated

    return extrapolated(runs, list(to), method)


def answer_runs(
    runs: Curve,
    to: Iterable[float],
    method: str = "auto",
    *,
    deadline: float | None = None,
    levels: Sequence[float] = (),
    beside: bool = True,
) -> RunsAnswer:
    """Predictions, the published method beside the default one, useful numbers of processors for efficiencies, and how
    far a time reaches."""
    from apet.runs.answer import answer

    return answer(runs, list(to), method, deadline, levels, beside)
