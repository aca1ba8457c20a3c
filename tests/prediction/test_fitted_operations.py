"""Operations of machines that are fitted to runs over several sizes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apet
from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.machine.fitted import FittedGrid, FittedTime, OutsideFit

RUNS = Path(__file__).resolve().parents[1] / "data" / "several"
MODEL = """param P;
param n = 500000;
param m = 400000;
L = par (p = 1, P) { join[p](n / P, m / P); };
"""
MACHINE = """schema = 1
name = "nodes"
[[machine]]
name = "node"
count = 4
[machine.op_s]
join = {{ fit = "{file}", {more} }}
"""

values = st.floats(0.1, 10)


@given(st.lists(values, min_size=12, max_size=12), st.floats(1, 8), st.floats(1, 9))
def test_rising_grids_enclose_the_table_and_fall_nowhere(seconds: list[float], x: float, y: float) -> None:
    grid = FittedGrid(((1.0, 2.0, 8.0), (1.0, 3.0, 4.0, 9.0)), tuple(seconds))
    low, high = grid.rising(upward=False), grid.rising(upward=True)
    assert low.at(x, y) <= grid.at(x, y) * (1 + 1e-12)
    assert high.at(x, y) >= grid.at(x, y) * (1 - 1e-12)
    for table in (low, high):
        assert table.at(x, y) <= table.at(8.0, y) * (1 + 1e-12)
        assert table.at(x, y) <= table.at(x, 9.0) * (1 + 1e-12)


@given(st.floats(0, 3), st.floats(-1, 2), st.floats(0.5, 300), st.floats(0.5, 300))
def test_a_grid_meets_products_of_powers(a: float, b: float, x: float, y: float) -> None:
    axes = ((1.0, 4.0, 32.0), (2.0, 5.0))
    grid = FittedGrid(axes, tuple(n**a * m**b for n, m in product(*axes)))
    assert grid.at(x, y) == pytest.approx(x**a * y**b, rel=1e-9)


def files(tmp_path: Path, more: str, name: str = "hash_join.csv") -> tuple[Path, Path]:
    (tmp_path / "a.pam").write_text(MODEL)
    (tmp_path / "m.toml").write_text(MACHINE.format(file=RUNS / name, more=more))
    return tmp_path / "a.pam", tmp_path / "m.toml"


def test_an_operation_of_two_sizes_takes_the_ends_of_the_interval(tmp_path: Path) -> None:
    model, machine = files(tmp_path, 'parameters = ["build", "probe"]')
    app, lab = apet.compile(model), apet.load_machines(machine)
    runs = api.read_experiment(RUNS / "hash_join.csv", parameters=("build", "probe")).experiment
    (expected,) = api.fit_surface(runs, [(250_000, 200_000)]).predictions
    estimate = apet.predict(app, lab, P=2).estimate
    assert float(estimate.lo) == pytest.approx(float(expected.interval.lo), rel=0.02)
    assert float(estimate.hi) == pytest.approx(float(expected.interval.hi), rel=0.02)

    low, high = (apet.predict(app, lab, P=2, n=n).guaranteed for n in (500_000, 900_000))
    assert apet.predict(app, lab, P=2, n=(500_000, 900_000)).guaranteed == Interval(low.lo, high.hi)


def test_the_order_of_the_parameters_is_that_of_the_arguments(tmp_path: Path) -> None:
    model, machine = files(tmp_path, 'parameters = ["capacity", "items"]', "knapsack.csv")
    app, lab = apet.compile(model), apet.load_machines(machine)
    times = [apet.predict(app, lab, P=1, n=n, m=m).estimate.hi for n, m in ((64_000, 100), (64_000, 800))]
    assert 4 < times[1] / times[0] < 16
    with pytest.raises(ApetError, match=r"from 25 to .* is outside"):
        apet.predict(app, lab, P=1, n=2_000, m=10)


def test_the_time_of_a_call_asks_for_as_many_arguments_as_there_are_parameters() -> None:
    grid = FittedGrid(((1.0, 2.0), (1.0, 2.0)), (1.0, 2.0, 2.0, 4.0))
    time = FittedTime("a.csv", grid, grid, (1.0, 1.0), (2.0, 2.0))
    assert time.seconds("f", (2, 2), "tmin") == pytest.approx(4)
    for arguments, count in (((), "no argument"), ((1,), "1 argument"), ((1, 1, 1), "3 arguments")):
        with pytest.raises(OutsideFit, match=f"takes 2 arguments, and is called with {count}"):
            time.seconds("f", arguments, "tmax")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('parameters = ["n", "P"]', "P cannot be an argument of a fitted operation: the time falls with it"),
        ('parameters = ["n", "Q"]', "no parameter is named Q"),
        ('parameters = "n"', 'a list of names, ["n", "m"]'),
        ('parameters = ["n", "P"], where = { P = 4 }', "P cannot be an argument of a fitted operation: it is the same"),
        ("where = { P = 3 }", "no run has P = 3"),
        ('method = "auto"', "2 parameters vary: n, P"),
    ],
)
def test_what_cannot_be_an_argument_is_refused(
    tmp_path: Path, more: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, machine = files(tmp_path, more, "wavefront.csv")
    assert main(["predict", str(model), "-m", str(machine), "-P", "2"]) == 2
    assert message in capsys.readouterr().err


def test_other_parameters_are_fixed_by_conditions(tmp_path: Path) -> None:
    machine = files(tmp_path, "where = { P = 4 }", "wavefront.csv")[1]
    (tmp_path / "a.pam").write_text("param P;\nparam n = 20000;\nL = par (p = 1, P) { join[p](n); };\n")
    estimate = apet.predict(apet.compile(tmp_path / "a.pam"), apet.load_machines(machine), P=1).estimate
    curve = api.read_runs(RUNS / "wavefront.csv", where={"P": "4"}).curve
    expected = api.extrapolate(curve, [20_000]).predictions[0].interval
    assert float(estimate.lo) == pytest.approx(float(expected.lo), rel=0.01)
