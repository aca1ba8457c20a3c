"""Files of runners of benchmarks: the same curve in each format, series never merged, metrics with their units."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from tests.runs.benchmark_files import FORMATS

from apet.api.kinds import RUNS, kind_of
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.runs.errors import OneRunEach, SeveralToChoose, TextParameter
from apet.runs.read import read_experiment, read_runs
from apet.runs.read.benchmark_names import named

TIMES = {1_000: 1.5e-6, 2_000: 3.125e-6, 4_000: 6.25e-6, 16_000: 0.0275}


def written(tmp_path: Path, name: str, text: str) -> str:
    """The path of a file with a text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_curve(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, FORMATS[name]([("sort", n, t) for n, t in TIMES.items()]))
    curve = read_runs(path, kind="").curve
    assert kind_of(path) == RUNS
    assert curve.unit == "s"
    assert {r.n: r.t for r in curve.runs} == pytest.approx(TIMES, rel=1e-5)


@pytest.mark.parametrize("name", FORMATS)
def test_two_programs_in_one_file_are_never_merged(tmp_path: Path, name: str) -> None:
    rows = [(program, n, factor * t) for program, factor in (("fast", 1), ("slow", 9)) for n, t in TIMES.items()]
    path = written(tmp_path, name, FORMATS[name](rows))
    with pytest.raises(ApetError) as error:
        read_runs(path)
    (problem,) = error.value.diagnostics
    assert isinstance(problem, SeveralToChoose)
    slow = next(part for part in problem.names.split(", ") if "slow" in part)  # type: ignore[attr-defined]
    assert [r.t for r in read_runs(path, metric=slow).curve.runs] == pytest.approx([9 * t for t in TIMES.values()])


@pytest.mark.parametrize("name", FORMATS)
def test_one_run_each_is_no_series(tmp_path: Path, name: str) -> None:
    with pytest.raises(ApetError) as error:
        read_runs(written(tmp_path, name, FORMATS[name]([("one", 10, 1.0), ("other", 20, 2.0)])))
    assert isinstance(error.value.diagnostics[0], OneRunEach)


def test_other_metrics_of_a_benchmark_have_their_units(tmp_path: Path) -> None:
    path = written(tmp_path, "go.txt", FORMATS["go.txt"]([("sort", n, t) for n, t in TIMES.items()]))
    curve = read_runs(path, metric="B/op").curve
    assert curve.unit == "B"
    assert [r.t for r in curve.runs] == [16, 16, 16, 16]
    assert read_experiment(path, metric="B/op").experiment.unit == "B"


@pytest.mark.parametrize(
    ("names", "series"),
    [
        (["fib_20", "fib_30"], [("fib", {"arg1": 20}), ("fib", {"arg1": 30})]),
        (["BM_f/n:8/real_time", "BM_f/n:64/real_time"], [("BM_f", {"n": 8}), ("BM_f", {"n": 64})]),
        (["Fib1", "Fib2", "Fib10"], [("Fib", {"arg1": 1}), ("Fib", {"arg1": 2}), ("Fib", {"arg1": 10})]),
        (["sum_int8", "sum_int16", "sum_int32"], [("sum_int8", {}), ("sum_int16", {}), ("sum_int32", {})]),
        (["sort n=1K, P=2", "sort n=2K, P=2"], [("sort", {"n": 1000, "P": 2}), ("sort", {"n": 2000, "P": 2})]),
        (["f/8/2", "f/16/4"], [("f", {"arg1": 8, "arg2": 2}), ("f", {"arg1": 16, "arg2": 4})]),
        (["f/8/2", "f/16/2"], [("f/2", {"arg1": 8}), ("f/2", {"arg1": 16})]),
        (["v1.2 sort", "v1.2 search"], [("v1.2 sort", {}), ("v1.2 search", {})]),
    ],
)
def test_numbers_that_vary_in_names_are_parameters(names: list[str], series: list[tuple[str, object]]) -> None:
    assert [tuple(own) for own in named(names)] == series


FRAMES = [
    [{"n": 100, "time_ms": 1500.0}, {"n": 200, "time_ms": 3000.0}],
    {"columns": ["n", "time"], "index": [0, 1], "data": [[100, 1.5], [200, "3 s"]]},
    {"n": {"0": 100, "1": 200}, "time": {"0": 1.5, "1": 3}},
    {"0": {"n": 100, "time": 1.5}, "1": {"n": 200, "time": "0:03"}},
    {"schema": {"fields": []}, "data": [{"n": 100, "time": 1.5}, {"n": 200, "time": 3}]},
]


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_a_frame_of_pandas_is_read_in_each_form(tmp_path: Path, frame: object) -> None:
    curve = read_runs(written(tmp_path, "x.json", json.dumps(frame))).curve
    assert [(r.n, r.t) for r in curve.runs] == [(100, 1.5), (200, 3)]


def test_lines_of_json_are_runs(tmp_path: Path) -> None:
    text = '{"n": 100, "t": "1m10s"}\n\n{"n": 200, "t": "2m20s"}\n'
    path = written(tmp_path, "x.jsonl", text)
    assert [(r.n, r.t) for r in read_runs(path).curve.runs] == [(100, 70), (200, 140)]


TABLES = [
    "n;t\n100;1,5\n200;3,125\n",
    "n,t\n100,1500 ms\n200,3125 ms\n",
    "n,t\n100,0m1.5s\n200,0m3.125s\n",
    "n,t\n100,00:00:01.5\n200,00:00:03.125\n",
]


@pytest.mark.parametrize("text", TABLES)
def test_times_are_read_as_people_write_them(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "x.csv", text)
    assert [r.t for r in read_runs(path).curve.runs] == [1.5, 3.125]
    assert [p.t for p in read_experiment(path, parameters=["n"]).experiment.points] == [1.5, 3.125]


@pytest.mark.parametrize("column", ["program", "compiler", "host", "command"])
def test_text_that_tells_programs_apart_makes_series(tmp_path: Path, column: str) -> None:
    rows = [(name, n, f * n) for name, f in (("a", 1), ("b", 9)) for n in (1, 2, 4, 8)]
    path = written(tmp_path, "x.csv", f"{column},n,t\n" + "".join(f"{c},{n},{t}\n" for c, n, t in rows))
    with pytest.raises(ApetError) as error:
        read_experiment(path, parameters=["n"])
    assert isinstance(error.value.diagnostics[0], TextParameter)
    with pytest.raises(ApetError):
        read_runs(path)
    assert [r.t for r in read_runs(path, where={column: "b"}).curve.runs] == [9, 18, 36, 72]


def test_hosts_of_single_runs_do_not_matter(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", "n,t,host\n1,1,a\n2,2,b\n4,4,a\n8,8,c\n")
    assert len(read_runs(path).curve.runs) == 4


def test_runs_of_talpas_and_of_old_and_saved_experiments_are_those_of_extra_p(tmp_path: Path) -> None:
    values = {20: [80.0, 82.0, 81.0], 40: [160.0, 161.0, 165.0]}
    talpas = "".join(
        f'{{"parameters":{{"x":{x}}};"metric":"time";"callpath":"compute";"value":{v}}}\n'
        for x, own in values.items()
        for v in own
    )
    pairs = [
        {"id": k, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": x}]} for k, x in enumerate(values, 1)
    ]
    old = {
        "parameters": [{"id": 1, "name": "x"}],
        "callpaths": [{"id": 1, "name": "compute"}],
        "metrics": [{"id": 1, "name": "time"}],
        "coordinates": pairs,
        "measurements": [
            {"id": 1, "coordinate_id": k, "callpath_id": 1, "metric_id": 1, "value": v}
            for k, own in enumerate(values.values(), 1)
            for v in own
        ],
    }
    entries = [{"coordinate": [float(x)], "median": sorted(own)[1], "values": [0, 0]} for x, own in values.items()]
    with zipfile.ZipFile(tmp_path / "x.extra-p", "w") as archive:
        archive.writestr(
            "experiment.json", json.dumps({"parameters": ["x"], "measurements": {"compute": {"time": entries}}})
        )

    paths = [
        written(tmp_path, "x.txt", talpas),
        written(tmp_path, "x.JSON", json.dumps(old)),
        str(tmp_path / "x.extra-p"),
    ]
    for path in paths:
        assert kind_of(path) == RUNS
        assert [(r.n, r.t) for r in read_runs(path).curve.runs] == [(20, 81), (40, 161)]


def test_a_call_path_may_take_no_time(tmp_path: Path) -> None:
    text = "PARAMETER n\nPOINTS 1 2\nREGION main\nDATA 3\nDATA 5\nREGION main->a\nDATA 0\nDATA 1\n"
    runs = read_runs(written(tmp_path, "x.txt", text)).curve.runs
    assert [(r.t, dict(r.phases)) for r in runs] == [(3, {"a": 0}), (5, {"a": 1})]
    with pytest.raises(ApetError):
        read_runs(written(tmp_path, "x.txt", text.replace("DATA 3", "DATA 0")))


@pytest.mark.parametrize(
    ("metrics", "chosen", "unit"),
    [
        (["time_steps", "wallclock"], "wallclock", "s"),
        (["bytes_sent"], "bytes_sent", "B"),
        (["runtime_variance"], "runtime_variance", ""),
        (["visits", "time"], "time", "s"),
        (["energy_J"], "energy_J", "J"),
    ],
)
def test_a_metric_has_a_unit(tmp_path: Path, metrics: list[str], chosen: str, unit: str) -> None:
    data = "".join(f"METRIC {m}\nDATA {k}\nDATA {2 * k}\n" for k, m in enumerate(metrics, 1))
    curve = read_runs(written(tmp_path, "x.txt", "PARAMETER n\nPOINTS 1 2\nREGION main\n" + data)).curve
    assert curve.unit == unit
    assert curve.runs[0].t == 1 + metrics.index(chosen)


def test_jobs_are_read_as_slurm_prints_them(tmp_path: Path) -> None:
    text = (
        "JobID           JobName      State   NTasks    Elapsed \n"
        "------------ ---------- ---------- -------- ---------- \n"
        "1               scaling  COMPLETED            01:40:00 \n"
        "1.batch           batch  COMPLETED        1   01:40:00 \n"
        "1.0             stencil  COMPLETED        4   01:39:58 \n"
        "2               scaling     FAILED            00:00:01 \n"
        "3               scaling  COMPLETED            00:52:10 \n"
        "3.0             stencil  COMPLETED        8   00:52:09 \n"
    )
    runs = read_runs(written(tmp_path, "x.txt", text), kind="")
    assert [(r.n, r.t) for r in runs.curve.runs] == [(4, 6000), (8, 3130)]
    assert runs.curve.kind == "procs"


def test_bytes_are_never_printed_as_seconds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = "".join(f"{n},{p},,bytes,{64 * n},B\n" for n in (1, 2, 4, 8) for p in (1, 2))
    path = written(tmp_path, "x.csv", "n,P,phase,metric,value,unit\n" + data)
    for words in (["--where", "P=1"], [], ["--set", "n=16", "-P", "1", "--parameters", "n,P"]):
        assert main(["predict", path, "--metric", "bytes", *words]) == 0
        printed = capsys.readouterr().out
        assert " B\n" in printed or " B " in printed
        assert "run time" not in printed
        assert not re.search(r"\d (s|ms|h)\b", printed)
    assert main(["predict", path, "--metric", "bytes", "--where", "P=1", "--deadline", "1h"]) == 2
    assert "--deadline is for run times" in capsys.readouterr().err
