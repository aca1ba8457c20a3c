"""What changes the response times of a problem without formulas: each parameter a little greater, solved anew.

One server, job or place in a pool more, or a tenth more of a rate or a think time. Simulations of all changes have the
same seed, so that differences are steadier than the answers themselves; what is left of chance is below one percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apet.ground.activity import over
from apet.queueing.problems import Asked
from apet.queueing.report.targets import point_json
from apet.queueing.targets import LoadPoint, point
from apet.queueing.varied import WHOLE, class_names, kind_of, parameters, value_of, varied
from apet.show.plain import dumps
from apet.show.tables import table
from apet.show.times import percent, single

STEP = 1.1


class Effect(NamedTuple):
    """A parameter with its value in the file, and the answer with the changed one (`LoadPoint.value`)."""

    parameter: str
    before: float
    after: LoadPoint


def effects(problem: Asked) -> tuple[LoadPoint, list[Effect]]:
    """The answer as the file is, and with each parameter changed, the greatest change of a response time first."""
    problem = varied(problem)
    owners = {"servers": problem.stations, "size": problem.pools}
    named = {f"{kind}[{owners[kind][k].name}]" for count in problem.counts for kind, k in count.places}
    values = {name: value_of(problem, name) for name in parameters(problem) if name not in named}
    changed = {n: v + 1 if kind_of(problem, n) in WHOLE else v * STEP for n, v in values.items() if v}
    first = next(iter(changed))
    base = point(problem, first, values[first])
    rows = [Effect(n, values[n], point(problem, n, v)) for n, v in over(list(changed.items()), "solving", "changes")]
    return base, sorted(rows, key=lambda e: -max(map(abs, _changes(base, e.after)), default=1.0))


def effects_text(name: str, problem: Asked) -> str:
    """A row as the file is, then one per change: means of the response time by class, and the busiest station."""
    base, rows = effects(problem)
    header = ["", *class_names(varied(problem)), "busiest", "used"]
    lines = [["as it is", *map(single, base.response_time), *_busiest(base)]]

    for parameter, before, after in rows:
        changes = [f"{100 * change:+.1f} %" for change in _changes(base, after)]
        no_state = ["no steady state", *["-"] * (len(header) - 4)]
        lines.append([f"{parameter} = {before:.4g} → {after.value:.4g}", *(changes or no_state), *_busiest(after)])

    title = f"{name} · response times, and what changes them"
    return "\n".join([title, "", *table(header, lines, "<" + ">" * (len(header) - 3) + "<>")]) + "\n"


def effects_json(name: str, problem: Asked, version: str) -> str:
    """One object: the answer as the file is, and those with changed parameters."""
    base, rows = effects(problem)
    names = class_names(varied(problem))
    changes = [{"parameter": e.parameter, "before": e.before, **point_json(names, e.after)} for e in rows]
    about = {"apet": version, "name": name, "unit": "s", "file": point_json(names, base)}
    return dumps({**about, "changes": changes})


def _changes(base: LoadPoint, after: LoadPoint) -> Sequence[float]:
    return [b / a - 1 if a else 0.0 for a, b in zip(base.response_time, after.response_time, strict=False)]


def _busiest(one: LoadPoint) -> list[str]:
    station, share = one.busiest
    return [station, percent(share) if one.stable else "-"]
