"""Programs with non-blocking collectives and synchronous sends: taken from MPICH and replayed by APET, they end when
SimGrid says where it runs the same program."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.traces.begun_traces import PLAYER, begun_case, built, played
from tests.traces.mpi_programs import folder, needs_mpi, needs_simgrid, program
from tests.traces.random_traces import written
from tests.traces.test_replay_begun import PRINTED

from apet import api
from apet.cli.main import main

pytestmark = [needs_mpi, needs_simgrid]


def without_computing(text: str) -> str:
    """The lines of a trace that are calls."""
    return "".join(line for line in text.splitlines(keepends=True) if " compute " not in line)


@pytest.mark.parametrize(("seed", "ranks"), [(2000, 4), (2001, 4), (2002, 7), (2003, 8), (2004, 8), (2005, 16)])
def test_what_was_taken_ends_when_smpirun_says(seed: int, ranks: int, tmp_path: Path) -> None:
    case = begun_case(seed, ranks)
    case = case._replace(trace=without_computing(case.trace))
    true = played(case, built(folder()), tmp_path)
    lines, platform, hosts = written(case, tmp_path)
    taken = tmp_path / "taken.txt"
    call = ["trace", "acquire", "-n", str(ranks), "--mode", "cpu", "-o", str(taken)]
    assert main([*call, "--", program(PLAYER, counting=False), str(lines)]) == 0
    calls = tmp_path / "calls.txt"
    calls.write_text(without_computing(taken.read_text()))
    trace = api.read_trace(calls)
    assert not api.check_trace(trace).findings
    found = api.replay(trace, *api.read_platform(platform, hosts))
    assert [rank.end_s for rank in found.ranks] == pytest.approx(true, rel=0, abs=PRINTED)
