"""Laws of predictions: what is guaranteed encloses every run, ends are the right ones, values are bound as declared."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.reals import Real, real
from apet.formula.evaluate.rounding import down, up
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.prediction import Predictor
from apet.prediction.environment import MachineEnvironment

ROOT = Path(__file__).parents[2]
LAB = """
schema = 1
name = "three kinds"
[[machine]]
name = "slow"
count = 2
[machine.op_s]
w = [2.0, 3.0]
[[machine]]
name = "fast"
count = 2
load = [0.0, 0.5]
[machine.op_s]
w = [0.5, 0.6]
[[machine]]
name = "middle"
cores = 2
[machine.op_s]
w = 1.0
[network]
topology = "bus"
latency_s = [1e-3, 2e-3]
bandwidth_B_per_s = [1e6, 2e6]
"""


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


def machines_of(case: Case) -> Machines:
    return parse_machines(Source("case.toml", case.table.toml()))


@given(cases(Features(branches=True)), st.integers(0, 3))
def test_what_is_guaranteed_encloses_simulated_runs(case: Case, seed: int) -> None:
    app, machines = apet.compile_text(case.text), machines_of(case)
    found = apet.predict(app, machines)
    assert found.guaranteed.lo <= found.lower.lo <= found.lower.hi
    assert found.upper.lo <= found.upper.hi <= found.guaranteed.hi
    for end in ("tmin", "tmax"):
        run = apet.simulate(app, machines, end=end, seed=seed)
        assert found.guaranteed.lo <= run.makespan * (1 + 1e-12)
        assert run.makespan <= found.guaranteed.hi * (1 + 1e-12)


@given(cases(Features()))
def test_the_guaranteed_ends_are_the_exact_bounds_rounded_outward(case: Case) -> None:
    machines = machines_of(case)
    predictor = Predictor(apet.compile_text(case.text), machines)
    found, app = predictor.predict(), predictor.app
    values = {n: v for n, v in found.parameters.items() if not isinstance(v, Interval)}
    plan = Plan(app.graph, [app.lower.node, app.upper.node], exact=True)
    ends = [
        plan.run(MachineEnvironment(machines.configure(), end, values, "static", exact=True))
        for end in ("tmin", "tmax")
    ]
    lowest, highest = Fraction(ends[0][0]), Fraction(ends[1][1])
    assert Fraction(found.guaranteed.lo) <= lowest
    assert highest <= Fraction(found.guaranteed.hi)
    assert found.guaranteed.lo == pytest.approx(float(lowest), rel=1e-15)
    assert found.guaranteed.hi == pytest.approx(float(highest), rel=1e-15)


@given(st.fractions(), st.booleans())
def test_rounding_down_and_up_encloses_a_number_within_one_float(value: Fraction, large: bool) -> None:
    value = value * 10**200 if large else value / 10**200
    assert Fraction(down(value)) <= value <= Fraction(up(value))
    assert up(value) == pytest.approx(down(value), rel=1e-15, abs=1e-300)


@given(st.fractions(Fraction(1, 1000), 1000), st.sampled_from(["sqrt", "log", "log2"]))
def test_precise_functions_lie_in_the_intervals_of_mpmath(value: Fraction, function: str) -> None:
    mpmath.iv.dps = 40
    x = mpmath.iv.mpf(value.numerator) / value.denominator
    exact = {"sqrt": mpmath.iv.sqrt, "log": mpmath.iv.log, "log2": lambda y: mpmath.iv.log(y) / mpmath.iv.log(2)}
    box = exact[function](x)
    number = real(function, value)
    ends = number.interval() if isinstance(number, Real) else Interval(number, number)
    with mpmath.workdps(60):
        low, high = (mpmath.mpf(Fraction(end).numerator) / Fraction(end).denominator for end in ends)
        assert box.a <= high
        assert low <= box.b
        assert high - low < mpmath.mpf(10) ** -30


def test_operation_times_are_put_in_at_their_own_ends(lab: Machines) -> None:
    found = apet.predict(apet.compile_text("L = seq (i = 1, 10) w[1];"), lab, 1)
    assert found.estimate == Interval(10 * 0.5, 10 * 0.6 / 0.5)
    assert found.exact


def at_low_ends(machines: Machines) -> Machines:
    """The machines with the least number of every interval."""

    def least(figure: Interval | None) -> Interval | None:
        return None if figure is None else Interval(figure.lo, figure.lo)

    groups = [
        g.replace(load=least(g.load), op_s={n: least(i) for n, i in g.op_s.items()})
        for g in (*machines.groups, machines.coordinator)
    ]
    whole = machines.network
    links = tuple(
        each.replace(latency_s=least(each.latency_s), bandwidth_B_per_s=least(each.bandwidth_B_per_s))
        for each in whole.links
    )
    network = whole.replace(
        latency_s=least(whole.latency_s), bandwidth_B_per_s=least(whole.bandwidth_B_per_s), links=links
    )
    return machines.replace(groups=tuple(groups[:-1]), coordinator=groups[-1], network=network)


@given(cases(Features(branches=True)))
def test_one_end_is_enough_where_every_figure_is_one_number(case: Case) -> None:
    app, machines = apet.compile_text(case.text), at_low_ends(machines_of(case))
    found = apet.predict(app, machines)
    assert machines.is_certain
    machines.__dict__["is_certain"] = False
    assert found == apet.predict(app, machines)


def test_the_fastest_machines_are_kept_and_numbered_in_file_order(lab: Machines) -> None:
    app = apet.compile_text("param P; L = par (p = 1, P) w[p];")
    assert apet.predict(app, lab, 3).estimate.lo == 1.0
    assert apet.predict(app, lab, 5).estimate.lo == 2.0


def test_several_cores_divide_the_load_but_not_the_path(lab: Machines) -> None:
    app = apet.compile_text("L = par (i = 1, 6) w[5];")
    found = apet.predict(app, lab)
    assert found.estimate == Interval(3.0, 3.0)
    assert found.dominant == {"tmin": "T[cpu[5]]", "tmax": "T[cpu[5]]"}


def test_a_faster_network_is_the_lower_end(lab: Machines) -> None:
    found = apet.predict(apet.compile_text("L = send[1, 2](1 MB);"), lab)
    assert found.estimate == Interval(1e-3 + 1e6 / 2e6, 2e-3 + 1e6 / 1e6)


def test_an_interval_parameter_is_put_in_at_the_ends_that_count(lab: Machines) -> None:
    rising = apet.compile_text("param n = 5; L = seq (i = 1, n) w[5];")
    assert apet.predict(rising, lab, n=(2, 7)).estimate == Interval(2.0, 7.0)
    falling = apet.compile_text("param speed = 1; L = delay(12 / speed);")
    assert apet.predict(falling, lab, speed=(2, 4)).estimate == Interval(3.0, 6.0)


def test_a_probability_of_unknown_sign_does_not_widen_equal_branches(lab: Machines) -> None:
    app = apet.compile_text("param q in [0, 1]; L = if (q) w[1] else w[1];")
    found = apet.predict(app, lab, 2, q=(0.2, 0.8))
    assert tuple(found.estimate) == pytest.approx((0.5, 1.2), rel=1e-12)


def test_a_default_that_depends_on_an_interval_moves_with_it(lab: Machines) -> None:
    app = apet.compile_text("param n = 4; param half = n / 2; L = delay(n - half);")
    found = apet.predict(app, lab, n=(4, 8))
    assert found.estimate.lo == pytest.approx(2.0, rel=1e-6)
    assert found.estimate.hi == pytest.approx(4.0, rel=1e-6)


def test_a_range_with_a_pole_inside_is_refused(lab: Machines) -> None:
    app = apet.compile_text("param n; L = delay(10 / (n - 3) ^ 2);")
    with pytest.raises(apet.ApetError, match="division by zero"):
        apet.predict(app, lab, n=(1, 5))


def test_interior_values_stay_within_the_prediction_of_a_box(lab: Machines) -> None:
    text = "param n = 9; param q = 0.5 in [0, 1]; L = seq (i = 1, n) { if (q) w[5] else w[i % 4 + 1] };"
    app = apet.compile_text(text)
    box = apet.predict(app, lab, n=(3, 9), q=(0.1, 0.9))
    rng = random.Random(1)
    for _ in range(30):
        one = apet.predict(app, lab, n=rng.randint(3, 9), q=rng.uniform(0.1, 0.9))
        assert box.estimate.lo <= one.estimate.lo * (1 + 1e-9)
        assert one.estimate.hi <= box.estimate.hi * (1 + 1e-9)
        assert box.guaranteed.lo <= one.guaranteed.lo <= one.guaranteed.hi <= box.guaranteed.hi


def test_ten_to_the_fifteen_iterations_are_exact(lab: Machines) -> None:
    app = apet.compile_text("L = seq (i = 1, 10^15) delay(1);")
    assert app.T0.evaluate({}) == 10**15
    assert apet.predict(app, lab).guaranteed == Interval(1e15, 1e15)


def test_the_join_schedule_is_never_slower_than_the_static_one(lab: Machines) -> None:
    app = apet.compile_text("param P; param tasks = 40; L = par (p = 1, P) seq (k = 1, share[p]) w[p];")
    for processors in range(1, 6):
        static, join = (apet.predict(app, lab, processors, schedule=s) for s in ("static", "join"))
        assert sum(map(float, join.estimate)) <= sum(map(float, static.estimate)) * 1.1


def test_plain_prediction_imports_neither_sympy_nor_numpy() -> None:
    code = (
        "import sys, apet; app = apet.compile('samples/pamela/pi.pam');"
        "apet.predict(app, apet.load_machines('join-2005'), 32);"
        "assert not {'sympy', 'numpy', 'lark', 'mpmath', 'matplotlib'} & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
