"""One run of a task scales what the core does; bands come from training kernels."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.java_bands import Row, factors

from apet.cli.arguments import calibration_size
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.java.profile.one_run import (
    CLOSE,
    MOST_GROWN,
    NEARBY,
    OFF_CORE,
    PARTS,
    SMALLEST,
    Factors,
    SecondsWithout,
    band_of,
    calibrated,
    crossings,
    factors_of_run,
    near,
    nearest,
    plain,
    spread,
    without,
)
from apet.machine import Machines
from apet.machine.machines import MachineGroup
from apet.program.levels.memory import is_far
from apet.program.measure.bands import ErrorBand, band, read
from apet.program.measure.figures import predictor_memory

NARROW = ErrorBand(1.25, 1.25)
OPERATIONS = {"tp_sum_int": Interval(1e-9, 3e-9), "line_L3": Interval(4e-9, 6e-9), "mispredict": Interval(5e-9, 5e-9)}
MEASURED = {"tp_sum_int": [2e-9, 2e-9, 2e-9], "line_L3": [5e-9], "mispredict": [5e-9]}


def machines() -> Machines:
    group = MachineGroup("this", OPERATIONS)
    return Machines("this", "this.toml", (group,), group, provenance={"measured_s": MEASURED})


def test_plain_machines_have_the_figures_that_were_measured() -> None:
    assert plain(machines()).groups[0].op_s["tp_sum_int"] == Interval(2e-9, 2e-9)


@given(core=st.floats(0.1, 10), far=st.floats(0.1, 10))
def test_operations_and_the_memory_have_factors_of_their_own_in_one_band(core: float, far: float) -> None:
    operations = calibrated(plain(machines()), Factors(core, far), NARROW).groups[0].op_s
    for name, middle in (("tp_sum_int", 2e-9 * core), ("line_L3", 5e-9 * far), ("mispredict", 5e-9 * far)):
        assert float(operations[name].lo) == pytest.approx(middle / 1.25)
        assert float(operations[name].hi) == pytest.approx(middle * 1.25)


def test_an_operation_counts_with_the_middle_of_what_it_takes() -> None:
    found = calibrated(machines(), Factors(1.0, 1.0), ErrorBand(1.0, 1.0)).groups[0].op_s
    assert float(found["line_L3"].lo) == float(found["line_L3"].hi) == pytest.approx(5e-9)


def test_what_crosses_a_level_between_two_sizes_is_named_with_its_shares() -> None:
    memory, branches = PARTS

    def task(memory_s: float, branches_s: float) -> SecondsWithout:
        parts = {(): 0.0, PARTS[memory]: memory_s, PARTS[branches]: branches_s}
        return lambda names: 1 - parts[names]

    assert crossings(task(0.1, 0.3), task(0.2, 0.2)) == []
    assert crossings(task(0.02, 0.3), task(0.6, 0.2)) == [f"{memory}: 2% of the time there, 60% here"]


def test_operations_that_are_left_out_cost_nothing() -> None:
    operations = without(machines(), PARTS["mispredicted branches"]).groups[0].op_s
    assert operations["mispredict"] == Interval(0.0, 0.0)
    assert operations["line_L3"] == OPERATIONS["line_L3"]


def test_the_run_nearby_is_at_a_quarter_of_the_size() -> None:
    assert (near(1000), near(3)) == (250, 1)


def test_where_the_work_grows_too_fast_the_run_is_nearer() -> None:
    assert nearest(1000, lambda n: n**1.1, lambda _: []) == near(1000)
    run = nearest(20, lambda n: 2.0**n, lambda _: [])
    assert near(20) < run < 20
    assert 2 ** (20 - run) <= MOST_GROWN
    assert nearest(1, lambda n: 2.0**n, lambda _: []) == 1


def test_where_a_level_is_crossed_the_run_is_nearer_but_not_next_to_the_size() -> None:
    assert nearest(1000, lambda n: n, lambda k: ["memory"] if k < 500 else []) == 625
    run = nearest(1000, lambda n: n, lambda _: ["memory"])
    assert CLOSE * 1000 <= run < 1000


def test_a_band_is_wider_by_what_virtual_machines_differ() -> None:
    assert spread(NARROW, [2.0, 2.0, 2.0]) == NARROW
    low, high = spread(NARROW, [1.0, 2.0, 6.0])
    assert (low, high) == pytest.approx((2.5, 3.75))


def parts(core_s: float, rest_s: float) -> SecondsWithout:
    return lambda names: core_s if names == OFF_CORE else core_s + rest_s


@given(core=st.floats(0.1, 10), far=st.floats(0, 10), seconds=st.floats(0.1, 100))
def test_a_run_is_predicted_at_its_own_size(core: float, far: float, seconds: float) -> None:
    times = factors_of_run(seconds, parts(core, far))
    assert times.core * core + times.far * far == pytest.approx(seconds)
    if seconds > 1.2 * far:
        assert times.far == pytest.approx(1.0), "what the memory takes, the machine was measured for"


def test_a_program_that_calls_a_library_has_a_wider_band_nearby() -> None:
    assert band_of(["tp_sum_int", "call_recursive", "new"], 250, 1000) == read("near")
    calls = [band_of([name], 250, 1000) for name in ("call_Map_get", "call_new_ArrayList")]
    assert calls == [read("near_calls"), read("near_calls")]
    assert read("near_calls").high > read("near").high
    assert band_of(["tp_sum_int"], 249, 1000) == read("calibrated")


def test_memory_and_mispredictions_are_far() -> None:
    assert all(is_far(n) for n in ("line_L2", "strided_L3", "gather_memory", "scatter_L2", "wait_L3", "mispredict"))
    assert not any(is_far(n) for n in ("tp_sum_int", "lat_load_int", "new"))


def test_bands_never_narrow_what_was_measured() -> None:
    for name in ("compiled", "interpreted", "calibrated", "near", "near_calls", "tasks"):
        assert min(read(name)) >= 1
    assert band("C2", "flat") == (1, 1)


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0.1, 1), st.floats(1, 10)), min_size=30, max_size=60))
def test_factors_of_a_level_enclose_that_share_at_either_end(found: list[tuple[float, float, float]]) -> None:
    rows = [Row("", seconds, seconds * low, seconds * high) for seconds, low, high in found]
    low, high = factors(rows, 0.9)
    assert sum(r.low / low <= r.seconds * (1 + 1e-9) for r in rows) >= 0.9 * len(rows)
    assert sum(r.high * high >= r.seconds * (1 - 1e-9) for r in rows) >= 0.9 * len(rows)


@pytest.mark.parametrize(("part", "learnt"), [(0.0, 32768), (0.5, 4096), (1.0, 512)])
def test_what_a_predictor_remembers_follows_from_what_it_loses(part: float, learnt: int) -> None:
    raw = {"branch_predicted": 1.0, "branch_unpredicted": 3.0, "branch_half_learnt": 1.0 + 2 * part}
    assert predictor_memory(raw) == learnt


def test_the_size_of_the_one_run() -> None:
    assert calibration_size(None) is None
    assert calibration_size("smallest") == SMALLEST
    assert calibration_size("near") == NEARBY
    assert calibration_size("200") == 200
    with pytest.raises(ApetError, match="--calibrate-at"):
        calibration_size("some")


TWO = """\
public class Two {
  double[] a; int rounds;
  void setup(int n, int m) { a = new double[n]; rounds = m; }
  double run() { double s = 0; for (int r = 0; r < rounds; r++) for (double x : a) s += x * r; return s; }
}
"""


@pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
def test_a_task_of_two_sizes_is_calibrated_at_one_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Two.java"
    path.write_text(TWO)
    settings = ["--set", "m=3", "--set", "n=2000", "--calibrate-at", "n=500"]
    assert main(["predict", str(path), "--machines", "zen5-openjdk17", "--profile", *settings]) == 0
    assert "rounds = 3" in capsys.readouterr().out, "setup takes n first, whatever comes first here"


@pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
def test_a_size_that_is_no_parameter_of_the_model_calibrates(tmp_path: Path) -> None:
    path = tmp_path / "Two.java"
    path.write_text(TWO.replace("int m) {", "int m) { n = 3 * n;"))
    settings = ["--set", "n=2000", "--set", "m=3", "--calibrate", "n", "--budget", "60s"]
    assert main(["predict", str(path), "--machines", "zen5-openjdk17", "-P", "1", "--profile", *settings]) == 0
