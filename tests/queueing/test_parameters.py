"""Numbers of servers and threads as parameters: formulas in them, and what they cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.model.terms import Number as Literal
from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.data.problems import Problem
from apet.queueing.data.varied import full_name, varied, with_prices, with_value
from apet.queueing.methods.answer import queue
from apet.queueing.questions.cost_model import queue_model
from apet.queueing.questions.targets import measured, point, target
from apet.queueing.read import parse_queue_file

OPEN = """
[parameters]
replicas = { value = 6, range = [5, 12] }
[[stations]]
name = "app"
servers = "replicas"
price = 0.12
[[stations]]
name = "db"
price = 1.0
[[classes]]
name = "requests"
arrival_rate = 80
service = { app = 0.05, db = 0.008 }
"""
CLOSED = """
[parameters.cores]
value = 2
range = [1, 6]
[[stations]]
name = "cpu"
servers = "cores"
[[stations]]
name = "disk"
[[stations]]
name = "other"
servers = 2
[[classes]]
population = 8
think = 2.0
service = { cpu = 0.4, disk = 0.1, other = 0.2 }
"""
JOBS = """
parameters = { cores = { value = 2 } }
stations = [{ name = "cpu", servers = "cores" }]
[[classes]]
population = 3
job = { steps = [{ station = "cpu", demand = 1.0 }] }
"""


def problem(text: str) -> Any:
    return parse_queue_file(Source("x.toml", text)).problem


def seconds(one: Problem) -> float:
    result = queue(one)
    assert isinstance(result, NetworkResult)
    return result.system_response_time[0]


@pytest.mark.parametrize(("text", "name"), [(OPEN, "replicas"), (CLOSED, "cores")], ids=["open", "closed"])
def test_a_formula_in_the_number_of_servers_is_the_solution_for_each(text: str, name: str) -> None:
    network = problem(text)
    model = queue_model("x.toml", network)
    values = {n: p.value.value for n, p in model.declared.items() if isinstance(p.value, Literal)}
    low, high = network.counts[0].low, network.counts[0].high
    times = []
    for number in range(low, high + 1):
        times.append(seconds(with_value(network, name, number)))
        assert model.T_total.evaluate({**values, name: number}) == pytest.approx(times[-1], rel=1e-9)
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("of", ["response", "throughput", "utilization[cpu]"])
def test_all_quantities_of_a_closed_network_have_formulas_in_its_servers(of: str) -> None:
    network = problem(CLOSED)
    model = queue_model("x.toml", network, of)
    values = {n: p.value.value for n, p in model.declared.items() if isinstance(p.value, Literal)}
    for number in (1, 3, 6):
        result = queue(with_value(network, "cores", number))
        assert isinstance(result, NetworkResult)
        wanted = {
            "response": result.system_response_time[0],
            "throughput": result.throughput[0],
            "utilization[cpu]": result.utilization[0][0],
        }
        assert model.T_total.evaluate({**values, "cores": number}) == pytest.approx(wanted[of])


def test_the_cost_is_a_formula_as_well() -> None:
    model = queue_model("x.toml", problem(OPEN), "cost")
    assert str(model.T_total) == "0.12 replicas + 1"
    assert model.T_total.evaluate({"replicas": 10}) == pytest.approx(2.2)


def test_a_border_lies_in_the_range_of_the_file_and_has_a_cost() -> None:
    border = target(problem(OPEN), "replicas", 0.28, 99)
    assert border.met
    assert border.missed
    assert measured(border.met, None, 99) <= 0.28 < measured(border.missed, None, 99)
    assert border.met.cost == pytest.approx(1.0 + 0.12 * border.met.value)
    assert target(problem(OPEN), "replicas", 10.0).met.value == 5  # type: ignore[union-attr]


def test_one_name_may_stand_at_several_places() -> None:
    text = OPEN.replace('name = "db"', 'name = "db"\nservers = "replicas"')
    changed = with_value(varied(problem(text)), "replicas", 9)
    assert [s.servers for s in changed.stations] == [9, 9]
    assert point(varied(problem(text)), "replicas", 9).cost == pytest.approx(9 * 1.12)


def test_jobs_have_named_numbers_too() -> None:
    changed = with_value(varied(problem(JOBS)), full_name(problem(JOBS), "cores"), 3)
    assert changed.stations[0].servers == 3


def test_a_price_of_something_else_is_refused() -> None:
    with pytest.raises(ApetError) as error:
        with_prices(varied(problem(OPEN)), {"replica": 1.0})
    assert "replicas" in str(error.value.diagnostics[0])


def test_the_questions_take_the_number_of_servers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.toml"
    path.write_text(OPEN, encoding="utf-8")
    asked = ["solve", str(path), "--for", "replicas", "--deadline", "300ms", "--percentile", "99"]
    assert main([*asked, "--set", "arrival_rate=95", "--price", "app=0.5"]) == 0
    out = capsys.readouterr().out
    assert "keeps it" in out
    assert "per hour" in out
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["met"]["cost_per_hour"] == pytest.approx(1.72)

    assert main(["solve", str(path), "--for", "replicas", "--deadline", "70ms"]) == 0
    assert "replicas" in capsys.readouterr().out
    assert main(["regions", str(path), "--for", "replicas"]) == 0
    assert "replicas" in capsys.readouterr().out
    assert main(["explain", str(path)]) == 0
    assert "replicas" in capsys.readouterr().out
    table = tmp_path / "table.csv"
    assert main(["sweep", str(path), "--vary", "replicas=5:8", "-o", str(table)]) == 0
    assert len(table.read_text(encoding="utf-8").splitlines()) >= 5
    capsys.readouterr()
    assert main([*asked, "--price", "app=-1"]) == 2
    assert main(["queue", str(path), "--against", "replicas=5:7"]) == 0
    assert "cost per hour" in capsys.readouterr().out


@pytest.mark.parametrize(
    "asked",
    [
        ["predict", "--set", "rate=125"],
        ["explain", "--set", "rate=130"],
        ["sweep", "--vary", "rate=100,125"],
        ["regions", "--for", "rate=125:130"],
        ["solve", "--for", "D_db", "--range", "0.0125..0.02", "--deadline", "1s", "--of", "response"],
        ["compare", "--set", "rate=125"],
    ],
    ids=lambda asked: asked[0],
)
def test_a_station_that_is_always_busy_is_named(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At 125 requests per second the database is busy all the time, and the formula divides by zero."""
    path = tmp_path / "open.toml"
    path.write_text(OPEN, encoding="utf-8")
    files = [str(path)] * (2 if asked[0] == "compare" else 1)
    assert main([asked[0], *files, *asked[1:]]) == 2
    said = capsys.readouterr().err
    assert "saturated: U[db] = 1" in said or "db: utilization 1" in said


@pytest.mark.parametrize(("name", "border"), [("rate", "119.999"), ("D_db", "0.0124999"), ("replicas", "5")])
def test_questions_look_where_there_is_a_steady_state(
    name: str, border: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.toml"
    path.write_text(OPEN.replace("range = [5, 12]", "range = [1, 12]"), encoding="utf-8")
    assert main(["regions", str(path), "--for", name]) == 0
    assert border in capsys.readouterr().out
    if name != "rate":  # that is a number of the problem as well
        assert main(["solve", str(path), "--for", name, "--of", "response", "--deadline", "1s"]) == 0
        assert border in capsys.readouterr().out


def test_a_round_that_would_take_no_time_is_out_of_range(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    path.write_text('stations = [{ name = "s" }]\nclasses = [{ population = 4, service = { s = 0.1 } }]\n')
    assert main(["regions", str(path), "--for", "D_s"]) == 0
    assert main(["predict", str(path), "--set", "D_s=0"]) == 2
    assert "declared range" in capsys.readouterr().err


def test_a_network_without_prices_has_no_cost() -> None:
    network = problem(CLOSED)
    assert isinstance(network, Network)
    with pytest.raises(ApetError, match="cost"):
        queue_model("x.toml", network, "cost")
