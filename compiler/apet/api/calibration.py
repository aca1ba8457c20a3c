"""A Java task timed once at a small size: the machines as that task sees them."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING

from apet.api.arguments import located
from apet.api.programs import counted_text, counted_values, host_values, usual_level

if TYPE_CHECKING:
    from apet.machine import Machines

LIMIT = 120.0


def calibrated_machines(path: str, entry: str | None, machines: Machines, name: str, size: int) -> Machines:
    """Run a task at a size of its parameter `name`, and scale what the core does by what it took.

    Raises `ApetError` for what is no Java task, without a JDK, and for a task that throws or does not end.
    """
    from apet import api
    from apet.java.jvm import find_jdk
    from apet.java.profile import one_run
    from apet.java.profile.timing import time_task

    jdk, mode = find_jdk(), str(machines.provenance.get("mode", "C2"))
    text = counted_text(path, entry, usual_level(machines))
    title = re.match(r"// .*?: ([\w.$]+)\.([\w$]+)\(", text)
    assert title is not None
    app = api.compile_text(text)
    known = app.model.parameters
    values = {**counted_values(path, text, machines, 1, {name: size}), **host_values(machines), name: size}
    given = {n: v for n, v in values.items() if n in known}
    predicted = api.predictor(app, one_run.plain(machines)).predict(1, given).estimate
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        seconds = time_task(jdk, os.fspath(located(path)), (title[1], title[2]), size, mode, LIMIT, folder)
    return one_run.calibrated(machines, one_run.factor(seconds, predicted))
