"""Laws of the entrance: the help by task, samples and machines, standard input, short names, quiet and JSON errors."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from apet.cli import output
from apet.cli.main import main
from apet.cli.parsers import parser_of, whole_parser
from apet.cli.verbs import EXAMPLES, GROUPS, OF_KINDS, VERBS
from apet.ground import resources

ROOT = Path(__file__).resolve().parents[2]
LAB = ["-m", "join-2005", "-P", "2"]


def test_every_verb_has_one_group_and_an_example() -> None:
    grouped = [name for names in GROUPS.values() for name in names if name in VERBS]
    assert sorted(grouped) == sorted(VERBS)
    assert set(VERBS) <= set(EXAMPLES)


@pytest.mark.parametrize("verb", [v for v in EXAMPLES if EXAMPLES[v].startswith("apet ")])
def test_the_example_of_a_verb_is_a_call_of_it(verb: str) -> None:
    options, unknown = whole_parser().parse_known_args(shlex.split(EXAMPLES[verb])[1:])
    assert options.verb == verb.split()[0]
    assert not unknown


def test_python_m_apet_is_the_command() -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-m", "apet", "--version"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("apet ")


def test_help_of_a_verb_is_what_its_option_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "sweep"]) == main(["sweep", "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]


def test_samples_are_listed_shown_and_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["samples"]) == main(["samples", "show", "pi"]) == main(["samples", "copy", "pi"]) == 0
    shown = capsys.readouterr().out
    text = resources.data_text("samples", "pamela/pi.pam")
    assert "pamela/pi.pam" in shown
    assert text in shown
    assert (tmp_path / "pi.pam").read_text(encoding="utf-8") == text
    assert main(["samples", "copy", "pi"]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("call", [["samples", "show"], ["samples", "show", "../machines/join-2005.toml"]])
def test_only_samples_are_shown(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 2
    assert capsys.readouterr().out == ""


def test_machines_are_listed_with_the_origin_of_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machines"]) == main(["machines", "show", "two-nodes"]) == 0
    shown = capsys.readouterr().out
    assert {"fictitious", "derived", "measured"} <= set(shown.split())
    assert resources.data_text("machines", "two-nodes.toml") in shown


@pytest.mark.parametrize("name", ["pi", "terminals", "kmeans", "ring"])
def test_a_short_name_is_that_of_a_sample(name: str) -> None:
    assert os.path.isfile(resources.located(name))


@pytest.mark.parametrize("name", ["pi.pam", "nothing", "", "pam"])
def test_a_missing_file_is_no_sample(name: str) -> None:
    assert resources.located(name) == name


def test_a_file_beside_comes_before_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pi").write_text("L = delay(1);", encoding="utf-8")
    assert resources.located("pi") == "pi"


STREAMS = {
    "pamela/pi.pam": ["predict", "-", *LAB],
    "queueing/terminals.toml": ["queue", "-"],
    "runs/kmeans.json": ["extrapolate", "-", "--to", "64000"],
    "traces/ring.txt": ["trace", "check", "-"],
    "java/PiTask.java": ["translate", "-"],
    "pamela/machine-repair.pam": ["compare", "-", "servers", "--machines", "two-nodes", "-P", "2"],
}


@pytest.mark.parametrize("sample", STREAMS)
def test_a_dash_is_standard_input(
    sample: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = resources.data_text("samples", sample).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert main(STREAMS[sample]) == 0
    assert main([word if word != "-" else sample for word in STREAMS[sample]]) == 0
    shown = capsys.readouterr().out.replace("standard-input", Path(sample).stem).splitlines()
    half = len(shown) // 2
    numbers = [[line for line in part if " … " in line] for part in (shown[:half], shown[half:])]
    assert half > 1
    assert numbers[0] == numbers[1]


def test_errors_in_standard_input_name_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"L = foo(")))
    assert main(["compile", "-"]) == 2
    assert capsys.readouterr().err.startswith("standard-input:1:8: error: ")


def test_quiet_prints_the_numbers_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "pi", *LAB]) == 0
    full = capsys.readouterr().out.splitlines()
    assert main(["predict", "pi", *LAB, "--quiet"]) == main(["-q", "predict", "pi", *LAB]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]
    assert set(shown) < set(full)
    assert not any("T0 " in line or "To see why" in line for line in shown)


def test_errors_of_a_call_with_json_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "no-such.pam", *LAB, "--json"]) == 2
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    assert document["errors"] == len(document["diagnostics"]) == 1
    assert document["diagnostics"][0]["message"] in shown.err


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("variables", "colors"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_errors_on_a_terminal_have_colors(
    variables: dict[str, str], colors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    output.warn("a.pam:1:2: error: wrong \x1b[2J\n  hint: see error: there")
    assert ("\x1b[1;31merror\x1b[0m: wrong" in screen.getvalue()) == colors
    assert "\x1b[2J" not in screen.getvalue()
    assert "see error: there" in screen.getvalue()

    results = Terminal()
    monkeypatch.setattr("sys.stdout", results)
    output.show("a.pam:1:2: error: wrong")  # as apet check prints its diagnostics
    assert ("\x1b[1;31merror\x1b[0m: wrong" in results.getvalue()) == colors


@pytest.mark.parametrize("call", [["predict", "pi", "--bogus"], ["prdict"], ["predict"], ["trace", "rplay"]])
def test_a_wrong_call_with_json_is_json(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--json"]) == 2
    shown = capsys.readouterr()
    (diagnostic,) = json.loads(shown.out)["diagnostics"]
    assert f"error: {diagnostic['message']}" in shown.err
    assert diagnostic["hint"].startswith("see apet")


def test_formulas_are_left_out_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "pi", *LAB]) == main(["predict", "pi", *LAB, "--no-formulas"]) == 0
    full, _, brief = capsys.readouterr().out.partition("\npi.pam")
    assert "T0  " in full
    assert "T0  " not in brief
    assert "To see why" in brief


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tables_fit_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["compare", "pi", "-m", "join-2005", "cluster-64", "-P", "2,8"]
    assert main(call) == 0
    whole = capsys.readouterr().out
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr(output, "width", lambda: columns)
    assert main(call) == 0
    lines = screen.getvalue().splitlines()
    rows = [line for line in lines if line.startswith(("  P ", "  2 ", "  8 "))]
    assert max(map(len, rows)) <= columns
    assert sorted({word for line in whole.splitlines()[5:8] for word in line.split()}) == sorted(
        {word for line in rows for word in line.split()}
    )


@pytest.mark.parametrize("call", [["samples"], ["machines"]])
def test_lists_are_json_too(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == main([*call, "--json"]) == 0
    text, _, document = capsys.readouterr().out.partition("[\n")
    rows = json.loads("[" + document)
    assert len(rows) == len(text.strip().splitlines()) - 1


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_help_of_a_verb_ends_with_its_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", *name.split()]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[-1] == f"  {EXAMPLES[name]}"
    assert [line for line in shown if line.startswith("example")]


SCREEN = 40
"""Lines of a terminal window of the usual height."""
HELPS = [*({"verb": verb, "kind": ""} for verb in VERBS)]
HELPS += [{"verb": verb, "kind": kind} for verb, kinds in OF_KINDS.items() for kind in kinds]


@pytest.mark.parametrize("case", HELPS, ids=lambda case: " ".join(case.values()).strip())
def test_the_help_of_a_verb_fits_one_screen_and_names_every_option(
    case: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    call = [case["verb"], *(["--input-kind", case["kind"]] if case["kind"] else [])]
    assert main([*call, "--help"]) == 0
    short = capsys.readouterr().out
    assert len(short.splitlines()) <= SCREEN
    assert main([*call, "--help-all"]) == 0
    whole = capsys.readouterr().out
    assert len(whole) > len(short)
    verb = parser_of(case["verb"], call).verbs[case["verb"]]
    assert all(
        re.search(rf"{action.option_strings[-1]}\b", short)
        for action in verb._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    )
