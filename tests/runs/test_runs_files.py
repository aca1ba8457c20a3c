"""Files of runs: bad ones beside their whole messages, and what good ones mean in every format.

The bad ones are in tests/data/bad/runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Refuse

from apet.ground.diagnostics import ApetError, render
from apet.ground.source import Source
from apet.runs.measurements import Run
from apet.runs.read import RunsFile, read_runs
from apet.runs.read.parameter_table import read_samples
from apet.runs.read.reader import far_off
from apet.runs.read.samples import as_runs

DATA = Path(__file__).resolve().parents[1] / "data"
SAMPLES = DATA / "scaling"


@pytest.mark.parametrize("bad", bad_inputs("runs"), ids=str)
def test_a_bad_file_is_answered_with_its_message(bad: BadInput, assert_refused: Refuse) -> None:
    assert_refused(bad, "extrapolate", bad.name)


def read(tmp_path: Path, name: str, text: str, **options: Any) -> RunsFile:
    """The runs of a text in a file of that name."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_runs(str(path), **options)


def test_extrap_formats_hold_the_same_curve() -> None:
    text, lines, tree = (read_runs(str(SAMPLES / f"app_cg.{e}")).curve.runs for e in ("txt", "jsonl", "json"))
    assert text == lines == tree
    curve = read_runs(str(SAMPLES / "curves.json"), curve="here_app_cg").curve
    assert text == curve.runs


def test_repetitions_of_extrap_have_their_median() -> None:
    runs = read_runs(str(SAMPLES / "npb_sp_omp.jsonl"), kind="procs").curve.runs
    assert runs[0] == Run(1, 76.35, (77.71, 79.78, 76.35, 75.93, 76.06), {})


def test_exclusive_times_of_extrap_are_added_and_those_of_the_root_are_the_rest(tmp_path: Path) -> None:
    text = "PARAMETER n\nPOINTS 1 2\nREGION main\nDATA 1\nDATA 1\nREGION main->a\nDATA 5\nDATA 9\n"
    runs = read(tmp_path, "x.txt", text).curve.runs
    assert [r.t for r in runs] == [6, 10]
    assert runs[1].phases == {"a": 9}


@pytest.mark.parametrize(
    "text",
    [
        "n,t,a\n1,2,0.5\n2,3,1\n",
        "# remark\nn;t;a\n1;2;0.5\n2;3;1\n",
        "n\tt\ta\n1\t2\t0.5\n2\t3\t1\n",
        "n t a\n1 2 0.5\n2 3 1\n",
        "size,time [ms],a [s]\n2,3000,1\n1,2000,0.5\n",
        "n,time_ms,a\n1,2000,500\n2,3000,1000\n",
        "n,t,a\n1,2 s,500 ms\n2,3000 ms,1 s\n",
        '"n","a","t"\n"1","0.5","2"\n"2","1","3"\n',
    ],
)
def test_tables_of_all_sorts_mean_the_same(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, "x.csv", text).curve.runs == (Run(1, 2, (), {"a": 0.5}), Run(2, 3, (), {"a": 1}))


def test_repetitions_in_rows_and_in_columns_are_the_same(tmp_path: Path) -> None:
    rows = read(tmp_path, "a.csv", "n,t\n1,2\n1,4\n1,3\n2,5\n2,6\n2,7\n").curve.runs
    columns = read(tmp_path, "b.csv", "n,t1,t2,t3\n1,2,4,3\n2,5,6,7\n").curve.runs
    assert rows == columns == (Run(1, 3, (2, 4, 3), {}), Run(2, 6, (5, 6, 7), {}))


def test_the_unit_of_a_curve_is_converted(tmp_path: Path) -> None:
    curve = read(tmp_path, "x.json", json.dumps({"unit": "threads/ms", "points": [{"n": 1, "t": 2500}]})).curve
    assert curve.runs == (Run(1, 2.5, (), {}),)


def test_unsorted_runs_are_sorted_and_said_so(tmp_path: Path) -> None:
    found = read(tmp_path, "x.csv", "n,t\n4,3\n1,1\n2,2\n")
    assert [r.n for r in found.curve.runs] == [1, 2, 4]
    assert any(str(note).startswith("unsorted") for note in found.notes)


def test_one_repetition_far_off_is_named() -> None:
    notes = far_off([Run(8, 1.0, (1.0, 1.01, 0.99, 2.5))], "s")
    assert len(notes) == 1
    assert "n = 8" in notes[0].text
    assert far_off([Run(8, 1.0, (1.0, 1.8, 0.6, 2.5))], "s") == []


def test_many_repetitions_are_compared_in_one_pass(tmp_path: Path) -> None:
    times = [1.0 + 1e-4 * (k % 100) for k in range(20_000)]
    notes = far_off([Run(8, 1.0, (*times, 5.0))], "s")
    assert [str(note).partition(" took")[0] for note in notes] == ["repetitions: one of 20001 runs at n = 8"]


def test_processors_are_known_by_their_column(tmp_path: Path) -> None:
    assert read(tmp_path, "x.csv", "threads,time\n1,2\n2,1\n").curve.kind == "procs"


times = st.floats(1e-6, 1e6)


@given(st.dictionaries(st.integers(1, 10**6), st.lists(times, min_size=1, max_size=4), min_size=1, max_size=8))
def test_a_table_gives_back_what_was_written(runs: dict[int, list[float]]) -> None:
    text = "n,t\n" + "".join(f"{n},{t!r}\n" for n, found in runs.items() for t in found)
    _, found = as_runs(read_samples(Source("x.csv", text)))
    assert {r.n: list(r.repetitions) or [r.t] for r in found} == runs


@given(st.text("nt,;\t\n #12.-eE[]ms\"'", max_size=60))
def test_no_table_crashes_the_reader(text: str) -> None:
    try:
        _, found = as_runs(read_samples(Source("x.csv", text)))
    except ApetError as error:
        found = []
        shown = [render(d) for d in error.diagnostics]
    else:
        shown = ["read"]
    assert all(shown)
    assert all(r.t > 0 and r.n > 0 for r in found)


def test_a_table_with_a_cell_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ApetError, match=r"x\.csv:2:1: error: a cell here has more than 131,072 characters"):
        read(tmp_path, "x.csv", 'n,t\n1,"' + "2" * 140_000)
