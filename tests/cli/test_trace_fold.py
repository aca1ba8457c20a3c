"""Laws of `trace fold` on the command line: what it prints, what it writes, what the other verbs make of that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Golden

from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
STENCIL, CLUSTER = (str(ROOT / "samples" / "traces" / name) for name in ("stencil.xz", "cluster.xml"))
ON = ["--platform", CLUSTER]
SHOWN = {"stencil": STENCIL, "prk-amr.16": str(DATA / "titrace" / "fixtures" / "prk-amr.16.txt.gz")}
SHOWN["prk-p2p.4"] = str(DATA / "titrace" / "prk-p2p.4.txt.gz")


@pytest.mark.parametrize("name", SHOWN)
def test_the_listing_stays_the_same(name: str, assert_golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "fold", SHOWN[name], "--longest", "60"]) == 0
    assert_golden(DATA / "cli" / "folded" / f"{name}.txt", capsys.readouterr().out)


def test_long_listings_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "fold", SHOWN["prk-amr.16"], "--longest", "5"]) == 0
    cut = capsys.readouterr().out
    assert cut.count("more lines (--longest 0 shows all)") == 4
    assert main(["trace", "fold", SHOWN["prk-amr.16"], "--longest", "0"]) == 0
    assert "more line" not in capsys.readouterr().out


def test_json_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "fold", STENCIL, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    sizes = found["folded"]
    assert sizes["size"] == sizes["slots"] + sizes["loops"] + sizes["listed"] + sizes["advancing"]
    assert sizes["kinds"] == len(found["kinds"]) == 2
    kind = found["kinds"][1]
    assert set(kind) == {"ranks", "lists", "loops", "slots"}
    assert kind["slots"][1] | {"line": 0} == {
        "action": "irecv",
        "words": ["rank-1", "2", "8000", "6"],
        "loop": 1,
        "line": 0,
        "times": 200,
        "site": None,
        "bytes": [8000, 8000],
        "computes": {"flops": 0.0, "least": 0.0, "greatest": 0.0},
    }


def test_a_list_of_files_is_folded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "convert", STENCIL, "-o", f"{tmp_path}/many/"]) == 0
    capsys.readouterr()
    assert main(["trace", "fold", f"{tmp_path}/many/trace.txt"]) == 0
    assert "9,145 actions, folded to 22 (416x), 2 kinds of ranks" in capsys.readouterr().out


def test_compiling_says_how_small_a_trace_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "compile", STENCIL, *ON]) == 0
    assert "9,145 actions, folded to 22 (416x), 2 kinds of ranks, in " in capsys.readouterr().out
    assert main(["trace", "compile", STENCIL, *ON, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["folded"]["size"] == 22


@pytest.mark.parametrize("ending", ["gz", "xz"])
def test_equal_traces_are_equal_files(ending: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["trace", "convert", STENCIL, "-o", str(tmp_path / f"{name}.{ending}")]) == 0
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


BAD = {
    "0 bsend 1 7 8\n": "t.txt:1:3: error: there is no action 'bsend'; did you mean 'send'?",
    "0 send 2 7 8\n": "send names rank 2, but ranks go up to 0",
    "0 barrier\n2 barrier\n": "has nothing of rank 1, though ranks go up to 2",
    "0 compute -1\n": "-1 should be finite and not negative",
    "0 barrier # comm 1\n1 barrier\n": "rank 0 is not in its own communicator",
    "0 send 0 5 8 # comm 0\n": "send is no collective",
    "0 wait 0 1 5 # request x\n": "which request is not said",
    "": "holds no action",
}


@pytest.mark.parametrize("text", BAD)
def test_mistakes_are_told_as_everywhere(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text(text)
    assert main(["trace", "fold", str(path)]) == 2
    assert BAD[text] in capsys.readouterr().err


def test_a_wrong_call_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.xz"
    path.write_bytes(Path(STENCIL).read_bytes()[:-30])
    assert main(["trace", "fold", str(path)]) == 2
    assert "is damaged or cut off" in capsys.readouterr().err
    assert main(["trace", "fold", "nothing.txt"]) == 2
    assert "cannot read" in capsys.readouterr().err
