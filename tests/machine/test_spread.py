"""Laws of distributions in machine files: what they mean as intervals, their quantiles and their moments."""

from __future__ import annotations

import pickle
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.machine.outside import outside
from apet.machine.spread import (
    Piece,
    Spread,
    central_moment,
    mean,
    of_quantiles,
    of_samples,
    pieces_of,
    quantile,
)

SAMPLES = st.lists(st.floats(0, 100), min_size=1, max_size=30)
LEVELS = st.floats(0.001, 0.999)


def machines(operation: str, more: str = "") -> Machines:
    text = f'schema = 1\n[[machine]]\nname = "a"\n[machine.op_s]\nw = {operation}\n{more}'
    return parse_machines(Source("spread.toml", text))


def test_samples_are_an_interval_from_the_least_to_the_greatest() -> None:
    found = machines("{ samples = [3.0, 1.0, 2, 1.0] }").groups[0].op_s["w"]
    assert (found.lo, found.hi) == (1.0, 3.0)
    assert isinstance(found, Spread)
    assert found.pieces == (Piece(0.5, 1, 1), Piece(0.25, 2, 2), Piece(0.25, 3, 3))
    assert found.outside == 0


def test_quantiles_are_an_interval_between_the_outermost_with_the_rest_on_its_ends() -> None:
    found = machines('{ quantiles = { "0.75" = 4.0, "0.25" = 2.0 } }').groups[0].op_s["w"]
    assert (found.lo, found.hi) == (2.0, 4.0)
    assert isinstance(found, Spread)
    assert found.pieces == (Piece(0.25, 2, 2), Piece(0.5, 2, 4), Piece(0.25, 4, 4))
    assert found.outside == 0.5


def test_a_table_of_its_own_serves_as_well() -> None:
    assert machines("1.0", "[machine.op_s.v]\nsamples = [1.0, 2.0]").groups[0].op_s["v"] == of_samples([2.0, 1.0])


def test_the_network_and_the_load_may_be_distributions() -> None:
    more = '[network]\nlatency_s = { samples = [1.0, 2.0] }\nbandwidth_B_per_s = { quantiles = { "0" = 1, "1" = 2 } }\n'
    network = machines("1.0", more).network
    assert isinstance(network.latency_s, Spread)
    assert network.bandwidth_B_per_s == of_quantiles([(0.0, 1.0), (1.0, 2.0)])
    text = 'schema = 1\n[[machine]]\nname = "a"\nload = { samples = [0.0, 0.5] }\n[machine.op_s]\nw = 1.0\n'
    found = parse_machines(Source("load.toml", text)).configure(1)
    assert (found.time("w", 1, "tmin"), found.time("w", 1, "tmax")) == (1.0, 2.0)


def test_what_quantiles_leave_outside_is_told_for_what_is_used() -> None:
    found = machines('{ quantiles = { "0.05" = 1.0, "0.95" = 2.0 } }', "v = { samples = [1.0] }")
    assert outside(found, ["v"]) is None
    names, share = outside(found, ["v", "w"]) or ([], 0.0)
    assert names == ["w"]
    assert share == pytest.approx(0.1)
    assert outside(machines('{ quantiles = { "0" = 1.0, "1" = 2.0 } }'), ["w"]) is None


def test_a_distribution_is_more_than_its_ends() -> None:
    found = of_samples([1.0, 2.0])
    assert found != Interval(1.0, 2.0)
    assert found != of_samples([1.0, 2.0, 2.0])
    assert len({found, of_samples([2.0, 1.0]), of_samples([1.0])}) == 2
    assert pickle.loads(pickle.dumps(found)) == found


@given(SAMPLES, LEVELS)
def test_the_quantile_of_samples_is_the_least_that_so_many_do_not_exceed(samples: list[float], level: float) -> None:
    found = quantile(of_samples(samples).pieces, level)
    assert found in samples
    assert sum(s <= found for s in samples) / len(samples) >= level - 1e-9
    assert sum(s < found for s in samples) / len(samples) <= level + 1e-9


def test_quantiles_between_those_given_lie_on_straight_lines() -> None:
    pieces = of_quantiles([(0.1, 1.0), (0.5, 2.0), (0.9, 6.0)]).pieces
    assert [quantile(pieces, u) for u in (0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)] == pytest.approx(
        [1, 1, 1.5, 2, 4, 6, 6]
    )


@given(SAMPLES)
def test_moments_of_samples_are_theirs(samples: list[float]) -> None:
    pieces = of_samples(samples).pieces
    assert mean(pieces) == pytest.approx(statistics.fmean(samples), abs=1e-9)
    assert central_moment(pieces, 2) == pytest.approx(statistics.pvariance(samples), abs=1e-7)


def test_an_interval_without_more_is_uniform() -> None:
    pieces = pieces_of(Interval(2.0, 6.0))
    assert (mean(pieces), central_moment(pieces, 2), central_moment(pieces, 3)) == pytest.approx((4, 16 / 12, 0))
    assert central_moment(pieces, 4) == pytest.approx(256 / 80)
