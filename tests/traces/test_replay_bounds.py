"""Bounds of replays that use what they imply: the compiled core and Python agree, known overlaps are found exactly."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.test_replay_laws import RANKS, STAR, figures, phases, platform, trace_of

from apet.ground.source import Source
from apet.traces.bounds.bounds import bounds
from apet.traces.bounds.capacity_bound import MOST_BLOCKS, Floors
from apet.traces.bounds.contention_delay import Overlaps
from apet.traces.bounds.density import Density
from apet.traces.bounds.happens_before import Claims, _count
from apet.traces.bounds.native_bounds import Walks
from apet.traces.bounds.transfers import Array, Transfers, shared, transfers
from apet.traces.bounds.vector_clocks import NEVER, Clocks, Seconds, clocks, seconds_of
from apet.traces.platform import parse_platform
from apet.traces.platform.platform import Platform
from apet.traces.replay import replay
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import Programs
from apet.traces.replay.run import paths_of, placed, slowness
from apet.traces.trace import Trace


class Task(NamedTuple):
    """A trace on a platform, with what its bounds are made of."""

    programs: Programs
    given: Transfers
    seconds: Seconds
    capacity: Array
    shared: Array
    slowness: list[float]

    def clocks(self) -> Clocks:
        """What is known when messages begin."""
        found = clocks(self.programs, self.seconds)
        assert found is not None
        return found

    def earliest(self) -> tuple[float, Array]:
        """The lower bound, and the dates before which messages do not begin."""
        floors = Floors(self.programs, self.seconds, self.capacity, self.shared, self.given)
        return floors.dates(Walks(self.programs), self.slowness)


def task(trace: Trace, on: Platform) -> Task:
    """As `bounds` makes it."""
    programs = lower(trace)
    places = placed(programs, range(programs.ranks))
    paths = paths_of(programs, on, places)
    given_, capacity = transfers(programs, on, paths), numpy.array([k.bandwidth for k in on.links])
    slow = slowness(on, places)[0]
    seconds = seconds_of(given_, paths, slow, capacity, shared(on))
    return Task(programs, given_, seconds, capacity, shared(on), slow)


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, there is no compiled core."""
    monkeypatch.setenv("APET_NATIVE", "0")


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
    given_ = task(trace_of(steps), platform())
    found = given_.clocks()
    with pytest.MonkeyPatch.context() as patch:
        in_python(patch)
        plain = given_.clocks()
    for name in ("seen", "stage", "ended"):
        assert (getattr(found, name) == getattr(plain, name)).all()
    for name in ("since", "clock"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name), rel=1e-12, abs=1e-15)


def some_first(trace: Trace) -> Trace:
    """The same, but all requests at once are waited for with one `waitany` before."""
    ranks = [
        [each for a in actions for each in ([("waitany",), a] if a == ("waitall",) else [a])] for actions in trace.ranks
    ]
    return Trace(trace.name, tuple(ranks))


@settings(deadline=None, max_examples=60)
@given(phases, st.sampled_from(["SHARED", "SPLITDUPLEX"]), st.sampled_from(["SHARED", "FATPIPE"]), st.booleans())
def test_the_compiled_core_and_python_find_the_same_earliest_dates(
    steps: list[Any], policy: str, backbone: str, some: bool
) -> None:
    trace = trace_of(steps)
    _same_earliest(some_first(trace) if some else trace, platform(policy=policy, backbone_policy=backbone))


def _same_earliest(trace: Trace, on: Platform) -> None:
    given_ = task(trace, on)
    last, began = given_.earliest()
    with pytest.MonkeyPatch.context() as patch:
        in_python(patch)
        plain, dates = given_.earliest()
    assert last == pytest.approx(plain, rel=1e-12)
    assert began == pytest.approx(dates, rel=1e-12, abs=1e-12 * plain)


@pytest.mark.parametrize("late", [0, 5, 30])
@pytest.mark.parametrize("size", [200_000, 500_000, 900_000])
def test_earliest_dates_are_the_same_when_a_link_was_idle_many_times(size: int, late: int) -> None:
    """More busy periods than are kept; then a rank waits for what began long ago and fills the gaps between them, and
    sends a message."""
    number = MOST_BLOCKS + 20
    sizes = [60_000_000 if k == late else size for k in range(number)]
    first = [each for k, s in enumerate(sizes) for each in (("isend", 1, k, s), ("compute", 2e6))]
    waits = [("wait", 0, 1, k) for k in range(number) if k != late]
    second = [*(("irecv", 0, k, s) for k, s in enumerate(sizes)), *waits, ("wait", 0, 1, late), ("send", 0, number, 10)]
    _same_earliest(Trace("t", ([("irecv", 1, number, 10), *first, ("waitall",)], second)), platform())


@settings(deadline=None, max_examples=30)
@given(phases, st.booleans(), st.booleans(), st.sampled_from([0, 10**6]), st.floats(1, 3))
def test_the_compiled_core_and_python_hold_transfers_back_as_long(
    steps: list[Any], fixed: bool, known: bool, compared: int, longer: float
) -> None:
    """With and without clocks, and where there are too many pairs of ranks to compare each with each flow."""
    given_ = task(trace_of(steps), platform(backbone=0.3))
    _, began = given_.earliest()
    least = given_.given.least * longer
    never = numpy.full(len(least), numpy.inf)
    claims = Claims(given_.given.latency, began, began + least, numpy.zeros(len(least)), never, least)

    def durations() -> list[Array]:
        clocks_ = given_.clocks() if known else None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("apet.traces.bounds.happens_before.MOST_COMPARED", compared)
            overlaps = Overlaps(given_.programs, given_.given, clocks_, given_.capacity, given_.shared, fixed)
        pieces = overlaps.pieces(claims)
        return [overlaps.durations(None), overlaps.without(pieces), overlaps.without(pieces, 2)]

    found = durations()
    with pytest.MonkeyPatch.context() as patch:
        in_python(patch)
        plain = durations()
    for one, other in zip(found, plain, strict=True):
        assert one == pytest.approx(other, rel=1e-9)


def test_clocks_know_what_ended_and_how_long_ago() -> None:
    """Rank 0 sends to 1, which answers after 1 ms of computing: the answer begins after the question by that and by
    what the question takes."""
    ranks: tuple[list[Any], ...] = (
        [("send", 1, 0, 1000), ("recv", 1, 1, 1000)],
        [("recv", 0, 0, 1000), ("compute", 2e6), ("send", 0, 1, 1000)],
    )
    given_ = task(Trace("t", ranks), platform())
    known, question, answer = given_.clocks(), 0, 1
    assert known.ended[question].tolist() == [NEVER, 1]
    assert known.seen[answer, 1] == 1
    gap = known.since[answer, 0] - known.clock[question, 0]
    assert gap == pytest.approx(float(given_.given.least[question]) + 1e-3, abs=1e-8)


@given(st.lists(st.floats(0, 10), max_size=12), st.lists(st.floats(-1, 11), min_size=1, max_size=5))
def test_counts_from_the_front_stop_at_the_first_key_above(keys: list[float], values: list[float]) -> None:
    for value, found in zip(values, _count(numpy.array(keys), numpy.array(values)), strict=True):
        assert found == next((k for k, key in enumerate(keys) if key > value), len(keys))


def test_density_counts_what_can_be_under_way_at_once() -> None:
    """Messages 1 ms apart that take 2.5 ms at most: at a moment three of them, in 1 ms more four."""
    given_ = task(pipeline(50, 1000, 2e6, ranks=2), platform())
    programs, known = given_.programs, given_.clocks()
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
    monkeypatch.setattr("apet.traces.bounds.vector_clocks.MOST_ENTRIES", 10)
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
