"""Tables and streams of tasks that do not say what waited for what: the order is taken from the times."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.read import read_job_log
from apet.joblogs.read.dask_stream import prefix
from apet.joblogs.read.unordered import NO_ORDER

DATA = Path(__file__).parents[1] / "data" / "joblogs"


def _times(path: Path, *cores: int) -> list[float]:
    answer = JobLogQuestion(path).answer(cores)
    assert not answer.sure
    assert NO_ORDER in answer.notes
    for p in answer.predictions:
        assert p.lower is not None
        assert p.upper is not None
        assert p.lower <= p.estimate <= p.upper
    return [p.estimate for p in answer.predictions]


def test_a_trace_of_nextflow_has_samples_as_chains_and_barriers_between_processes() -> None:
    """60 + 181 s and 88 + 298 s, from when they ran; the summary 7 s after both, for 15 s."""
    log = read_job_log(DATA / "nextflow-trace.txt")
    parents = {stage.name: {log.stages[p].name for p in stage.parents} for stage in log.stages}
    assert parents["NF:ALIGN:BWA (s1)"] == {"NF:ALIGN:FASTQC (s1)"}
    assert parents["NF:ALIGN:BWA (s2)"] == {"NF:ALIGN:FASTQC (s2)"}
    assert parents["NF:MULTIQC"] == parents.keys() - {"NF:MULTIQC"}
    one, two = _times(DATA / "nextflow-trace.txt", 1, 2)
    assert one == pytest.approx(60 + 88 + 181 + 298 + 15 + 7, abs=0.5)
    assert two == pytest.approx(log.end / 1e6)


def test_raw_times_of_nextflow_are_milliseconds(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text(
        "task_id\thash\tname\tstatus\tsubmit\tduration\trealtime\n"
        "1\ta/1\tA (x)\tCOMPLETED\t1764324000000\t5000\t4000\n"
        "2\ta/2\tB (x)\tCOMPLETED\t1764324005000\t3000\t2500\n"
        "3\ta/3\tB (x)\tCACHED\t-\t-\t-\n",
        encoding="utf-8",
    )
    assert _times(path, 1) == pytest.approx([7])


def test_task_instances_of_airflow_follow_those_that_had_ended_when_they_were_queued(tmp_path: Path) -> None:
    one, two = _times(DATA / "airflow.csv", 1, 2)
    assert one == pytest.approx(60 + 10 + 30 + 1.5)
    assert two == pytest.approx(91.5)  # extract, then load after 1.5 s
    keys = ("task_id", "dag_id", "run_id", "state", "start_date", "end_date", "duration", "pool_slots", "queued_dttm")
    rows = [line.split(",") for line in (DATA / "airflow.csv").read_text(encoding="utf-8").splitlines()[1:]]
    records = [dict(zip(keys, (cell or None for cell in row), strict=True)) for row in rows]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    assert _times(path, 1, 2) == [one, two]


@pytest.mark.parametrize("name", ["dask-report.html.gz", "dask-stream.json", "dask-stream.csv"])
def test_a_task_stream_of_dask_is_replayed_on_workers(name: str) -> None:
    """12 tasks that load, 12 that clean, 1 that sums up, on two workers of two threads."""
    question = JobLogQuestion(DATA / name)
    log = question.log
    assert (log.engine, log.cores, len(log.executors), len(log.tasks)) == ("Dask", 4, 2, 25)
    assert {stage.name for stage in log.stages} == {"load", "clean", "total"}
    (total,) = (stage for stage in log.stages if stage.name == "total")
    assert len(total.parents) == 24
    assert log.end / 1e6 == pytest.approx(3.774, abs=0.001)
    assert abs(question.answer([4]).error) < 0.06
    two, four, eight = _times(DATA / name, 2, 4, 8)
    assert two > four > eight


def test_arrays_that_bokeh_has_packed_are_read(tmp_path: Path) -> None:
    report = gzip.decompress((DATA / "dask-report.html.gz").read_bytes()).decode()
    start = report.index('["start",[') + len('["start",')
    end = report.index("]", start) + 1
    numbers = json.loads(report[start:end])
    packed = base64.b64encode(gzip.compress(struct.pack(f"<{len(numbers)}d", *numbers))).decode()
    array = {"type": "ndarray", "array": {"type": "bytes", "data": packed}, "dtype": "float64", "order": "little"}
    path = tmp_path / "report.html"
    path.write_text(report[:start] + json.dumps(array) + report[end:], encoding="utf-8")
    assert read_job_log(path).tasks.launched == read_job_log(DATA / "dask-report.html.gz").tasks.launched


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("load-404694fc-fc92-4df8-a040-87abeb8544fa", "load"),
        ("('read-csv-1b2c3d4e5f60718293a4b5c6d7e8f901', 3)", "read-csv"),
        ("inc-7", "inc"),
        ("x", "x"),
    ],
)
def test_keys_without_their_tokens_are_groups(key: str, name: str) -> None:
    assert prefix(key) == name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("1m 28s", "soon"), "soon is no duration"),
        (("2026-11-28 10:00:00.100", "yesterday"), "yesterday is no time"),
        (("10:00:00.100\t1m 30s", "10:00:00.100\t-"), "an empty cell is no duration"),
        (("1m 28s", "99999d"), "ends before it starts"),
        (("1m 28s", f"{'9' * 400}.5s"), "is no duration"),
        (("1m 28s", "1" * 20), "is no duration"),
        (("1m 28s", f"{'1' * 100_000}x"), "is no duration"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_line(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text((DATA / "nextflow-trace.txt").read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(ApetError) as caught:
        read_job_log(path)
    assert message in str(caught.value)
    assert ":3:" in str(caught.value)


HUGE = f'{{"action": "compute", "start": {"9" * 400}, "stop": 1}}'
REPORT = "<title>Dask Performance Report</title>"
DOCUMENT = '<script type="application/json">'
COLUMNS = """{"data": {"key": ["a"], "name": ["a"], "worker": ["w"], "worker_thread": [1], "duration": [2.0],
"color": ["red"], "start": {"__ndarray__": "%s", "dtype": "float64"}}}"""


def report(column: bytes) -> str:
    return f"{REPORT}{DOCUMENT}{COLUMNS % base64.b64encode(column).decode()}</script>"


@pytest.mark.parametrize(
    "content",
    [
        '[{"key": "a", "startstops": [{"action": 1}]}]',
        '[{"startstops": 1}]',
        f'[{{"key": "a", "worker": "w", "thread": 1, "startstops": [{HUGE}]}}]',
        REPORT + DOCUMENT * 20_000,
        report(gzip.compress(bytes(8))[:-12]),
        report(b"\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff"),
        report(gzip.compress(bytes(1 << 23))),
    ],
    ids=["no times", "no list", "a huge time", "no end", "a cut column", "a damaged column", "a column that grows"],
)
def test_a_broken_stream_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "stream.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ApetError, match="task stream of another form"):
        read_job_log(path)


def test_tasks_without_a_name_of_their_own_are_all_there(tmp_path: Path) -> None:
    path, row = tmp_path / "trace.txt", "1\ta\t{}\tCOMPLETED\t1000\t1s\t1s\n"
    rows = "".join(row.format(name) for name in ("A #3", "A #5", "A", "A", "A"))
    path.write_text(f"task_id\thash\tname\tstatus\tsubmit\tduration\trealtime\n{rows}")
    assert len(read_job_log(path).stages) == 5


def test_tasks_that_take_no_time_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("task_id\thash\tname\tstatus\tsubmit\tduration\trealtime\n1\ta\tA\tCOMPLETED\t1000\t0\t0\n")
    with pytest.raises(ApetError, match="no task took any time"):
        read_job_log(path)


def test_logs_come_through_pipes_packed_or_not() -> None:
    for name in ("dask-report.html.gz", "nextflow-trace.txt"):
        call = f"{sys.executable} -m apet predict <(cat {DATA / name}) --cores 2 --json"
        piped = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True)
        call = f"cat {DATA / name} | {sys.executable} -m apet predict /dev/stdin --cores 2 --json"
        given = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True)
        (one,), (other,) = (json.loads(run.stdout)["predictions"] for run in (piped, given))
        assert one == other
