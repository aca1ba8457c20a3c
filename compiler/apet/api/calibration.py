"""Machines as one Java task sees them, after one timed run of the task here."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from apet.api.models import compile_text
from apet.api.predictions import predictor
from apet.api.programs import LIMIT, Values, counted, counted_text, host_values, usual_level
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.machine import Machines


class Calibration(NamedTuple):
    """Machines as a task sees them; the size of the run that says so; the parts of the operations that cross a level
    between that size and the one that is predicted."""

    machines: Machines
    size: int
    crossings: list[str]


def calibrated_machines(
    path: str, entry: str | None, machines: Machines, name: str, size: int, target: Values, limit: float = LIMIT
) -> Calibration:
    """Run a task at a size of its parameter `name`, and scale what operations cost by what it took: all of them where
    the size in `target`, the values that are predicted, is near; else those of the core.

    Raises `ApetError` where the file is no Java task, without a JDK, and for a task that throws or takes longer than
    `limit` seconds.
    """
    from apet.java.jvm import find_jdk
    from apet.java.profile import one_run
    from apet.java.profile.timing import time_task

    jdk, mode = find_jdk(), str(machines.provenance.get("mode", "C2"))
    text = counted_text(path, entry, usual_level(machines))
    title = re.match(r"// .*?: ([\w.$]+)\.([\w$]+)\(", text)
    assert title is not None
    begun = time.monotonic()
    of_run, machines = counted(path, text, machines, 1, {name: size}, limit)
    left = max(limit - (time.monotonic() - begun), 1.0)
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        seconds = time_task(jdk, os.fspath(located(path)), (title[1], title[2]), size, mode, left, folder)

    app, plain = compile_text(text), one_run.plain(machines)
    small = {**of_run, **host_values(machines), name: size}
    factor = one_run.factor(seconds, predictor(app, plain).predict(1, _declared(app, small)).estimate)
    is_near = isinstance(target.get(name), int | float) and float(target[name]) <= one_run.NEAR * size  # type: ignore[arg-type]
    scaled = one_run.calibrated_near(plain, factor) if is_near else one_run.calibrated(machines, factor)
    crossings = one_run.crossed(_parts(app, plain, small), _parts(app, plain, {**small, **target}))
    return Calibration(scaled, size, list(crossings))


def calibrated_nearby(
    path: str, entry: str | None, machines: Machines, name: str, target: Values, budget: float
) -> Calibration:
    """The same of a run at a quarter of the size in `target`, or at a smaller one where that takes too long: each
    try has half of what is left of `budget` seconds, the smallest one all of it."""
    from apet.java.errors import TooSlow
    from apet.java.profile.one_run import near

    end, size = time.monotonic() + budget, near(int(target[name]))  # type: ignore[arg-type]
    while True:
        left = end - time.monotonic()
        try:
            return calibrated_machines(path, entry, machines, name, size, target, left / (2 if size > 1 else 1))
        except ApetError as error:
            slow = any(isinstance(d, TooSlow) for d in error.diagnostics)
            if not slow or size == 1 or end - time.monotonic() < budget / 8:
                raise
        size = near(size)


def _parts(app: Application, plain: Machines, values: Values) -> dict[str, float]:
    """The share of the time that each part of the operations takes, at some values."""
    from apet.java.profile.one_run import PARTS, without

    whole = _seconds(app, plain, values)
    rest = {part: _seconds(app, without(plain, names), values) for part, names in PARTS.items()}
    return {part: 1 - seconds / whole if whole else 0.0 for part, seconds in rest.items()}


def _seconds(app: Application, machines: Machines, values: Values) -> float:
    return float(predictor(app, machines).predict(1, _declared(app, values)).estimate.middle)


def _declared(app: Application, values: Mapping[str, object]) -> Values:
    return {n: v for n, v in values.items() if n in app.model.parameters}  # type: ignore[misc]
