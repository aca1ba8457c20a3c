"""Bounds of replays that use what they imply: they stay narrow, and known overlaps are found exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
from tests.traces.random_traces import written
from tests.traces.test_replay_laws import STAR, figures, platform
from tests.traces.wide_traces import wide_case

from apet import api
from apet.ground.source import Source
from apet.traces.bounds.bounds import bounds
from apet.traces.bounds.density import Density
from apet.traces.bounds.formulas import compile_trace
from apet.traces.bounds.happens_before import Relations
from apet.traces.bounds.transfers import Array, Transfers, shared, transfers
from apet.traces.bounds.vector_clocks import NEVER, Clocks, LeastSeconds, clocks, seconds_of
from apet.traces.bounds.walks import Walks
from apet.traces.platform import parse_platform
from apet.traces.platform.platform import Platform
from apet.traces.replay import replay
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import Programs
from apet.traces.replay.run import paths_of, placed, slowness
from apet.traces.trace import Trace

BUSY_PERIODS = 64
"""As many of a link are kept by `floors.c`."""


class Task(NamedTuple):
    """A trace on a platform, with what its bounds are made of."""

    programs: Programs
    flows: Transfers
    seconds: LeastSeconds
    capacity: Array
    shared: Array
    slowness: list[float]

    def clocks(self) -> Clocks:
        """What is known when messages begin."""
        found = clocks(Walks(self.programs), self.seconds)
        assert found is not None
        return found


def task(trace: Trace, on: Platform) -> Task:
    """As `bounds` makes it."""
    programs = lower(trace)
    places = placed(programs, range(programs.ranks))
    paths = paths_of(programs, on, places)
    given_, capacity = transfers(programs, on, paths), numpy.array([k.bandwidth for k in on.links])
    slow = slowness(on, places)[0]
    seconds = seconds_of(given_, paths, slow, capacity, shared(on))
    return Task(programs, given_, seconds, capacity, shared(on), slow)


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


@pytest.mark.parametrize(("flops", "widest"), [(1e5, 1.5), (4e4, 1.8)])
def test_formulas_count_what_links_carry_once_on_a_path(flops: float, widest: float) -> None:
    found = compile_trace(pipeline(200, 4_000, flops), platform(backbone=100), range(4)).at({})
    assert found.upper_s <= found.lower_s * widest


def test_bounds_in_parts_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, on = exchanges(60, 20_000, 3e4), platform(backbone=100)
    whole, true = bounds(trace, on, range(4)), replay(trace, on, range(4)).makespan_s
    monkeypatch.setattr("apet.traces.bounds.neighbours.PART", 32)
    parts = bounds(trace, on, range(4))
    assert parts.lower_s == whole.lower_s <= true <= parts.upper_s * (1 + 1e-9)
    assert parts.upper_s == pytest.approx(whole.upper_s, rel=0.02)


def test_ranks_on_one_host_wait_for_no_byte_twice() -> None:
    """All messages cross the host's link up and its link down at the same time."""
    trace, on = exchanges(40, 50_000, 1e5), platform()
    found, true = bounds(trace, on, [0]), replay(trace, on, [0]).makespan_s
    assert found.lower_s <= true <= found.upper_s * (1 + 1e-9)
    assert found.upper_s <= true * 1.1


@pytest.mark.parametrize("seed", [801_557])
def test_bounds_hold_where_links_lead_links_that_lead_others(seed: int, tmp_path: Path) -> None:
    trace, xml, hosts = written(wide_case(seed), tmp_path)
    on, places = api.read_platform(xml, hosts)
    found, true = api.trace_bounds(trace, on, places), api.replay(trace, on, places).makespan_s
    assert found.lower_s <= true <= found.upper_s * (1 + 1e-9)


@pytest.mark.parametrize("late", [0, 5, 30])
@pytest.mark.parametrize("size", [200_000, 500_000, 900_000])
def test_bounds_hold_when_a_link_was_idle_many_times(size: int, late: int) -> None:
    """More busy periods than are kept; then a rank waits for what began long ago and fills the gaps between them, and
    sends a message."""
    number = BUSY_PERIODS + 20
    sizes = [60_000_000 if k == late else size for k in range(number)]
    first = [each for k, s in enumerate(sizes) for each in (("isend", 1, k, s), ("compute", 2e6))]
    waits = [("wait", 0, 1, k) for k in range(number) if k != late]
    second = [*(("irecv", 0, k, s) for k, s in enumerate(sizes)), *waits, ("wait", 0, 1, late), ("send", 0, number, 10)]
    trace, on = Trace("t", ([("irecv", 1, number, 10), *first, ("waitall",)], second)), platform()
    found, true = bounds(trace, on, range(2)), replay(trace, on, range(2)).makespan_s
    assert found.lower_s <= true <= found.upper_s


def test_clocks_know_what_ended_and_how_long_ago() -> None:
    """Rank 0 sends to 1, which answers after 1 ms of computing: the answer begins after the question by that and by
    what the question takes."""
    ranks: tuple[list[Any], ...] = (
        [("send", 1, 0, 1000), ("recv", 1, 1, 1000)],
        [("recv", 0, 0, 1000), ("compute", 2e6), ("send", 0, 1, 1000)],
    )
    given_ = task(Trace("t", ranks), platform())
    known, question, answer = given_.clocks(), 0, 1
    assert known.ended[question].tolist() == [NEVER, 2]  # rank 0 has one stage, rank 1 those behind it
    begun = known.stage[answer, 0]
    assert known.seen[begun].tolist() == known.stage[[question, answer], [0, 0]].tolist() == [0, 2]
    assert known.since[begun, 0] == pytest.approx(float(given_.flows.least[question]) + 1e-3, abs=1e-8)


def test_links_of_a_host_have_carried_what_its_ranks_know_to_have_ended() -> None:
    """Rank 2 has received one message itself, and rank 3 tells it of another one that its host's link has carried."""
    trace = Trace(
        "two on a host",
        (
            [("send", 2, 0, 1_000_000)],
            [("send", 3, 0, 1_000_000)],
            [("recv", 0, 0, 1_000_000), ("recv", 3, 1, 1), ("compute", 1e7)],
            [("recv", 1, 0, 1_000_000), ("send", 2, 1, 1)],
        ),
    )
    on = platform()
    limits, true = bounds(trace, on, [0, 0, 1, 1]), replay(trace, on, [0, 0, 1, 1]).makespan_s
    assert 0.99 * true <= limits.lower_s <= true <= limits.upper_s * (1 + 1e-9)


@pytest.mark.parametrize("rounds", [1, 2, 7, 40])
@pytest.mark.parametrize("size", [200, 5_000, 100_000])
def test_bounds_hold_where_ranks_share_a_host(rounds: int, size: int) -> None:
    trace, on = exchanges(rounds, size, 3e4, ranks=8), platform()
    limits, true = bounds(trace, on, [0, 1]), replay(trace, on, [0, 1]).makespan_s
    assert limits.lower_s <= true <= limits.upper_s * (1 + 1e-9)


def test_density_counts_what_can_be_under_way_at_once() -> None:
    """Messages 1 ms apart that take 2.5 ms at most: at a moment three of them. Where each waits for the end of the one
    before, one of them."""
    sends = [each for k in range(50) for each in (("send", 1, k, 1000), ("compute", 2e6))]
    receives = [each for k in range(50) for each in (("irecv", 0, k, 1000), ("compute", 2e6))]
    assert most_at_once(Trace("apart", (sends, [*receives, ("waitall",)]))) == 3.0
    assert most_at_once(pipeline(50, 1000, 2e6, ranks=2)) == 1.0


def most_at_once(trace: Trace) -> float:
    """Of messages that take 2.5 ms at most."""
    given_ = task(trace, platform())
    programs, known = given_.programs, given_.clocks()
    messages = numpy.arange(len(programs.size))
    ends, main = numpy.array(programs.pairs, numpy.int32), numpy.ones(len(programs.pairs), bool)
    relations = Relations(messages, numpy.array(programs.pair), ends, main, known)
    density, each = Density(relations.order, relations.pair, relations, known), numpy.ones((len(messages), 1))
    latency = numpy.zeros(len(messages))
    return float(density.most(each, latency, numpy.full(len(messages), 2.5e-3)).at_once[0])


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
