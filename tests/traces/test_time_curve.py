"""Curves of time over latency and bandwidth: exact where no message waits for another one, else around all replays."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy
import pytest
from tests.traces.option_traces import option_case
from tests.traces.random_traces import Case, written

from apet import api
from apet.ground.diagnostics import ApetError
from apet.traces.bounds.curve import Line, search, time_curve
from apet.traces.critical.tolerance import tolerance

NO_WINDOW = '<prop id="smpi/lat-factor" value="1"/><prop id="network/TCP-gamma" value="0"/>'
HEAD = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"""


def pairs_apart(hosts: int, gigabytes: float, microseconds: float, config: str = "") -> str:
    """A platform on which each pair of hosts has links of its own that each message has to itself."""
    text = (
        f'{HEAD}<config><prop id="network/crosstraffic" value="no"/>{config}</config>\n<zone id="z" routing="Full">\n'
    )
    text += "".join(f'<host id="n{k}" speed="1Gf"/>\n' for k in range(hosts))
    pairs = [(a, b) for a in range(hosts) for b in range(hosts) if a != b]
    width = f'bandwidth="{gigabytes}GBps" latency="{microseconds}us" sharing_policy="FATPIPE"'
    text += "".join(f'<link id="l{a}-{b}" {width}/>\n' for a, b in pairs)
    way = '<route src="n{0}" dst="n{1}" symmetrical="NO"><link_ctn id="l{0}-{1}"/></route>\n'
    return f"{text}{''.join(way.format(a, b) for a, b in pairs)}</zone>\n</platform>\n"


def apart(seed: int) -> Case:
    """The random case of a seed on a platform whose links nobody shares."""
    random, case = Random(seed), option_case(seed)
    config = re.search("<config>(.*)</config>", case.platform)
    assert config is not None
    own = re.sub('<prop id="network/[^>]*>|<prop id="smpi/or[^>]*>', "", config[1])
    platform = pairs_apart(case.ranks, random.choice((0.1, 1, 10)), random.choice((1, 30, 1000)), own)
    return case._replace(platform=platform, hosts="".join(f"n{k}\n" for k in range(case.ranks)))


@pytest.mark.parametrize("factor", ["latency", "bandwidth"])
@pytest.mark.parametrize("seed", range(16))
def test_where_no_link_is_shared_the_curve_is_the_time_of_every_replay(seed: int, factor: str, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(apart(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    curve = time_curve(api.flat_trace(trace, platform), platform, hosts, factor)

    assert curve.exact
    random = Random(seed)
    for multiple in (1.0, *(10 ** random.uniform(-5, 5) for _ in range(5))):
        true = api.replay(trace, platform.scaled(**{factor: multiple}), hosts).makespan_s
        assert list(curve.bounds(multiple)) == pytest.approx([true, true], rel=1e-6, abs=3e-7)


@pytest.mark.parametrize("factor", ["latency", "bandwidth"])
@pytest.mark.parametrize("seed", range(16))
def test_where_links_are_shared_every_replay_is_between_the_curves(seed: int, factor: str, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(option_case(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    curve, random = time_curve(api.flat_trace(trace, platform), platform, hosts, factor), Random(seed)

    for multiple in (1.0, *(10 ** random.uniform(-4, 4) for _ in range(5))):
        true = api.replay(trace, platform.scaled(**{factor: multiple}), hosts).makespan_s
        lower, upper = curve.bounds(multiple)
        assert lower * (1 - 1e-9) <= true + 1e-9
        assert true - 1e-9 <= upper * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_the_search_finds_all_lines_of_a_maximum(seed: int) -> None:
    random = Random(seed)
    lines = [Line(random.random() ** 3, random.random() * 10 ** random.uniform(-4, 2)) for _ in range(60)]
    found = search(lambda ys: [max(lines, key=lambda line: line.at(y)) for y in ys])

    for y in numpy.geomspace(1e-6, 1e6, 400).tolist():
        assert max(f.at(y) for f in found) == pytest.approx(max(line.at(y) for line in lines), rel=1e-10)
    assert set(found) <= set(lines)
    assert all(a.slope < b.slope and a.at_none > b.at_none for a, b in pairwise(found))


def test_the_slope_is_the_latencies_on_the_path_and_kinks_are_where_it_changes(tmp_path: Path) -> None:
    # 30 ms of computing beside a chain of ten messages of 1 ms each: the chain is longer from 3 times the latency on
    chain = "".join(f"{k % 2} send {1 - k % 2} 0 0 6\n{1 - k % 2} recv {k % 2} 0 0 6\n" for k in range(10))
    (tmp_path / "t.txt").write_text(chain + "2 compute 30000000\n")
    (tmp_path / "p.xml").write_text(pairs_apart(3, 1e9, 1000, NO_WINDOW))
    platform, hosts = api.read_platform(tmp_path / "p.xml")
    flat, steep = time_curve(api.flat_trace(tmp_path / "t.txt", platform), platform, hosts, "latency").kinks()

    assert [flat.seconds, flat.in_proportion] == pytest.approx([0.03, 0.0])
    assert [steep.multiple, steep.in_proportion] == pytest.approx([3.0, 0.01], rel=1e-6)


def test_a_share_beyond_the_best_is_measured_from_its_replay(tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(option_case(3), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    flat = api.flat_trace(trace, platform)
    found = tolerance(flat, platform, hosts, "latency", near_best=0.05, ends=(0.01, 100.0))

    assert found.limit.seconds == pytest.approx(
        1.05 * api.replay(flat, platform.scaled(latency=0.01), hosts).makespan_s
    )
    at = found.limit.last
    assert api.replay(flat, platform.scaled(latency=at), hosts).makespan_s <= found.limit.seconds * (1 + 1e-9)
    assert found.limit.sure <= at * (1 + 1e-9) <= found.limit.possible * (1 + 2e-9)


def test_a_trace_whose_order_depends_on_time_has_no_curve(tmp_path: Path) -> None:
    lines = "0 irecv 1 0 1 6\n0 irecv 1 1 1 6\n0 waitany\n0 compute 5\n0 waitall\n1 send 0 0 1 6\n1 send 0 1 1 6\n"
    (tmp_path / "t.txt").write_text(lines)
    (tmp_path / "p.xml").write_text(pairs_apart(2, 1, 1))
    platform, hosts = api.read_platform(tmp_path / "p.xml")
    with pytest.raises(ApetError, match="waits for some of several requests"):
        time_curve(api.flat_trace(tmp_path / "t.txt", platform), platform, hosts, "latency")
