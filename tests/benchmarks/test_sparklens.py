"""The peer predicts what its description says: run times on cores, and a driver that stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks.sparklens import sparklens
from tests.joblogs.spark_logs import GAP, LAG, TAIL, JobShape, StageShape, run_spark

from apet.joblogs.job_log import JobLog
from apet.joblogs.read import read_job_log


def _log(folder: Path, jobs: list[JobShape], cores: int) -> JobLog:
    path = folder / "log"
    path.write_text(run_spark(jobs, cores).text(), encoding="utf-8")
    return read_job_log(path)


def test_the_peer_loses_the_head_and_tail_of_stages(tmp_path: Path) -> None:
    log = _log(tmp_path, [JobShape([StageShape([100] * 8), StageShape([200] * 4, [0])])], 4)
    driver = 2 * GAP
    assert log.end == (driver + 2 * (LAG + TAIL) + 400) * 1_000
    assert sparklens(log, 4) == pytest.approx((driver + 400) / 1000)
    assert sparklens(log, 2) == pytest.approx((driver + 800) / 1000)
    assert sparklens(log, 100) == pytest.approx((driver + 300) / 1000)


def test_the_peer_counts_jobs_of_several_threads_twice(tmp_path: Path) -> None:
    both = [JobShape([StageShape([500])], at=50), JobShape([StageShape([500])], at=50)]
    log = _log(tmp_path, both, 2)
    assert sparklens(log, 2) == pytest.approx((log.end / 1000 - 2 * (500 + LAG + TAIL) + 2 * 500) / 1000)
