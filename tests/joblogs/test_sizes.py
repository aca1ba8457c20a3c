"""Logs of several input sizes: work that grows along a line is predicted, and logs that differ are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.joblogs.spark_logs import JobShape, StageShape, run_spark

from apet.api.job_logs import JobLogQuestion
from apet.ground.diagnostics import ApetError


def _jobs(size: int) -> list[JobShape]:
    """Tasks in proportion to the size, then a stage of eight whose time grows with it, and one that does not grow."""
    return [
        JobShape([StageShape([300] * (6 * size)), StageShape([100 + 200 * size] * 8, [0])]),
        JobShape([StageShape([500])]),
    ]


def _logged(folder: Path, size: int, jobs: list[JobShape] | None = None) -> JobLogQuestion:
    path = folder / f"{size}.log"
    path.write_text(run_spark(jobs or _jobs(size), 4).text(), encoding="utf-8")
    return JobLogQuestion(path)


def test_a_larger_input_is_predicted_from_smaller_ones(tmp_path: Path) -> None:
    first, second = _logged(tmp_path, 1), _logged(tmp_path, 3)
    larger = first.at_size([second], [1, 3], 8)
    wall = run_spark(_jobs(8), 16).wall / 1000
    (prediction,) = larger.answer([16]).predictions
    assert prediction.estimate == pytest.approx(wall, rel=0.05)
    assert any("size 8 is estimated" in note for note in larger.log.notes)


def test_logs_of_different_programs_are_refused(tmp_path: Path) -> None:
    first = _logged(tmp_path, 1)
    other = _logged(tmp_path, 2, [JobShape([StageShape([100] * 4)])])
    with pytest.raises(ApetError, match="differ from stage"):
        first.at_size([other], [1, 2], 4)
