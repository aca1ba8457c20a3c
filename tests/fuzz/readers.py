"""All readers of APET by name: what a file of theirs is called, samples to begin with, and the call that reads one.

To add a reader, add a line to `READERS`.
"""

from __future__ import annotations

import contextlib
import cProfile
import gzip
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tests.bad_inputs import bad_inputs
from tests.fuzz import calls, folders, texts

ROOT = Path(__file__).resolve().parents[2]
SAMPLES, DATA = ROOT / "samples", ROOT / "tests" / "data"
MOST_SAMPLE = 8_000
"""Bytes of a sample: what is long takes long, and finds no more."""


@dataclass(frozen=True)
class FuzzedReader:
    """`share` is the part of all inputs that it gets, about as its speed is."""

    name: str
    file: str
    read: Callable[[str], object]
    samples: Callable[[], Iterator[bytes]]
    share: int


def _files(*patterns: str) -> Callable[[], Iterator[bytes]]:
    def samples() -> Iterator[bytes]:
        for pattern in patterns:
            for path in islice(filter(Path.is_file, sorted(ROOT.glob(pattern))), 12):
                content = path.read_bytes()
                yield _shortened(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)

    return samples


def _blocks(theme: str, ending: str, *patterns: str) -> Callable[[], Iterator[bytes]]:
    """Files, and the bad inputs of a theme whose messages are tested."""

    def samples() -> Iterator[bytes]:
        yield from _files(*patterns)()
        for bad in bad_inputs(theme):
            if bad.name.endswith(ending):
                yield bad.text.encode()

    return samples


def _shortened(content: bytes) -> bytes:
    return content if len(content) <= MOST_SAMPLE else content[: content.rfind(b"\n", 0, MOST_SAMPLE) + 1]


def _task_graphs() -> Iterator[bytes]:
    """Task graphs whose Java files lie beside them, where the worker puts them."""
    for content in _blocks("pasl", ".pasl", "samples/pasl/*.pasl")():
        yield content.replace(b"../java/", b"")


def _queues_as_json() -> Iterator[bytes]:
    yield from _blocks("queues", ".json")()
    for content in _blocks("queues", ".toml", "samples/queueing/*.toml")():
        with contextlib.suppress(ValueError):  # some are no TOML
            yield json.dumps(tomllib.loads(content.decode())).encode()


def _layers(kind: str) -> Callable[[], Iterator[bytes]]:
    """Queues of other tools: `.lqn`, `.lqnx`, `.jsimg`."""

    def samples() -> Iterator[bytes]:
        from tests.queueing import test_jmt, test_lqn_files

        if kind == ".lqn":
            yield from _files("samples/queueing/*.lqn")()
            yield test_lqn_files.TEXT.encode()
        elif kind == ".lqnx":
            yield test_lqn_files.XML.encode()
        else:
            parts = test_jmt.CLOSED, test_jmt.THINK, test_jmt.CPU, test_jmt.DISK, test_jmt.LINKS
            yield f"<sim>{''.join(parts)}</sim>".encode()

    return samples


def _packed_traces() -> Iterator[bytes]:
    yield gzip.compress((SAMPLES / "traces" / "ring.txt").read_bytes())


def _graphs() -> Iterator[bytes]:
    """A graph of Chakra in its three forms."""
    from tests.traces.test_chakra import FORMS, ring

    nodes = [*ring(0, 2, 64), (9, 7, 5, [2], {"comm_type": 0, "comm_size": 80, "is_cpu_op": False})]
    yield from (form(nodes) for form in FORMS.values())


def _lists() -> Iterator[bytes]:
    folder = Path(tempfile.gettempdir())
    yield f"{SAMPLES}/traces/ring.txt\n{SAMPLES}/traces/ring.txt\n".encode()
    yield f"{folder}\n/dev/zero\n/dev/null\n".encode()


def _python_profiles() -> Iterator[bytes]:
    profile = cProfile.Profile()
    profile.runcall(json.dumps, {"a": [1, 2, 3]})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.prof")
        profile.dump_stats(path)
        yield Path(path).read_bytes()


def _texts(*texts: str) -> Callable[[], Iterator[bytes]]:
    return lambda: (text.encode() for text in texts)


PROFILES = (
    texts.PERF,
    texts.NVPROF,
    texts.PRINTED,
    texts.PERF_STAT,
    texts.PERF_STAT_CSV,
    texts.CALIPER,
    folders.TAU.decode(),
)

READERS = {
    reader.name: reader
    for reader in (
        FuzzedReader("model", "a.pam", calls.model, _blocks("models", ".pam", "samples/pamela/*.pam"), 8),
        FuzzedReader("task-graph", "a.pasl", calls.model, _task_graphs, 3),
        FuzzedReader(
            "java",
            "A.java",
            calls.translation("core"),
            _files("samples/java/*.java", "tests/data/java/K_[a-d]*.java"),
            2,
        ),
        FuzzedReader("java-flat", "A.java", calls.translation("flat"), _files("samples/java/*.java"), 2),
        FuzzedReader("machines", "a.toml", calls.machines, _blocks("machines", ".toml", "machines/*.toml"), 6),
        FuzzedReader("queue", "a.toml", calls.queue, _blocks("queues", ".toml", "samples/queueing/*.toml"), 6),
        FuzzedReader("queue-json", "a.json", calls.queue, _queues_as_json, 4),
        FuzzedReader("lqn", "a.lqn", calls.queue, _layers(".lqn"), 3),
        FuzzedReader("lqn-xml", "a.lqnx", calls.queue, _layers(".lqnx"), 3),
        FuzzedReader("jmt", "a.jsimg", calls.queue, _layers(".jsimg"), 3),
        FuzzedReader("access-log", "access.log", calls.access_log, _files("samples/queueing/access.log"), 2),
        FuzzedReader("requests", "a.json", calls.requests, _texts(texts.OTLP, texts.JAEGER), 3),
        FuzzedReader("utilizations", "a.csv", calls.utilizations, _texts(texts.UTILIZATIONS, texts.TWO_CLASSES), 3),
        FuzzedReader("prometheus", "a.json", calls.utilizations, _texts(texts.PROMETHEUS), 2),
        FuzzedReader("table-csv", "a.csv", calls.table_of_model, _texts(texts.TABLE_OF_MODEL), 2),
        FuzzedReader("table-toml", "a.toml", calls.table_of_model, _texts(texts.TABLES_OF_MODEL), 2),
        FuzzedReader(
            "trace", "a.txt", calls.whole_trace, _files("samples/traces/ring.txt", "tests/data/titrace/*.txt.gz"), 10
        ),
        FuzzedReader("trace-check", "a.txt", calls.checked_trace, _files("samples/traces/ring.txt"), 8),
        FuzzedReader("trace-questions", "a.txt", calls.questions, _files("samples/traces/*"), 4),
        FuzzedReader("trace-fold", "a.txt", calls.folded_trace, _files("samples/traces/*"), 8),
        FuzzedReader("call-sites", "a.txt.sites", calls.call_sites, _texts(texts.CALL_SITES), 2),
        FuzzedReader("trace-packed", "a.gz", calls.checked_trace, _packed_traces, 4),
        FuzzedReader("trace-list", "a.txt", calls.checked_trace, _lists, 2),
        FuzzedReader(
            "platform", "a.xml", calls.platform, _files("samples/traces/*.xml", "tests/data/titrace/*.xml"), 8
        ),
        FuzzedReader("hosts", "a.txt", calls.hostfile, _texts(texts.HOSTS), 3),
        FuzzedReader("event-trace", "a.txt", calls.event_trace, _files("tests/data/otf2/*.txt"), 4),
        FuzzedReader("paraver", "a.prv", calls.other_event_trace, _files("tests/data/event_traces/*.prv"), 3),
        FuzzedReader("dumpi", "a-0000.txt", calls.other_event_trace, _files("tests/data/event_traces/dumpi/*.txt"), 3),
        FuzzedReader("goal", "a.goal", calls.other_event_trace, _texts(texts.GOAL), 3),
        FuzzedReader("kineto", "a.json", calls.other_event_trace, _files("samples/traces/training/rank-0.json"), 3),
        FuzzedReader("chakra", "a.et", calls.other_event_trace, _graphs, 3),
        FuzzedReader("liballprof", "a-0.txt", calls.other_event_trace, _texts(texts.LIBALLPROF), 2),
        FuzzedReader("ping-pong", "a.txt", calls.ping_pong, _texts(texts.PING_PONG), 2),
        FuzzedReader("runs", "a.csv", calls.runs, _blocks("runs", ".csv", "samples/runs/*.csv"), 4),
        FuzzedReader("runs-json", "a.json", calls.runs, _blocks("runs", ".json", "samples/runs/*.json"), 4),
        FuzzedReader(
            "extra-p", "a.txt", calls.runs, _blocks("runs", ".txt", "samples/runs/*.txt", "tests/data/scaling/*.txt"), 4
        ),
        FuzzedReader("extra-p-json", "a.json", calls.runs, _files("tests/data/scaling/app*.json"), 3),
        FuzzedReader("extra-p-lines", "a.jsonl", calls.runs, _files("tests/data/scaling/*.jsonl"), 3),
        FuzzedReader("experiment", "a.csv", calls.experiment, _blocks("experiments", ".csv", "samples/runs/*.csv"), 4),
        FuzzedReader("experiment-json", "a.json", calls.experiment, _blocks("experiments", ".json"), 3),
        FuzzedReader(
            "benchmarks", "a.json", calls.experiment, _texts(texts.HYPERFINE, texts.GOOGLE, texts.JMH, texts.PYTEST), 3
        ),
        FuzzedReader("profile", "a.prof", calls.profile, _python_profiles, 4),
        FuzzedReader("profile-text", "a.txt", calls.profile, _texts(*PROFILES), 6),
        FuzzedReader("cubex", "profile.cubex", calls.profile, folders.cubex_profiles, 2),
        FuzzedReader("jobs", "a.txt", calls.experiment, _texts(texts.SLURM), 2),
        FuzzedReader("criterion", "a.json", folders.criterion, _texts(folders.CRITERION), 2),
        FuzzedReader("validation-plan", "a.toml", calls.validation_plan, _files("samples/pasl/validation.toml"), 3),
        FuzzedReader("sizes", "a.json", calls.sizes, _files("tests/data/java/sizes.json"), 2),
        FuzzedReader("points", "a.csv", calls.points, _texts(texts.POINTS), 3),
        FuzzedReader("measured", "a.json", calls.measured, _texts(texts.MEASURED), 2),
        FuzzedReader("tau-folder", "a.txt", folders.tau_folder, _texts(folders.TAU.decode()), 3),
        FuzzedReader("sweep-manifest", "a.json", folders.manifest, folders.manifests, 1),
        FuzzedReader("sweep-part", "a.part", folders.part, folders.sweep_parts, 1),
        FuzzedReader("formula", "a.json", folders.formula, folders.formulas, 3),
        FuzzedReader("job-log", "a.log", calls.job_log, _blocks("joblogs", ".log", "tests/data/joblogs/spark.log"), 4),
        FuzzedReader("job-log-dask", "a.jsonl", calls.job_log, _files("tests/data/joblogs/*.jsonl"), 3),
        FuzzedReader("job-log-hadoop", "a.jhist", calls.job_log, _blocks("joblogs", ".jhist"), 2),
        FuzzedReader("job-log-neutral", "a.json", calls.job_log, _files("tests/data/joblogs/neutral.json"), 3),
        FuzzedReader("nextflow", "a.txt", calls.job_log, _files("tests/data/joblogs/nextflow-trace.txt"), 2),
        FuzzedReader("airflow", "a.csv", calls.job_log, _files("tests/data/joblogs/airflow.csv"), 2),
        FuzzedReader("dask-stream", "a.json", calls.job_log, _files("tests/data/joblogs/dask-stream.*"), 2),
        FuzzedReader("task-table", "a.csv", calls.job_log, _blocks("joblogs", ".csv", "samples/joblogs/*.csv"), 3),
        FuzzedReader("kind", "a.txt", calls.kind, _files("samples/*/*.t*", "samples/runs/*", "samples/pamela/*"), 2),
    )
}


OF_THE_CORE = ("trace-check", "trace-questions", "trace-fold", "trace-packed", "goal")


def shares(inputs: int, readers: dict[str, Any]) -> dict[str, int]:
    """How many of all inputs each reader gets."""
    whole = sum(reader.share for reader in readers.values())
    return {name: max(1, inputs * reader.share // whole) for name, reader in readers.items()}
