"""Profiles with call trees: Caliper, Score-P and Extra-P's folders; texts have the shape of what the tools wrote."""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.runs.cubex_files import cubex
from tests.runs.test_profile_formats import GRID, accounting, perf_text, seconds, times

from apet.api.kinds import RUNS, kind_of
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.runs.read import caliper, read_experiment
from apet.runs.read import cubex as cubex_reader
from apet.runs.read.profile import DEEPEST, CallNode, LoopedCallersError, of_call_tree

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


def test_deep_call_trees_end_at_a_level_and_loops_are_refused() -> None:
    chain = [CallNode("f", k - 1 if k else None, 1.0) for k in range(1000)]
    profile = of_call_tree(chain, None, {})
    assert profile.total == 1000
    assert len(profile.paths) == DEEPEST
    assert profile.paths["/".join(["f"] * DEEPEST)] == 1000 - DEEPEST + 1
    with pytest.raises(LoopedCallersError):
        of_call_tree([CallNode("a", 1, 1.0), CallNode("b", 0, 1.0)], None, {})


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


def test_files_of_jobs_and_profiles_are_known_as_runs(tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text(accounting())
    (tmp_path / "stat.txt").write_text(perf_text(100, 1))
    (tmp_path / "split.json").write_text(split([[0, 1.0, 0]], "time", {}))
    cubex(tmp_path / "a.cubex", HALO)
    assert {kind_of(path) for path in tmp_path.iterdir()} == {RUNS}
