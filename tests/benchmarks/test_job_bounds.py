"""The table of bounds of task graphs: a row for each number of cores, and no order of tasks outside."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.benchmarks.job_bounds import Scheduler, TaskGraph, main


def test_no_order_of_drawn_graphs_lies_outside(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--graphs", "8", "--orders", "40"]) == 0
    rows = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [(int(row[0]), row[4].strip(), int(row[5])) for row in rows] == [(n, "320", 0) for n in (4, 8, 16, 32)]
    assert all(1 <= float(row[1]) <= float(row[3]) < 2 for row in rows)


def test_a_folder_of_tables_and_workflows_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("task,start,end,after\na,0,4,\nb,0,4,\nc,4,8,a;b\n", encoding="utf-8")
    assert main([str(tmp_path), "--orders", "3"]) == 0
    assert "| 4 | 1.000 | 1.000 | 1.00 | 3 | 0 |" in capsys.readouterr().out


def test_the_scheduler_idles_no_core_while_a_task_is_ready() -> None:
    graph = TaskGraph("any", [3, 1, 2, 2], [[], [], [1], [1]])
    assert Scheduler(graph).run(1, range(4)) == 8
    assert Scheduler(graph).run(2, range(4)) == 5
    assert Scheduler(graph).run(2, [1, 0, 2, 3]) == 5
    assert Scheduler(graph).run(3, [random.Random(1).random() for _ in range(4)]) == 3
