"""Recordings of AI programs: own steps are replayed as they were, other networks as a simulation by hand has them, and
what is not recorded is said."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.traces.training_oracle import OF_SAMPLE, SMALL, Network, Recorded, Training, platform, recorded, write

from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.traces.event_traces import source_lines

SAMPLES = Path("samples/traces")
SLOW, FAST = Network(50.0, 1_500.0), Network(2.0, 100_000.0)
KINDS = {
    "syncs recorded": SMALL,
    "syncs guessed": SMALL._replace(syncs=False),
    "launches decide": SMALL._replace(launching=400.0),
    "no overlap": Training((900.0,), ((700.0, 8_000_000),), 100.0),
}


def microseconds(trace: Path, network: Network, number: int, step: int | None = None, **window: Any) -> float:
    """A replay on as many GPUs."""
    file = trace.parent / "p.xml"
    file.write_text(platform(network, number))
    return 1e6 * api.replay(api.convert_trace(trace, step=step, **window), *api.read_platform(file)).makespan_s


@pytest.fixture
def training(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, Recorded]:
    """Three steps of four processes."""
    made = recorded(KINDS[request.param], OF_SAMPLE, 4, steps=3)
    return write(tmp_path / "run", made.events), made


@pytest.mark.parametrize("training", KINDS, indirect=True)
def test_own_steps_take_as_long_as_recorded_and_so_does_another_step_of_the_run(
    training: tuple[Path, Recorded],
) -> None:
    folder, made = training
    times = [microseconds(folder, OF_SAMPLE, 4, step) for step in range(3)]

    assert times == pytest.approx(made.steps, rel=1e-3)
    assert times[0] == pytest.approx(made.steps[2], rel=0.02)
    whole = sum(made.steps) - KINDS["no overlap"].python  # what is before the first event is not recorded
    assert microseconds(folder, OF_SAMPLE, 4) == pytest.approx(whole, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("network", [SLOW, FAST])
def test_on_another_network_it_takes_as_long_as_simulated(kind: str, network: Network, tmp_path: Path) -> None:
    folder = write(tmp_path / "run", recorded(KINDS[kind], OF_SAMPLE, 4).events)
    true = recorded(KINDS[kind], network, 4).steps[0]
    assert microseconds(folder, network, 4, 0) == pytest.approx(true, rel=0.01)


def test_one_file_stands_for_all_processes_and_says_so(tmp_path: Path) -> None:
    made = recorded(SMALL, OF_SAMPLE, 2)
    folder = write(tmp_path / "one", made.events[:1], processes=2)
    (folder / "rank-0.json.gz").write_bytes(gzip.compress((folder / "rank-0.json").read_bytes()))

    trace = api.convert_trace(folder / "rank-0.json.gz")
    assert [gap.text for gap in trace.gaps] == [
        "assumed: processes without a recording do what others do (1 of 2 recorded), 1 times"
    ]
    assert microseconds(folder / "rank-0.json", OF_SAMPLE, 2) == pytest.approx(made.steps[0], rel=0.01)


def test_collectives_without_a_size_keep_their_time_and_are_counted(tmp_path: Path) -> None:
    made = recorded(SMALL._replace(sizes=False), SLOW, 2)
    folder = write(tmp_path / "run", made.events)

    trace = api.convert_trace(folder)
    assert trace.gaps[0].count == 6
    assert len(trace.gaps) == 1
    assert microseconds(folder, FAST, 2, 0) == pytest.approx(made.steps[0], rel=1e-3)
    assert api.trace_gaps(folder) == trace.gaps


def test_waits_that_are_guessed_are_counted(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", recorded(SMALL._replace(syncs=False), OF_SAMPLE, 2).events)
    waits = (folder / "rank-0.json").read_text().count("StreamWaitEvent")
    [gap] = api.convert_trace(folder).gaps
    assert gap.text == f"assumed: streams wait for all that others had been given, {2 * waits} times"


def collective(name: str, sent: int, received: int, group: list[int], **others: Any) -> dict[str, Any]:
    """A kernel of NCCL after one that computes for 1 ms."""
    said = {"Collective name": name, "In msg nelems": sent, "Out msg nelems": received, "dtype": "Half", **others}
    said |= {"Group size": len(group), "Process Group Ranks": str(group), "stream": 7, "correlation": 2}
    return {"ph": "X", "cat": "kernel", "name": "ncclDevKernel", "ts": 1000.0, "dur": 10.0, "args": said}


def process(rank: int, world: int, *kernels: dict[str, Any]) -> str:
    """A recording in which a process computes, then communicates."""
    first = {"ph": "X", "cat": "kernel", "name": "k", "ts": 0.0, "dur": 1000.0, "args": {"stream": 7, "correlation": 1}}
    info = {"rank": rank, "world_size": world}
    return json.dumps({"schemaVersion": 1, "distributedInfo": info, "traceEvents": [first, *kernels]})


@pytest.mark.parametrize(
    ("name", "sent", "received", "action"),
    [
        ("allreduce", 100, 100, ("allreduce", 200, 0.0)),
        ("_allgather_base", 100, 400, ("allgather", 200)),
        ("allgather_into_tensor_coalesced", 100, 400, ("allgather", 200)),
        ("_reduce_scatter_base", 400, 100, ("reducescatter", [200] * 4, 0.0)),
        ("all_to_all", 400, 400, ("alltoall", 200)),
        ("broadcast", 100, 100, ("bcast", 200, 0)),
        ("_reduce_oop", 100, 100, ("reduce", 200, 0.0, 0)),
        ("barrier", 1, 1, ("barrier",)),
    ],
)
def test_each_collective_is_known_by_its_names(
    name: str, sent: int, received: int, action: tuple[Any, ...], tmp_path: Path
) -> None:
    (tmp_path / "one.json").write_text(process(0, 4, collective(name, sent, received, [0, 1, 2, 3])))
    trace = api.convert_trace(tmp_path / "one.json")
    assert trace.ranks[4:] == ([("compute", 1e6), action],) * 4
    assert trace.communicators[4] == {1: (4, 5, 6, 7)}
    rooted = ["collectives without a root have the first of their group"] * (action[0] in ("bcast", "reduce"))
    assert [gap.what for gap in trace.gaps[1:]] == rooted


def test_parts_of_an_alltoallv_are_those_that_are_recorded(tmp_path: Path) -> None:
    split = {"In split size": "[1, 3]", "Out split size": "[2, 2]"}
    (tmp_path / "one.json").write_text(process(0, 2, collective("all_to_allv", 400, 400, [0, 1], **split)))
    assert api.convert_trace(tmp_path / "one.json").ranks[2][1] == ("alltoallv", [200, 600], [400, 400])


@pytest.mark.parametrize(
    ("group", "others"),
    [([0, 1], {2: (6, 7)}), ([0, 2], {1: (5, 7)})],
)
def test_groups_of_equal_strides_tile_the_processes(
    group: list[int], others: dict[int, tuple[int, ...]], tmp_path: Path
) -> None:
    (tmp_path / "one.json").write_text(process(0, 4, collective("allreduce", 8, 8, group)))
    trace = api.convert_trace(tmp_path / "one.json")
    for number, ranks in others.items():
        assert trace.communicators[4 + number] == {1: ranks}


def test_a_message_meets_the_one_of_its_partner(tmp_path: Path) -> None:
    ends = {"Src Rank": 0, "Dst Rank": 1}
    for rank, name in enumerate(("send", "recv")):
        (tmp_path / f"{rank}.json").write_text(process(rank, 2, collective(name, 50, 50, [0, 1], **ends)))
    trace = api.convert_trace(tmp_path)
    assert trace.ranks[2:] == ([("compute", 1e6), ("send", 3, 0, 100)], [("compute", 1e6), ("recv", 2, 0, 100)])
    assert not trace.gaps


def test_processes_that_are_in_different_numbers_of_collectives_are_refused(tmp_path: Path) -> None:
    for rank in range(2):
        calls = [collective("allreduce", 8, 8, [0, 1])] * (1 + rank)
        (tmp_path / f"{rank}.json").write_text(process(rank, 2, *calls))
    with pytest.raises(ApetError, match="process 0 has 1 'allreduce'"):
        api.convert_trace(tmp_path)


def test_fewer_processes_than_are_recorded_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(process(5, 8))
    assert len(api.convert_trace(tmp_path / "one.json").ranks) == 16
    with pytest.raises(ApetError, match="a recording of process 5"):
        api.convert_trace(tmp_path / "one.json", processes=4)
    (tmp_path / "two.json").write_text(process(5, 8))
    with pytest.raises(ApetError, match="two files are of one process"):
        api.convert_trace(tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"schemaVersion": 1, "traceEvents": []}', "there are no kernels of a GPU"),
        ('{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel"}]}', "has not what"),
        ('{"schemaVersion": 1, "traceEvents": [', "line 1"),
        ('{"schemaVersion": 1, "traceEvents": 7}', "has not what"),
    ],
)
def test_a_recording_without_what_is_needed_is_refused(content: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(ApetError, match=problem):
        api.convert_trace(tmp_path / "bad.json")


def waiting(**arguments: Any) -> str:
    """A recording in which a stream waits for what an event of these arguments says."""
    call = {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "ts": 1.0, "dur": 1.0}
    sync = {"ph": "X", "cat": "cuda_sync", "name": "s", "ts": 1.0, "dur": 0.0, "args": {"correlation": 9, **arguments}}
    return process(0, 1, {**call, "args": {"correlation": 9}}, sync)


@pytest.mark.parametrize(
    "content",
    [
        waiting(),
        waiting(stream="x"),
        waiting(stream=7, wait_on_stream=None, wait_on_cuda_event_record_corr_id=9),
        process(0, 1, {**collective("allreduce", 1, 1, [0]), "dur": -1.0}),
        process(0, 1, {**collective("allreduce", 1, 1, [0]), "ts": float("nan")}),
        process(-1, 1),
        process(0, 10**12),
        process(10**12, 1),
        '{"schemaVersion": 1, "traceEvents": ' + "[" * 100_000,
    ],
)
def test_a_recording_that_cannot_be_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(ApetError, match=r"bad\.json"):
        api.convert_trace(tmp_path / "bad.json")


def test_parts_below_nothing_keep_their_time_and_are_counted(tmp_path: Path) -> None:
    split = {"In split size": "[3, -1]", "Out split size": "[1, 1]"}
    (tmp_path / "one.json").write_text(process(0, 2, collective("all_to_allv", 400, 400, [0, 1], **split)))
    assert [gap.count for gap in api.convert_trace(tmp_path / "one.json").gaps] == [1, 2]


def test_a_group_that_names_a_process_twice_keeps_its_time_and_is_counted(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(process(0, 2, collective("allreduce", 8, 8, [0, 0])))
    trace = api.convert_trace(tmp_path / "one.json")
    assert [gap.count for gap in trace.gaps] == [1, 2]
    assert trace.ranks[2] == [("compute", 1e6), ("compute", 1e4)]


def test_more_than_can_be_held_is_refused_before_memory_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_lines, "MOST_UNPACKED", 1 << 20)
    for name, content in (("one.json.gz", process(0, 1)), ("one.et.gz", "\x07\n\x050.0.4")):
        (tmp_path / name).write_bytes(gzip.compress(content.encode() + b" " * (2 << 20)))
        with pytest.raises(ApetError, match="larger than 1 MiB"):
            api.convert_trace(tmp_path / name)


def test_a_step_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", recorded(SMALL, OF_SAMPLE, 2, steps=2).events)
    with pytest.raises(ApetError, match="there is no step 7: its steps are 0, 1"):
        api.convert_trace(folder, step=7)
    with pytest.raises(ApetError, match="neither steps nor"):
        api.convert_trace(SAMPLES / "ring.txt", step=1)


def test_the_sample_is_what_the_simulation_writes(tmp_path: Path) -> None:
    write(tmp_path / "training", recorded(SMALL, OF_SAMPLE, 2).events)
    for rank in range(2):
        name = f"training/rank-{rank}.json"
        assert (SAMPLES / name).read_text() == (tmp_path / name).read_text()
    assert (SAMPLES / "gpus.xml").read_text() == platform(OF_SAMPLE, 4)


def test_predict_and_explain_take_recordings_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    true = (recorded(SMALL, OF_SAMPLE, 2).steps[0] - SMALL.python) / 1e6
    for verb in ("predict", "explain"):
        assert main([verb, "samples/traces/training", "--platform", "samples/traces/gpus.xml", "--json"]) == 0
        body = json.loads(capsys.readouterr().out)
        assert body["lower_s"] <= true * 1.001
        assert true * 0.999 <= body["upper_s"]
    assert main(["import", "samples/traces/training", "--step", "0", "-o", str(tmp_path / "t.txt")]) == 0
    assert re.search(r"t\.txt: 6 ranks, \d+ actions", capsys.readouterr().out)


@pytest.mark.parametrize("verb", ["predict", "sweep", "compare"])
def test_no_verb_guarantees_what_a_trace_assumes(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = "samples/traces/training/rank-0.json"
    more = {"sweep": ["--vary", "latency=1,2"], "compare": [one]}.get(verb, [])
    assert main([verb, one, *more, "--platform", "samples/traces/gpus.xml"]) == 0
    said = "".join(capsys.readouterr())
    assert "guaranteed" not in said
    assert verb == "compare" or "assumed: processes without a recording" in " ".join(said.split())


def test_what_goal_cannot_say_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "samples/traces/training/rank-0.json", "--as", "goal", "-o", str(tmp_path / "t.goal")]) == 0
    said = " ".join("".join(capsys.readouterr()).split())
    assert "on the host of rank r modulo 2" in said
    assert "assumed: processes without a recording" in said
