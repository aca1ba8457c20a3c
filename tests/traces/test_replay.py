"""The replay of traces: against SimGrid's simulated times and routes, and laws of messages and sharing."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.traces.sharing_oracle import Flow, Links

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.traces.platform import parse_platform, read_hostfile, read_platform
from apet.traces.platform.platform import Platform
from apet.traces.read import read_trace
from apet.traces.replay import replay
from apet.traces.replay.costs import factors, path
from apet.traces.trace import ANY_SOURCE, ANY_TAG, Replayed, Trace

DATA = Path(__file__).parents[1] / "data" / "titrace"
SIMULATED = json.loads((DATA / "simulated.json").read_text())
PLATFORMS = ("homog", "hetero", "fattree", "fatpipe", "slowbb", "crossbar", "torus", "cables")
TWO = """<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" core="2" bw="1GBps" lat="1us"/>
</platform>"""


def platform(name: str) -> tuple[Platform, list[int]]:
    """A reference platform and the hosts of ranks."""
    found = read_platform(DATA / f"{name}.xml")
    return found, read_hostfile(DATA / f"{name}.hostfile", found)


def run(*ranks: list[Any], text: str = TWO) -> Replayed:
    """Replay actions on a small cluster, one rank per host."""
    return replay(Trace("t", ranks), parse_platform(Source("p.xml", text)), range(4))


@pytest.mark.parametrize("name", PLATFORMS)
def test_routes_are_those_of_simgrid(name: str) -> None:
    found, hosts = platform(name)
    with gzip.open(DATA / f"{name}.routes.json.gz") as file:
        wanted = json.load(file)
    assert {h.name: {"speed": h.speed, "cores": h.cores} for h in found.hosts} == wanted["hosts"]
    links = {k.name: [k.bandwidth, k.latency, int(k.policy == "SHARED")] for k in found.links}
    assert links == {n: pytest.approx(v, rel=1e-12) for n, v in wanted["links"].items()}
    for source, target, latency, names in wanted["routes"]:
        route = found.route(hosts[source], hosts[target])
        assert [found.links[k].name for k in route.links] == names
        assert route.latency == pytest.approx(latency, rel=1e-9)


@pytest.mark.parametrize("case", SIMULATED, ids=lambda c: f"{c['trace']}-{c['platform']}")
def test_replays_take_as_long_as_simgrid_says(case: dict[str, Any]) -> None:
    trace = read_trace(DATA / f"{case['trace']}.txt.gz")
    found = replay(trace, *platform(case["platform"]))
    assert found.makespan_s == pytest.approx(case["sim_time_s"], rel=1e-3)


@given(st.floats(1, 1e12))
def test_computing_takes_flops_over_speed(flops: float) -> None:
    assert run([("compute", flops)]).makespan_s == pytest.approx(flops / 1e9)


@given(st.integers(0, 10**8))
def test_a_message_takes_what_the_model_says(size: int) -> None:
    latency, bandwidth = factors(size)
    found = run([("send", 1, 0, size)], [("recv", 0, 0, size)])
    rate = min(1e9 / 1.0, 4194304 / 4e-6)
    assert found.makespan_s == pytest.approx(latency * 2e-6 + (size + 16) / (bandwidth * rate), rel=1e-9)


def test_small_sends_return_at_once_and_large_ones_do_not() -> None:
    small = run([("send", 1, 0, 1000)], [("sleep", 1.0), ("recv", 0, 0, 1000)])
    large = run([("send", 1, 0, 100_000)], [("sleep", 1.0), ("recv", 0, 0, 100_000)])
    assert small.ranks[0].end_s == 0
    assert large.ranks[0].end_s > 1


def test_two_equal_flows_share_a_link() -> None:
    size = 10**8
    one = run([("isend", 2, 0, size)], [], [("recv", 0, 0, size)])
    two = run([("isend", 2, 0, size)], [("isend", 2, 0, size)], [("recv", 0, 0, size), ("recv", 1, 0, size)])
    assert two.makespan_s == pytest.approx(2 * one.makespan_s, rel=1e-3)


def test_more_ranks_than_cores_share_them() -> None:
    found = replay(
        Trace("t", ([("compute", 1e9)],) * 3), parse_platform(Source("p.xml", TWO)), [0]
    )  # three ranks on two cores
    assert found.makespan_s == pytest.approx(1.5)


def test_messages_of_one_channel_keep_their_order() -> None:
    sent = [("isend", 1, 0, 100_000), ("isend", 1, 0, 5), ("waitall",)]
    found = run(sent, [("recv", 0, 0, 5), ("sleep", 1.0), ("recv", 0, 0, 5)])
    assert found.makespan_s > 1.0
    assert found.bytes_sent == 100_005


def test_ranks_that_wait_for_each_other_are_named() -> None:
    with pytest.raises(ApetError) as caught:
        run([("recv", 1, 7, 8)], [("compute", 5.0), ("recv", 0, 7, 8)], [("compute", 1.0)])
    assert "deadlock: 2 of 3 ranks wait for ever" in str(caught.value)
    assert "rank 0, recv: waits for a message from rank 1 with tag 7" in str(caught.value)
    assert "rank 1, recv: waits for a message from rank 0 with tag 7" in str(caught.value)


def test_a_message_to_oneself_uses_a_shared_link_once() -> None:
    """Up and down are the same link where it is not split: a StarZone of SimGrid enters it once."""
    text = TWO.replace('lat="1us"', 'lat="1us" sharing_policy="SHARED"')
    found = run([("irecv", 0, 0, 10**7), ("isend", 0, 0, 10**7), ("waitall",)], text=text)
    latency, bandwidth = factors(10**7)
    assert found.makespan_s == pytest.approx(latency * 1e-6 + (10**7 + 16) / (bandwidth * 1e9 / 1.05), rel=1e-9)


def test_a_lone_flow_leaves_room_for_its_way_back() -> None:
    text = TWO.replace('lat="1us"', 'lat="1us" sharing_policy="SHARED"')
    found = run([("send", 1, 0, 10**7)], [("recv", 0, 0, 10**7)], text=text)
    latency, bandwidth = factors(10**7)
    assert found.makespan_s == pytest.approx(latency * 2e-6 + (10**7 + 16) / (bandwidth * 1e9 / 1.05), rel=1e-9)


def test_a_rank_waits_for_as_many_of_its_requests_as_it_asks_for() -> None:
    receives = [("irecv", 1, 0, 10**6), ("irecv", 2, 0, 10**6)]
    early, late = [("send", 0, 0, 10**6)], [("sleep", 1.0), ("send", 0, 0, 10**6)]
    one = run([*receives, ("waitany",), ("compute", 1e6)], early, late)
    two = run([*receives, ("waitany",), ("waitany",), ("compute", 1e6)], early, late)
    assert one.ranks[0].compute_s == pytest.approx(two.ranks[0].compute_s)
    assert one.makespan_s == pytest.approx(two.makespan_s - 1e-3, rel=1e-6)


def test_receives_from_any_rank_take_what_nobody_else_takes() -> None:
    wild = ("recv", ANY_SOURCE, ANY_TAG, 100)
    found = run([("recv", 2, 5, 100), wild, wild], [("send", 0, 1, 100)], [("send", 0, 5, 100), ("send", 0, 6, 100)])
    assert found.messages == 5  # three are sent; the numbers of receives from anybody stay unused
    assert found.makespan_s > 0


@given(st.integers(2, 9), st.sampled_from(["barrier", "bcast", "allreduce", "alltoall", "allgather", "scan"]))
def test_collectives_end_for_any_number_of_ranks(ranks: int, name: str) -> None:
    extra = {"barrier": (), "bcast": (100, ranks - 1), "allreduce": (100, 5.0), "scan": (100, 5.0)}.get(name, (100,))
    found = run(*[[(name, *extra)] for _ in range(ranks)])
    assert found.makespan_s > 0
    assert len(found.ranks) == ranks


flows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda p: p[0] != p[1]), min_size=1, max_size=8)


@given(flows)
def test_shares_are_max_min_fair(pairs: list[tuple[int, int]]) -> None:
    """No flow could get more without taking from one that has less: each is at its bound or crosses a full link on
    which no other has a greater weighted rate."""
    found, _ = platform("hetero")
    links = Links([k.bandwidth for k in found.links], [True] * len(found.links))
    made = [Flow(path(found, a, b), 1.0, 1.0, 0) for a, b in pairs]
    for flow in made:
        links.enter(flow)
    together, around = links.around(range(len(found.links)))
    rates = dict(zip(together, links.rates(together, around), strict=True))
    used = [sum(rates[f] * share for f, share in users.items()) for users in links.flows]
    for k, total in enumerate(used):
        assert total <= links.capacity[k] * (1 + 1e-9)
    for flow, rate in rates.items():
        full = [k for k, _ in flow.path.uses if used[k] >= links.capacity[k] * (1 - 1e-9)]
        level = rate * flow.path.penalty
        most = [max(rates[g] * g.path.penalty for g in links.flows[k]) for k in full]
        assert rate >= flow.path.bound * (1 - 1e-9) or any(level >= m * (1 - 1e-9) for m in most)


def test_an_entity_bomb_is_refused() -> None:
    from apet.ground.diagnostics import ApetError

    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><platform version="4.1">&b;</platform>'
    with pytest.raises(ApetError, match="may not declare entities"):
        parse_platform(Source("p.xml", bomb))
