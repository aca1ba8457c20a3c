"""Bounds of replays that use what they imply: the compiled core and Python agree, known overlaps are found exactly."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.backends.test_replay_laws import RANKS, STAR, figures, phases, platform, trace_of

from apet import compiled
from apet.analysis.traces import Trace
from apet.backends.replay import native_bounds, replay
from apet.backends.replay.bounds import bounds
from apet.backends.replay.clocks import NEVER, clocks, seconds_of
from apet.backends.replay.density import Density
from apet.backends.replay.lowering import lower
from apet.backends.replay.relations import _count
from apet.backends.replay.run import paths_of, placed, slowness
from apet.backends.replay.transfers import shared, transfers
from apet.frontends.platform import parse_platform
from apet.source import Source


def exchanges(rounds: int, size: int, flops: float, ranks: int = 4) -> Trace:
    """Each rank exchanges with its partner along one dimension, then along the other, as solvers on a grid do."""
    found: list[list[Any]] = [[] for _ in range(ranks)]
    for k in range(rounds):
        for r, actions in enumerate(found):
            for partner in (r ^ 1, r ^ 2):
                actions.append(("irecv", partner, k, size))
                actions.append(("send", partner, k, size))
                actions.append(("wait", partner, r, k))
            actions.append(("compute", flops * (1 + 0.1 * ((r + k) % 3))))
    return Trace("exchanges", tuple(found))


def pipeline(planes: int, size: int, flops: float, ranks: int = 4) -> Trace:
    """A rank passes planes on as soon as it has computed them; nobody tells the sender that they have arrived."""
    found: list[list[Any]] = [[] for _ in range(ranks)]
    for k in range(planes):
        for r, actions in enumerate(found):
            if r:
                actions.append(("recv", r - 1, k, size))
            actions.append(("compute", flops))
            if r < ranks - 1:
                actions.append(("send", r + 1, k, size))
    return Trace("pipeline", tuple(found))


@pytest.mark.parametrize(
    ("trace", "widest"),
    [
        (exchanges(40, 5_000, 3e4), 1.02),
        (exchanges(40, 50_000, 1e5), 1.1),
        (pipeline(200, 4_000, 1e5), 1.01),
        (pipeline(200, 4_000, 4e4), 1.01),
    ],
)
def test_bounds_stay_narrow_however_long_the_trace_is(trace: Trace, widest: float) -> None:
    on = platform(backbone=100)
    found, true = bounds(trace, on, range(4)), replay(trace, on, range(4)).makespan_s
    assert found.lower_s <= true <= found.upper_s * (1 + 1e-9)
    assert found.upper_s <= found.lower_s * widest


@settings(deadline=None, max_examples=40)
@given(phases, st.sampled_from(["SHARED", "SPLITDUPLEX"]), st.sampled_from(["SHARED", "FATPIPE"]))
def test_the_compiled_core_and_python_find_the_same_bounds(steps: list[Any], policy: str, backbone: str) -> None:
    if compiled.library(native_bounds.SOURCE, native_bounds.OPTIONS, True) is None:
        pytest.skip("there is no C compiler here")
    trace, on = trace_of(steps), platform(policy=policy, backbone_policy=backbone)
    found = bounds(trace, on, range(RANKS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("APET_NATIVE", "0")
        plain = bounds(trace, on, range(RANKS))
    assert found.lower_s == pytest.approx(plain.lower_s, rel=1e-9, abs=1e-12)
    assert found.upper_s == pytest.approx(plain.upper_s, rel=1e-3, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(phases)
def test_the_compiled_core_and_python_know_the_same(steps: list[Any]) -> None:
    if compiled.library(native_bounds.SOURCE, native_bounds.OPTIONS, True) is None:
        pytest.skip("there is no C compiler here")
    programs, on = lower(trace_of(steps)), platform()
    places = placed(programs, range(RANKS))
    paths = paths_of(programs, on, places)
    given_ = transfers(programs, on, paths)
    capacity = numpy.array([k.bandwidth for k in on.links])
    seconds = seconds_of(given_, paths, slowness(on, places)[0], capacity, shared(on))
    found = clocks(programs, seconds)
    assert found is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("APET_NATIVE", "0")
        plain = clocks(programs, seconds)
    assert plain is not None
    for name in ("seen", "stage", "ended"):
        assert (getattr(found, name) == getattr(plain, name)).all()
    for name in ("since", "clock"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name), rel=1e-12, abs=1e-15)


def test_clocks_know_what_ended_and_how_long_ago() -> None:
    """Rank 0 sends to 1, which answers after 1 ms of computing: the answer begins after the question by that and by
    what the question takes."""
    ranks: tuple[list[Any], ...] = (
        [("send", 1, 0, 1000), ("recv", 1, 1, 1000)],
        [("recv", 0, 0, 1000), ("compute", 2e6), ("send", 0, 1, 1000)],
    )
    programs, on = lower(Trace("t", ranks)), platform()
    places = placed(programs, range(2))
    paths = paths_of(programs, on, places)
    given_ = transfers(programs, on, paths)
    capacity = numpy.array([k.bandwidth for k in on.links])
    known = clocks(programs, seconds_of(given_, paths, slowness(on, places)[0], capacity, shared(on)))
    assert known is not None
    question, answer = 0, 1
    assert known.ended[question].tolist() == [NEVER, 1]
    assert known.seen[1, answer] == 1
    gap = known.since[0, answer] - known.clock[question, 0]
    assert gap == pytest.approx(float(given_.least[question]) + 1e-3, abs=1e-8)


@given(st.lists(st.floats(0, 10), max_size=12), st.lists(st.floats(-1, 11), min_size=1, max_size=5))
def test_counts_from_the_front_stop_at_the_first_key_above(keys: list[float], values: list[float]) -> None:
    for value, found in zip(values, _count(numpy.array(keys), numpy.array(values)), strict=True):
        assert found == next((k for k, key in enumerate(keys) if key > value), len(keys))


def test_density_counts_what_can_be_under_way_at_once() -> None:
    """Messages 1 ms apart that take 2.5 ms at most: at a moment three of them, in 1 ms more four."""
    trace = pipeline(50, 1000, 2e6, ranks=2)
    programs, on = lower(trace), platform()
    places = placed(programs, range(2))
    paths = paths_of(programs, on, places)
    given_ = transfers(programs, on, paths)
    capacity = numpy.array([k.bandwidth for k in on.links])
    known = clocks(programs, seconds_of(given_, paths, slowness(on, places)[0], capacity, shared(on)))
    assert known is not None
    messages = numpy.arange(len(programs.size))
    pairs = numpy.array(programs.pairs)[numpy.array(programs.pair)]
    density, each = Density(messages, pairs, known), numpy.ones((len(messages), 1))
    latency = numpy.zeros(len(messages))
    assert density.most(each, latency, numpy.full(len(messages), 2.5e-3)).at_once.tolist() == [3.0]
    assert density.most(each, latency, numpy.full(len(messages), 0.5e-3)).at_once.tolist() == [1.0]


def test_bounds_hold_without_clocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where clocks do not fit into memory, dates alone count."""
    trace, on = exchanges(10, 50_000, 1e5), platform()
    true, known = replay(trace, on, range(4)).makespan_s, bounds(trace, on, range(4))
    monkeypatch.setattr("apet.backends.replay.clocks.MOST_ENTRIES", 10)
    found = bounds(trace, on, range(4))
    assert found.lower_s == known.lower_s
    assert true <= known.upper_s <= found.upper_s


def test_a_scaled_platform_is_the_platform_with_scaled_figures() -> None:
    trace = exchanges(5, 50_000, 1e5)
    there = parse_platform(Source("p.xml", STAR.format(**figures((3.0, 0.5, 2.0)))))
    scaled = platform().scaled(speed=3.0, latency=0.5, bandwidth=2.0)
    assert scaled.hosts == there.hosts
    assert scaled.links == there.links
    found, true = bounds(trace, scaled, range(4)), replay(trace, there, range(4)).makespan_s
    assert found.lower_s <= true <= found.upper_s
    assert bounds(trace, there, range(4)) == found
