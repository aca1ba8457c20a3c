"""Laws of the notation of design spaces: what is written is what varies, and mistakes are named."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from apet.ground.diagnostics import ApetError
from apet.questions.sweep.notation import axis_of, parse_variation, read_points
from apet.questions.sweep.space import Axis


def _columns(axis: Axis) -> dict[str, list[float]]:
    places = np.arange(axis.size)
    return {name: v.cells(places).tolist() for name, v in zip(axis.names, axis.values, strict=True)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("P=1:4", {"P": [1, 2, 3, 4]}),
        ("P=2:32:2x", {"P": [2, 4, 8, 16, 32]}),
        ("P = 1, 4:8:2 ,9", {"P": [1, 4, 6, 8, 9]}),
        ("n=1e6,1e7", {"n": [10**6, 10**7]}),
        ("n=1:10:4", {"n": [1, 5, 9]}),
        ("n=1e3:1e5:10x", {"n": [1000, 10_000, 100_000]}),
        ("q=0:1:0.25", {"q": [0, 0.25, 0.5, 0.75, 1]}),
        ("q=1/4", {"q": [0.25]}),
        ("x=-2:2:2", {"x": [-2, 0, 2]}),
        ("s=1kB:4kB:2x", {"s": [1000, 2000, 4000]}),
        ("machine.network.latency_s=1us:1ms:10x", {"machine.network.latency_s": [1e-6, 1e-5, 1e-4, 1e-3]}),
        ("P,n=4:1e6,8:2e6", {"P": [4, 8], "n": [10**6, 2 * 10**6]}),
        ("a,b,c=1:2:3", {"a": [1], "b": [2], "c": [3]}),
        ("n=1e30", {"n": [1e30]}),
    ],
)
def test_values_are_those_written(text: str, found: dict[str, list[float]]) -> None:
    assert _columns(parse_variation(text)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("P", "a name, an equals sign and values are needed"),
        ("P=", "a name, an equals sign and values are needed"),
        ("=3", "'' is no name"),
        ("2n=3", "'2n' is no name"),
        ("P=4:2", "ends before it begins"),
        ("P=1:4:0", "must be above 0"),
        ("P=1:4:-1", "must be above 0"),
        ("P=1:4:1x", "must be above 1"),
        ("P=0:4:2x", "must begin above 0"),
        ("P=1:2:3:4", "neither a number nor a range"),
        ("P=1,,2", "'' is neither"),
        ("P=1:", "'1:' is neither"),
        ("n=abc", "'abc' is neither"),
        ("n=3 sec", "there is no unit 'sec'"),
        ("q=0:1.5", "needs a step or a factor"),
        ("q=0.1..0.3", "needs a step or a factor"),
        ("n=1e300:9e300:1e300", "too large"),
        ("n=1:1e300:1.00001x", "more than 100,000 values"),
        ("a,a=1:2", "stands twice"),
        ("a,b=1", "'1' has 1 values for 2 names"),
    ],
)
def test_a_mistake_is_named(text: str, said: str) -> None:
    with pytest.raises(ApetError, match="error: ") as caught:
        parse_variation(text)
    assert said in str(caught.value)


def test_python_values_are_numbers_texts_ranges_and_tuples() -> None:
    assert _columns(axis_of("n", [1, 2.5, Fraction(1, 8)])) == {"n": [1, 2.5, 0.125]}
    assert _columns(axis_of("n", "1:3")) == {"n": [1, 2, 3]}
    assert axis_of("n", range(0, 10**15, 5)).size == 2 * 10**14
    assert _columns(axis_of(("P", "n"), [(1, 5), (2, "6 kB")])) == {"P": [1, 2], "n": [5, 6000]}
    for values in ([], range(0), [True], [None], 3):
        with pytest.raises(ApetError):
            axis_of("n", values)
    with pytest.raises(ApetError, match="each point needs 2 values"):
        axis_of(("P", "n"), [(1,)])


def test_a_table_of_points_is_read(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text("P, n ,q\n1,1e6,0.1\n\n2,8 kB,1/2\n", encoding="utf-8")
    axis = read_points(str(file))
    assert _columns(axis) == {"P": [1, 2], "n": [10**6, 8000], "q": [0.1, 0.5]}
    assert [v.whole for v in axis.values] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1:1: error: the file is empty"),
        ("P,n\n", "no point below the names"),
        ("P,n\n1\n", ":2:1: error: 1 values for 2 names"),
        ("P,n\n1,2\n1,x\n", ":3:1: error: n = 'x': not a number"),
        ("P,P\n1,2\n", "stands twice"),
        ("1,2\n1,2\n", "'1' is no name"),
    ],
)
def test_a_wrong_table_names_the_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ApetError) as caught:
        read_points(str(file))
    assert said in str(caught.value)


def test_a_missing_table_is_a_mistake() -> None:
    with pytest.raises(ApetError, match="no such file"):
        read_points("/no/such/points.csv")
