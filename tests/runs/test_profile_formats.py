"""Profiles and results of further tools: what they mean, over one parameter and over several, and which are refused.

The texts have the shape of what the tools wrote: perf 6.1, Criterion 0.3, Slurm 22.05, Score-P's Cube 4, Caliper 2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Refuse

from apet.ground.diagnostics import ApetError, render
from apet.ground.source import Source
from apet.runs.experiments import Experiment
from apet.runs.read import perf_stat, read_experiment, read_runs, slurm
from apet.runs.read.name_pattern import labelled

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


def test_a_count_of_thousands_of_digits_is_none() -> None:
    rows = "".join(f"{k}|00:10|{'9' * 5000}\n{k}.0|00:10|{'9' * 5000}\n" for k in (1, 2))
    assert slurm.read_samples(Source("a", f"JobID|Elapsed|NTasks\n{rows}")).names == ()


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


# Call trees and names


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
    with pytest.raises(ApetError, match="2 parameters vary"):
        read_runs(path, metric=metric)


def test_a_condition_keeps_the_other_parameters_of_profiles() -> None:
    """Those that it does not name would be repetitions of one point."""
    runs = read_runs("samples/runs/tools/caliper", where={"jobsize": "1"}).curve.runs
    assert len(runs) > 1
    assert all(not run.repetitions for run in runs)
