"""Laws of recording under Open MPI: the same messages as under MPICH."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.traces.mpi_programs import SAMPLES, SMALL, folder, needs_mpi, program

from apet.cli.main import main

HEADERS = any(Path("/usr/lib").glob("*/openmpi/include/mpi.h"))
needs_open_mpi = pytest.mark.skipif(
    shutil.which("mpicc.openmpi") is None or not HEADERS, reason="Open MPI is not installed (Debian: libopenmpi-dev)"
)


def _messages(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not re.match(r"#|\d+ compute", line)]


@needs_mpi
@needs_open_mpi
@pytest.mark.parametrize("name", ["cg", "panels"])
def test_open_mpi_and_mpich_give_the_same_messages(name: str, tmp_path: Path) -> None:
    own = str(folder() / f"{name}-open-mpi")
    subprocess.run(["mpicc.openmpi", "-O2", "-w", str(SAMPLES / f"{name}.c"), "-o", own, "-lm"], check=True)
    other = program(SAMPLES / f"{name}.c", counting=False)
    for target, command in (("open-mpi.txt", own), ("mpich.txt", other)):
        assert main(["trace", "acquire", "-n", "3", "-o", str(tmp_path / target), "--", command, *SMALL[name]]) == 0

    assert _messages(tmp_path / "open-mpi.txt") == _messages(tmp_path / "mpich.txt")
    assert "# MPI: Open MPI" in (tmp_path / "open-mpi.txt").read_text()
