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


def test_a_parameter_that_is_set_is_left_alone() -> None:
    app = apet.compile_text(GRID.format("R * R"))
    assert apet.predict(app, machines(), 4, R=1).estimate.hi == 1
    assert apet.predict(app, machines(), 3, R=1).estimate.hi == 1


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
