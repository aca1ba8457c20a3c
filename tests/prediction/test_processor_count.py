"""A parameter that `P` is declared by follows the number of processors in use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.test_members import machines

import apet
from apet.ground.diagnostics import ApetError
from apet.simulator.run import simulate_on

GRID = "param R = 3; param P = {}; L = par (x = 1, R) delay(x);"


@given(
    processors=st.integers(1, 4), made_of=st.sampled_from(["R * R", "2 * R", "R + 1", "R", "2 ^ R", "R / 2", "4 / R"])
)
def test_the_parameter_is_the_one_that_gives_the_processors(processors: int, made_of: str) -> None:
    app = apet.compile_text(GRID.format(made_of))
    of = {"R * R": lambda r: r * r, "2 * R": lambda r: 2 * r, "R + 1": lambda r: r + 1, "R": lambda r: r}
    of |= {"2 ^ R": lambda r: 2**r, "R / 2": lambda r: r / 2, "4 / R": lambda r: 4 / r if r else 0}
    fitting = [r for r in range(20) if of[made_of](r) == processors]
    if fitting:
        prediction = apet.predict(app, machines(), processors)
        assert prediction.parameters["R"] == (3 if 3 in fitting else fitting[0])
        run = simulate_on(app, machines(), processors, "tmin", "static", 0, {})
        assert run.makespan == prediction.estimate.lo
    else:
        with pytest.raises(ApetError, match="for no whole R"):
            apet.predict(app, machines(), processors)


def test_a_parameter_that_is_set_makes_as_many_processors_as_are_in_use() -> None:
    app = apet.compile_text(GRID.format("R * R"))
    assert apet.predict(app, machines(), 4, R=2).estimate.hi == 2
    assert apet.predict(app, machines(), R=1).parameters == {"P": 1, "R": 1}
    with pytest.raises(ApetError, match="P = R \\* R is 1, and there are 3 processors in use"):
        apet.predict(app, machines(), 3, R=1)


PRODUCT = "param R = 2; param C = 2; param P = R * C; param n = 100; L = par (p = 1, P) use(p, n / (R * C) * 1 s);"


def test_defaults_of_several_parameters_make_the_number_in_use_or_are_refused() -> None:
    app, cluster = apet.compile_text(PRODUCT), apet.load_machines("cores=64")
    assert apet.predict(app, cluster).parameters["P"] == 4
    assert apet.predict(app).estimate.hi == 25
    assert apet.predict(app, cluster, 16, R=8).parameters == {"P": 16, "R": 8, "C": 2, "n": 100}
    assert apet.simulate(app, cluster).makespan == 25
    assert dict(apet.explain(app, cluster).parameters)["P"] == 4
    asks = (
        lambda: apet.predict(app, cluster, 16),
        lambda: apet.predict(app, cluster, 2),
        lambda: apet.predict(app, cluster, 16, R=3, C=3),
        lambda: apet.predict(app, cluster, 16, R=(2, 4)),
        lambda: apet.simulate(app, cluster, 16),
        lambda: apet.explain(app, cluster, 16),
        lambda: apet.regions(app, cluster, {"P": None}),
        lambda: apet.sweep(app, cluster, {"P": [4, 16]}),
        lambda: apet.solve(app, cluster, 10, "R", P=16, within=(1, 4)),
    )
    for ask in asks:
        with pytest.raises(ApetError, match=r"P = R|P is made of"):
            ask()


def test_a_sweep_over_what_processors_are_made_of_has_a_number_for_each_row() -> None:
    app, cluster = apet.compile_text(PRODUCT), apet.load_machines("cores=64")
    rows = apet.sweep(app, cluster, {"R": [1, 2, 4], "C": [2, 4]}).rows
    assert [row.times["estimate_tmax"] for row in rows] == [50, 25, 25, 12.5, 12.5, 6.25]


def test_only_the_numbers_that_a_model_can_have_are_tried() -> None:
    app = apet.compile_text("param R; param P = R * R; L = par (p = 1, P) use(p, 100 / P);")
    solution = apet.solve(app, apet.load_machines("cores=20"), 12)
    assert [(part.lo, part.hi) for part in solution.enough] == [(9, 9), (16, 16)]
    assert [(part.lo, part.hi) for part in solution.not_enough] == [(1, 1), (4, 4)]
    assert 3 in solution.without
    listed = apet.solve(app, apet.load_machines("cores=20"), 12, among=[16, 4])
    assert [(part.lo, part.hi) for part in listed.enough] == [(16, 16)]


def test_a_message_offers_numbers_of_processors_that_fit() -> None:
    with pytest.raises(ApetError) as caught:
        apet.predict(apet.compile_text(GRID.format("R * R")), machines(), 3)
    assert "-P 1, 4, 9" in caught.value.diagnostics[0].advice


def test_a_plain_value_of_P_is_an_example() -> None:
    app = apet.compile_text("param P = 16; L = par (x = 1, P) delay(x);")
    assert apet.predict(app, machines(), 3).estimate.hi == 3


@pytest.mark.parametrize(
    ("declared", "settings", "name", "value"),
    [
        ("param R; param P = R * R;", {}, "R", 2),
        ("param R; param C = 2; param P = R * C;", {}, "R", 2),
        ("param R; param C; param P = R * C;", {"C": 4}, "R", 1),
        ("param R = 4; param C = 9; param P = R * C;", {"C": 1}, "R", 4),
        ("def square(x) = x * x; param R; param P = square(R);", {}, "R", 2),
    ],
)
def test_a_parameter_without_value_is_found(declared: str, settings: dict[str, int], name: str, value: int) -> None:
    app = apet.compile_text(f"{declared} L = delay(R);")
    assert apet.predict(app, machines(), 4, values=settings).parameters[name] == value


def test_what_is_set_makes_no_more_processors_than_there_are() -> None:
    app = apet.compile_text("param R; param P = R * R; L = delay(R);")
    with pytest.raises(ApetError, match="P = R \\* R is 9, and there are 4 processors in use"):
        apet.predict(app, machines(), 4, R=3)
    with pytest.raises(ApetError, match="parameter 'R' has no value"):
        apet.predict(apet.compile_text("param R; param C; param P = R * C; L = delay(R);"), machines(), 4)
