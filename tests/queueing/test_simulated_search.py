"""Borders of what is simulated, and simulations in which jobs are rare, absent or stuck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.work import thorough

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import NamedCount, Pool
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.varied import Varied
from apet.queueing.methods.answer import queue, simulated
from apet.queueing.methods.precedence import solve
from apet.queueing.questions import targets
from apet.queueing.questions.targets import measured, target

STATIONS = (Station("cpu", "queue", 2), Station("disk"))
SERVICE, VISITS = [[0.03, 0.01], [0.2, 0.02]], [[1.0, 1.0], [1.0, 1.0]]


def pooled(rate: float) -> Network:
    """Open and closed jobs in one pool of six, of which nothing but a simulation answers."""
    classes = (JobClass("web", None, 0.0, rate), JobClass("batch", 4, 1.0))
    count = NamedCount("threads", 6, 1, 12, (("size", 0),))
    return Network(STATIONS, classes, SERVICE, VISITS, (), (Pool("threads", 6, (0, 1), 30),), (count,))


@pytest.fixture
def fewer_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full simulations end earlier, for laws that hold however precise they are."""
    monkeypatch.setattr(solve, "MOST_EVENTS", 2_000_000)


@thorough
@pytest.mark.usefixtures("fewer_events")
def test_a_simulated_border_takes_few_full_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    values = list[float]()
    whole = targets.point

    def counted(problem: Varied, name: str, value: float, *further: Any) -> targets.LoadPoint:
        values.append(value)
        return whole(problem, name, value, *further)

    monkeypatch.setattr(targets, "point", counted)
    border = target(pooled(20.0), "arrival_rate", 0.9)
    assert border.met
    assert border.missed
    assert measured(border.met, None, None) <= 0.9 < measured(border.missed, None, None)
    assert border.met.value < border.missed.value <= border.met.value * (1 + 2 * targets.COARSE)
    assert len(values) <= 12  # of some 25 values that are tried


@pytest.mark.usefixtures("fewer_events")
def test_the_size_of_a_pool_has_the_range_of_its_parameter() -> None:
    assert target(pooled(20.0), "size[threads]", 1e-3).within == (1, 12)
    assert target(pooled(20.0), "threads", 1e-3).within == (1, 12)


def test_a_class_of_which_no_job_ends_is_an_error_and_not_a_zero() -> None:
    with pytest.raises(ApetError, match="no job of web ends in a simulation"):
        queue(pooled(1e-9))


def test_a_class_without_arrivals_disturbs_nobody() -> None:
    result, alone = queue(pooled(0.0)), Network(STATIONS, (JobClass("batch", 4, 1.0),), SERVICE[1:], VISITS[1:])
    assert isinstance(result, NetworkResult)
    exact = queue(alone)
    assert isinstance(exact, NetworkResult)
    assert result.throughput[0] == 0
    assert result.system_response_time[1] == pytest.approx(exact.system_response_time[0], rel=0.01)


def test_jobs_that_do_not_end_count_in_a_simulated_response_time() -> None:
    """Last come, first served, never idle: R = N / X - Z, whatever has ended so far."""
    network = Network((Station("s", "queue", 1, "LCFS-PR"),), (JobClass("c", 8, 0.5),), [[1.0]], [[1.0]])
    result = simulated(network, 5_000, 1)
    assert isinstance(result, NetworkResult)
    little = 8 / result.throughput[0] - 0.5
    assert result.system_response_time[0] == pytest.approx(little, rel=0.02)


def test_a_queue_without_formulas_is_solved_in_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "line.toml"
    text = '[[stations]]\nname = "s"\ndiscipline = "FCFS"\nservice_dist = { type = "det" }\n'
    file.write_text(text + '[[classes]]\nname = "c"\npopulation = 4\nthink = 5\nservice = { s = 1 }\n')
    main(["solve", str(file), "--for", "N", "--deadline", "2s"])
    assert "population[c] = 5 keeps it, 6 does not" in capsys.readouterr().out
