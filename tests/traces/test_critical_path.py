"""Laws of the critical path: it is the longest one and connected, its parts sum up to it, C and Python agree."""

from __future__ import annotations

import math
from dataclasses import astuple, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.begun_traces import begun_case
from tests.traces.critical_oracle import Critical
from tests.traces.paths_oracle import Paths
from tests.traces.random_traces import random_case, written
from tests.traces.slots_oracle import slots_of
from tests.traces.test_replay_laws import RANKS, STAR, figures, phases, platform, trace_of
from tests.traces.wide_traces import wide_case

from apet import api
from apet.traces.bounds.formulas import Compiling
from apet.traces.bounds.walks import Walks
from apet.traces.critical.critical_path import CriticalPath, Parts
from apet.traces.critical.explaining import explain_trace
from apet.traces.critical.placing import Placing, renumbered
from apet.traces.critical.search import StepSeconds, critical_path
from apet.traces.platform.platform import Platform
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import ANY, COMPUTE, LEAVE, MASK, SHIFT, SLEEP, LoweredTrace, Programs
from apet.traces.trace import Action, Trace

CASES = random_case, wide_case, begun_case
factor = st.floats(0.05, 20)
factors = st.fixed_dictionaries({"speed": factor, "latency": factor, "bandwidth": factor})


def near(value: Any) -> Any:
    """But for rounding."""
    return pytest.approx(value, rel=1e-12, abs=1e-15)


def durations(programs: Programs) -> list[float]:
    """Some messages take no time, some as long as others."""
    return [0.001 * (k % 7) for k in range(len(programs.size))]


def seconds_of(programs: Programs, gap: float = 0.0) -> StepSeconds:
    return StepSeconds(durations(programs), [1e-9] * programs.ranks, [gap] * (programs.syncs + 1) if gap else [])


def length(programs: Programs, seconds: StepSeconds, steps: Any) -> float:
    """The sum of what the steps take."""
    found = list[float]()
    for what, rank, _, _ in steps.tolist():
        code, k = what & MASK, what >> SHIFT
        if code == COMPUTE:
            found.append(programs.values[k] * seconds.flop[rank])
        elif code == SLEEP:
            found.append(programs.values[k])
        else:
            found.append(float(seconds.gaps[k] if code == LEAVE else seconds.messages[k]))
    return math.fsum(found)


def explained(trace: Trace, on: Platform, scales: dict[str, float] | None = None) -> CriticalPath:
    return api.explain_trace(trace, on, range(RANKS), scales)


def choosing(seed: int) -> Programs:
    """A trace in which ranks wait for some of several requests."""
    order = numpy.random.default_rng(seed)
    ranks: list[list[Action]] = [[] for _ in range(RANKS)]
    for tag in range(4):
        for rank, own in enumerate(ranks):
            own.append(("compute", float(order.integers(1, 10)) * 1e5))
            own += [("irecv", other, tag, 800) for other in range(RANKS) if other != rank]
            own += [("isend", other, tag, 70_000) for other in range(RANKS) if other != rank]
            own.append(("barrier",))  # so that all are posted
            own += [("waitany",)] * int(order.integers(1, 8))
            own.append(("compute", float(order.integers(1, 10)) * 2e6))
            own.append(("waitall",))
    return lower(Trace("t", tuple(ranks)))


def chosen(seed: int) -> StepSeconds:
    """Only the messages of the program take time, each another one."""
    programs = choosing(seed)
    order = numpy.random.default_rng(seed)
    found = [float(order.integers(1, 1000)) * 1e-5 if size else 0.0 for size in programs.size]
    return StepSeconds(found, [1e-9] * RANKS, [])


@settings(max_examples=60)
@given(phases, st.sampled_from([0.0, 0.0005, 0.01]))
def test_c_and_python_find_the_same_steps(steps: list[Any], gap: float) -> None:
    programs = lower(trace_of(steps))
    seconds = seconds_of(programs, gap)
    compiled, plain = critical_path(programs, seconds), Critical(programs, seconds).run()
    assert compiled.tolist() == plain[::-1]


@pytest.mark.parametrize("seed", range(8))
def test_c_and_python_agree_where_ranks_wait_for_some(seed: int) -> None:
    programs = choosing(seed)
    seconds = chosen(seed)
    compiled, plain = critical_path(programs, seconds), Critical(programs, seconds).run()
    assert compiled.tolist() == plain[::-1]
    assert any(step[0] & MASK == ANY for step in plain)


def test_of_requests_with_several_messages_the_last_message_counts() -> None:
    """Rank 0 waits for the first of two collectives: that one has ended when its slower message has."""
    begin: list[Action] = [("ibcast", 70_000, 0), ("ibcast", 140_000, 0), ("barrier",)]
    ranks = [[*begin, ("waitany",), ("compute", 1e9), ("waitall",)], *[[*begin, ("waitall",)]] * 2]
    programs = lower(Trace("t", tuple(ranks)))
    (group,) = programs.groups
    assert any(len(request) > 1 for group in programs.groups for request in group.requests)
    slow = dict(zip((m for request in group.requests for m in request), (0.3, 0.5, 0.6, 0.9), strict=True))
    seconds = StepSeconds([slow.get(m, 0.0) for m in range(len(programs.size))], [1e-9] * 3, [])
    path = critical_path(programs, seconds)
    assert [step[0] & MASK for step in path.tolist()] == [ANY, COMPUTE]
    assert length(programs, seconds, path) == pytest.approx(0.5 + 1)


@settings(max_examples=60)
@given(phases)
def test_its_length_is_the_last_date(steps: list[Any]) -> None:
    programs = lower(trace_of(steps))
    seconds = seconds_of(programs)
    last, _ = Walks(programs).latest(numpy.array(seconds.messages), seconds.flop)
    assert length(programs, seconds, critical_path(programs, seconds)) == near(last)


@settings(max_examples=60)
@given(phases, factors)
def test_it_is_the_longest_path_of_the_lower_formula(steps: list[Any], scales: dict[str, float]) -> None:
    trace, on = trace_of(steps), platform()
    programs = lower(trace)
    weights = Compiling(programs, on, range(RANKS)).least()
    multiples = [1 / scales["speed"], scales["latency"], 1 / scales["bandwidth"]]
    paths = Paths(programs, weights, multiples, True)
    assert explained(trace, on, scales).length_s == near(paths.value(paths.run()))


@settings(max_examples=60)
@given(phases, st.sampled_from([0.0, 0.01]))
def test_it_is_connected(steps: list[Any], gap: float) -> None:
    """Each step begins on the rank that the one before it ends on; only the floor of a collective is nowhere."""
    programs = lower(trace_of(steps))
    found = critical_path(programs, seconds_of(programs, gap)).tolist()
    for before, after in pairwise(found):
        assert after[3] == before[1] or -1 in (after[1], before[1])
        if after[3] == before[1] == after[1] != -1:
            assert after[2] > before[2]


def summed(rows: Any) -> list[float]:
    return [math.fsum(column) for column in zip(*(row.parts for row in rows), strict=True)] or [0.0] * 5


@settings(max_examples=60)
@given(phases, factors)
def test_parts_sum_up_to_its_length(steps: list[Any], scales: dict[str, float]) -> None:
    assert_parts_sum_up(explained(trace_of(steps), platform(), scales))


def assert_parts_sum_up(found: CriticalPath) -> None:
    """What every view of a path has to sum up to."""
    parts = found.parts
    assert sum(parts) == near(found.length_s)
    assert summed(found.actions) == near(list(parts))
    assert summed(p for p in found.places if p.within < 0) == near(list(parts))
    assert summed(p for p in found.places if p.what == "action") == near(list(parts))
    assert summed(found.ranks) == near(list(parts._replace(links_s=0.0)))
    in_messages = Parts(latency_s=parts.latency_s, bandwidth_s=parts.bandwidth_s)
    assert summed(found.pairs) == near(list(in_messages))
    assert math.fsum(link.seconds for link in found.links) == near(parts.links_s)
    assert found.bounds.lower_s >= found.length_s * (1 - 1.0001e-4)
    assert found.changes <= found.messages <= found.steps
    for number, place in enumerate(found.places):
        inside = [p for p in found.places if p.within == number]
        assert all(p.depth == place.depth + 1 for p in inside)
        if place.what == "loop":
            assert summed(inside) == near(list(place.parts))
    for rows in (found.ranks, found.pairs, found.actions):
        totals = [row.parts.total_s for row in rows]
        assert totals == sorted(totals, reverse=True)


@settings(max_examples=40)
@given(phases, st.data())
def test_computing_that_is_not_on_it_does_not_change_it(steps: list[Any], data: st.DataObject) -> None:
    trace = trace_of(steps)
    programs = lower(trace)
    seconds = seconds_of(programs)
    path = critical_path(programs, seconds)
    on_it = {(rank, programs.origins[rank][place]) for _, rank, place, _ in path.tolist() if rank >= 0}
    off = [(r, k) for r, own in enumerate(trace.ranks) for k, a in enumerate(own) if a[0] == "compute"]
    off = [each for each in off if each not in on_it]
    left_out = set(data.draw(st.lists(st.sampled_from(off), unique=True))) if off else set()
    less = [[a for k, a in enumerate(own) if (r, k) not in left_out] for r, own in enumerate(trace.ranks)]
    other = lower(Trace("t", tuple(less)))
    last, _ = Walks(other).latest(numpy.array(durations(other)), seconds.flop)
    assert last == near(length(programs, seconds, path))


@settings(max_examples=40)
@given(phases, factors)
def test_elsewhere_it_is_not_longer_than_the_longest_one(steps: list[Any], scales: dict[str, float]) -> None:
    """The length is a maximum of linear functions, of which the path is one."""
    trace, on = trace_of(steps), platform()
    here, there = explained(trace, on).parts, explained(trace, on, scales)
    moved = here.computing_s / scales["speed"] + here.latency_s * scales["latency"] + here.sleep_s
    moved += (here.bandwidth_s + here.links_s) / scales["bandwidth"]
    assert moved <= there.length_s * (1 + 1e-12) + 1e-15


@pytest.mark.parametrize("seed", range(12))
def test_random_traces_are_explained_from_files_and_from_memory(seed: int, tmp_path: Path) -> None:
    path, xml, hostfile = written(CASES[seed % 3](seed), tmp_path)
    on, hosts = api.read_platform(xml, hostfile)
    found = api.explain_trace(path, on, hosts)
    assert_parts_sum_up(found)
    in_memory = api.explain_trace(api.read_trace(path), on, hosts)
    assert replace(found, places=()) == replace(in_memory, places=())
    if CASES[seed % 3] is not wide_case:  # there, sizes in several datatypes fold otherwise
        assert found.places == in_memory.places
    assert found.length_s * (1 - 1e-4) <= api.replay(path, on, hosts).makespan_s
    scaled = api.explain_trace(path, on, hosts, {"speed": 2.0, "latency": 2.0, "bandwidth": 0.5})
    again = api.explain_trace(path, on.scaled(2.0, 2.0, 0.5), hosts)
    assert scaled.parts == near(list(again.parts))
    assert astuple(scaled.bounds) == pytest.approx(astuple(again.bounds), rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_every_action_is_found_in_the_folded_trace(seed: int, tmp_path: Path) -> None:
    path, _, _ = written(CASES[seed % 3](seed), tmp_path)
    trace, folded = api.read_trace(path), api.fold_trace(path)
    placing = Placing(folded)
    for rank, actions in enumerate(trace.ranks):
        kind = folded.kinds[placing.kind(rank)]
        found = placing.placed(rank, numpy.arange(len(actions) + 1))
        expected = [len(kind.slots) if place < 0 else place for place in slots_of(kind, actions)]
        assert found.slots.tolist() == [*expected, len(kind.slots)]
        assert found.computes.tolist() == [a[0] == "compute" for a in actions] + [False]
    if CASES[seed % 3] is wide_case:
        return
    again = renumbered(api.fold_trace(trace), trace)
    for one, other in zip(folded.kinds, again.kinds, strict=True):
        lines = [(s.action, s.line) for s in one.slots if s.action != "init"]
        assert [(s.action, s.line) for s in other.slots if s.action != "init"] == lines


def test_loops_of_the_trace_are_found(tmp_path: Path) -> None:
    """Two ranks of one kind take turns; a third one does something else, and only its loop is at another line."""
    lines = list[str]()
    for rank in (0, 1):
        turn = [f"compute {1e6 if rank else 2e6:g}", f"sendRecv 8000 {1 - rank} 8000 {1 - rank} 6 6"]
        lines += [f"{rank} {each}" for each in (["init"] + turn * 30 + ["allreduce 8 0 6", "finalize"])]
    lines += [f"2 {each}" for each in ["init", *["compute 1e5"] * 3, "allreduce 8 0 6", "finalize"]]
    path = tmp_path / "turns.txt"
    path.write_text("\n".join(lines) + "\n")
    found = api.explain_trace(path, platform(), range(RANKS))
    assert_parts_sum_up(found)
    (loop,) = (p for p in found.places if p.what == "loop")
    assert (loop.ranks, loop.times, loop.line) == ((0, 1), 30, 3)
    inside = [(p.action, p.times, p.line) for p in found.places if p.within == found.places.index(loop)]
    assert inside == [("compute", 30, 3), ("sendrecv", 30, 3)]
    assert loop.parts.computing_s == pytest.approx(30 * 2e6 / 2e9)
    assert found.ranks[0].rank == 0


def test_the_busiest_link_between_collectives_is_a_part() -> None:
    """Four senders to one rank need its link four times as long as any of them alone."""
    step = [(f"{r}", r) for r in range(1, RANKS)]
    ranks: list[list[Action]] = [[("irecv", r, 0, 10**6) for _, r in step] + [("waitall",)]]
    ranks += [[("isend", 0, 0, 10**6), ("waitall",)] for _ in step]
    trace = Trace("t", tuple([*own, ("barrier",), ("compute", 1e5)] for own in ranks))
    found = explained(trace, platform(backbone_policy="FATPIPE"))
    assert_parts_sum_up(found)
    assert found.parts.links_s > 3 * 10**6 / 1e9
    assert [(link.name, link.times) for link in found.links] == [("c_link_0_DOWN", 1)]
    (barrier,) = (a for a in found.actions if a.parts.links_s > 0)
    assert barrier.action == "barrier"
    loads = {load.what: load for load in found.loads}
    assert loads["links"].name == "c_link_0_DOWN"
    assert loads["links"].seconds > found.parts.links_s
    assert loads["computing"].seconds == pytest.approx(1e5 / 2e9 / 2 - 1e-9 / 2)  # it may end one moment early


def test_the_window_of_the_transport_counts_as_latency() -> None:
    """A rate that is limited by 4 MiB in each round trip goes with latency, not with bandwidth."""
    text = STAR.format(**figures((1.0, 1e5, 1.0)))
    on = driver_platform(text)
    found = explained(Trace("t", ([("send", 1, 0, 10**8)], [("recv", 0, 0, 10**8)])), on)
    assert found.parts.bandwidth_s == 0
    assert found.parts.latency_s == pytest.approx(found.length_s)


def driver_platform(text: str) -> Platform:
    from apet.ground.source import Source
    from apet.traces.platform import parse_platform

    return parse_platform(Source("p.xml", text))


@pytest.mark.parametrize("ranks", [([("compute", 0.0)], [("sleep", 0.0)]), ([], [])])
def test_what_takes_no_time_has_no_path(ranks: tuple[list[Action], ...]) -> None:
    found = explained(Trace("t", ranks), platform())
    assert (found.length_s, found.steps, found.places, found.ranks) == (0.0, 0, (), ())


def test_flat_programs_and_their_folded_form_are_enough() -> None:
    trace, on = trace_of([("compute", [1e6, 2e6, 0.0, 0.0, 3e6]), ("allreduce", 2000)]), platform()
    flat = LoweredTrace("t", trace.events, lower(trace))
    assert explain_trace(flat, api.fold_trace(trace), on, range(RANKS), {}).parts == explained(trace, on).parts
