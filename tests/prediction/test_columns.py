"""Laws of batches: each row is what a single prediction says, however the batch is cut, and mistakes are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.machine import Machines, load_machines, parse_machines
from apet.prediction import Predictor
from apet.prediction import columns as batch
from apet.prediction.columns import BatchPredictor, BatchRows

ROOT = Path(__file__).parents[2]
Columns = Mapping[str, Sequence[Number]]


def predictor_of(case: Case) -> Predictor:
    machines = parse_machines(Source("case.toml", case.table.toml()))
    return Predictor(apet.compile_text(case.text), machines)


def sample(name: str, machines: str = "join-2005") -> Predictor:
    app = apet.compile_text((ROOT / "samples/pamela" / f"{name}.pam").read_text(encoding="utf-8"))
    return Predictor(app, load_machines(ROOT / "machines" / f"{machines}.toml"))


def given_row(columns: Columns, row: int) -> dict[str, Any]:
    return {name: batch.plain(column[row]) for name, column in columns.items()}


def assert_row_is(found: BatchRows, row: int, one: apet.Prediction, predictor: Predictor) -> None:
    """Values agree to 2^-45, what is guaranteed encloses and is as close, the dominant term is among the greatest."""
    expected = [*one.estimate, *one.lower, *one.upper, *one.guaranteed]
    got = [float(column[row]) for column in found[:8]]
    assert got == pytest.approx(expected, rel=2.0**-45, abs=0)
    assert got[6] <= expected[6]
    assert got[7] >= expected[7]
    seconds = max(limit.seconds for limit in one.limits)
    name = found.names[found.dominant[row]]
    labels = {limit.name.split("[")[1] if "[" in limit.name else "T0" for limit in one.limits
              if limit.seconds >= seconds * (1 - 1e-12)}  # fmt: skip
    assert (name.split("[")[1] if "[" in name else name) in {*labels, *(label.rstrip("]") for label in labels)}


def assert_same_rows(one: BatchRows, other: BatchRows) -> None:
    for a, b in zip(one[:9], other[:9], strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def no_single(*_: object, **__: object) -> None:
    raise AssertionError("a configuration went through Predictor.predict")


values = st.lists(st.integers(0, 5), min_size=1, max_size=4)


@settings(max_examples=60)
@given(cases(Features(branches=True)), values, st.sampled_from(["n", "tasks", "both", "q"]))
def test_each_row_is_a_single_prediction(case: Case, numbers: list[int], names: str) -> None:
    predictor = predictor_of(case)
    choices: dict[str, dict[str, Sequence[Number]]] = {
        "n": {"n": numbers},
        "tasks": {"tasks": numbers},
        "both": {"n": numbers, "tasks": numbers[::-1]},
        "q": {"n": numbers, "q": [Fraction(k, 7) for k in numbers]},
    }
    columns = choices[names]
    expected, mistake = [], None
    for row in range(len(numbers)):
        try:
            expected.append(predictor.predict(None, given_row(columns, row)))
        except ApetError as error:
            mistake = error
            break
    if mistake is not None:
        with pytest.raises(ApetError) as caught:
            BatchPredictor(predictor).run(None, columns, {})
        assert str(caught.value) == str(mistake)
        return
    found = BatchPredictor(predictor).run(None, columns, {})
    for row, one in enumerate(expected):
        assert_row_is(found, row, one, predictor)


@given(cases(Features(branches=True)), st.lists(st.integers(0, 6), min_size=2, max_size=9), st.data())
@settings(max_examples=30)
def test_rows_do_not_depend_on_how_a_batch_is_cut(case: Case, numbers: list[int], data: st.DataObject) -> None:
    predictor = predictor_of(case)
    columns: Columns = {"n": numbers, "tasks": numbers[::-1]}
    place = data.draw(st.integers(1, len(numbers) - 1))
    try:
        whole = BatchPredictor(predictor).run(None, columns, {})
    except ApetError:
        return
    parts = [
        BatchPredictor(predictor).run(None, {n: c[a:b] for n, c in columns.items()}, {})
        for a, b in ((0, place), (place, len(numbers)))
    ]
    joined = [np.concatenate([np.asarray(p[k]) for p in parts]) for k in range(9)]
    assert_same_rows(whole, BatchRows._make([*joined, whole.names]))


LINKED = """
schema = 1
name = "linked"
[[machine]]
name = "a"
count = 2
[machine.op_s]
compare = [0.25, 0.5]
[[machine]]
name = "b"
count = 2
[machine.op_s]
compare = [0.25, 0.5]
[network]
latency_s = 0.5
bandwidth_B_per_s = 2
[[network.link]]
from = "a"
to = "b"
bandwidth_B_per_s = 0.3
"""
LOOPS = [
    """L = { compare[1]; compare[1]; compare[1] }
        || par (i = 1, n) { compare[i] || use(port[i], 0.25) } || use(port[0], 0);""",
    "L = seq (i = 1, n) seq (j = 1, i) if (j % 2) delay(i / 3 * j);",
    "L = seq (i = 1, n) par (j = 1, i) use(port[j % 2], 1 / 3);",
    "L = seq (i = 1, n) send[1, i](3);",
]


@pytest.mark.parametrize("body", LOOPS)
def test_a_row_is_the_same_beside_rows_with_longer_loops(body: str) -> None:
    app = apet.compile_text(f"param n; resource port[k] servers 1; {body}")
    predictor = Predictor(app, parse_machines(Source("linked.toml", LINKED)))
    beside = BatchPredictor(predictor).run(4, {"n": [0, 1, 4]}, {})
    alone = [BatchPredictor(predictor).run(4, {"n": [n]}, {}) for n in (0, 1, 4)]
    joined = [np.concatenate([np.asarray(rows[k]) for rows in alone]) for k in range(9)]
    assert_same_rows(beside, BatchRows._make([*joined, beside.names]))


@pytest.mark.parametrize("name", ["pi", "primes-q", "blocks", "network", "round-robin"])
def test_samples_need_no_single_predictions(name: str) -> None:
    predictor = sample(name)
    parameter = {"pi": "n", "primes-q": "top", "blocks": "N", "network": "block", "round-robin": "N"}[name]
    numbers = [1, 2, 3, 99, 100, 101, 12_345, 10**9, 10**15] if name != "round-robin" else [1, 5, 8, 100, 12_345]
    with patch.object(predictor, "predict", no_single):
        found = BatchPredictor(predictor).run(8, {parameter: numbers}, {})
    for row, number in enumerate(numbers):
        assert_row_is(found, row, predictor.predict(8, {parameter: number}), predictor)


def test_chunks_and_threads_give_the_same_bits() -> None:
    predictor = sample("pi")
    columns = {"n": np.arange(10**6, 10**6 + 1000), "q": np.linspace(0, 1, 1000)}
    one = BatchPredictor(predictor, threads=1).run(16, columns, {})
    with patch.object(batch, "MOST_CHUNK", 37):
        assert_same_rows(one, BatchPredictor(predictor, threads=2).run(16, columns, {}))
    shuffled = np.random.default_rng(1).permutation(1000)
    other = BatchPredictor(predictor).run(16, {n: c[shuffled] for n, c in columns.items()}, {})
    for a, b in zip(one[:9], other[:9], strict=True):
        assert np.asarray(a)[shuffled].tobytes() == np.asarray(b).tobytes()


TEXT = """
param P; param n = 10; param m = floor(n / 4) in [0, 2 * n]; param k = floor(n / 3) + 1; param q = 0.5 in [0, 1];
L = par (p = 1, P) { seq (i = 1, m) w[p]; use(p, delay(k % 3 * 0.1)); if (q) w[1 + (k - 1) % P]; if (n < 7) delay(m); };
"""
LAB = """
schema = 1
name = "lab"
[[machine]]
name = "slow"
count = 3
[machine.op_s]
w = [0.1, 0.3]
[[machine]]
name = "fast"
count = 2
load = [0.0, 0.25]
[machine.op_s]
w = [0.05, 0.06]
"""


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.lists(st.floats(0, 1), min_size=6, max_size=6))
@settings(max_examples=25)
def test_derived_parameters_follow_the_varied_ones(lab: Machines, numbers: list[int], shares: list[float]) -> None:
    predictor = Predictor(apet.compile_text(TEXT), lab)
    columns: Columns = {"n": numbers, "q": shares[: len(numbers)]}
    found = BatchPredictor(predictor).run(4, columns, {})
    for row in range(len(numbers)):
        assert_row_is(found, row, predictor.predict(4, given_row(columns, row)), predictor)


MISTAKES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("a probability above 1", {"q": [0.5, 1.5]}, {}),
    ("a parameter outside its range", {"m": [1.0, 1000.0]}, {}),
    ("a negative one", {"n": [8, -4]}, {}),
    ("one that is not finite", {"n": [8.0, float("nan")]}, {}),
    ("one that is too large", {"n": [8.0, 1e301]}, {}),
    ("an unknown name", {"x": [1, 2]}, {}),
    ("the processors", {"P": [1, 2]}, {}),
    ("a mistake in what is fixed", {"n": [8, 9]}, {"q": 2}),
]


@pytest.mark.parametrize(("what", "columns", "fixed"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_mistakes_are_those_of_single_predictions(
    lab: Machines, what: str, columns: dict[str, Any], fixed: dict[str, Any]
) -> None:
    predictor = Predictor(apet.compile_text(TEXT), lab)
    texts = []
    for row in range(2):
        try:
            predictor.predict(4, {**fixed, **given_row(columns, row)})
        except ApetError as error:
            texts.append(str(error))
    with pytest.raises(ApetError) as caught:
        BatchPredictor(predictor).run(4, columns, fixed)
    assert str(caught.value) == texts[0]


def test_intervals_in_what_is_fixed_are_allowed(lab: Machines) -> None:
    predictor = Predictor(apet.compile_text(TEXT), lab)
    fixed = {"q": Interval(0.25, 0.5)}
    found = BatchPredictor(predictor).run(4, {"n": [8, 12]}, fixed)
    for row, n in enumerate((8, 12)):
        assert_row_is(found, row, predictor.predict(4, {"n": n, **fixed}), predictor)


def test_an_empty_batch_has_no_rows(lab: Machines) -> None:
    found = BatchPredictor(Predictor(apet.compile_text(TEXT), lab)).run(4, {"n": []}, {})
    assert all(len(np.asarray(column)) == 0 for column in found[:9])


def test_a_member_that_a_loop_rebinds_is_met_as_often_as_it_is() -> None:
    text = """
param P; param n = 4; param tasks = 7; param q = 0.5;
L = par (i = 1, 2) seq (k = 1, share[i]) { delay(k); w[1 + floor((k - 1) / 3)]; w[i]; };
"""
    predictor = Predictor(apet.compile_text(text), parse_machines(Source("lab.toml", LAB)))
    found = BatchPredictor(predictor).run(3, {"tasks": [7, 8, 9]}, {})
    for row, tasks in enumerate((7, 8, 9)):
        assert_row_is(found, row, predictor.predict(3, {"tasks": tasks}), predictor)


def test_a_million_machines_cost_what_their_groups_do() -> None:
    machines = parse_machines(Source("many.toml", LAB.replace("count = 3", "count = 1000000")))
    text = "param P; param n = 10; L = par (p = 1, P) seq (i = 1, n) { w[p]; delay(p / P); };"
    predictor = Predictor(apet.compile_text(text), machines)
    with patch.object(predictor, "predict", no_single):
        found = BatchPredictor(predictor).run(None, {"n": [10, 20]}, {})
    slowest = Fraction(0.3) + Fraction(10**6, 10**6 + 2)
    assert found.estimate_tmax == pytest.approx([float(10 * slowest), float(20 * slowest)], rel=1e-15)
    assert found.guaranteed_tmax[0] >= 10 * slowest


def test_a_load_of_nothing_holds_no_member() -> None:
    text = """
param P; param n = 3;
L = seq (i = 1, 5) { delay(i) || par (k = 1, n - i) { delay(2 + n / 4); w[P]; use(1, 1) } };
"""
    predictor = Predictor(apet.compile_text(text), parse_machines(Source("lab.toml", LAB)))
    found = BatchPredictor(predictor).run(3, {"n": [1, 2, 3, 4]}, {})
    for row, n in enumerate((1, 2, 3, 4)):
        assert_row_is(found, row, predictor.predict(3, {"n": n}), predictor)
