"""Laws of `trace explain` on the command line: what it prints, its documented JSON, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Golden

from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
TRACES = DATA / "titrace"
RING, STENCIL, CLUSTER = (str(ROOT / "samples" / "traces" / name) for name in ("ring.txt", "stencil.xz", "cluster.xml"))
ON = ["--platform", CLUSTER]
HOMOGENEOUS = ["--platform", str(TRACES / "homog.xml"), "--hostfile", str(TRACES / "homog.hostfile")]
SHOWN = {
    "ring": [RING, *ON],
    "ring-slower": [RING, *ON, "--set", "latency=100", "--set", "bandwidth=0.1"],
    "stencil": [STENCIL, *ON],
    "lulesh.8": [str(TRACES / "fixtures" / "lulesh.8.txt.gz"), *HOMOGENEOUS, "--longest", "6"],
    "prk-a2a.4": [str(TRACES / "prk-a2a.4.txt.gz"), *ON],
}


@pytest.mark.parametrize("name", SHOWN)
def test_the_text_stays_the_same(name: str, assert_golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "explain", *SHOWN[name]]) == 0
    assert_golden(DATA / "cli" / "trace-explain" / f"{name}.txt", capsys.readouterr().out)


def test_json_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "explain", STENCIL, *ON, "--json", "--set", "speed=0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    parts = {"seconds", "computing_s", "latency_s", "bandwidth_s", "sleep_s", "links_s"}
    assert found["scales"] == {"speed": 0.5}
    assert set(found["path"]) == parts | {"steps", "messages", "changes_of_rank"}
    assert set(found["ranks"][0]) == parts | {"rank", "host"}
    assert set(found["pairs"][0]) == {"source", "target", "messages", "bytes", "latency_s", "bandwidth_s"}
    assert set(found["actions"][0]) == parts | {"action", "times"}
    assert set(found["places"][0]) == parts | {"ranks", "what", "action", "times", "line", "within", "depth", "site"}
    assert set(found["loads"]) == {"links", "computing"}
    assert found["lower_s"] <= found["upper_s"]
    assert main(["trace", "explain", STENCIL, *ON, "--json", "--set", "speed=4"]) == 0
    link, *_ = json.loads(capsys.readouterr().out)["links"]
    assert set(link) == {"name", "times", "seconds"}
    total = found["path"]["seconds"]
    assert sum(p["seconds"] for p in found["places"] if p["within"] < 0) == pytest.approx(total)


def test_the_interval_is_that_of_predict(capsys: pytest.CaptureFixture[str]) -> None:
    for trace in (RING, STENCIL):
        found = []
        for verb in ("predict", "explain"):
            assert main(["trace", verb, trace, *ON, "--json", "--set", "bandwidth=2"]) == 0
            found.append(json.loads(capsys.readouterr().out))
        assert found[1]["lower_s"] == pytest.approx(found[0]["lower_s"], rel=1e-4)
        assert found[1]["upper_s"] >= found[0]["upper_s"]


def test_long_tables_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "explain", STENCIL, *ON, "--longest", "2"]) == 0
    assert "more, of less (--longest 0 shows all)" in capsys.readouterr().out
    path = tmp_path / "all.txt"
    assert main(["trace", "explain", STENCIL, *ON, "--longest", "0", "-o", str(path)]) == 0
    assert "more, of less" not in path.read_text()


def test_what_takes_no_time_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text("0 compute 0\n")
    assert main(["trace", "explain", str(path), *ON]) == 0
    assert "Nothing on it takes time." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("0 recv 1 7 8\n1 compute 5\n1 recv 0 7 8\n", [], "rank 1, line 3, recv: waits for a message from rank 0"),
        ("0 compute 5\n", ["--set", "bandwith=2"], "--set bandwith: a platform has no such figure; did you mean"),
        ("0 compute 5\n", ["--set", "speed=0"], "--set speed=0: it should be above 0"),
        ("0 compute 5\n", ["--set", "speed=1..2"], "--set speed=1..2: there is one run for one value"),
        ("0 compute 5\n", ["--platform", "none.xml"], "none.xml"),
        ("0 send 2 7 8\n", [], "send names rank 2, but ranks go up to 0"),
    ],
)
def test_mistakes_are_told(
    text: str, more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.txt"
    path.write_text(text)
    assert main(["trace", "explain", str(path), *ON, *more]) == 2
    assert said in capsys.readouterr().err
