"""A file that holds nothing is refused as what it is, by every verb and as every option that takes a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.cli.main import main
from apet.cli.verbs import OF_KINDS

ROOT = Path(__file__).resolve().parents[2]
GIGABIT = str(ROOT / "samples" / "traces" / "gigabit.xml")
OWN = {".pam": "the model has no equation", ".pasl": "no batch", ".java": "no class", ".c": "no main or run function"}
"""Source code may be empty; it just lacks what the verb needs."""
ENDINGS = [*OWN, "", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".toml", ".trace", ".goal", ".prv", ".otf2", ".log"]
ENDINGS += [".lqn", ".lqnx", ".jsimg", ".xml", ".gz", ".xz", ".zip", ".cubex", ".extp", ".jtl", ".dag"]
ON = {
    "solve": ["--deadline", "1s"],
    "sweep": ["--vary", "n=1,2"],
    "compare": ["--with", "n=2"],
    "regions": ["--for", "n=1..2"],
}
AS_OPTIONS = {
    "platform": ["predict", "ring", "--platform", "empty.xml"],
    "hostfile": ["predict", "ring", "--platform", GIGABIT, "--hostfile", "empty.txt"],
    "machines": ["predict", "pi", "-m", "empty.toml"],
    "points": ["sweep", "pi", "-m", "zen5-openjdk17", "--points", "empty.csv"],
    "run": ["predict", "kmeans", "--to", "9", "--at", "3=empty.csv"],
    "table": ["predict", "model.pam", "--set", "n=empty.csv"],
}


@pytest.mark.parametrize("verb", sorted({*OF_KINDS, "import"} - {"extrapolate"}))
def test_an_empty_file_is_said_to_be_empty(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ENDINGS:
        if ending in OWN and "model" not in OF_KINDS.get(verb, ()):
            continue
        for content in ("", "\n \n"):
            (tmp_path / f"empty{ending}").write_text(content)
            assert main([verb, str(tmp_path / f"empty{ending}"), *ON.get(verb, [])]) == 2, ending
            said = capsys.readouterr()
            assert OWN.get(ending, f"empty{ending}: error: the file is empty") in said.err + said.out, ending


def test_a_table_of_remarks_has_no_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "runs.csv").write_text("# n,t\n")
    assert main(["predict", str(tmp_path / "runs.csv"), "--to", "5"]) == 2
    assert "no run" in capsys.readouterr().err


@pytest.mark.parametrize("call", AS_OPTIONS.values(), ids=AS_OPTIONS)
def test_an_empty_file_of_an_option_is_named(
    call: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.pam").write_text("param n[4]; L = delay(n[1]);\n")
    empty = next(word.rpartition("=")[2] for word in call if "empty." in word)
    (tmp_path / empty).write_text("")
    assert main(call) == 2
    assert empty in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["predict", "check", "explain", "report"])
def test_what_has_to_be_imported_is_named_with_the_verb_that_does(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, str(ROOT / "samples" / "queueing" / "access.log")]) == 2
    assert "apet import" in capsys.readouterr().err


def test_a_trace_of_another_tool_is_asked_of_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.goal").write_text(
        "num_ranks 2\nrank 0 {\nl1: send 10b to 1\n}\nrank 1 {\nl1: recv 10b from 0\n}\n"
    )
    assert main(["check", str(tmp_path / "two.goal")]) == 0
    assert main(["predict", str(tmp_path / "two.goal"), "--platform", "samples/traces/cluster.xml"]) == 0
    assert "run time" in capsys.readouterr().out
