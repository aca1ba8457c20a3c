"""What tests of sweeps share: a small model, tasks, and processes that sweep and can be killed."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests import processes

import apet
from apet.questions.sweep.build import SweepRequest, build
from apet.questions.sweep.notation import parse_variation
from apet.questions.sweep.task import SweepTask

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data" / "cli"
FARM, POOL = str(DATA / "farm.pam"), str(DATA / "pool.toml")
PARTS_PATIENCE = 60.0


def task(*vary: str, form: str = "csv", machines: Sequence[str] = (POOL,), **more: object) -> SweepTask:
    """The task of a sweep of the farm."""
    app, models = apet.compile(FARM), [apet.load_machines(name) for name in machines]
    axes = [parse_variation(text) for text in vary]
    request = SweepRequest(app, models, machines, axes, form=form, **more)  # type: ignore[arg-type]
    return build(request)[0]


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def start(*arguments: str) -> subprocess.Popen[str]:
    """A process that runs `apet sweep`; Ctrl-C reaches it as in a terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    return processes.start(
        [sys.executable, "-m", "apet.cli.main", "sweep", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def parts(path: Path) -> int:
    """How many chunks of a sweep into this file are kept."""
    folder = path.with_name(path.name + ".parts")
    return len([name for name in folder.glob("part-*") if not name.name.endswith(".tmp")])


def wait_for_parts(process: subprocess.Popen[str], path: Path, count: int) -> None:
    """Until so many chunks are kept, or the process has ended."""
    end = time.monotonic() + PARTS_PATIENCE
    while process.poll() is None and parts(path) < count and time.monotonic() < end:
        time.sleep(0.002)
