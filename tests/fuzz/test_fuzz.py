"""Whatever bytes come in, the answer is a result or a diagnostic, soon and in little memory: a short campaign.

The long one is `make fuzz`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tests.core import sanitized
from tests.fuzz.campaign import run_reader
from tests.fuzz.minimise import smallest
from tests.fuzz.mutations import mutated
from tests.fuzz.page import BEGIN, END, put_in
from tests.fuzz.readers import OF_THE_CORE, READERS, ROOT, shares
from tests.fuzz.trial import outcome
from tests.work import campaign

INPUTS, INPUTS_OF_THE_CORE = campaign(100_000), campaign(20_000)
SEED = 1
OPEN: tuple[str, ...] = ()
"""Readers whose findings are not mended yet."""


def _findings(name: str, inputs: int, folder: Path, environment: dict[str, str] | None = None) -> str:
    tally = run_reader(name, inputs, SEED, folder, environment)
    assert tally.inputs == inputs
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt")))


@pytest.mark.parametrize("name", READERS)
def test_mutated_inputs_come_to_a_result_or_a_diagnostic(name: str, tmp_path: Path) -> None:
    if name in OPEN:
        pytest.skip("its findings are open")
    assert _findings(name, shares(INPUTS, READERS)[name], tmp_path) == ""


@pytest.mark.parametrize("name", OF_THE_CORE)
def test_mutated_traces_do_no_harm_in_the_core(name: str, tmp_path: Path) -> None:
    if name in OPEN:
        pytest.skip("its findings are open")
    environment = sanitized.environment()
    if environment is None:
        pytest.skip("there is no C compiler with AddressSanitizer")
    chosen = {name: READERS[name] for name in OF_THE_CORE}
    assert _findings(name, shares(INPUTS_OF_THE_CORE, chosen)[name], tmp_path, environment) == ""


def test_the_same_seed_makes_the_same_inputs() -> None:
    samples = [b"one 1\ntwo 2\n"]
    first, second = ([mutated(Random(str(k)), samples) for k in range(50)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 25


def test_what_is_wrong_is_named_and_made_small(tmp_path: Path) -> None:
    def read(path: str) -> None:
        if b"bad" in Path(path).read_bytes():
            raise KeyError("bad")

    path = tmp_path / "input"
    path.write_bytes(b"x" * 500 + b"bad" + b"y" * 500)
    result = outcome(read, str(path))
    assert "KeyError in" in result.kind
    assert smallest(read, path, path.read_bytes(), result) == b"bad"


def test_an_endless_call_is_stopped(tmp_path: Path) -> None:
    def read(path: str) -> None:
        while True:
            pass

    assert outcome(read, str(tmp_path), seconds=0.1).kind == "more than 0.1 s"


def test_counts_are_put_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{BEGIN}\nold\n{END}\n\nrest\n", encoding="utf-8")
    put_in(page, "new")
    assert page.read_text(encoding="utf-8") == f"# Title\n\n{BEGIN}\n\nnew\n\n{END}\n\nrest\n"


def test_coverage_guides_mutations(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed")
    command = [sys.executable, "-m", "tests.fuzz.guided", "machines", "--inputs", "200", "--seconds", "20"]
    result = subprocess.run(
        [*command, "--out", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stdout
    assert re.search(r"machines: \d+ inputs, \d+ of them reached something new\n0 findings", result.stdout)
    assert any((tmp_path / "machines").iterdir())
