"""Laws of the replay on random traces: the core and an oracle agree, bounds and formulas enclose every replay."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.traces.engine_oracle import Engine, replay_in_python
from tests.traces.paths_oracle import Paths

from apet.ground.source import Source
from apet.traces.bounds.bounds import bounds
from apet.traces.bounds.envelope import envelope
from apet.traces.bounds.formulas import compile_trace
from apet.traces.bounds.longest import Longest, Weights
from apet.traces.platform import parse_platform
from apet.traces.platform.platform import Platform
from apet.traces.replay import replay
from apet.traces.replay.check import check
from apet.traces.replay.engine import run
from apet.traces.replay.lowering import lower
from apet.traces.replay.run import paths_of, placed
from apet.traces.trace import Trace

RANKS = 5
STAR = """<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-4" speed="{speed}Gf" core="2" bw="{bandwidth}GBps" lat="{latency}us"
 bb_bw="{backbone}GBps" bb_lat="{latency}us" sharing_policy="{policy}" bb_sharing_policy="{backbone_policy}"/>
</platform>"""
UNEQUAL = """<platform version="4.1"><zone id="top" routing="Full">
<cluster id="a" prefix="a" suffix="" radical="0-2" speed="{speed}Gf" bw="{bandwidth}GBps" lat="{latency}us"
 loopback_bw="{loopback}GBps" loopback_lat="{near}us"/>
<cluster id="b" prefix="b" suffix="" radical="0-1" speed="{speed}Gf" bw="{slow}GBps" lat="{far}us"
 bb_bw="{backbone}GBps" bb_lat="{latency}us" bb_sharing_policy="{backbone_policy}"/>
<link id="w" bandwidth="{bandwidth}GBps" latency="{far}us"/>
<zoneRoute src="a" dst="b" gw_src="aa_router" gw_dst="bb_router"><link_ctn id="w"/></zoneRoute>
</zone></platform>"""


def figures(scale: tuple[float, float, float] = (1.0, 1.0, 1.0), **others: Any) -> dict[str, Any]:
    """What a platform's text is filled with; speed, latency and bandwidth multiplied."""
    speed, latency, bandwidth = scale
    return {
        "speed": 2 * speed,
        "latency": 3 * latency,
        "far": 40 * latency,
        "bandwidth": bandwidth,
        "slow": 0.2 * bandwidth,
        "backbone": 1.5 * bandwidth,
        "loopback": 5 * bandwidth,
        "near": 0.1 * latency,
        "policy": "SPLITDUPLEX",
        "backbone_policy": "SHARED",
        **others,
    }


def platform(**others: Any) -> Platform:
    """A star with a backbone that can be full."""
    return parse_platform(Source("p.xml", STAR.format(**figures(**others))))


sizes = st.sampled_from([0, 100, 2000, 20_000, 70_000, 500_000, 3_000_000])
pairs = st.tuples(st.integers(0, RANKS - 1), st.integers(0, RANKS - 1))
phase = st.one_of(
    st.tuples(st.just("exchange"), st.lists(st.tuples(pairs, sizes), min_size=1, max_size=6)),
    st.tuples(st.just("compute"), st.lists(st.floats(0, 3e6), min_size=RANKS, max_size=RANKS)),
    st.tuples(st.sampled_from(["barrier", "bcast", "allreduce", "alltoall", "allgather", "scan"]), sizes),
)
phases = st.lists(phase, min_size=1, max_size=6)


def trace_of(steps: list[Any]) -> Trace:
    """A trace without deadlock: exchanges post everything, then wait in the order or for all."""
    ranks: list[list[Any]] = [[] for _ in range(RANKS)]
    for number, (what, given_) in enumerate(steps):
        if what == "exchange":
            for (source, target), size in given_:
                ranks[target].append(("irecv", source, number, size))
                ranks[source].append(("isend", target, number, size))
            for r, actions in enumerate(ranks):
                if (r + number) % 3 == 0:
                    actions.append(("waitall",))
                else:
                    actions += [("wait", s, d, number) for (s, d), _ in given_ if r in (s, d)]
        elif what == "compute":
            for actions, flops in zip(ranks, given_, strict=True):
                actions.append(("compute", flops))
        else:
            extra = {"barrier": (), "bcast": (given_, 2), "allreduce": (given_, 1e4), "scan": (given_, 0.0)}
            for actions in ranks:
                actions.append((what, *extra.get(what, (given_,))))
    return Trace("t", tuple(ranks))


@settings(deadline=None, max_examples=60)
@given(phases, st.sampled_from(["SHARED", "SPLITDUPLEX"]), st.sampled_from(["SHARED", "FATPIPE"]), st.integers(1, 5))
def test_the_core_and_the_oracle_agree(steps: list[Any], policy: str, backbone: str, hosts: int) -> None:
    trace, on = trace_of(steps), platform(policy=policy, backbone_policy=backbone)
    programs = lower(trace)
    places = placed(programs, list(range(hosts)))
    paths = paths_of(programs, on, places)
    compiled, interpreted = run(programs, on, places), Engine(programs, on, places, paths).run()
    for name in ("computed", "waited", "ends", "carried"):
        assert list(getattr(compiled, name)) == pytest.approx(list(getattr(interpreted, name)), rel=1e-6, abs=5e-9)


@settings(deadline=None, max_examples=60)
@given(phases, st.sampled_from(["SHARED", "SPLITDUPLEX"]), st.sampled_from(["SHARED", "FATPIPE"]), st.integers(1, 5))
def test_bounds_enclose_every_replay(steps: list[Any], policy: str, backbone: str, hosts: int) -> None:
    trace, on = trace_of(steps), platform(policy=policy, backbone_policy=backbone)
    found, true = bounds(trace, on, range(hosts)), replay(trace, on, range(hosts)).makespan_s
    assert found.lower_s <= true * (1 + 1e-9) + 1e-12
    assert found.upper_s >= true * (1 - 1e-9)


@settings(deadline=None, max_examples=40)
@given(phases, st.sampled_from(["SHARED", "FATPIPE"]), st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_bounds_enclose_replays_where_routes_differ(steps: list[Any], backbone: str, hosts: list[int]) -> None:
    on = parse_platform(Source("p.xml", UNEQUAL.format(**figures(backbone_policy=backbone))))
    trace = trace_of(steps)
    found, true = bounds(trace, on, hosts), replay(trace, on, hosts).makespan_s
    assert found.lower_s <= true * (1 + 1e-9) + 1e-12
    assert found.upper_s >= true * (1 - 1e-9)


factor = st.floats(0.05, 20)


@settings(deadline=None, max_examples=25)
@given(phases, factor, factor, factor, st.sampled_from([STAR, UNEQUAL]), st.sampled_from(["SHARED", "FATPIPE"]))
@example([("exchange", [((0, 3), 1_500_000), ((0, 3), 3_000_000)])], 1.0, 10.0, 16.0, UNEQUAL, "SHARED")
def test_formulas_enclose_replays_on_scaled_platforms(
    steps: list[Any], speed: float, latency: float, bandwidth: float, text: str, policy: str
) -> None:
    """One compilation holds for all multiples of the platform's speed, latency and bandwidth."""
    trace = trace_of(steps)
    here = parse_platform(Source("p.xml", text.format(**figures(backbone_policy=policy))))
    scaled = figures((speed, latency, bandwidth), backbone_policy=policy)
    there = parse_platform(Source("p.xml", text.format(**scaled)))
    scales = {"speed": (speed, speed), "latency": (latency, latency), "bandwidth": (bandwidth, bandwidth)}
    found = compile_trace(trace, here, range(5)).at(scales)
    true = replay(trace, there, range(5)).makespan_s
    assert found.lower_s <= true * (1 + 1e-3) + 1e-7
    assert found.upper_s >= true * (1 - 1e-9)


@settings(deadline=None, max_examples=30)
@given(phases, st.tuples(factor, factor, factor), st.booleans())
def test_longest_paths_are_the_same_in_c_and_python(steps: list[Any], factors: tuple[float, ...], early: bool) -> None:
    programs = lower(trace_of(steps))
    durations = [0.1 * (k % 7) for k in range(4 * len(programs.size))]
    weights = Weights(durations, [1e-9] * RANKS, [0.3] * (programs.syncs + 1) if programs.syncs > 0 else ())
    longest = Longest(programs, weights, early)
    plain = Paths(programs, weights, factors, early)
    (part,) = longest.parts([factors])
    assert plain.value(part) == pytest.approx(plain.value(plain.run()), rel=1e-12)


planes = st.lists(st.tuples(st.just(0.0), *(st.floats(0.01, 10) for _ in range(3))), min_size=1, max_size=12)


@settings(deadline=None)
@given(planes, st.tuples(factor, factor, factor))
def test_the_envelope_is_near_the_maximum_everywhere(parts: list[Any], factors: tuple[float, ...]) -> None:
    def length(given_: Any, among: list[Any] = parts) -> Any:
        return max(among, key=lambda p: sum(a * b for a, b in zip(p[1:], given_, strict=True)))

    def value(part: Any) -> float:
        return float(sum(a * b for a, b in zip(part[1:], factors, strict=True)))

    kept, short = envelope(lambda several: [length(each) for each in several], False)
    assert short < 1.02e-4
    assert value(length(factors)) <= max(map(value, kept)) * (1 + short)
    assert set(kept) <= set(parts)


@settings(deadline=None, max_examples=30)
@given(phases)
def test_what_was_made_without_mistake_is_checked_without_finding(steps: list[Any]) -> None:
    found = check(trace_of(steps))
    assert not [f for f in found.findings if f.fatal or f.kind == "unmatched"]
    assert found.messages == len(lower(trace_of(steps)).size)


def test_segments_fill_the_time_of_each_rank() -> None:
    ranks = ([("compute", 1e6), ("send", 1, 0, 10**6)], [("recv", 0, 0, 10**6), ("compute", 2e6)])
    found = replay(Trace("t", ranks), platform(), [0, 1], segments=True)
    for r, times in enumerate(found.ranks):
        mine = [s for s in found.segments if s.rank == r]
        assert sum(s.end_s - s.begin_s for s in mine) == pytest.approx(times.end_s)
        assert sum(s.end_s - s.begin_s for s in mine if s.computes) == pytest.approx(times.compute_s)
    assert replay_in_python(Trace("t", ranks), platform(), [0, 1]).makespan_s == pytest.approx(found.makespan_s)


@settings(deadline=None, max_examples=15)
@given(phases, factor, factor, factor)
def test_terms_as_numbers_are_the_formulas(steps: list[Any], speed: float, latency: float, bandwidth: float) -> None:
    found = compile_trace(trace_of(steps), platform(), range(5))
    at = {"speed": speed, "latency": latency, "bandwidth": bandwidth}
    bounds_ = found.at({name: (x, x) for name, x in at.items()})
    assert bounds_.lower_s == pytest.approx(float(found.lower.evaluate(at)), rel=1e-12)
    assert bounds_.upper_s == pytest.approx(float(found.upper.evaluate(at)), rel=1e-12)
