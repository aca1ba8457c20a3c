"""Completion in real shells: the script is loaded, words are completed, what comes back is what the parsers know."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from apet.cli import completion
from apet.cli.main import main
from apet.cli.verbs import VERBS

BASH = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
_shtab_apet 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
"""
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=''; fpath=(${1:h} \$fpath); autoload -Uz compinit; compinit -u -d ${1:h}/dump"
zpty -w shell "setopt no_list_ambiguous"
zpty -w shell "cd ${1:h}; bindkey '^I' complete-word; LISTMAX=10000; COLUMNS=200; echo rea''dy"
zpty -r shell said '*ready*'
zpty -n -w shell "$2"$'\t'$'\t'
sleep 1.5
repeat 50; do zpty -r -t shell part && print -rn -- "$part" || break; done
zpty -d shell
"""
WORDS = (
    (("sw",), {"sweep"}),
    (("sim",), {"simulate"}),
    (("predict", "--branches", "be"), {"best"}),
    (("predict", "--machines", "jo"), {"join-2005"}),
    (("predict", "-m", "th"), {"this"}),
    (("explain", "pamela/pr"), {"pamela/primes-average.pam", "pamela/primes-q.pam"}),
    (("predict", "own"), {"own model.pam", "own.pam"}),
    (("simulate", "tr.txt", "--platf"), {"--platform"}),
    (("explain", "--platform", "own.x"), {"own.xml"}),
    (("completion", "f"), {"fish"}),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files to complete and a script for each shell."""
    made = tmp_path_factory.mktemp("completion")
    for name in ("own.pam", "own model.pam", "own.xml"):
        (made / name).touch()
    for shell in completion.SHELLS:
        (made / ("_apet" if shell == "zsh" else f"apet.{shell}")).write_text(completion.script(shell), encoding="utf-8")
    return made


def _answers(folder: Path, *command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _in_bash(folder: Path, *words: str) -> set[str]:
    found = _answers(folder, "bash", "-c", BASH, "bash", str(folder / "apet.bash"), "apet", *words)
    return set(found.splitlines()) - {""}


@pytest.mark.parametrize(("words", "expected"), WORDS, ids=lambda w: " ".join(w) if isinstance(w, tuple) else "")
def test_bash_completes(words: tuple[str, ...], expected: set[str], folder: Path) -> None:
    assert expected <= _in_bash(folder, *words) <= expected | {"own.xml"}


def test_bash_knows_every_verb_and_every_option(folder: Path) -> None:
    from apet.cli.parsers import whole_parser

    assert _in_bash(folder, "") == set(VERBS)
    for verb in ("sweep", "report"):
        shown = [a for a in whole_parser().verbs[verb]._actions if a.help != argparse.SUPPRESS]
        assert _in_bash(folder, verb, "-") == {name for a in shown for name in a.option_strings}


@pytest.mark.parametrize(("words", "expected"), WORDS, ids=lambda w: " ".join(w) if isinstance(w, tuple) else "")
def test_fish_completes(words: tuple[str, ...], expected: set[str], folder: Path) -> None:
    line = " ".join(["apet", *words])
    said = _answers(folder, "fish", "-N", "-c", f"source apet.fish; complete -C '{line}'")
    assert {re.sub(r"\\(.)", r"\1", row.partition("\t")[0]) for row in said.splitlines()} >= expected


@pytest.mark.parametrize(("line", "expected"), [("apet swe", "apet sweep"), ("apet predict -m joi", "join-2005")])
def test_zsh_completes(line: str, expected: str, folder: Path) -> None:
    assert expected in _answers(folder, "zsh", "-f", "-c", ZSH, "zsh", str(folder / "_apet"), line)


def test_the_script_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    assert "complete -o" in capsys.readouterr().out


def test_another_shell_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "unknown shell 'tcsh'" in capsys.readouterr().err
