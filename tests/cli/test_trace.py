"""Laws of `trace` on the command line: what it prints, what it refuses, its documented JSON."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
RING, CLUSTER = (str(ROOT / "samples" / "traces" / name) for name in ("ring.txt", "cluster.xml"))
ON = ["--platform", CLUSTER]


def test_json_of_a_replay_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "replay", RING, *ON, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"makespan_s", "ranks", "links", "messages", "bytes"} <= set(found)
    assert set(found["ranks"][0]) == {"rank", "host", "compute_s", "wait_s", "end_s"}
    assert found["makespan_s"] == max(r["end_s"] for r in found["ranks"])


def test_bounds_enclose_the_replay(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "replay", RING, *ON, "--json"]) == 0
    true = json.loads(capsys.readouterr().out)["makespan_s"]
    for more in ([], ["--set", "bandwidth=0.5..2"], ["--set", "speed=1"]):
        assert main(["trace", "predict", RING, *ON, "--json", *more]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["lower_s"] <= true <= found["upper_s"]
        assert found["formula_terms"] > 0


@pytest.mark.parametrize("emit", ["formula", "python", "latex"])
def test_formulas_are_written(emit: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "compile", RING, *ON, "--emit", emit]) == 0
    assert "bandwidth" in capsys.readouterr().out


def test_a_gantt_chart_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.svg"
    assert main(["trace", "replay", RING, *ON, "--gantt", str(path)]) == 0
    assert path.read_bytes()[:5] == b"<?xml"
    assert "run time: 8.58 ms" in capsys.readouterr().out


INFERRED = "0 gather 8 8 2\n1 gather 8 8 2\n2 compute 1\n"
"""Which ranks act together is found where a trace is replayed, not where it is folded."""
BAD = {
    "0 recv 1 7 8\n1 compute 5\n1 recv 0 7 8\n": "rank 1, line 3, recv: waits for a message from rank 0 with tag 7",
    "0 bsend 1 7 8\n": "there is no action 'bsend'; did you mean 'send'?",
    "0 send 2 7 8\n": "send names rank 2, but ranks go up to 0",
    "0 compute -1\n": "-1 should be finite and not negative",
    "0 barrier\n2 barrier\n": "has nothing of rank 1, though ranks go up to 2",
    "0 barrier # comm 1\n1 barrier\n": "rank 0 is not in its own communicator",
    "": "holds no action",
    "999999 init\n": "has nothing of rank 0, though ranks go up to 999999",
    "0 send 0 0 1e30\n": "bad.txt:1:3: error: send: argument 3 is beyond 1,000,000,000,000,000,000",
    "0 barrier\n0 allreduce 9223372036854775808 1\n": "bad.txt:2:3: error: allreduce: argument 1 is beyond",
    "0 send 0 0 9e17 0\n": "bad.txt:1:3: error: send: its bytes are beyond 1,000,000,000,000,000,000",
    "0 reducescatter 9e17 9e17 1 6\n1 barrier\n": "bad.txt:1:3: error: reducescatter: its bytes are beyond",
    "0 allgather -8 8\n": "bad.txt:1:3: error: allgather: a message has at least 0 bytes",
    "0 compute 1\n0 compute 1e308\n": "bad.txt:2:3: error: compute: 1e308 is beyond 1e+100",
    "0 sleep 1e101\n": "bad.txt:1:3: error: sleep: 1e101 is beyond 1e+100",
    "0 reduce 8 1 2 # comm 0-1\n1 reduce 8 1 2 # comm 0-1\n2 compute 1\n": (
        "bad.txt:1:3: error: reduce names rank 2, but its communicator has 2 ranks"
    ),
    INFERRED: "bad.txt:1:3: error: gather names rank 2, but its communicator has 2 ranks",
    "a\0b\n": "bad.txt:1:1: error: 'a",
    "0 send 1 0 8\n1 recv 0\0 0 8\n": "bad.txt:2:3: error: recv:",
}


@pytest.mark.parametrize("text", BAD)
def test_mistakes_are_told_with_their_place(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    assert main(["trace", "replay", str(path), *ON]) == 2
    assert BAD[text] in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["check", "fold"])
@pytest.mark.parametrize("text", [text for text in BAD if "recv 1 7 8" not in text and text != INFERRED])
def test_all_verbs_refuse_the_same(text: str, verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    assert main(["trace", verb, str(path)]) == 2
    assert BAD[text] in capsys.readouterr().err


def test_large_volumes_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More bytes in all than 64 bits hold; flops and seconds as large as they may be."""
    path, sides = tmp_path / "t.txt", ("0 send 1", "1 recv 0")
    path.write_text("".join(f"{side} 0 1000000000000000 45\n" * 3000 for side in sides))
    for verb, options in (("check", []), ("replay", ON)):
        assert main(["trace", verb, str(path), *options, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["bytes"] == 12 * 10**18

    path.write_text("0 compute 1e100\n0 sleep 1e100\n" * 30)
    for verb in ("replay", "predict", "compile", "explain"):
        assert main(["trace", verb, str(path), *ON]) == 0


def test_a_cut_off_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(Path(RING).read_bytes() * 50)[:-30])
    assert main(["trace", "replay", str(path), *ON]) == 2
    assert "is damaged or cut off" in capsys.readouterr().err


def test_a_list_of_files_is_one_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path(RING).read_text().splitlines()
    for rank in range(4):
        own = [line for line in lines if line.startswith(f"{rank} ")]
        (tmp_path / f"{rank}.txt").write_text("\n".join(own))
    (tmp_path / "list.txt").write_text("".join(f"{rank}.txt\n" for rank in range(4)))
    assert main(["trace", "replay", str(tmp_path / "list.txt"), *ON]) == 0
    assert "run time: 8.58 ms" in capsys.readouterr().out


def test_collectives_that_differ_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text("0 bcast 8 0\n1 bcast 8 1\n1 irecv 0 3 8\n0 compute 1\n")
    assert main(["trace", "check", str(path)]) == 2
    said = capsys.readouterr().out
    assert "line 2, rank 1: error: mismatch: collective 1 is bcast: its root is 1, that of rank 0 is 0" in said
    assert "line 3, rank 1: warning: unfinished: no wait for this receive" in said
    assert "line 3, rank 1: warning: unmatched: a message from rank 0 with tag 3 has no partner" in said


def test_collectives_of_some_ranks_name_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text(
        "0 allreduce 8 1 # comm 0,2\n1 compute 5\n2 allreduce 8 1 # comm 0,2\n0 barrier\n1 barrier\n2 barrier\n"
    )
    assert main(["trace", "check", str(path)]) == 0
    assert "2 communicators" in capsys.readouterr().out
    assert main(["trace", "replay", str(path), *ON]) == 0


@pytest.mark.parametrize("given", ["bandwith=2", "speed=0"])
def test_factors_are_checked(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "predict", RING, *ON, "--set", given]) == 2
    assert "error: --set" in capsys.readouterr().err


OUTSIDE = """<platform version="4.1"><zone id="w" routing="Full">
<zone id="a" routing="Full"><host id="h" speed="1Gf"/></zone>
<zone id="b" routing="Full"><host id="i" speed="1Gf"/></zone><link id="l" bandwidth="1GBps" latency="1us"/>
<zoneRoute src="a" dst="b" gw_src="i" gw_dst="h"><link_ctn id="l"/></zoneRoute></zone></platform>"""
APART = """<platform version="4.1"><zone id="w" routing="Full"><host id="h" speed="1Gf"/><host id="i" speed="1Gf"/>
</zone></platform>"""
NESTED = """<platform version="4.1"><zone id="a" routing="Full"><zone id="b" routing="Full">
<zone id="a" routing="Full"/>
</zone></zone></platform>"""


@pytest.mark.parametrize(
    ("platform", "said"),
    [
        (OUTSIDE, "p.xml:4:1: error: the gateway 'i' is not in 'a'"),
        (APART, "p.xml has no way from host i to host h: zone w has no route from i to h"),
        (NESTED, "there is a zone 'a' already"),
    ],
)
def test_platforms_that_lead_nowhere_are_refused(
    platform: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.xml"
    path.write_text(platform)
    assert main(["trace", "replay", RING, "--platform", str(path)]) == 2
    assert said in capsys.readouterr().err
