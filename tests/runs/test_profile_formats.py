"""Profiles and results of further tools: what they mean, over one parameter and over several, and which are refused.

The texts have the shape of what the tools wrote: perf 6.1, Criterion 0.3, Slurm 22.05, Score-P's Cube 4, Caliper 2.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Refuse
from tests.runs.cubex_files import cubex

from apet.api.kinds import RUNS, kind_of
from apet.ground.diagnostics import ApetError, render
from apet.ground.source import Source
from apet.runs.experiments import Experiment
from apet.runs.read import caliper, perf_stat, read_experiment, read_runs, slurm
from apet.runs.read import cubex as cubex_reader
from apet.runs.read.name_pattern import labelled
from apet.runs.read.profile import DEEPEST, CallNode, LoopedCallersError, of_call_tree

GRID = [(n, p) for n in (100, 200, 400) for p in (1, 2, 4)]


def seconds(n: int, p: int) -> float:
    return n / p + 0.5 * p


@pytest.mark.parametrize("bad", bad_inputs("formats"), ids=str)
def test_a_bad_file_is_answered_with_its_message(bad: BadInput, assert_refused: Refuse) -> None:
    assert_refused(bad, "fit", "runs" if not bad.arguments else f"runs/{bad.name}", folder="runs")


# perf stat

TITLE = "# started on Mon Nov 23 02:50:00 2026\n\n"
TEXT = """

 Performance counter stats for './solve {n} {p}'{runs}:

              0.92 msec task-clock                       #    0.018 CPUs utilized            ( +-  3.15% )
   <not supported>      cycles

         {t:.7f}{error} seconds time elapsed{percent}

"""


def perf_text(n: int, p: int) -> str:
    return TITLE + TEXT.format(n=n, p=p, t=seconds(n, p), runs="", error="", percent="")


def perf_repeated(n: int, p: int) -> str:
    return TITLE + TEXT.format(
        n=n, p=p, t=seconds(n, p), runs=" (3 runs)", error=" +- 0.0000356", percent="  ( +-  0.07% )"
    )


def perf_csv(n: int, p: int) -> str:
    t = seconds(n, p)
    return (
        TITLE
        + f"{t * p * 1000:.2f},msec,task-clock,{t * p * 1e9:.0f},100.00,{p}.000,CPUs utilized\n"
        + "<not supported>,,instructions,0,100.00,,\n"
    )


def perf_elapsed(n: int, p: int) -> str:
    t = seconds(n, p)
    return TITLE + f"1;msec;task-clock:u;12;100,00;0,001;CPUs utilized\n{t * 1e9:.0f};ns;duration_time;12;100,00;;\n"


def perf_json(n: int, p: int) -> str:
    record = (
        f'{{"counter-value" : "{seconds(n, p) * p * 1000:.6f}", "unit" : "msec", "event" : "task-clock", '
        f'"event-runtime" : 824406, "pcnt-running" : 100.00, "metric-value" : {p}.000000, '
        '"metric-unit" : "CPUs utilized"}'
    )
    return f'{TITLE}{record}\n{{"counter-value" : "76.000000", "unit" : "", "event" : "page-faults"}}\n'


PERF_STAT = (perf_text, perf_repeated, perf_csv, perf_elapsed, perf_json)


@pytest.mark.parametrize("write", PERF_STAT, ids=lambda f: f.__name__)
def test_perf_stat_gives_the_elapsed_time_in_every_form(tmp_path: Path, write: Callable[[int, int], str]) -> None:
    for n, p in GRID:
        (tmp_path / f"n{n}_P{p}.txt").write_text(write(n, p))
    assert times(read_experiment(tmp_path).experiment) == pytest.approx({x: seconds(*x) for x in GRID}, rel=1e-6)


def test_reports_appended_to_a_file_are_repetitions() -> None:
    one, two, three = (perf_text(100, 1).replace("100.5000000", f"{t:.7f}") for t in (1.0, 3.0, 2.0))
    assert perf_stat.read(Source("a", one + two + three)).total == 2.0


def test_one_curve_is_read_from_perf_stat(tmp_path: Path) -> None:
    for n in (100, 200, 400):
        (tmp_path / f"n{n}.csv").write_text(perf_csv(n, 1))
    assert [(r.n, r.t) for r in read_runs(tmp_path).curve.runs] == [(100, 100.5), (200, 200.5), (400, 400.5)]


@given(st.text("0123456789.,;:- \n#<>secondtimlaprhkukCPUzw_", max_size=120))
def test_no_text_crashes_the_reader_of_perf_stat(text: str) -> None:
    for given_text in (text, TITLE + text, perf_csv(1, 1) + text):
        if perf_stat.recognises(given_text):
            assert answered(lambda t=given_text: perf_stat.read(Source("a", t)))  # type: ignore[misc]


# Slurm


def accounting(tasks: bool = True) -> str:
    lines = ["JobID|JobName|State|Elapsed|AllocCPUS|NTasks"]
    for number, (n, p) in enumerate(GRID, 100):
        t = 600 * round(seconds(n, p))
        clock = f"{t // 86400}-{t // 3600 % 24:02}:{t // 60 % 60:02}:{t % 60:02}"
        lines.append(f"{number}|solve_n{n}|COMPLETED|{clock}|{2 * p}|")
        lines.append(f"{number}.batch|batch|COMPLETED|{clock}|{2 * p}|1")
        lines += [f"{number}.0|solve|COMPLETED|{clock}|{2 * p}|{p}"] if tasks else []
    lines.append("99|solve_n100|TIMEOUT|00:00:01|2|")
    return "\n".join(lines)


def test_jobs_of_slurm_are_runs_over_tasks_and_what_their_names_hold(tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(accounting())
    file = read_experiment(tmp_path / "jobs.txt")
    assert file.experiment.names == ("n", "NTasks")
    assert [p.role for p in file.experiment.parameters] == ["size", "procs"]
    assert times(file.experiment) == {x: 600 * round(seconds(*x)) for x in GRID}
    assert tuple(map(str, file.notes)) == ("jobs: 1 of 10 are not completed and are left out",)


def test_without_tasks_processors_are_those_allocated(tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(accounting(tasks=False))
    own = read_experiment(tmp_path / "jobs.txt", name_pattern="solve_n{size}").experiment
    assert own.names == ("size", "AllocCPUS")
    curve = read_runs(tmp_path / "jobs.txt", where={"n": "400"}).curve
    assert (curve.kind, [r.n for r in curve.runs]) == ("procs", [2, 4, 8])


def test_numbers_of_nodes_that_tasks_do_not_determine_are_a_parameter_of_their_own() -> None:
    rows = [(4, 1), (4, 2), (8, 1), (8, 2)]
    text = "JobID|Elapsed|NTasks|NNodes\n" + "".join(f"{k}|01:00|{t}|{m}\n" for k, (t, m) in enumerate(rows))
    assert slurm.read_samples(Source("a", text)).names == ("NTasks", "NNodes")
    text = text.replace("|8|1", "|8|2").replace("|4|2", "|4|1")
    assert slurm.read_samples(Source("a", text)).names == ("NTasks",)


@given(st.text("0123456789|:-.\nabJobIDElapsedState_CMPLT", max_size=120))
def test_no_text_crashes_the_reader_of_slurm(text: str) -> None:
    heading = "JobID|Elapsed|State|NTasks\n"
    assert answered(lambda: slurm.read_samples(Source("a", heading + text)))
    assert answered(lambda: slurm.read_samples(Source("a", heading + f"1|00:10|COMPLETED|4\n{text}")))


# Criterion


def criterion(folder: Path, name: str, value: str, files: Mapping[str, object]) -> None:
    new = folder / name / value.replace("/", "_") / "new"
    new.mkdir(parents=True)
    (new.parent / "base").mkdir()
    for file, content in files.items():
        (new / f"{file}.json").write_text(json.dumps(content))


def named(name: str, value: str) -> dict[str, Any]:
    group, _, function = name.partition("/")
    return {"group_id": group, "function_id": function or None, "value_str": value, "throughput": None}


def sample(t: float) -> dict[str, Any]:
    return {"sampling_mode": "Linear", "iters": [1.0, 2.0, 3.0], "times": [t * 1e9, t * 2e9, t * 3.3e9]}


@pytest.mark.parametrize("value", ["n{n}_P{p}", "n={n},P={p}"])
def test_benchmarks_of_criterion_have_their_parameters_in_their_values(tmp_path: Path, value: str) -> None:
    for n, p in GRID:
        text = value.format(n=n, p=p)
        files = {"benchmark": named("sum/fast", text), "sample": sample(seconds(n, p))}
        criterion(tmp_path / "target" / "criterion", "sum_fast", text, files)
    own = read_experiment(tmp_path / "target" / "criterion").experiment
    assert own.name == "sum/fast"
    assert times(own) == pytest.approx({x: seconds(*x) for x in GRID})
    assert own.points[0].repetitions == pytest.approx([100.5, 100.5, 110.55])


def test_values_that_are_numbers_are_sizes_and_a_benchmark_is_chosen_by_its_name(tmp_path: Path) -> None:
    for n in (100, 200, 400):
        criterion(tmp_path, "a", str(n), {"estimates": {"median": {"point_estimate": n * 1e6}}})
        criterion(tmp_path, "b", str(n), {"benchmark": named("b", str(n)), "sample": sample(n)})
    with pytest.raises(ApetError, match="there are 2 benchmarks; choose one"):
        read_runs(tmp_path)
    assert [r.t for r in read_runs(tmp_path, metric="a").curve.runs] == pytest.approx([0.1, 0.2, 0.4])
    assert [r.t for r in read_runs(tmp_path, metric="b").curve.runs] == pytest.approx([100, 200, 400])


def test_several_plain_numbers_in_a_value_are_arguments_by_position(tmp_path: Path) -> None:
    for n, p in GRID:
        criterion(tmp_path, "a", f"{n}x{p}", {"estimates": {"mean": {"point_estimate": 1.0}}})
    assert read_experiment(tmp_path).experiment.names == ("arg1", "arg2")
    assert read_experiment(tmp_path, name_pattern="{rows}x{P}").experiment.names == ("rows", "P")


# Caliper

TREE = [
    {"label": "main", "column": "path"},
    {"label": "solve", "column": "path", "parent": 0},
    {"label": "halo", "column": "path", "parent": 1},
]


def split(rows: Sequence[Sequence[object]], column: str, about: Mapping[str, object], **more: object) -> str:
    metadata = [{"is_value": True}, {"is_value": True, **about}, {"is_value": False}]
    document = {"data": rows, "columns": ["mpi.rank", column, "path"], "column_metadata": metadata, "nodes": TREE}
    return json.dumps(document | more)


def test_regions_of_caliper_are_call_paths_and_its_globals_parameters(tmp_path: Path) -> None:
    for n, p in GRID:
        t = seconds(n, p)
        rows = [[r, v, k] for r in range(p) for k, v in enumerate((0.1 * t, 0.5 * t, (0.2 + 0.2 * (r == 0)) * t))]
        about = {"attribute.alias": "time", "attribute.unit": "sec"}
        more = {"problem_size": str(n), "jobsize": p, "launchdate": str(17 * n + p), "cali.channel": "1"}
        (tmp_path / f"{17 * n + p}.json").write_text(split([*rows, [0, 9.0, None]], "sum#time.duration", about, **more))

    own = read_experiment(tmp_path, parameters=("problem_size", "jobsize"), roles={"jobsize": "procs"}).experiment
    assert times(own) == pytest.approx({x: seconds(*x) for x in GRID})
    point = next(p for p in own.points if p.x == (400, 4))
    assert point.paths == pytest.approx({"solve": 102 * 0.75, "solve/halo": 102 * 0.25})
    assert read_experiment(*sorted(tmp_path.iterdir())).experiment.names == ("problem_size", "jobsize")


@pytest.mark.parametrize(
    ("column", "about", "factor"),
    [
        ("sum#time.duration", {"attribute.unit": "sec"}, 1.0),
        ("sum#time.duration.ns", {}, 1e-9),
        ("time.duration", {}, 1e-6),
        ("avg#sum#time.duration", {"attribute.alias": "Avg time/rank", "attribute.unit": "s"}, 1.0),
    ],
)
def test_times_of_caliper_are_in_their_unit(column: str, about: Mapping[str, object], factor: float) -> None:
    rows = [[0, 1.0, 0], [0, 2.0, 1], [0, 4.0, 2], [1, 1.0, 0], [1, 2.0, 1], [1, 2.0, 2]]
    profile = caliper.read(Source("a.json", split(rows, column, about)))
    assert profile.total == pytest.approx(7 * factor)
    assert profile.functions == pytest.approx({"main": factor, "solve": 2 * factor, "halo": 3 * factor})


def test_inclusive_times_of_caliper_are_not_added_twice() -> None:
    rows = [[0, 7.0, 0], [0, 6.0, 1], [0, 4.0, 2]]
    profile = caliper.read(Source("a.json", split(rows, "inclusive#sum#time.duration", {"attribute.unit": "sec"})))
    assert profile.total == 7
    assert profile.paths == {"main": 7, "main/solve": 6, "main/solve/halo": 4}


# Score-P

HALO = {"main": (10.0, 12.0), "main/solve": (9.0, 9.0), "main/solve/MPI_Send": (1.0, 3.0), "main/write": (0.5, 1.5)}


@pytest.mark.parametrize("packed", [False, True])
def test_a_profile_of_score_p_is_a_call_tree(tmp_path: Path, packed: bool) -> None:
    pytest.importorskip("pycubexr")
    cubex(tmp_path / "profile.cubex", HALO, packed=packed)
    profile = cubex_reader.read(str(tmp_path / "profile.cubex"))
    assert profile.total == 12
    assert profile.paths == {"main": 11, "main/solve": 9, "main/solve/MPI_Send": 2, "main/write": 1}
    assert profile.functions == {"main": 1, "solve": 7, "MPI_Send": 2, "write": 1}


def test_folders_of_extra_p_are_read_with_the_parameters_in_their_names(tmp_path: Path) -> None:
    pytest.importorskip("pycubexr")
    for n, p in GRID:
        for repetition in (1, 2, 3):
            t = seconds(n, p) * (1 + 0.01 * repetition)
            scaled = {path: tuple(v / 12 * t * 1e6 for v in values) for path, values in HALO.items()}
            cubex(tmp_path / f"app.x{n}y{p}.r{repetition}" / "profile.cubex", scaled, unit="usec")
    own = read_experiment(tmp_path).experiment
    assert own.names == ("x", "y")
    assert times(own) == pytest.approx({x: 1.02 * seconds(*x) for x in GRID})
    assert own.phases == ("solve", "write")


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        ("it is damaged", {"parts": {"0.data": b"CUBEX.DATA12345"}}),
        ("it is damaged", {"parts": {"anchor.xml": b"<?xml version='1.0'?><cube>"}}),
        ("no metric is time", {"metric": "visits"}),
        ("no metric is time", {"unit": "bytes"}),
        ("it holds no times", {"parts": {"0.data": b"CUBEX.DATA" + bytes(64)}}),
    ],
)
def test_a_broken_profile_of_score_p_is_refused(tmp_path: Path, problem: str, options: Any) -> None:
    pytest.importorskip("pycubexr")
    cubex(tmp_path / "a.cubex", HALO, **options)
    with pytest.raises(ApetError, match=problem):
        cubex_reader.read(str(tmp_path / "a.cubex"))


@pytest.mark.parametrize("part", ["0.data", "anchor.xml"])
def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pycubexr")
    monkeypatch.setattr(cubex_reader, "MOST_BYTES", 2**22)
    packer = zlib.compressobj(wbits=31 if part == "anchor.xml" else 15)
    packed = packer.compress(bytes(2**23)) + packer.flush()
    head = (
        b""
        if part == "anchor.xml"
        else b"ZCUBEX.DATA" + b"".join(v.to_bytes(8, "little") for v in (1, 0, 0, len(packed)))
    )
    cubex(tmp_path / "a.cubex", HALO, parts={part: head + packed})
    with pytest.raises(ApetError, match=f"{part} in .* is larger than 4 MiB"):
        cubex_reader.read(str(tmp_path / "a.cubex"))


# Call trees and names


def test_files_of_jobs_and_profiles_are_known_as_runs(tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(accounting())
    (tmp_path / "stat.txt").write_text(perf_text(100, 1))
    (tmp_path / "split.json").write_text(split([[0, 1.0, 0]], "time", {}))
    cubex(tmp_path / "a.cubex", HALO)
    assert {kind_of(path) for path in tmp_path.iterdir()} == {RUNS}


def test_deep_call_trees_end_at_a_level_and_loops_are_refused() -> None:
    chain = [CallNode("f", k - 1 if k else None, 1.0) for k in range(1000)]
    profile = of_call_tree(chain, None, {})
    assert profile.total == 1000
    assert len(profile.paths) == DEEPEST
    assert profile.paths["/".join(["f"] * DEEPEST)] == 1000 - DEEPEST + 1
    with pytest.raises(LoopedCallersError):
        of_call_tree([CallNode("a", 1, 1.0), CallNode("b", 0, 1.0)], None, {})


def test_numbers_with_labels_need_no_pattern() -> None:
    assert labelled(["n10_P1", "n20_P1"]) == [{"n": 10}, {"n": 20}]
    assert labelled(["app.x1y2.r1", "app.x3y4.r2"]) == [{"x": 1, "y": 2}, {"x": 3, "y": 4}]
    assert labelled(["job7_n10", "job8_n20"]) is None
    assert labelled(["10_1", "20_2"]) is None
    assert labelled(["n1n2", "n1n3"]) is None


def times(experiment: Experiment) -> dict[tuple[float, ...], float]:
    return {p.x: p.t for p in experiment.points}


def answered(read: Callable[[], object]) -> bool:
    """Whether a reader gives a result, or an error that can be shown."""
    try:
        read()
    except ApetError as error:
        return all(render(d) for d in error.diagnostics)
    return True


@pytest.mark.parametrize(
    ("name", "metric", "parameters", "points"),
    [
        ("hyperfine.json", None, ("P", "n"), 9),
        ("google-benchmark.json", None, ("n", "k"), 9),
        ("pytest-benchmark.json", "test_product.py::test_product", ("k", "n"), 9),
        ("criterion", None, ("n", "P"), 8),
        ("perf-stat", None, ("n", "P"), 9),
        ("jobs.txt", None, ("n", "NTasks"), 8),
        ("jmh.json", None, ("n", "m"), 9),
        ("caliper", None, ("problem_size", "jobsize"), 8),
        ("scorep", None, ("p", "n"), 8),
    ],
)
def test_samples_of_tools_are_read(name: str, metric: str | None, parameters: tuple[str, ...], points: int) -> None:
    path = f"samples/runs/tools/{name}"
    if name == "scorep":
        pytest.importorskip("pycubexr")
    own = read_experiment(path, metric=metric).experiment
    assert own.names == parameters
    assert len(own.points) == points
    refusal = "does not say which n" if name == "caliper" else "2 parameters vary"
    with pytest.raises(ApetError, match=refusal):
        read_runs(path, metric=metric)


# Caliper's own records

RECORDS = r"""
__rec=node,id=12,attr=10,data=64,parent=3
__rec=node,id=13,attr=8,data=attribute.unit,parent=12
__rec=node,id=20,attr=13,data=sec,parent=5
__rec=node,id=21,attr=10,data=65,parent=20
__rec=node,id=22,attr=8,data=avg#inclusive#sum#time.duration,parent=21
__rec=node,id=23,attr=8,data=max#inclusive#sum#time.duration,parent=21
__rec=node,id=30,attr=10,data=268,parent=3
__rec=node,id=31,attr=8,data=region,parent=30
__rec=node,id=32,attr=8,data=channel,parent=12
__rec=node,id=33,attr=32,data=
__rec=node,id=40,attr=31,data=main
__rec=node,id=41,attr=31,data=solve\,fast\=1,parent=40
__rec=ctx,ref=33,attr=22=23,data=0.1=9
__rec=ctx,ref=40=33,attr=22=23,data=3.5=9
__rec=ctx,ref=41=33,attr=23=22,data=9=2.25
__rec=node,id=50,attr=8,data=jobsize,parent=12
__rec=node,id=51,attr=50,data=8
__rec=globals,ref=51
"""


def test_records_of_caliper_are_the_table_that_they_are_written_from(tmp_path: Path) -> None:
    path = tmp_path / "run.cali"
    path.write_text(RECORDS.lstrip())
    profile = caliper.read(Source("run.cali", RECORDS.lstrip()))
    assert kind_of(path) == RUNS
    assert profile.total == 3.5
    assert profile.paths == {"main": 3.5, "main/solve,fast=1": 2.25}
    assert profile.parameters == {"jobsize": 8}
    with pytest.raises(ApetError, match="this is no record"):
        caliper.read(Source("run.cali", RECORDS.lstrip() + "and this\n"))
