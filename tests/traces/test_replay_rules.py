"""Single rules of the replay beside what SimGrid 3.32 says: algorithms of collectives by size and number of ranks, ways
of equal length, links that are full, requests that nobody waits for."""

from __future__ import annotations

import json
import shutil
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from tests.traces.engine_oracle import replay_in_python
from tests.traces.random_traces import simulated, written
from tests.traces.wide_traces import wide_case

from apet import api
from apet.ground.source import Source
from apet.traces.lines.writer import trace_lines
from apet.traces.platform import parse_platform
from apet.traces.platform.platform import Platform
from apet.traces.read import read_trace
from apet.traces.replay import replay
from apet.traces.trace import Trace

FOUND = json.loads((Path(__file__).parents[1] / "data" / "titrace" / "rules.json").read_text())
PRINTED = 0.6e-6
"""Seconds: half of the last digit that SimGrid prints, and a bit."""


def text_of(case: dict[str, Any]) -> str:
    """The trace of a case."""
    each = case.get("each") or [case["all"]] * case["ranks"]
    return "".join(f"{r} {action}\n" for r, actions in enumerate(each) for action in ("init", *actions, "finalize"))


def platform_of(case: dict[str, Any]) -> tuple[Platform, list[int]]:
    """The platform of a case and the hosts of its ranks."""
    inside = FOUND["platforms"][case["platform"]]
    found = parse_platform(Source("p.xml", f'<platform version="4.1">{inside}</platform>'))
    return found, [found.number(name) for name in case["hosts"]]


def name_of(case: dict[str, Any]) -> str:
    size = f"-{case['all'][0][:20]}" if "all" in case else ""
    return f"{case['what']}-{case['platform']}-{len(case.get('each', ())) or case['ranks']}{size}"


@pytest.mark.parametrize("case", FOUND["cases"], ids=name_of)
def test_a_rule_gives_what_simgrid_says(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_text(text_of(case))
    found = replay(read_trace(path), *platform_of(case))
    assert found.makespan_s == pytest.approx(case.get("full_s", case["sim_time_s"]), abs=PRINTED)


def test_no_link_carries_more_than_it_can() -> None:
    """SimGrid's lazy update leaves out links of a flow that begins together with another one from its host: here 5 MB
    pass a link of 125 MB/s in 34 ms. It does not with the option network/optim:Full."""
    overfull = [c for c in FOUND["cases"] if "full_s" in c]
    assert len(overfull) == 1
    assert overfull[0]["sim_time_s"] < 5e6 / 125e6 < overfull[0]["full_s"]


def test_a_trace_as_written_keeps_the_elements_of_a_reducescatter(tmp_path: Path) -> None:
    """Which algorithm it is depends on their number, not on the bytes."""
    cases = [c for c in FOUND["cases"] if c["what"].startswith("unequal reducescatter, ")]
    for number, case in enumerate(cases):
        path, copied = tmp_path / f"{number}", tmp_path / f"{number}.copy"
        path.write_text(text_of(case))
        trace = read_trace(path)
        copied.write_text("".join(line for r in range(len(trace.ranks)) for line in trace_lines(trace, r)))
        assert read_trace(copied).ranks == trace.ranks


def test_all_parts_of_an_unequal_reducescatter_arrive() -> None:
    """By distance, each rank sends each other one its part."""
    sizes = [400_000, 500_000, 0, 600_000, 1]
    platform, hosts = platform_of(FOUND["cases"][0])
    found = replay(Trace("t", ([("reducescatter", sizes, 0.0)],) * 5), platform, range(5))
    assert found.messages == 5 * 4
    assert found.bytes_sent == 4 * sum(sizes)
    assert len(hosts) == 2


@pytest.mark.parametrize("seed", range(20))
def test_the_core_and_python_agree_on_wide_traces(seed: int, tmp_path: Path) -> None:
    trace, platform, hosts = written(wide_case(seed), tmp_path)
    found = api.replay(trace, *api.read_platform(platform, hosts))
    wanted = replay_in_python(api.read_trace(trace), *api.read_platform(platform, hosts))
    assert (found.hosts, found.actions, found.messages, found.bytes_sent) == (
        wanted.hosts,
        wanted.actions,
        wanted.messages,
        wanted.bytes_sent,
    )
    for mine, theirs in zip(found.ranks, wanted.ranks, strict=True):
        assert astuple(mine) == pytest.approx(astuple(theirs), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("seed", [1106, 10127, 10, 21, 38])
def test_wide_traces_take_as_long_as_smpirun_says(seed: int, tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    case = wide_case(seed)
    true = simulated(case, tmp_path, "--cfg=network/optim:Full")
    trace, platform, hosts = written(case, tmp_path)
    found = api.replay(trace, *api.read_platform(platform, hosts))
    assert found.makespan_s == pytest.approx(true, rel=0, abs=PRINTED)
