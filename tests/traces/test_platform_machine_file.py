"""Machine files as platforms."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet import api
from apet.ground.diagnostics import ApetError
from apet.traces.platform.platform import Platform

MACHINES = """schema = 1
[[machine]]
name = "a"
count = 2
cores = 2
load = [0.0, 0.2]
[machine.op_s]
flop = [1e-9, 3e-9]
[[machine]]
name = "b"
[machine.op_s]
sum_double = 1e-9
mpy_double = 3e-9
"""
NETWORK = """[network]
topology = "{topology}"
latency_s = 1e-5
bandwidth_B_per_s = [0.5e9, 1.5e9]
"""
LINK = """[[network.link]]
from = "a"
to = "b"
latency_s = 1e-3
bandwidth_B_per_s = 1e8
"""


def platform(tmp_path: Path, text: str) -> tuple[Platform, list[int]]:
    """The platform of a machine file."""
    path = tmp_path / "m.toml"
    path.write_text(text)
    return api.read_platform(path)


def routes(tmp_path: Path, text: str) -> dict[tuple[int, int], tuple[list[str], float]]:
    """Names of links and latency by pair of hosts."""
    found, hosts = platform(tmp_path, text)
    pairs = [(a, b) for a in hosts for b in hosts]
    return {p: ([found.links[k].name for k in found.route(*p).links], found.route(*p).latency) for p in pairs}


def test_processors_are_hosts_at_the_speed_that_is_left(tmp_path: Path) -> None:
    found, hosts = platform(tmp_path, MACHINES + NETWORK.format(topology="bus"))
    assert [h.name for h in found.hosts] == ["a-1", "a-2", "b"]
    assert [h.speed for h in found.hosts] == pytest.approx([0.45e9, 0.45e9, 0.5e9])
    assert [h.cores for h in found.hosts] == [2, 2, 1]
    assert hosts == [0, 1, 2]


def test_a_bus_is_one_link_for_all(tmp_path: Path) -> None:
    found = routes(tmp_path, MACHINES + NETWORK.format(topology="bus"))
    assert found[0, 1] == found[1, 2] == (["bus"], 1e-5)
    assert found[1, 1] == ([], 0)


def test_a_switch_has_links_out_and_in(tmp_path: Path) -> None:
    found = routes(tmp_path, MACHINES + NETWORK.format(topology="switch"))
    assert found[0, 2] == (["a-1-out", "b-in"], 1e-5)


@pytest.mark.parametrize(("topology", "common"), [("bus", ["bus"]), ("switch", ["a-1-out", "b-in"]), ("none", [])])
def test_links_that_differ_stand_beside_what_is_shared(tmp_path: Path, topology: str, common: list[str]) -> None:
    text = MACHINES + NETWORK.format(topology=topology) + LINK
    found = routes(tmp_path, text)
    assert found[0, 2][1] == 1e-3
    assert found[0, 1][1] == 1e-5
    assert sorted(found[0, 2][0]) == sorted([*common, "a to b"])
    whole, _ = platform(tmp_path, text)
    widths = {k.name: k.bandwidth for k in whole.links}
    assert widths["a to b"] == 1e8
    assert widths["a to a"] == 1e9


def test_ranks_replay_on_a_machine_file(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    trace.write_text("0 init\n0 compute 450000000\n0 send 1 0 1000000 6\n1 init\n1 recv 0 0 1000000 6\n")
    found = api.replay(trace, *platform(tmp_path, MACHINES + NETWORK.format(topology="bus")))
    assert found.ranks[0].compute_s == pytest.approx(1.0)
    assert 1.001 < found.makespan_s < 1.01


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MACHINES, "has no network"),
        (NETWORK.format(topology="bus") + '[[machine]]\nname = "x"\nop_s = {sum_int = 1e-9}\n', "how long a flop"),
    ],
)
def test_what_is_missing_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ApetError, match=said):
        platform(tmp_path, text if text.startswith("schema") else "schema = 1\n" + text)
