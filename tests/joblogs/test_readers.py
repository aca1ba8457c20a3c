"""Readers: the same log in every container and layout, logs that are cut off, and what is kept of a log."""

from __future__ import annotations

import gzip
import io
import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.joblogs.spark_logs import JobShape, StageShape, run_spark

from apet.api.kinds import JOBS, kind_of
from apet.ground.diagnostics import ApetError
from apet.joblogs.job_log import JobLog
from apet.joblogs.read import read_job_log
from apet.joblogs.read.avro import AvroValues
from apet.joblogs.read.lzf import lzf_chunks
from apet.joblogs.read.neutral import neutral_text

JOBS_OF_TWO = [JobShape([StageShape([100, 200, 300]), StageShape([50] * 4, [0])]), JobShape([StageShape([70])])]
TEXT = run_spark(JOBS_OF_TWO, 2, executors=2).text()
DATA = TEXT.encode()


def _facts(log: JobLog) -> tuple[object, ...]:
    columns = tuple(list(getattr(log.tasks, name)) for name in log.tasks.COLUMNS)
    return log.end, log.jobs, log.stages, [e[1:] for e in log.executors], columns


@pytest.fixture
def plain(tmp_path: Path) -> JobLog:
    path = tmp_path / "plain"
    path.write_bytes(DATA)
    return read_job_log(path)


def _zstd(data: bytes) -> bytes:
    """Two frames, the first one flushed in the middle, as Spark does."""
    zstandard = pytest.importorskip("zstandard")
    part, half = len(data) // 4, len(data) // 2
    writer = zstandard.ZstdCompressor().compressobj()
    first: bytes = writer.compress(data[:part]) + writer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    first += writer.compress(data[part:half]) + writer.flush()
    second: bytes = zstandard.ZstdCompressor().compress(data[half:])
    return first + second


def _lz4(data: bytes) -> bytes:
    """Blocks of lz4-java: one compressed, one stored, and the empty one at the end."""
    cramjam = pytest.importorskip("cramjam")
    half = len(data) // 2
    packed = bytes(cramjam.lz4.compress_block(data[:half], store_size=False))
    head = struct.Struct("<8sBIII")
    first = head.pack(b"LZ4Block", 0x26, len(packed), half, 0) + packed
    rest = data[half:]
    second = head.pack(b"LZ4Block", 0x16, len(rest), len(rest), 0) + rest
    return first + second + head.pack(b"LZ4Block", 0x16, 0, 0, 0)


def _snappy(data: bytes) -> bytes:
    cramjam = pytest.importorskip("cramjam")
    stream = io.BytesIO()
    stream.write(b"\x82SNAPPY\x00" + struct.pack(">II", 1, 1))
    for start in range(0, len(data), 3_000):
        packed = bytes(cramjam.snappy.compress_raw(data[start : start + 3_000]))
        stream.write(struct.pack(">I", len(packed)) + packed)
    return stream.getvalue()


def _lzf(data: bytes) -> bytes:
    """Chunks of compress-lzf, packed and whole in turn."""
    stream = io.BytesIO()
    for number, start in enumerate(range(0, len(data), 2_500)):
        plain = data[start : start + 2_500]
        packed = lzf_packed(plain)
        if number % 2:
            stream.write(b"ZV\x00" + struct.pack(">H", len(plain)) + plain)
        else:
            stream.write(b"ZV\x01" + struct.pack(">HH", len(packed), len(plain)) + packed)
    return stream.getvalue()


def lzf_packed(plain: bytes) -> bytes:
    """Every repetition of three bytes or more within 8 KiB becomes a reference; what is between stays."""
    result, literals, place = bytearray(), bytearray(), 0
    last: dict[bytes, int] = {}

    def flush() -> None:
        for start in range(0, len(literals), 32):
            run = literals[start : start + 32]
            result.extend(bytes([len(run) - 1]) + run)
        literals.clear()

    while place < len(plain):
        known = last.get(plain[place : place + 3], -9_000)
        last[plain[place : place + 3]] = place
        length = 0
        while (
            known >= 0
            and place + length < len(plain)
            and length < 264
            and plain[known + length] == plain[place + length]
        ):
            length += 1
        distance = place - known - 1
        if length < 3 or distance >= 8_192:
            literals.append(plain[place])
            place += 1
            continue

        flush()
        lead = min(length - 2, 7) << 5 | distance >> 8
        more = bytes([length - 9]) if length >= 9 else b""
        result.extend(bytes([lead]) + more + bytes([distance & 0xFF]))
        place += length
    flush()
    return bytes(result)


@pytest.mark.parametrize("pack", [gzip.compress, _zstd, _lz4, _snappy, _lzf])
def test_every_container_holds_the_same_log(pack: Callable[[bytes], bytes], tmp_path: Path, plain: JobLog) -> None:
    path = tmp_path / "packed"
    path.write_bytes(pack(DATA))
    assert kind_of(path) == JOBS
    assert _facts(read_job_log(path)) == _facts(plain)


def test_rolled_parts_are_read_in_the_order_of_their_numbers(tmp_path: Path, plain: JobLog) -> None:
    folder = tmp_path / "eventlog_v2_app"
    folder.mkdir()
    lines = DATA.splitlines(keepends=True)
    for number in range(1, 12):
        part = lines[(number - 1) * 3 : number * 3] if number < 11 else lines[30:]
        (folder / f"events_{number}_app.gz").write_bytes(gzip.compress(b"".join(part)))
    (folder / "appstatus_app").touch()
    assert kind_of(folder) == JOBS
    assert _facts(read_job_log(folder)) == _facts(plain)

    (folder / "events_3_app.gz").unlink()
    with pytest.raises(ApetError, match="no part 3"):
        read_job_log(folder)
    (folder / "events_4_app.compact").touch()
    with pytest.raises(ApetError, match="compacted"):
        read_job_log(folder)


def test_dated_parts_end_with_the_one_without_a_date(tmp_path: Path, plain: JobLog) -> None:
    folder = tmp_path / "0123-cluster"
    folder.mkdir()
    lines = DATA.splitlines(keepends=True)
    (folder / "eventlog-2021-06-15--15-00.gz").write_bytes(gzip.compress(b"".join(lines[:9])))
    (folder / "eventlog-2021-06-15--16-00.gz").write_bytes(gzip.compress(b"".join(lines[9:20])))
    (folder / "eventlog").write_bytes(b"".join(lines[20:]))
    assert _facts(read_job_log(folder)) == _facts(plain)


def test_the_layout_before_spark_1_3_is_read_without_times_of_jobs(tmp_path: Path, plain: JobLog) -> None:
    folder = tmp_path / "local-1"
    folder.mkdir()
    run = run_spark(JOBS_OF_TWO, 2, executors=2)
    for _, _, event in run.events:
        for name in ("Submission Time", "Completion Time"):
            event.pop(name, None)  # of jobs; those of stages lie deeper
    (folder / "EVENT_LOG_1").write_bytes(_lzf(run.text().encode()))
    (folder / "COMPRESSION_CODEC_org.apache.spark.io.LZFCompressionCodec").touch()
    (folder / "APPLICATION_COMPLETE").touch()
    assert kind_of(folder) == JOBS

    log = read_job_log(folder)
    assert _facts(log)[2:] == _facts(plain)[2:]
    assert (log.end, len(log.jobs)) == (plain.end, len(plain.jobs))
    assert [job.end for job in log.jobs] == [job.end for job in plain.jobs]


def test_repeated_bytes_may_reach_into_what_they_make() -> None:
    """One plain byte, then 264 bytes from a distance of one."""
    content = b"\x00a\xe0\xff\x00"
    chunk = b"ZV\x01" + struct.pack(">HH", len(content), 265) + content
    assert b"".join(lzf_chunks(io.BytesIO(chunk))) == b"a" * 265


@pytest.mark.parametrize(
    "chunk",
    [b"ZV\x02\x00\x01a", b"ZV\x00\x00\x05abc", b"ZV\x01\x00\x03\x00\x09\x20\x07\x01", b"ZV\x01\x00\x02\x00\x04\x00a"],
)
def test_a_damaged_chunk_is_an_end_before_its_time(chunk: bytes) -> None:
    """An unknown type, too few bytes, a distance before the start, and another length than the header's."""
    with pytest.raises(EOFError):
        list(lzf_chunks(io.BytesIO(chunk)))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, _zstd, _lzf])
def test_a_log_that_is_cut_off_ends_with_its_last_event(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "cut"
    packed = pack(DATA)
    path.write_bytes(packed[: int(len(packed) * 0.8)])
    log = read_job_log(path)
    assert not log.complete
    assert any("middle of an event" in note for note in log.notes)
    assert any("has no end" in note for note in log.notes)


def test_what_unpacks_to_nothing_like_a_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(DATA + b" " * (80 << 20), 1))
    with pytest.raises(ApetError, match="longer than 64 MiB"):
        read_job_log(path)


def test_no_sql_text_and_no_property_is_kept(tmp_path: Path) -> None:
    run = run_spark(JOBS_OF_TWO, 2, properties={"spark.hadoop.fs.s3a.secret.key": "SECRET-1"})
    for _, _, event in run.events:
        for info in (*event.get("Stage Infos", ()), *([event["Stage Info"]] if "Stage Info" in event else [])):
            info["Stage Name"] = "select SECRET-2\x1b[31m from people"
        if "Properties" in event:
            event["Properties"] |= {"spark.job.description": "select SECRET-3"}
    path = tmp_path / "log"
    path.write_text(run.text(), encoding="utf-8")
    log = read_job_log(path)
    assert "SECRET" not in repr((log.jobs, log.stages, log.executors, log.notes, log.name))
    assert "SECRET" not in neutral_text(log)


def test_the_neutral_log_is_read_as_it_was_written(tmp_path: Path, plain: JobLog) -> None:
    for anonymous in (False, True):
        path = tmp_path / "neutral.json"
        path.write_text(neutral_text(plain, anonymous=anonymous), encoding="utf-8")
        assert kind_of(path) == JOBS
        again = read_job_log(path)
        same = again if not anonymous else plain
        assert _facts(again)[0] == _facts(same)[0]
        assert _facts(again)[-1] == _facts(plain)[-1]
        assert ("Generated" in path.read_text(encoding="utf-8")) is not anonymous


def test_several_jobs_that_list_a_stage_leave_it_to_the_one_it_was_submitted_in(tmp_path: Path) -> None:
    run = run_spark(JOBS_OF_TWO, 2)
    for _, _, event in run.events:
        if event["Event"] == "SparkListenerJobStart":
            event["Stage IDs"] = [0, 1, 2]
    path = tmp_path / "log"
    path.write_text(run.text(), encoding="utf-8")
    assert [stage.job for stage in read_job_log(path).stages] == [0, 0, 1]


def test_a_later_success_of_the_same_task_is_no_work(tmp_path: Path) -> None:
    from apet.joblogs.rules.work_graph import work_graph

    run = run_spark([JobShape([StageShape([100, 100])])], 2)
    task = next(e for _, _, e in run.events if e["Event"] == "SparkListenerTaskEnd")
    second = json.loads(json.dumps(task))
    second["Task Info"] |= {"Task ID": 99, "Attempt": 1, "Finish Time": task["Task Info"]["Finish Time"] + 40}
    run.events.append((400, 10**6, second))
    path = tmp_path / "log"
    path.write_text(run.text(), encoding="utf-8")
    work = work_graph(read_job_log(path))
    assert (work.tasks, work.lost) == (2, 140_000)


# Hadoop

HISTORY = Path(__file__).parents[1] / "data" / "joblogs" / "hadoop-3.5.jhist"
SCHEMA = {
    "type": "record",
    "name": "Event",
    "fields": [
        {"name": "type", "type": {"type": "enum", "name": "EventType", "symbols": ["JOB_SUBMITTED", "TASK_STARTED"]}},
        {"name": "event", "type": [{"type": "record", "name": "A", "fields": [{"name": "n", "type": "long"}]}, "null"]},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "more", "type": {"type": "map", "values": ["null", "double", "boolean"]}},
    ],
}


def test_binary_values_of_a_schema_are_decoded() -> None:
    event = (
        b"\x02" + b"\x00" + b"\xa9\x02" + b"\x04\x02a\x04bc\x00" + b"\x02\x02k\x02" + struct.pack("<d", 0.5) + b"\x00"
    )
    values = list(AvroValues(SCHEMA, event * 2).all())
    expected = {"type": "TASK_STARTED", "event": {"n": -149}, "tags": ["a", "bc"], "more": {"k": 0.5}}
    assert values == [expected, expected]
    with pytest.raises(ValueError, match="middle of a value"):
        list(AvroValues(SCHEMA, event[:-3]).all())


def _history(last_map: int = 60_000) -> str:
    t0 = 1_700_000_000_000
    rows: list[tuple[str, dict[str, object]]] = [
        ("JOB_SUBMITTED", {"jobid": "job_1", "submitTime": t0}),
        ("JOB_INITED", {"launchTime": t0 + 2_000}),
    ]
    for kind, task, begin, end in (
        ("MAP", "m0", 5_000, 30_000),
        ("MAP", "m1", 5_000, 35_000),
        ("MAP", "m2", 30_000, last_map),
        ("REDUCE", "r0", 40_000, 90_000),
    ):
        name = {"taskid": task, "attemptId": f"{task}_0"}
        rows.append((f"{kind}_ATTEMPT_STARTED", {**name, "taskType": kind, "startTime": t0 + begin}))
        rows.append((f"{kind}_ATTEMPT_FINISHED", {**name, "taskType": kind, "finishTime": t0 + end}))
    rows.append(("JOB_FINISHED", {"finishTime": t0 + 92_000}))
    events = [json.dumps({"type": kind, "event": {f"org.{kind}": fields}}) for kind, fields in rows]
    return "Avro-Json\n" + json.dumps(SCHEMA) + "\n\n" + "\n\n".join(events) + "\n"


def test_a_history_of_hadoop_is_maps_then_reduces(tmp_path: Path) -> None:
    path = tmp_path / "job_1.jhist"
    path.write_text(_history(), encoding="utf-8")
    assert kind_of(path) == JOBS
    log = read_job_log(path)
    assert log.end == 92_000_000
    assert [(s.name, s.parents) for s in log.stages] == [("map", ()), ("reduce", (0,))]
    assert list(log.tasks.run) == [25_000_000, 30_000_000, 30_000_000, 30_000_000]  # the reduce after the last map
    assert log.cores == 2


def test_a_binary_history_that_hadoop_has_written_is_read() -> None:
    """By Hadoop 3.5's `EventWriter`: eight maps, of which one fails first, and two reduces; a reduce begins early."""
    log = read_job_log(HISTORY)
    assert (log.end, log.cores, log.complete, len(log.stages)) == (8_660_000, 3, True, 2)
    assert [list(log.tasks.stage).count(stage) for stage in (0, 1)] == [9, 2]
    assert list(log.tasks.ok).count(0) == 1
    assert sum(log.tasks.run) == (9_900 + 400 + 2_000 + 2_480) * 1_000


def test_containers_of_hadoop_are_taken_in_turn(tmp_path: Path) -> None:
    """Two maps at once, a third when the first has ended: nothing of their times is lost to the matching of slots."""
    from apet.joblogs.rules.work_graph import work_graph
    from apet.joblogs.trust import own_error

    path = tmp_path / "job_1.jhist"
    path.write_text(_history(), encoding="utf-8")
    work = work_graph(read_job_log(path))
    assert work.work == 115_000_000
    assert own_error(work) == pytest.approx(0, abs=1e-3)


# Task tables

TABLE = """task_id,start_date,end_date,state,upstream
fetch,2026-01-31 10:00:00,2026-01-31 10:00:10,success,
left,2026-01-31 10:00:11,2026-01-31 10:00:31,success,fetch
right,2026-01-31 10:00:11,2026-01-31 10:00:41,success,fetch
gone,2026-01-31 10:00:12,2026-01-31 10:00:13,failed,fetch
join,2026-01-31 10:00:42,2026-01-31 10:00:50,success,left;right;gone
"""


def test_a_task_table_has_a_stage_per_task(tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    path.write_text(TABLE, encoding="utf-8")
    assert kind_of(path) == JOBS
    log = read_job_log(path)
    assert (log.end, log.cores, len(log.stages)) == (50_000_000, 2, 4)
    assert [stage.parents for stage in log.stages] == [(), (0,), (0,), (1, 2)]


def test_a_task_of_several_cores_takes_them_all(tmp_path: Path) -> None:
    """As Nextflow's trace has it, with tabs; names with blanks may be waited for, also by their parts."""
    rows = [
        ("name", "status", "start", "complete", "cpus", "after"),
        ("index", "COMPLETED", "0", "10", "1", ""),
        ("align (a b)", "COMPLETED", "10", "30", "4", "index"),
        ("count", "CACHED", "-", "-", "1", "index"),
        ("merge", "COMPLETED", "30", "40", "2", "align (a b);count|index"),
    ]
    path = tmp_path / "trace.txt"
    path.write_text("\n".join("\t".join(row) for row in rows), encoding="utf-8")
    log = read_job_log(path)
    assert (log.cores, len(log.tasks), sum(log.tasks.run)) == (4, 7, (10 + 4 * 20 + 2 * 10) * 1_000_000)
    assert [stage.parents for stage in log.stages] == [(), (0,), (1, 0)]
