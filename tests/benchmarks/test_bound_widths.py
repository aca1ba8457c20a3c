"""The table of how narrow bounds are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.benchmarks import bound_widths


def test_a_folder_of_traces_and_platforms_gives_a_row_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ep.S.4.txt.gz", "prk-p2p.4.txt.gz", "homog.xml", "homog.hostfile", "fattree.xml", "fattree.hostfile"):
        shutil.copy(bound_widths.SHIPPED / name, tmp_path / name)
    assert bound_widths.main(tmp_path, formulas=True) == 0
    rows = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [(row[0].strip(), int(row[1]), int(row[6])) for row in rows] == [("fattree", 2, 0), ("homog", 2, 0)]
    assert all(1 <= float(row[2]) <= float(row[3]) < 1.2 and 1 <= float(row[5]) < 1.2 for row in rows)
