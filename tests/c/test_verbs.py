"""C functions by the verbs: a profile prints what runs count, what does not apply says what to call instead."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("clang.cindex")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
SIEVE = str(Path(__file__).parents[2] / "samples" / "c" / "sieve.c")


def test_a_profile_prints_the_parameters_that_runs_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", SIEVE, "--set", "n=100,1000", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    # Of the numbers from 2 to n all but the 25 and 168 primes are crossed out.
    assert [run["values"]["q_8"] for run in runs] == pytest.approx([74 / 99, 831 / 999])
