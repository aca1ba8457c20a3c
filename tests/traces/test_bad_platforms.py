"""Platforms beyond measure, and printed archives with a line that is wrong: refused at the place, and soon."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet import api
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.traces.platform import parse_platform
from apet.traces.platform.hosts import parse_hostfile

PRINTED = Path(__file__).resolve().parents[1] / "data" / "otf2" / "ring.print.txt"
DEEP = 95
LARGE = "more than 1,000,000 hosts and links"
DIGITS = "9" * 5_000


def _platform(content: str, routing: str = "Full") -> str:
    return f'<platform version="4.1"><zone id="z" routing="{routing}">{content}</zone></platform>'


def _cluster(**changes: str) -> str:
    usual = {"id": "c", "prefix": "n", "suffix": "", "radical": "0-63", "speed": "1Gf", "bw": "1GBps", "lat": "1us"}
    return _platform("<cluster " + " ".join(f'{k}="{v}"' for k, v in (usual | changes).items()) + "/>")


def _hosts(number: int) -> str:
    return "".join(f'<host id="h{k}" speed="1Gf"/>' for k in range(number))


def _star(number: int) -> str:
    ways = "".join(f'<route src="h0" dst="h{k}"><link_ctn id="l"/></route>' for k in range(1, number))
    return f'{_hosts(number)}<link id="l" bandwidth="1GBps"/>{ways}'


def _zones(route: str) -> str:
    two = "".join(f'<zone id="{name}" routing="Full"><host id="{name}h" speed="1Gf"/></zone>' for name in "ab")
    return _platform(two + route)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (_cluster(topology="FAT_TREE", topo_parameters="3;4,4,4;1,2,2;1,1,2147483648"), LARGE),
        (_cluster(topology="FAT_TREE", topo_parameters="3;4,4,4;1,2147483648,2;1,1,1"), LARGE),
        (_cluster(topology="FAT_TREE", topo_parameters=f"3;4,4,4;1,{DIGITS},2;1,1,1"), "whole numbers"),
        (_cluster(topology="FAT_TREE", topo_parameters="5000" + 3 * (";" + ",".join(5000 * "1"))), "levels"),
        (_cluster(topology="TORUS", topo_parameters=",".join(100_000 * "2")), "places for 64 hosts"),
        (_cluster(radical=",".join(["0-99999"] * 40)), "is in it twice"),
        (_cluster(radical="0-999999"), LARGE),
        (_cluster(radical=f"0-{DIGITS}"), "is no range of numbers"),
        (_cluster(core=DIGITS), "not a whole number"),
        (_platform(_star(1_100), "Floyd"), "too many for a table of all ways"),
        ("<platform>" + 990 * "<zone>" + 990 * "</zone>" + "</platform>", "elements in each other"),
        (_zones('<zoneRoute src="a" dst="b"/>'), "needs the attribute gw_src"),
        (_zones('<route src="ah" dst="bh" gw_src="bh" gw_dst="ah"/>'), "the gateway 'bh' is not in 'ah'"),
        (_platform(_hosts(1) + '<zone id="h0" routing="Full"/>'), "there is a host or router 'h0' already"),
    ],
)
def test_a_platform_beyond_measure_is_refused_at_its_place(text: str, problem: str) -> None:
    with pytest.raises(ApetError) as refused:
        parse_platform(Source("p.xml", text))
    assert "p.xml:1:" in str(refused.value)
    assert problem in str(refused.value)


@pytest.mark.parametrize("count", ["999999999999", DIGITS, "0", "x"])
def test_a_host_file_names_no_more_ranks_than_there_can_be(count: str) -> None:
    platform = parse_platform(Source("p.xml", _cluster()))
    with pytest.raises(ApetError, match=r"hosts:2:1: error: .*not a count of ranks"):
        parse_hostfile(Source("hosts", f"n0:7\nn1:{count}\n"), platform)


def test_hosts_without_routes_take_no_part_in_the_table_of_ways() -> None:
    platform = parse_platform(Source("p.xml", _platform(_hosts(3_000), "Floyd")))
    with pytest.raises(ApetError, match="has no way from host h0 to host h1"):
        platform.route(0, 1)


def test_zones_may_lie_deep() -> None:
    inner = "".join(f'<zone id="z{k}" routing="Full">' for k in range(DEEP)) + _hosts(2) + DEEP * "</zone>"
    link = '<link id="l" bandwidth="1GBps"/>'
    assert len(parse_platform(Source("p.xml", _platform(link + inner))).hosts) == 2


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Ticks per Seconds: 1000000000", "Ticks per Seconds: 0", "CLOCK_PROPERTIES is not as"),
        ("Ticks per Seconds: 1000000000", f"Ticks per Seconds: {DIGITS}", "CLOCK_PROPERTIES is not as"),
        ("GROUP                                  0  ", "GROUP  x  ", "GROUP is not as"),
        ("COMM                                   0  ", "COMM  x  ", "COMM is not as"),
        ("Receiver: 1 (", "Receiver: 99 (", "there is no rank 99"),
        ("Receiver: 1 (", "Receiver: -1 (", "MPI_ISEND lacks"),
        ("Root: 1 (", "Root: 99 (", "there is no rank 99"),
    ],
)
def test_a_line_that_is_not_as_it_is_printed_is_refused_at_its_place(
    old: str, new: str, problem: str, tmp_path: Path
) -> None:
    text = PRINTED.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "archive.txt"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ApetError) as refused:
        api.convert_trace(path)
    line = 1 + text[: text.index(old)].count("\n")
    assert f"archive.txt:{line}:" in str(refused.value)
    assert problem in str(refused.value)
