"""Logs of several input sizes: work that grows along a line is predicted, by a table and as a model in `data`, and
logs that differ are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.joblogs.spark_logs import JobShape, StageShape, run_spark

import apet
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.joblogs.question import JobLogQuestion


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
    larger = second.with_sizes([first], [3, 1]).with_data(Fraction(8))
    wall = run_spark(_jobs(8), 16).wall / 1000
    (prediction,) = larger.answer([16]).predictions
    assert prediction.estimate == pytest.approx(wall, rel=0.05)
    assert any("estimated from sizes 1, 3" in note for note in larger.log.notes)


def test_logs_of_several_sizes_are_one_model_in_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _logged(tmp_path, 1), _logged(tmp_path, 3)
    logs, model = [str(tmp_path / "3.log"), str(tmp_path / "1.log")], tmp_path / "sizes.json"
    assert main(["jobs", *logs, "--size", "3,1", "--emit", "json", "-o", str(model)]) == 0
    loaded = apet.load_model(model)
    for data in (1, 2, 3, 8, 40):
        truth = run_spark(_jobs(data), 16).wall / 1000
        bounds = apet.predict(loaded, None, cores=16, data=data).guaranteed
        assert bounds.lo * 0.995 <= truth <= bounds.hi * 1.005

    assert main(["jobs", *logs, "--size", "3,1", "--set", "data=8", "--cores", "16"]) == 0
    fitted = capsys.readouterr().out
    assert main(["jobs", str(model), "--set", "data=8", "--cores", "16"]) == 0
    assert capsys.readouterr().out == fitted


@pytest.mark.parametrize("sizes", ["[1]", "[1, 1]", "[1, -2]", '[1, "2"]', "[1, 2, 3]", "[true, 2]"])
def test_sizes_of_a_file_that_cannot_be_are_refused(sizes: str, tmp_path: Path) -> None:
    _logged(tmp_path, 1)
    path = tmp_path / "sizes.json"
    assert main(["jobs", str(tmp_path / "1.log"), "--emit", "json", "-o", str(path)]) == 0
    log = path.read_text(encoding="utf-8")
    path.write_text(f'{{"job logs": 1, "sizes": {sizes}, "logs": [{log}, {log}]}}', encoding="utf-8")
    with pytest.raises(ApetError, match="of another form"):
        apet.load_model(path)


def test_logs_of_different_programs_are_refused(tmp_path: Path) -> None:
    first = _logged(tmp_path, 1)
    other = _logged(tmp_path, 2, [JobShape([StageShape([100] * 4)])])
    with pytest.raises(ApetError, match="differ from stage"):
        first.with_sizes([other], [1, 2])
