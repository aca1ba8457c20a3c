"""Laws of the command: exit codes, mistakes without tracebacks, and what a cold start loads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from apet.cli import check
from apet.cli.main import main
from apet.cli.verbs import VERBS

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "cli"
FARM, POOL = str(DATA / "farm.pam"), str(DATA / "pool.toml")


def _apet(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler"), **environment}
    command = [sys.executable, "-m", "apet.cli.main", *arguments]
    return subprocess.run(command, env=variables, capture_output=True, timeout=120, check=False)


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert sorted(re.findall(r"(?m)^  ([a-z]+) +\w", shown)) == sorted(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"]) == 0
    assert f"usage: apet {verb}" in capsys.readouterr().out


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "apet 0.1.0\n"


def test_no_verb_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().out == ""


BAD_CALLS: tuple[tuple[Sequence[str], str], ...] = (
    (["predct", FARM], "unknown verb 'predct'; did you mean 'predict'?"),
    (["predict", FARM, "-m", POOL, "--jsn"], "unknown option --jsn; did you mean '--json'?"),
    (["predict", FARM, "-m", POOL, "more"], "unexpected: more"),
    (["predict", FARM], "needs a machine model"),
    (["predict", FARM, "-m", POOL, "--json", "--csv"], "not allowed with argument --json"),
    (["predict", FARM, "-m", POOL, "--branches", "bets"], "unknown --branches 'bets'; did you mean 'best'?"),
    (["predict", FARM, "-m", POOL, "-P", "0"], "-P 0: at least 1 is needed"),
    (["predict", FARM, "-m", POOL, "-P", "a"], "'a' is neither a number nor a range"),
    (["predict", FARM, "-m", POOL, "-P", "-2"], "-P -2: at least 1 is needed"),
    (["predict", FARM, "-m", POOL, "-P", "1,,2"], "'' is neither a number nor a range"),
    (["predict", FARM, "-m", POOL, "-P", "4:2"], "ends before it begins"),
    (["predict", FARM, "-m", POOL, "-P", "1:4:0"], "must be above 0"),
    (["predict", FARM, "-m", POOL, "-P", "1:4:1x"], "must be above 1"),
    (["predict", FARM, "-m", POOL, "-P", "1:999999999"], "more than 10,000 values"),
    (["predict", FARM, "-m", POOL, "-P", "2,5"], "P = 5 is not possible"),
    (["predict", FARM, "-m", POOL, "--set", "x"], "--set x: a name, an equals sign and a value are needed"),
    (["predict", FARM, "-m", POOL, "--set", "q="], "--set q=: a name"),
    (["predict", FARM, "-m", POOL, "--set", "q=often"], "q = 'often': not a number"),
    (["predict", FARM, "-m", POOL, "--set", "n=1", "--set", "n=2"], "n is set twice"),
    (["predict", FARM, "-m", POOL, "--set", "q=2"], "outside its declared range [0, 1]"),
    (["predict", FARM, "-m", POOL, "--set", "nn=2"], "no parameter 'nn'; did you mean 'n'?"),
    (["predict", FARM, "-m", POOL, "--set", "P=2"], "choose it with -P 2"),
    (["predict", FARM, "-m", "no-such"], "there is no machine model 'no-such'"),
    (["predict", str(DATA), "-m", POOL], "cannot read"),
    (["predict", "no-such.pam", "-m", POOL], "cannot read no-such.pam"),
    (["predict", FARM, "-m", POOL, "-o", "/no/such/f"], "there is no directory /no/such"),
    (["predict", FARM, "-m", POOL, "-o", str(DATA)], "it is a directory"),
    (["predict", FARM, "-m", POOL, "--plot", "f.gif"], "its ending is none of .svg, .png, .pdf"),
    (["predict", FARM, "-m", POOL, "--plot", "/no/such/f.svg"], "there is no directory /no/such"),
    (["compile", FARM, "--emit", "modle"], "did you mean 'model'?"),
    (["compile", FARM, "--longest", "-1"], "--longest -1: not a whole number"),
    (["compile", FARM, "--entry", "X"], "there is no equation 'X'"),
    (["simulate", FARM, "-m", POOL, "-P", "1,2", "--json"], "one number of processors"),
    (["simulate", FARM, "-m", POOL, "--set", "q=0.1..0.2"], "q is a range"),
)


@pytest.mark.parametrize(("call", "said"), BAD_CALLS, ids=[" ".join(c[0][:1]) + " " + c[1][:40] for c in BAD_CALLS])
def test_a_wrong_call_is_explained_with_exit_code_2(
    call: Sequence[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(call) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.splitlines()[-1].startswith(("  hint: ", "error: "))
    assert "Traceback" not in shown.err
    assert "--json" in call or shown.out == ""


def test_mistakes_of_model_and_machines_are_reported_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "no-such.pam", "-m", "no-such"]) == 2
    assert capsys.readouterr().err.count("error: ") == 2


def test_every_mistake_of_a_model_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(DATA / "wrong.pam")]) == 2
    assert capsys.readouterr().err.count("wrong.pam:2:") == 3


def _break(*_: object) -> None:
    raise ZeroDivisionError("a mistake of ours")


def test_a_failure_of_apet_is_one_short_message_with_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("APET_DEBUG", raising=False)
    monkeypatch.setattr(check, "run", _break)
    assert main(["check", FARM]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("apet failed: ZeroDivisionError: a mistake of ours\n")
    assert "Traceback" not in shown
    assert "--debug" in shown


@pytest.mark.parametrize("call", [["check", FARM, "--debug"], ["--debug", "check", FARM]])
def test_debug_shows_the_traceback(
    call: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "run", _break)
    assert main(call) == 1
    assert "Traceback" in capsys.readouterr().err


def test_apet_debug_in_the_environment_shows_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("APET_DEBUG", "1")
    monkeypatch.setattr(check, "run", _break)
    assert main(["check", FARM]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", interrupt)
    assert main(["check", FARM]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_main_can_be_called_again_and_again(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(2):
        assert main(["predict", FARM, "-m", POOL, "-P", "0"]) == 2
        assert main(["predict", FARM, "-m", POOL, "-P", "2"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["compile", FARM, "--emit", "json"], b""),
        (["predict", "no-such.pam", "--json"], b"error: cannot read no-such.pam"),
        (["predict", FARM, "--json", "--no-such"], b"error: unknown option --no-such"),
        (["help", "predict"], b""),
    ],
)
def test_a_reader_that_leaves_is_no_mistake(call: list[str], said: bytes) -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-m", "apet.cli.main", *call]
    for errors in (subprocess.PIPE, subprocess.STDOUT):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run(command, env=variables, stdout=write, stderr=errors, timeout=120, check=False)
        os.close(write)
        assert done.returncode == 141
        assert (done.stderr or b"").startswith(said) or errors == subprocess.STDOUT
        assert b"Traceback" not in (done.stderr or b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_said_to_be_full() -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-m", "apet.cli.main", "compile", FARM]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, env=variables, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: cannot write standard output: No space left")


def test_a_terminal_without_unicode_gets_plain_characters() -> None:
    done = _apet("predict", FARM, "-m", POOL, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert b"farm.pam on Pool - branches" in done.stdout
    assert b"?" not in done.stdout


def _loaded(*arguments: str) -> set[str]:
    code = f"from apet.cli.main import main\nassert main({list(arguments)!r}) == 0\nimport sys\nprint(*sys.modules)"
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


MOST_MODULES = 200
HEAVY = {"sympy", "numpy", "scipy", "matplotlib", "lark", "mpmath"}


def test_a_prediction_loads_no_heavy_library() -> None:
    loaded = _loaded("predict", "samples/pamela/pi.pam", "-m", "join-2005", "-P", "1:4")
    assert not loaded & (HEAVY | {"csv", "importlib.metadata"})
    # 0.2 ms a module, and 0.6 ms a data class: a cold prediction is to take a small multiple of an empty Python
    assert not loaded & {"dataclasses", "inspect", "ast", "tokenize", "apet.show.plots"}
    assert len([name for name in loaded if name.startswith("apet")]) <= MOST_MODULES


def test_only_an_estimate_that_may_mislead_loads_numpy() -> None:
    loaded = _loaded("predict", FARM, "-m", POOL, "-P", "1:4")
    assert loaded & HEAVY == {"numpy"}


def test_help_loads_no_stage_of_the_compiler() -> None:
    parser = "import argparse, sys; argparse.ArgumentParser().format_help(); print(*sys.modules)"
    plain = subprocess.run([sys.executable, "-c", parser], capture_output=True, text=True, check=True).stdout
    loaded = _loaded("--help") - set(plain.split())  # what the parser of this Python brings along
    assert not loaded & (HEAVY | {"json", "dataclasses", "apet.api", "apet.ground.diagnostics", "fractions"})
