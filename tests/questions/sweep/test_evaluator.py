"""Laws of rows: each is what `predict` says, whatever the chunk; what has no prediction is named or left empty."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.questions.sweep.design import FARM, POOL, task
from tests.work import crossed

import apet
from apet.ground.diagnostics import ApetError
from apet.machine import Machines
from apet.questions.sweep.evaluator import Evaluator
from apet.questions.sweep.space import MACHINES
from apet.questions.sweep.summary import TIMES
from apet.questions.sweep.task import SweepTask
from apet.questions.sweep.variation import vary

CLOSE = 2.0**-45
SPACES: tuple[Sequence[str], ...] = (
    ("P=1:4", "n=1e3:1e6:10x", "q=0:1:0.5"),
    ("q=0,1/3,1", "tasks=7,100", "P=1,3"),
    ("P,n=1:10,4:1e6,1:20",),
    ("scale.t_step=0.5,2", "n=1:3", "machine.network.latency_s=1us:1ms:10x", "P=2,4"),
    ("machine.cores=1:3", "tasks=5:20:5", "P=4"),
    ("n=1,2",),
    (),
)


def _machines(t: SweepTask, values: dict[str, object]) -> Machines:
    chosen = t.machines[t.labels.index(str(values[MACHINES]))] if MACHINES in values else t.machines[0]
    assert chosen is not None
    return vary(chosen, [(n, v) for n, v in values.items() if n in t.space.quantities])  # type: ignore[misc]


@pytest.mark.parametrize(("space", "several"), crossed(SPACES, [False, True]))
def test_a_row_is_what_predict_says(space: Sequence[str], several: bool, tmp_path: Path) -> None:
    other = tmp_path / "fast.toml"
    other.write_text(Path(POOL).read_text(encoding="utf-8").replace("1e-8", "1e-9"), encoding="utf-8")
    t = task(*space, machines=(POOL, str(other)) if several else (POOL,))
    evaluator, app = Evaluator(t), apet.compile(FARM)
    rows = evaluator.rows(0, t.space.size)
    for place in range(t.space.size):
        values = t.named(place)
        numbers = {n: v for n, v in values.items() if not isinstance(v, str)}
        parameters = {n: v for n, v in numbers.items() if n in app.model.parameters and n != "P"}
        # No expectation is asked for: `apet.predict` would simulate hundreds of runs for each row.
        one = apet.predictor(app, _machines(t, dict(values))).predict(int(values["P"]), parameters)
        wanted = [*one.estimate, *one.lower, *one.upper, *one.guaranteed]
        found = [float(rows.times[name][place]) for name in TIMES]
        assert found == pytest.approx([float(w) for w in wanted], rel=CLOSE)
        assert rows.times["guaranteed_tmin"][place] <= one.guaranteed.lo
        assert rows.times["guaranteed_tmax"][place] >= one.guaranteed.hi


def test_rows_are_the_same_bits_however_they_are_cut() -> None:
    t = task("P=2:4", "n=1:50", "q=0:1:0.1")
    whole = Evaluator(t).rows(0, t.space.size)
    for size in (1, 7, 550):
        for first in range(0, t.space.size, max(size, 333)):
            last = min(first + size, t.space.size)
            part = Evaluator(t).rows(first, last)
            for name in TIMES:
                assert np.array_equal(part.times[name], whole.times[name][first:last])
            named = [part.dominants[k] for k in part.dominant]
            assert named == [whole.dominants[k] for k in whole.dominant[first:last]]


def test_the_first_point_without_a_prediction_is_named() -> None:
    t = task("P=1:4", "q=0.5:2:0.5")
    with pytest.raises(ApetError) as caught:
        Evaluator(t).rows(*t.space.bounds(0))
    said = str(caught.value)
    assert "point 3 of 16 (P = 1, q = 1.5)" in said
    assert "outside its declared range [0, 1]" in said
    assert "--skip-undefined" in said


def test_points_without_a_prediction_can_be_left_empty() -> None:
    t = task("P=1:6", "q=0.5:2:0.5", skip_undefined=True)
    rows = Evaluator(t).rows(*t.space.bounds(0))
    cells = t.space.cells(0, t.space.size)
    assert rows.undefined.tolist() == [p > 4 or q > 1 for p, q in zip(cells["P"], cells["q"], strict=True)]
    defined = task("P=1:4", "q=0.5,1")
    clean = Evaluator(defined).rows(*defined.space.bounds(0))
    assert rows.times["upper_tmax"][~rows.undefined].tolist() == clean.times["upper_tmax"].tolist()


def test_a_mistake_of_the_call_is_never_skipped() -> None:
    app = apet.compile_text("param n; param m; L = delay(n + m);", "two.pam")
    lab = apet.load_machines("two-nodes")
    with pytest.raises(ApetError, match="parameter 'm' has no value"):
        apet.sweep(app, lab, {"n": [1, 2]}, skip_undefined=True)


def test_cost_per_hour_is_that_of_the_processors_in_use() -> None:
    app, lab = apet.compile(FARM), apet.load_machines(POOL)

    groups = tuple(g.replace(cost_per_hour=c) for g, c in zip(lab.groups, (0.5, 0.125), strict=True))
    found = apet.sweep(app, lab.replace(groups=groups), {"P": range(1, 5)}, against="cost_per_hour")
    assert [p.cost for p in found.rows] == [0.5, 1.0, 1.125, 1.25]


def test_values_of_a_row_repeat_it() -> None:
    t = task("q=0:1:0.1")
    assert [t.space.point(k)["q"] for k in range(11)] == [Fraction(k, 10) for k in range(11)]
