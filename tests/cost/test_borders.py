"""Loops at their borders: no round, one, and just fewer, as many and more than there are members.

Every bound holds the runs of an event simulator that knows nothing of costs, the estimate is that of the written-out
program, and no bound may become wider than `tests/data/cost/borders.json` says; where one becomes narrower, take it
over with `--update-golden`.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from tests.laws.events import SERVICES, Schedule
from tests.laws.machine_pool import POOL
from tests.laws.meaning import unroll
from tests.laws.plain_estimate import plain_estimate
from tests.laws.subject import machines_of

import apet

TABLE = Path(__file__).parents[1] / "data" / "cost" / "borders.json"
SIZE = 3
COUNTS = (-1, 0, 1, SIZE - 1, SIZE, SIZE + 1)
MEMBERS = (
    *("1", "i", "n - i", "i % m", "(i + 1) % m", "(2 * i) % m", "floor(i / m)", "floor((i - 1) / 2)", "ceil(i / 2)"),
    *("floor(3 * i / 2)", "floor(2 * i)", "abs(i - 2)", "min(i, m)", "max(i, 2)", "i % n"),
)
LOOPS = ("par (i = 1, n)", "seq (i = 1, n)", "par (i = 0, n - 1)", "par (i = 1, n, 2)", "par (i = n, 1, -1)")
BODIES = (
    "{ delay(10 * i); use(r[MEMBER], 1); delay(7) }",
    "{ use(r[MEMBER], 2); use(s, 1); delay(i) }",
    "if (i > 1) { delay(3); use(r[MEMBER], 4) } else use(r[MEMBER], 1)",
)
ROUNDS = (
    "par (i = 1, n) par (j = 1, i) use(r[j], i)",
    "par (i = 1, n) seq (j = i, m) { delay(1); use(r[i], 2) }",
    "par (i = 1, n) par (j = i, m) use(r[(i + j) % m], 1)",
    "par (i = 1, n) if (i == m) use(r[1], 5) else delay(i)",
    "par (i = 1, n) { if (i > n) use(r[1], 1); delay(5); use(r[1], 2) }",
    "{ if (n > 1) use(r[1], 1); delay(5); use(r[1], 2); delay(3) } || par (i = 1, n) use(r[1], 2)",
    "{ delay(10); par (i = 1, n) use(r[1], 1); delay(7) } || use(r[1], 3)",
    "par (i = 1, n) use(r[i], use(s, i)) || use(s, 4)",
    "seq (i = 1, n) par (j = 1, m) { use(r[j], 1); use(s, 1) }",
    "graph { u[i = 1, n]: use(r[i % 2], i) after u[i - 2]; v: use(r[1], 4) after u }",
    "graph { u[i = 1, n]: { delay(i); use(s, 2) }; v[i = 1, m]: use(s, 1) after u[i] }",
)
PROCESSES = tuple(
    f"{loop} {body.replace('MEMBER', member)}" for loop, body, member in product(LOOPS[:1], BODIES, MEMBERS)
)
OTHERS = tuple(f"{loop} {BODIES[0].replace('MEMBER', member)}" for loop, member in product(LOOPS[1:], MEMBERS[3:9]))


def model(process: str) -> str:
    return f"param n in [-1, 9]; param m = {SIZE}; resource s servers 2; L = {process} || {{ delay(2); use(r[1], 2) }};"


def run_times(text: str, n: int) -> tuple[set[Fraction], Fraction | None]:
    """The makespans of some schedules of each order of service, and the estimate; none where there is a fault."""
    unrolled = unroll(text, {"n": n}, POOL[0])
    if unrolled.faults:
        return set(), None
    runs = ((service, seed) for service in SERVICES for seed in range(1 + 7 * (service == "random")))
    times = {Fraction(Schedule(unrolled, service, "least", "drawn", Random(seed)).makespan()) for service, seed in runs}
    return times, Fraction(plain_estimate(unrolled, 0, "probability"))


@pytest.mark.parametrize("process", [*PROCESSES, *OTHERS, *ROUNDS])
def test_bounds_hold_at_the_borders_of_a_loop_and_stay_as_narrow(process: str, request: pytest.FixtureRequest) -> None:
    text = model(process)
    app = apet.compile_text(text)
    bounds: dict[str, list[float]] = {}
    for n in COUNTS:
        times, estimate = run_times(text, n)
        if estimate is None:
            with pytest.raises(apet.ApetError):
                apet.predict(app, machines_of(0), values={"n": n})
            continue
        prediction = apet.predict(app, machines_of(0), values={"n": n})
        assert prediction.guaranteed.lo <= min(times)
        assert max(times) <= prediction.guaranteed.hi
        assert float(prediction.estimate.lo) == pytest.approx(float(estimate))
        bounds[str(n)] = [float(prediction.guaranteed.lo), float(prediction.guaranteed.hi)]

    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    if request.config.getoption("--update-golden"):
        lines = (f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted({**table, process: bounds}.items()))
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return
    assert table[process].keys() == bounds.keys()
    for count, (lower, upper) in bounds.items():
        least, most = table[process][count]
        assert lower >= least * (1 - 1e-9), f"the lower bound at n = {count} is wider"
        assert upper <= most * (1 + 1e-9), f"the upper bound at n = {count} is wider"
