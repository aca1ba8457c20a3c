"""Laws of the Dask engine: the bytes of one core, whatever happens to workers; clear words where it cannot be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.questions.sweep.design import FARM, POOL, ROOT, parts, start, task, wait_for_parts

from apet.ground.diagnostics import ApetError
from apet.questions.sweep.loop import Local, sweep_to

pytest.importorskip("distributed")

SPACE = ("P=2:4", "n=1:4000")
CALL = (FARM, "-m", POOL, "--vary", SPACE[0], "--vary", SPACE[1], "--engine", "dask")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that the local engine writes."""
    folder, found = tmp_path_factory.mktemp("local"), {}
    for form in ("csv", "parquet"):
        sweep_to(task(*SPACE, form=form), Local(), str(folder / f"s.{form}"))
        found[form] = (folder / f"s.{form}").read_bytes()
    return found


def _children(process: int) -> list[int]:
    """The processes below one, by id."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            if parent == process:
                found += [int(entry.name), *_children(int(entry.name))]
    return found


def _workers(process: int) -> list[int]:
    """Worker processes: those whose command line says they were spawned to run."""
    found = []
    for child in _children(process):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in words:
            found.append(child)
    return found


def test_workers_write_the_same_bytes(local: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    process = start(*CALL, "--workers", "2", "-o", str(path))
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert said == ""
    assert path.read_bytes() == local["parquet"]


def test_the_loss_of_a_worker_changes_nothing(local: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    process = start(*CALL, "--workers", "2", "-o", str(path))
    wait_for_parts(process, path, 1)
    workers = _workers(process.pid)
    assert len(workers) == 2
    assert process.poll() is None
    os.kill(workers[0], signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert path.read_bytes() == local["csv"]


@pytest.mark.slow
def test_ctrl_c_closes_the_cluster_and_the_local_engine_goes_on(local: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    process = start(*CALL, "--workers", "2", "-o", str(path))
    wait_for_parts(process, path, 1)
    children = _children(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "go on with the same command and --resume" in said
    assert said.startswith("interrupted: ")
    end = time.monotonic() + 20
    while any(Path(f"/proc/{child}/cmdline").exists() for child in children) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    assert parts(path) >= 1
    sweep_to(task(*SPACE), Local(), str(path), resume=True)
    assert path.read_bytes() == local["csv"]


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a running scheduler without workers."""
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    process = subprocess.Popen([*command, *options], env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    import json

    yield json.loads(file.read_text(encoding="utf-8"))["address"]
    process.terminate()
    process.wait(timeout=20)


@pytest.mark.slow
def test_a_scheduler_elsewhere_serves_and_other_versions_are_refused(
    scheduler: str, local: dict[str, bytes], tmp_path: Path
) -> None:
    from apet.questions.sweep.cluster import DaskCluster

    command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, "--no-dashboard", "--no-nanny"]
    worker = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        path, t = tmp_path / "s.csv", task(*SPACE)
        sweep_to(t, DaskCluster(scheduler), str(path))
        assert path.read_bytes() == local["csv"]
        other = replace(t, versions=(("apet", "0.0.1"), ("numpy", "1")))
        with pytest.raises(ApetError, match=r"has apet .*, numpy .*, and this is apet 0\.0\.1, numpy 1"):
            sweep_to(other, DaskCluster(scheduler), str(tmp_path / "other.csv"))
        bad = task("P=2:4", "q=0.5:1.5:0.001")
        with pytest.raises(ApetError, match=r"point 502 of 3,003 \(P = 2, q = 1\.001\)"):
            sweep_to(bad, DaskCluster(scheduler), str(tmp_path / "bad.csv"))
    finally:
        worker.terminate()
        worker.wait(timeout=20)


@pytest.mark.slow
def test_a_scheduler_without_workers_is_a_mistake(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apet.questions.sweep import cluster

    monkeypatch.setattr(cluster, "WORKER_PATIENCE", 1)
    with pytest.raises(ApetError, match="no Dask worker has come to"):
        sweep_to(task(*SPACE), cluster.DaskCluster(scheduler), str(tmp_path / "s.csv"))


def test_an_unreachable_scheduler_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from apet.questions.sweep import cluster

    monkeypatch.setattr(cluster, "SCHEDULER_PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:notaport"):
        with pytest.raises(ApetError, match="cannot be reached"):
            sweep_to(task(*SPACE), cluster.DaskCluster(address), str(tmp_path / "s.csv"))
    assert list(tmp_path.iterdir()) == []


def test_few_points_go_to_the_cluster_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from apet.cli.main import main
    from apet.questions.sweep import cluster

    monkeypatch.setattr(cluster, "SCHEDULER_PATIENCE", 1)
    here = str(Path(__file__).resolve().parents[3] / "samples" / "pamela" / "pi.pam")
    few = ["sweep", here, "--machines", "join-2005", "--vary", "n=1e6,1e9"]
    assert main([*few, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "cannot be reached" in capsys.readouterr().err
