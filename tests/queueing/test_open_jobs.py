"""Open classes of jobs with precedence: simulated, beside what is known exactly."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import (
    Circulation,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pool,
    Scenario,
    SerialJob,
)
from apet.queueing.data.unrolling import variants
from apet.queueing.methods.answer import queue


def opened(rate: float, branches: int, discipline: str = "FCFS", servers: int = 1) -> Scenario:
    """Jobs that fork to stations of their own, a second of service at each."""
    fork = ParallelJob(tuple(JobTask(f"t{k}", (JobStep(k, 1.0),)) for k in range(branches)))
    stations = tuple(JobStation(f"s{k}", discipline, servers) for k in range(branches))
    return Scenario(stations, (Circulation("c", 0, 0.0, variants(fork), arrival_rate=rate),))


def answer(scenario: Scenario) -> JobsResult:
    result = queue(scenario)
    assert isinstance(result, JobsResult)
    return result


@pytest.mark.parametrize("discipline", ["PS", "FCFS", "LCFS-PR", "priority", "preemptive"])
def test_a_single_task_is_a_queue_of_product_form(discipline: str) -> None:
    result = answer(opened(0.6, 1, discipline))
    width = result.classes[0].half_width
    assert width is not None
    assert abs(result.classes[0].response_time - 2.5) <= max(2 * width, 0.05)
    assert result.stations[0].utilization == pytest.approx(0.6, rel=0.02)


@pytest.mark.parametrize("rate", [0.3, 0.7])
def test_a_fork_over_two_queues_takes_as_long_as_is_known(rate: float) -> None:
    """(12 - rho) / 8 of the time at one queue (L. Flatto and S. Hahn, 1984)."""
    result = answer(opened(rate, 2))
    assert result.classes[0].response_time == pytest.approx((12 - rate) / 8 / (1 - rate), rel=0.03)


def test_jobs_that_come_too_fast_are_refused() -> None:
    with pytest.raises(ApetError, match=r"s0: utilization 1\.2"):
        queue(opened(1.2, 2))


def test_a_file_may_hold_an_open_class_of_jobs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(
        """
stations = [{ name = "cpu", discipline = "FCFS", servers = 2 }]
[[classes]]
name = "c"
arrival_rate = 1.0
arrival_dist = { type = "erlang", k = 4 }
[classes.job]
op = "P"
children = [
  { steps = [{ station = "cpu", demand = 0.5 }] },
  { steps = [{ station = "cpu", demand = 0.5 }] },
]
""",
        encoding="utf-8",
    )
    assert main(["queue", str(path)]) == 0
    assert "open" in capsys.readouterr().out
    assert main(["queue", str(path), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["classes"]["c"]["throughput"] == pytest.approx(1.0, rel=0.02)
    assert main(["queue", str(path), "--method", "reference"]) == 2


@pytest.mark.parametrize("seed", range(8))
def test_work_that_comes_is_work_that_is_done(seed: int) -> None:
    """Utilization law (J. P. Buzen, 1976), whatever the order, the pools, and who goes first."""
    random = Random(seed)
    orders = [random.choice(("PS", "FCFS", "LCFS-PR", "priority", "preemptive")) for _ in range(2)]
    stations = tuple(JobStation(f"s{k}", order) for k, order in enumerate(orders))
    job = SerialJob((JobTask("a", (JobStep(0, 0.7), JobStep(1, 0.3))), JobTask("b", (JobStep(1, 0.4),))))
    opened = Circulation("open", 0, 0.0, variants(job), arrival_rate=0.4, priority=random.randint(1, 2))
    closed = Circulation("closed", 3, 9.0, variants(job), priority=random.randint(1, 2))
    pools = (Pool("p", 3, (0, 1), random.choice((None, 2))),) if random.random() < 0.7 else ()

    result = answer(Scenario(stations, (opened, closed), pools))
    rates = [c.throughput for c in result.classes]
    assert rates[0] == pytest.approx(0.4 * (1 - result.classes[0].refused), rel=0.02)
    for station in result.stations:
        assert station.utilization == pytest.approx(0.7 * sum(rates), rel=0.02)
