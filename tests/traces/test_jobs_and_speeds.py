"""Laws of several jobs on one platform, and of hosts whose speed lies in an interval."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import apet
from apet.cli.main import main
from apet.traces.lines.sites import CallSite, write_call_sites

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "samples" / "traces"
RING, STENCIL, CLUSTER = (str(TRACES / name) for name in ("ring.txt", "stencil.xz", "cluster.xml"))
WIDE = str(ROOT / "machines" / "cluster-64.toml")


def test_jobs_on_hosts_of_their_own_with_links_of_their_own_take_as_long_as_alone() -> None:
    platform, hosts = apet.read_platform(WIDE)
    ring, stencil = apet.flat_trace(RING), apet.flat_trace(STENCIL)
    both = apet.replay(apet.side_by_side([ring, stencil]), platform, hosts)
    assert len(both.ranks) == 12
    assert max(r.end_s for r in both.ranks[:4]) == apet.replay(RING, platform, hosts).makespan_s
    assert max(r.end_s for r in both.ranks[4:]) == apet.replay(STENCIL, platform, hosts[4:]).makespan_s


def test_jobs_that_share_a_host_take_longer_and_stay_within_their_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    call = [RING, "--platform", CLUSTER, "--job", STENCIL, "--job", f"{RING}:", "--json"]
    assert main(["trace", "replay", *call]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [job["first_rank"] for job in found["jobs"]] == [0, 4, 12]
    assert all(job["makespan_s"] > job["alone_s"] for job in found["jobs"])
    assert found["makespan_s"] == max(job["makespan_s"] for job in found["jobs"])

    assert main(["trace", "predict", *call]) == 0
    bounds = json.loads(capsys.readouterr().out)
    assert bounds["lower_s"] <= found["makespan_s"] <= bounds["upper_s"]


def test_waits_for_some_requests_keep_their_messages(tmp_path: Path) -> None:
    trace = tmp_path / "any.txt"
    sends = "".join(f"{r} init\n{r} compute {r}e6\n{r} send 0 {r} 1000 6\n{r} finalize\n" for r in (1, 2))
    trace.write_text("0 init\n0 irecv 1 1 1000 6\n0 irecv 2 2 1000 6\n0 waitAny\n0 waitall\n0 finalize\n" + sends)
    platform, hosts = apet.read_platform(WIDE)
    one = apet.flat_trace(trace)
    assert one.programs.groups
    twice = apet.replay(apet.side_by_side([one, one]), platform, hosts)
    assert twice.ranks[3].end_s == twice.ranks[0].end_s == apet.replay(trace, platform, hosts).ranks[0].end_s


@pytest.mark.parametrize("setting", ["speed[node-1]={}", "speed={}"])
def test_bounds_of_a_range_of_speeds_hold_for_each_speed_in_it(
    setting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    on = [RING, "--platform", CLUSTER, "--json", "--set"]
    assert main(["trace", "predict", *on, setting.format("0.5..1")]) == 0
    bounds = json.loads(capsys.readouterr().out)
    for speed in ("0.5", "0.7", "1"):
        assert main(["trace", "replay", *on, setting.format(speed)]) == 0
        true = json.loads(capsys.readouterr().out)["makespan_s"]
        assert bounds["lower_s"] * 0.999 <= true <= bounds["upper_s"] * 1.001
    assert bounds["upper_s"] < 2 * bounds["lower_s"]


def test_a_slow_host_lengthens_the_critical_path(capsys: pytest.CaptureFixture[str]) -> None:
    on = ["trace", "explain", RING, "--platform", CLUSTER, "--json"]
    lengths = []
    for more in ([], ["--set", "speed[node-1]=0.5"]):
        assert main([*on, *more]) == 0
        lengths.append(json.loads(capsys.readouterr().out)["path"]["seconds"])
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "speed[nod-1]=0.5"], "there is no host 'nod-1'; did you mean 'node-1'?"),
        (["--set", "speed[node-1]=0"], "it should be above 0"),
        (["--set", "speed=0.5..1"], "there is one run for one value"),
        (["--job", "nothing.txt"], "cannot read nothing.txt"),
        (["--job", RING, "--vary", "speed=1,2"], "a table has --vary, and one job"),
    ],
)
def test_what_cannot_be_set_is_refused(more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "replay", RING, "--platform", CLUSTER, *more]) == 2
    assert message in capsys.readouterr().err


def test_a_chart_has_the_calls_that_ranks_wait_in(tmp_path: Path) -> None:
    from apet.traces.report.gantt import gantt_figure

    sited = tmp_path / "t.txt"
    sited.write_text("0 compute 1e6\n0 send 1 0 100000 6\n1 recv 0 0 100000 6\n")
    places = [CallSite("halo.c", line, "exchange") for line in (42, 43)]
    with gzip.open(f"{sited}.sites", "wb") as file:
        write_call_sites(file, sited.stat().st_size, places, [[0, 1, 2]])
    platform, hosts = apet.read_platform(CLUSTER)
    replayed, sites = apet.replay_by_site(sited, platform, hosts)
    waits = {site for segment, site in zip(replayed.segments, sites, strict=True) if not segment.computes}
    assert waits == {"exchange() at halo.c:42", "exchange() at halo.c:43"}
    assert all(not site for segment, site in zip(replayed.segments, sites, strict=True) if segment.computes)

    legend = gantt_figure(replayed, sites).legends[0]
    assert "waits in exchange() at halo.c:43" in [text.get_text() for text in legend.get_texts()]
