"""The simulator's events per second."""

from __future__ import annotations

from tests.benchmarks.measure import Row, Spread, Table, seconds

import apet

QUEUE = """
param n = 100;
resource disk;
L = par (p = 1, P) { send[0, p](8); seq (i = 1, n) { sum_double[p]; use(disk, access[p]); }; send[p, 0](8); };
param P;
"""


def events(quick: bool) -> Table:
    """Processors that share a disk and a bus, against the formula for the same model."""
    table = Table("simulate", "Simulating a model event by event: 32 processors queue for one disk")
    machines = apet.load_machines("join-2005")
    app = apet.compile_text(QUEUE)
    n, repeats = (20, 2) if quick else (2_000, 5)
    run = apet.simulate(app, machines, 32, values={"n": n})
    predictor = apet.predictor(app, machines)
    prediction = predictor.predict(32, {"n": n})
    simulated = Spread.of([seconds(lambda: apet.simulate(app, machines, 32, values={"n": n})) for _ in range(repeats)])
    predicted = Spread.of([seconds(lambda: predictor.predict(32, {"n": n})) for _ in range(repeats)])
    table.rows.append(Row("apet predict", predicted))
    rate = (run.events / simulated.middle, "events")
    table.rows.append(
        Row("apet simulate", simulated, None, None, rate, "apet predict", simulated.middle / predicted.middle)
    )
    low, high = prediction.lower.lo, prediction.upper.lo
    if not low * (1 - 1e-9) <= run.makespan <= high * (1 + 1e-9):
        raise ValueError(f"the simulated {run.makespan} s lie outside the bounds {low} … {high} s")
    table.notes.append(
        f"{run.events:,} events; {run.makespan:.4g} s simulated lie in the bounds {low:.4g} … {high:.4g} s."
    )
    return table
