"""Networks from measurements: demands are found again, and what is no measurement is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.queueing.test_spans import ONE_BY_ONE, written

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.networks import Network
from apet.queueing.measured.demands import UtilizationTable, demands
from apet.queueing.measured.service_files import from_table
from apet.queueing.measured.tables import read_table

TRUE = {"search": {"app": 0.05, "db": 0.01}, "order": {"app": 0.02, "db": 0.08}}


def table(noise: float, rows: int = 40, seed: int = 1) -> UtilizationTable:
    random = Random(seed)
    throughput = {c: [random.uniform(1, 8) for _ in range(rows)] for c in TRUE}
    utilization = {
        station: [
            min(1.0, sum(throughput[c][i] * TRUE[c][station] for c in TRUE) / servers * random.gauss(1, noise))
            for i in range(rows)
        ]
        for station, servers in (("app", 4), ("db", 1))
    }
    return UtilizationTable(throughput, utilization)


def test_demands_are_found_again_from_throughput_and_utilization() -> None:
    found = demands(table(0.0), {"app": 4})
    for c, row in TRUE.items():
        assert {s: d.seconds for s, d in found[c].items()} == pytest.approx(row, rel=1e-9)


def test_intervals_of_noisy_demands_hold_about_as_often_as_they_promise() -> None:
    inside = []
    for seed in range(50):
        found = demands(table(0.05, seed=seed), {"app": 4})
        inside += [
            abs(found[c][s].seconds - seconds) <= (found[c][s].half_width or 0.0)
            for c, row in TRUE.items()
            for s, seconds in row.items()
        ]
    assert 0.9 <= sum(inside) / len(inside) < 1


def test_a_load_that_no_class_brings_is_one_of_its_own() -> None:
    """8 % of a server beside 0.05 s per job: a line through the origin would be 11 % too steep."""
    random = Random(4)
    rates = [random.uniform(4, 16) for _ in range(60)]
    busy = [0.08 + 0.05 * x + random.gauss(0, 0.003) for x in rates]
    content = UtilizationTable({"web": rates}, {"db": busy, "app": [0.02 * x for x in rates]})
    found = demands(content, {})
    assert found["web"]["db"].seconds == pytest.approx(0.05, rel=0.03)
    assert found["background"]["db"].seconds == pytest.approx(0.08, rel=0.1)
    assert "app" not in found["background"]
    network = written(from_table("t", content, found, {}))
    assert [c.name for c in network.classes] == ["web", "background"]
    mean = sum(rates) / len(rates)
    used = sum((c.arrival_rate or 0.0) * row[0] for c, row in zip(network.classes, network.demands(), strict=True))
    assert used == pytest.approx(0.08 + 0.05 * mean, rel=0.01)


@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=8), st.floats(0.001, 0.1), st.integers(1, 8))
def test_the_demand_of_one_class_is_utilization_times_servers_over_throughput(
    rates: list[float], demand: float, servers: int
) -> None:
    busy = [x * demand / servers for x in rates]
    found = demands(UtilizationTable({"c": rates}, {"s": busy}), {"s": servers})
    assert found["c"]["s"].seconds == pytest.approx(demand)


@pytest.mark.parametrize(
    "rows", [{"a": [1.0], "b": [2.0]}, {"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 6.0]}], ids=["few", "alike"]
)
def test_classes_that_nothing_tells_apart_are_refused(rows: dict[str, list[float]]) -> None:
    with pytest.raises(ApetError):
        demands(UtilizationTable(rows, {"s": [0.5] * len(rows["a"])}), {})


def test_a_written_network_is_read_again() -> None:
    measured = table(0.02)
    network = written(from_table('a "name"', measured, demands(measured, {"app": 4}), {"app": 4}))
    assert isinstance(network, Network)
    assert [s.servers for s in network.stations] == [4, 1]
    assert network.demands()[1] == pytest.approx([0.02, 0.08], rel=0.1)


CSV = "time,throughput,utilization[cpu]\n0,2,0.2\n60,4,0.4\n120,6,0.6\n"


def series(label: dict[str, str], values: list[float]) -> dict[str, object]:
    return {"metric": label, "values": [[60 * i, str(v)] for i, v in enumerate(values)]}


def test_both_forms_of_tables_are_the_same_table() -> None:
    answer = {
        "data": {"result": [series({"class": "requests"}, [2, 4, 6]), series({"station": "cpu"}, [0.2, 0.4, 0.6])]}
    }
    assert read_table(Source("a.csv", CSV)) == read_table(Source("a.json", json.dumps(answer)))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("throughput,utilization[cpu]\n2,0.2\n4,much\n", "t.csv:3:1"),
        ("throughput,utilization[cpu]\n2,20\n", "t.csv:2:1"),
        ("throughput,utilization[cpu]\n2\n", "t.csv:2:1"),
        ("throughput,utilization[cpu]\n", "t.csv:1:1"),
        ("a,b\n1,2\n", "t.csv:1:1"),
        ("", "t.csv: error: the file is empty"),
        ("{", "t.csv:1:1"),
        ("[[1]]", "t.csv:1:1"),
        ('{"data": {"result": [{"metric": {"class": "c"}, "values": [[1]]}]}}', "t.csv:1:1"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(
    text: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["queue", "from-metrics", str(path)]) == 2
    assert place in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("throughput,utilization[web]\n0,0\n0,0\n", "is 0 everywhere"),
        ("throughput[a],throughput[a],utilization[web]\n1,2,.1\n", "throughput.a. is there twice"),
        (json.dumps({"data": {"result": [series({"job": "x"}, [1])]}}), "neither a label"),
        (
            json.dumps({"data": {"result": [series({"class": "a"}, [1]), series({"class": "a"}, [2])]}}),
            "throughput.a. is there twice",
        ),
    ],
)
def test_tables_that_say_too_much_or_too_little_are_refused(text: str, message: str) -> None:
    source = Source("t", text)
    with pytest.raises(ApetError, match=message):
        demands(read_table(source), {}, source)


def test_instants_without_data_and_errors_of_prometheus_are_seen() -> None:
    rows = [series({"class": "requests"}, [2, math.nan, 6]), series({"station": "cpu"}, [0.2, 0.4, 0.6])]
    table = read_table(Source("a.json", json.dumps({"data": {"result": rows}})))
    assert table.utilization["cpu"] == [0.2, 0.6]
    with pytest.raises(ApetError, match="bad query"):
        read_table(Source("a.json", json.dumps({"status": "error", "error": "bad query"})))


def test_the_commands_write_files_that_the_next_command_solves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text(CSV, encoding="utf-8")
    (tmp_path / "t.json").write_text(ONE_BY_ONE, encoding="utf-8")
    for verb, name in (("from-metrics", "t.csv"), ("from-traces", "t.json")):
        out = tmp_path / "out.toml"
        servers = "cpu=2" if name == "t.csv" else "web=2"
        assert main(["queue", verb, str(tmp_path / name), "-o", str(out), "--servers", servers]) == 0
        assert main(["queue", str(out)]) == 0
    assert "web" in capsys.readouterr().out
    assert main(["queue", "from-traces"]) == 2
    assert main(["queue", "from-metrics", str(tmp_path / "t.csv"), "--servers", "cpu"]) == 2
    assert main(["queue", "from-metrics", str(tmp_path / "t.csv"), "--servers", "cpus=2"]) == 2
    assert main(["queue", "from-traces", str(tmp_path / "t.json"), "--servers", "cpu=2"]) == 2
    assert "did you mean 'cpu'?" in capsys.readouterr().err
    assert main(["queue", str(tmp_path / "out.toml"), "--servers", "cpu=2"]) == 2


@pytest.mark.parametrize("cell", ["\r1", '"' + "1" * 140_000])
def test_cells_that_csv_cannot_split_are_refused_with_their_line(cell: str) -> None:
    with pytest.raises(ApetError, match=r"metrics\.csv:[23]:1: error: "):
        read_table(Source("metrics.csv", f"throughput,utilization[cpu]\n1,0.5\n2,{cell}\n"))
