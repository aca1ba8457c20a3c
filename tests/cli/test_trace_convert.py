"""Laws of traces in other forms: what is written reads as the same trace, unrolled collectives take the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet import api
from apet.cli.main import main
from apet.traces.trace import Trace

DATA = Path(__file__).resolve().parents[1] / "data"
FIXTURES = sorted((DATA / "titrace" / "fixtures").glob("*.gz"))
OTHERS = ["ft.S.4.txt.gz", "is.S.4.txt.gz", "comd.4.txt.gz", "prk-pic.8.txt.gz"]
TRACES = [*FIXTURES, *(DATA / "titrace" / name for name in OTHERS), DATA / "mpi" / "calls.txt"]


def seconds(trace: Trace) -> float:
    platform, hosts = api.read_platform(DATA / "titrace" / "homog.xml", DATA / "titrace" / "homog.hostfile")
    return api.replay(trace, platform, hosts).makespan_s


@pytest.mark.parametrize("path", TRACES, ids=lambda p: p.name)
@pytest.mark.parametrize("target", ["t.txt", "t.gz", "many/"])
def test_what_is_written_is_the_same_trace(path: Path, target: str, tmp_path: Path) -> None:
    assert main(["trace", "convert", str(path), "-o", f"{tmp_path}/{target}"]) == 0
    trace = api.read_trace(path)
    again = api.read_trace(tmp_path / (target if target != "many/" else "many/trace.txt"))
    assert [list(actions) for actions in again.ranks] == [list(actions) for actions in trace.ranks]
    assert again.communicators == trace.communicators or not any(trace.communicators)


@pytest.mark.parametrize("path", TRACES, ids=lambda p: p.name)
def test_unrolled_collectives_take_the_same_time(path: Path) -> None:
    trace, unrolled = api.read_trace(path), api.convert_trace(path, unroll=True)
    assert not unrolled.communicators
    sends = {action[0] for actions in trace.ranks for action in actions} & {"ssend", "issend"}
    error = 1e-5 if sends else 1e-9  # small synchronous sends become sends
    assert seconds(unrolled) == pytest.approx(seconds(trace), rel=error)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.name)
def test_traces_that_simgrid_cannot_replay_are_replayed(path: Path) -> None:
    trace = api.read_trace(path)
    assert not [f for f in api.check_trace(trace).findings if f.fatal]
    platform, hosts = api.read_platform(DATA / "titrace" / "homog.xml", DATA / "titrace" / "homog.hostfile")
    found = api.replay(trace, platform, hosts)
    bounds = api.trace_bounds(trace, platform, hosts)
    assert bounds.lower_s <= found.makespan_s <= bounds.upper_s
    assert found.makespan_s == max(r.end_s for r in found.ranks) > 0


def test_equal_traces_are_equal_files(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        assert main(["trace", "convert", str(TRACES[0]), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["nothing.txt", "-o", "o"], "cannot read"),
        ([str(TRACES[0]), "-o", "/nothing/o"], "there is no directory"),
        ([str(TRACES[0]), "-o", "o", "--rate", "0"], "it should be above 0"),
        ([str(TRACES[0])], "where shall the trace go?"),
    ],
)
def test_a_wrong_call_is_told(
    call: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["trace", "convert", *call]) == 2
    assert said in capsys.readouterr().err


def test_a_named_request_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    ends = list[float]()
    for comment in ("", " # request 1"):
        path.write_text(
            "0 init\n0 send 1 5 100000 6\n0 compute 5e6\n0 send 1 5 100000 6\n1 init\n1 irecv 0 5 100000 6\n"
            f"1 irecv 0 5 100000 6\n1 wait 0 1 5{comment}\n1 compute 3e6\n1 wait 0 1 5\n"
        )
        platform, hosts = api.read_platform(DATA / "titrace" / "homog.xml")
        found = api.replay(path, platform, hosts).makespan_s
        assert found == api.replay(api.read_trace(path), platform, hosts).makespan_s
        ends.append(found)
    speed = platform.hosts[0].speed
    assert ends[1] - ends[0] == pytest.approx(3e6 / speed, rel=0.2)


def test_a_request_without_a_number_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text("0 init\n0 wait 0 1 5 # request x\n")
    assert main(["trace", "check", str(path)]) == 2
    assert "t.txt:2:3: error: which request is not said" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "0:x", "a:1", "0:-1", "0:0", "0:inf"])
def test_factors_that_are_none_are_told(value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.xml"
    text = (DATA / "titrace" / "homog.xml").read_text()
    config = f'<config id="General"><prop id="smpi/bw-factor" value="{value}"/></config>'
    head, tag, rest = text.partition("<platform")
    path.write_text(head + tag + rest.replace(">", f">{config}", 1))
    assert main(["trace", "replay", str(TRACES[0]), "--platform", str(path)]) == 2
    assert "smpi/bw-factor=" in capsys.readouterr().err
