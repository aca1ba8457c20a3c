"""A logged job under load, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from apet.ground.diagnostics import visible
from apet.joblogs.job_log import JobLog
from apet.joblogs.streams import SteadyState
from apet.show.tables import table
from apet.show.times import column, percent, unit_for

HOUR = 3_600
STATE_KEYS = (
    *(("cores", "cores"), ("response_s", "response"), ("at_least_s", "at_least")),
    *((name, name) for name in ("throughput", "present", "used")),
)


def load_text(log: JobLog, load: str, states: Sequence[SteadyState], *, per_executor: int = 0) -> str:
    """A line for each number of cores; `load` says who runs the job how often."""
    responses = [s.response for s in states if s.response is not None]
    unit = unit_for(responses or [1.0])
    columns = [("cores", [str(s.cores) for s in states])]
    if per_executor:
        columns.insert(0, ("executors", [f"{s.cores / per_executor:g}" for s in states]))
    columns.append(("mean response", _times([s.response for s in states], unit, "overloaded")))
    columns.append(("at least", _times([s.at_least for s in states], unit, "")))
    columns.append(("runs per hour", [f"{s.throughput * HOUR:.3g}" for s in states]))
    columns.append(("at once", ["" if s.present is None else f"{s.present:.2f}" for s in states]))
    columns.append(("used", [percent(s.used) for s in states]))

    header, cells = zip(*columns, strict=True)
    lines = [visible(f"{log.name} · {log.engine} {log.version}".strip()), f"  {load}, in the steady state:", ""]
    lines += [*table(header, list(zip(*cells, strict=True)), ">" * len(columns)), ""]
    notes = ["pauses and times between arrivals are taken to vary exponentially", *log.notes]
    return "\n".join([*lines, *(f"  note: {visible(note)}" for note in notes)]) + "\n"


def _times(seconds: Sequence[float | None], unit: Any, missing: str) -> list[str]:
    """Times of one column in one unit."""
    numbers = iter(column([s for s in seconds if s is not None], unit))
    return [missing if s is None else f"{next(numbers)} {unit.name}" for s in seconds]


def load_json(
    log: JobLog,
    states: Sequence[SteadyState],
    version: str,
    users: int | None,
    think: float,
    arrival_rate: float | None,
) -> str:
    """One object; times in seconds, rates per second. Null is what has no steady state."""
    content = {
        "apet": version,
        "log": log.name,
        "users": users,
        "think_s": think,
        "arrival_rate": arrival_rate,
        "predictions": [{key: getattr(state, name) for key, name in STATE_KEYS} for state in states],
        "notes": list(log.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
