"""Options of platforms: what changes times is modelled or refused, and bounds hold whatever the options are."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.traces.option_traces import OPTIONS, option_case
from tests.traces.random_traces import compared, written

from apet import api
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.traces.platform.options import ALIASES, MODELLED, UNUSED, USUAL
from apet.traces.platform.reader import parse_platform

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config>{}</config>
<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="5ms"{}/>
</platform>
"""
LATE = "0 send 1 1 1000 6\n1 compute 20000000\n1 recv 0 1 1000 6\n"
"""A message of 1 kB to a rank that computes for 20 ms before it takes it; the way takes 10 ms and 1.95 times that."""
TURNS = "0 compute 100000000\n" + "".join(f"{rank} exscan 0 0 6\n" for rank in range(3))
"""Rank 2 waits for rank 0, which is late, before it takes what has come of rank 1."""
BOTH = "0 irecv 1 0 {} 6\n0 isend 1 0 {} 6\n0 waitall\n1 irecv 0 0 {} 6\n1 isend 0 0 {} 6\n1 waitall\n"


def options(*pairs: str) -> str:
    """A platform with some options, each `name=value`."""
    rows = [pair.partition("=") for pair in pairs]
    return PLATFORM.format("".join(f'<prop id="{name}" value="{value}"/>' for name, _, value in rows), "")


def seconds(folder: Path, trace: str, *pairs: str) -> float:
    """The run time of a trace where a platform has some options."""
    (folder / "t.txt").write_text(trace)
    (folder / "p.xml").write_text(options(*pairs))
    return api.replay(folder / "t.txt", *api.read_platform(folder / "p.xml")).makespan_s


@pytest.mark.parametrize(
    ("trace", "pair", "change"),
    [
        (LATE, "smpi/async-small-thresh=65536", -0.0195),  # on its way while its receiver computes
        (LATE, "smpi/async-small-thresh=1000", 0.0),  # its size is not below that
        (LATE, "smpi/or=0:0.01:0", 0.01),
        (LATE, "smpi/or=0:1ms:1us", 0.002),
        (LATE, "smpi/os=0:1ms:0", 0.0),  # the receiver comes later
        (LATE, "smpi/os=0:30ms:0", 0.01),
        (LATE, "smpi/ois=0:30ms:0", 0.0),  # a blocking send takes what smpi/os says
        (LATE, "smpi/send-is-detached-thresh=10", 0.0),
        (LATE + "0 compute 5000000\n", "smpi/send-is-detached-thresh=10", 0.005),
        (TURNS, "smpi/or=0:0.1:0", 0.2),  # both after the late one, though one has come before
        (LATE, "network/latency-factor=1", -0.0095),
        (LATE, "smpi/lat-factor=0:1", -0.0095),
    ],
)
def test_an_option_changes_the_time_by_what_it_says(tmp_path: Path, trace: str, pair: str, change: float) -> None:
    before = seconds(tmp_path, trace)
    assert seconds(tmp_path, trace, pair) == pytest.approx(before + change, abs=2e-5)


def log2(number: int) -> int:
    """The steps in which as many ranks double what they know."""
    return (number - 1).bit_length()


BY_HAND: list[tuple[str, str, Callable[[int, int], float]]] = [
    ("allreduce=lr", "allreduce {} 0 6", lambda n, size: 2 * (n - 1) * step(size // n)),
    ("allreduce=rdb", "allreduce {} 0 6", lambda n, size: log2(n) * step(size)),
    ("reduce=binomial", "reduce {} 0 0 6", lambda n, size: log2(n) * step(size)),
    ("allgather=ring", "allgather {0} {0} 6 6", lambda n, size: (n - 1) * step(size)),
    ("alltoall=ring", "alltoall {0} {0} 6 6", lambda n, size: (n - 1) * step(size)),
    ("reduce_scatter=ompi_ring", "reducescatter {1} 0 6", lambda n, size: (n - 1) * step(size)),
    ("barrier=ompi_bruck", "barrier", lambda n, _: log2(n) * step(0)),
    ("barrier=ompi_recursivedoubling", "barrier", lambda n, _: log2(n) * step(0)),
    ("barrier=ompi_tree", "barrier", lambda n, _: 2 * log2(n) * step(0)),
]


def step(size: int) -> float:
    """Seconds of a message over two links, with 16 bytes of header."""
    return 10e-3 + (size + 16) / 1e9


@pytest.mark.parametrize(("option", "action", "seconds_by_hand"), BY_HAND)
@pytest.mark.parametrize("number", [2, 4, 8])
def test_an_algorithm_takes_as_many_steps_as_it_has(
    option: str, action: str, seconds_by_hand: Callable[[int, int], float], number: int, tmp_path: Path
) -> None:
    size = 1_000_000
    words = action.format(size, " ".join([str(size)] * number))
    trace = "".join(f"{rank} {words}\n" for rank in range(number))
    plain = ("network/TCP-gamma=0", "network/crosstraffic=no", "smpi/lat-factor=1", "smpi/bw-factor=1")
    text = options(f"smpi/{option}", *plain).replace('radical="0-1"', f'radical="0-{number - 1}"')
    (tmp_path / "t.txt").write_text(trace)
    (tmp_path / "p.xml").write_text(text)

    found = api.replay(tmp_path / "t.txt", *api.read_platform(tmp_path / "p.xml")).makespan_s
    assert found == pytest.approx(seconds_by_hand(number, size), rel=1e-4)


@pytest.mark.parametrize("algorithm", ["default", "ompi_ring"])
def test_parts_that_are_beyond_the_limit_together_are_refused(algorithm: str, tmp_path: Path) -> None:
    trace = "".join(f"{rank} reducescatter {' '.join([str(10**18 - rank)] * 16)} 0 6\n" for rank in range(16))
    (tmp_path / "t.txt").write_text(trace)
    text = options(f"smpi/reduce_scatter={algorithm}").replace('radical="0-1"', 'radical="0-15"')
    (tmp_path / "p.xml").write_text(text)
    with pytest.raises(ApetError, match="reducescatter"):
        api.replay(tmp_path / "t.txt", *api.read_platform(tmp_path / "p.xml"))


def test_a_window_limits_the_rate_and_none_does_not(tmp_path: Path) -> None:
    trace = "0 send 1 0 1000000 6\n1 recv 0 0 1000000 6\n"
    narrow, usual, none = (seconds(tmp_path, trace, f"network/TCP-gamma={n}") for n in (20_000, 4_194_304, 0))

    assert narrow - usual == pytest.approx(1e6 * 20e-3 / 0.940694 * (1 / 20_000 - 1 / 4_194_304), rel=1e-3)
    assert none < usual


def test_traffic_on_the_way_back_slows_messages_both_ways_by_a_twentieth(tmp_path: Path) -> None:
    trace = BOTH.format(*[10_000_000] * 4)
    platform = PLATFORM.replace('lat="5ms"', 'lat="1ns"')
    times = []
    for value in ("yes", "no"):
        (tmp_path / "t.txt").write_text(trace)
        (tmp_path / "p.xml").write_text(platform.format(f'<prop id="network/crosstraffic" value="{value}"/>', ""))
        times.append(api.replay(tmp_path / "t.txt", *api.read_platform(tmp_path / "p.xml")).makespan_s)

    assert times[0] / times[1] == pytest.approx(1.05, rel=1e-3)


@pytest.mark.parametrize("seed", range(24))
def test_bounds_and_formulas_hold_with_all_options(seed: int, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(option_case(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    compiled, bounds = api.compile_trace(trace, platform, hosts), api.trace_bounds(trace, platform, hosts)

    true = api.replay(trace, platform, hosts).makespan_s
    assert bounds.lower_s <= true * (1 + 1e-9) <= bounds.upper_s * (1 + 2e-9)
    for factors in ({}, {"latency": 7.0}, {"bandwidth": 0.2, "speed": 3.0}, {"latency": 0.1, "speed": 0.3}):
        scaled = api.replay(trace, platform.scaled(**factors), hosts).makespan_s
        at = compiled.at({name: (x, x) for name, x in factors.items()})
        assert at.lower_s <= scaled * (1 + 1e-9) <= at.upper_s * (1 + 2e-9), factors


@pytest.mark.parametrize("seed", range(24))
def test_the_critical_path_is_a_lower_bound_with_all_options(seed: int, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(option_case(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    path = api.explain_trace(trace, platform, hosts)

    assert path.length_s * (1 - 1e-4) <= api.replay(trace, platform, hosts).makespan_s * (1 + 1e-9)
    assert sum(part.parts.total_s for part in path.actions) == pytest.approx(path.length_s, rel=1e-6, abs=1e-9)
    assert path.bounds.lower_s >= path.length_s * (1 - 1e-4) * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(24))
def test_flat_programs_replay_as_the_trace_does(seed: int, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(option_case(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)

    whole = api.replay(api.read_trace(trace), platform, hosts)
    assert whole.makespan_s == pytest.approx(api.replay(trace, platform, hosts).makespan_s, rel=1e-9)
    assert api.replay(api.flat_trace(trace, platform), platform, hosts).makespan_s == whole.makespan_s


@pytest.mark.parametrize("seed", [*(k for k in range(12) if k != 8), 926])  # there SMPI itself waits for ever
def test_random_options_take_as_long_as_smpirun_says(seed: int, tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    assert compared(seed, option_case(seed), tmp_path, None).full <= 1e-3


def test_every_modelled_option_is_drawn() -> None:
    assert set(OPTIONS) == MODELLED


@pytest.mark.parametrize("name", [*sorted(MODELLED), *(old for old, new in ALIASES.items() if new in MODELLED)])
def test_a_value_that_an_option_cannot_have_is_refused_where_it_stands(name: str) -> None:
    with pytest.raises(ApetError) as refused:
        parse_platform(Source("p.xml", options(f"{name}=much")))
    assert name in str(refused.value)
    assert "p.xml:4:" in str(refused.value)


@pytest.mark.parametrize(
    "pair", ["smpi/alltoall=3dmesh", "smpi/gather=ompi", "smpi/init=2", "cpu/model=ti", "plugin=host_dvfs"]
)
def test_what_changes_times_and_is_not_modelled_is_refused(pair: str) -> None:
    with pytest.raises(ApetError, match="not modelled"):
        parse_platform(Source("p.xml", options(pair)))


def test_what_changes_no_times_is_kept_by_name() -> None:
    platform = parse_platform(Source("p.xml", options("contexts/factory=raw", "smpi/bcast=binomial_tree")))
    assert platform.unused == ("contexts/factory",)


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(ApetError, match="did you mean 'smpi/async-small-thresh'"):
        parse_platform(Source("p.xml", options("smpi/async-smal-thresh=3")))


def test_a_message_that_is_sent_at_once_has_to_be_one_whose_send_returns_at_once() -> None:
    with pytest.raises(ApetError, match="send-is-detached-thresh"):
        parse_platform(Source("p.xml", options("smpi/async-small-thresh=100000")))


def test_overheads_of_one_host_are_refused() -> None:
    text = re.sub("<cluster .*/>", '<host id="a" speed="1Gf"><prop id="smpi/or" value="0:1:0"/></host>', PLATFORM)
    with pytest.raises(ApetError, match="all hosts alike"):
        parse_platform(Source("p.xml", text.format("", "")))


def test_names_of_options_are_said_once() -> None:
    assert not MODELLED & set(USUAL)
    assert not any(name.startswith(UNUSED) for name in (*MODELLED, *USUAL))
