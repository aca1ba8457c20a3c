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
from tests.fuzz import folders

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


def _model(path: str) -> object:
    from apet.api.models import read

    return read(path)


def _translation(level: str) -> Callable[[str], object]:
    def read(path: str) -> object:
        from apet import api

        return api.translate(path, level=level)

    return read


def _machines(path: str) -> object:
    from apet import api

    return api.load_machines(path)


def _queue(path: str) -> object:
    from apet.queueing.read import read_queue

    return read_queue(path)


def _access_log(path: str) -> object:
    from apet.ground.source_files import read_source
    from apet.queueing.measured.access_logs import read_access_log

    return read_access_log(read_source(path), 20.0, "path")


def _whole_trace(path: str) -> object:
    from apet import api

    return api.read_trace(path)


def _checked_trace(path: str) -> object:
    from apet import api

    return api.check_trace(path)


def _questions(path: str) -> object:
    """What is asked of a trace on a platform: its end, bounds and critical path."""
    from apet import api
    from apet.traces.structure import explain_trace

    platform, hosts = api.read_platform(SAMPLES / "traces" / "cluster.xml")
    api.replay(path, platform, hosts)
    return explain_trace(path, platform, hosts)


def _folded_trace(path: str) -> object:
    from apet.traces.structure import fold_trace

    return fold_trace(path)


def _call_sites(path: str) -> object:
    from apet.traces.lines.sites import call_sites_of

    return call_sites_of(path)


def _event_trace(path: str) -> object:
    from apet.traces.event_traces.printed import MARK
    from apet.traces.event_traces.reader import read_event_trace

    Path(path).write_bytes(MARK.encode() + b"\n" + Path(path).read_bytes())
    return read_event_trace(path)


def _other_event_trace(path: str) -> object:
    from apet.traces.event_traces import is_event_trace, read_event_trace

    return read_event_trace(path) if is_event_trace(path) else None


def _platform(path: str) -> object:
    from apet import api

    platform, hosts = api.read_platform(path)
    return platform.route(hosts[0], hosts[-1])


def _hostfile(path: str) -> object:
    from apet.traces.platform import read_hostfile, read_platform

    return read_hostfile(path, read_platform(SAMPLES / "traces" / "cluster.xml"))


def _ping_pong(path: str) -> object:
    from apet.ground.source_files import read_source
    from apet.traces.mpi.network import read_samples

    return read_samples(read_source(path).text)


def _runs(path: str) -> object:
    from apet.runs.read import read_runs

    return read_runs(path)


def _experiment(path: str) -> object:
    from apet.runs.read import read_experiment

    return read_experiment(path)


def _profile(path: str) -> object:
    from apet.runs.read import read_runs

    return read_runs(at=[(1.0, path)])


def _validation_plan(path: str) -> object:
    from apet.api.validation_plans import read_plan

    return read_plan(path)


def _sizes(path: str) -> object:
    from apet.java.validate.validation import read_sizes

    return read_sizes(path)


def _points(path: str) -> object:
    from apet.questions.sweep.notation import read_points

    return read_points(path)


def _measured(path: str) -> object:
    from apet.cli.measure import earlier
    from apet.runs.measure.growing_sizes import MeasuringPlan

    plan = MeasuringPlan(("true", "{n}"), "size", 1, None, None, 1, 1.0, 1.0)
    return earlier(path, plan)


def _job_log(path: str) -> object:
    """What is asked of a log: its work, replays, and bounds."""
    from apet import api

    return api.predict_jobs(path, [1, 4])


def _kind(path: str) -> object:
    from apet.api.kinds import kind_of

    return kind_of(path)


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


def _packed_traces() -> Iterator[bytes]:
    yield gzip.compress((SAMPLES / "traces" / "ring.txt").read_bytes())


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


HOSTS = "# hosts of a cluster\nnode-0\nnode-1:4\nnode-2 # one rank\n"
CALL_SITES = "# apet folded trace 1\nranks 2\nkind 0-1\n  # at halo.c:118 exchange\n  barrier\n"
PING_PONG = "\n".join(f"{2**k} {1e-6 + 2**k * 1e-9}" for k in range(20))
POINTS = "n,P,a\n1,2,0.5\n1000,4,1e-9\n2e6,8,3/4\n"
MEASURED = json.dumps(
    {"command": ["true", "{n}"], "kind": "size", "points": [{"n": 1, "reps": [1.0], "cpu_s": [1.0], "peak_bytes": [9]}]}
)
HYPERFINE = """{"results": [{"command": "a", "times": [1.5, 1.6], "parameters": {"n": "100", "P": "4"}},
 {"command": "b", "median": 2, "parameters": {"n": "200", "P": "4"}}]}"""
GOOGLE = """{"benchmarks": [{"name": "BM_f/n:1024/8/threads:4", "run_type": "iteration", "real_time": 5.5,
 "time_unit": "us", "threads": 4}, {"name": "BM_f_mean", "run_type": "aggregate", "time_unit": "us"}]}"""
JMH = """[{"benchmark": "a.B.c", "threads": 2, "params": {"n": "8"}, "primaryMetric": {"scoreUnit": "us/op",
 "rawData": [[1.5, 1.25], [2]]}}, {"benchmark": "a.B.c", "primaryMetric": {"score": 7, "scoreUnit": "ops/s"}}]"""
PYTEST = """{"benchmarks": [{"name": "f[1]", "params": {"n": 1}, "stats": {"median": 0.5, "data": [0.5]}}]}"""

PERF = (
    "# To display the perf.data header info\n# Overhead  Command\n# Event count (approx.): 12345\n"
    "    60.00%  a  b  [.] f\n"
)
NVPROF = (
    '==1== Profiling result:\n"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"\n,%,ms,,ms,ms,ms,\n'
    '"GPU activities",60.0,3.0,1,3.0,3.0,3.0,"f(int)"\n'
)
PRINTED = "   12 function calls in 1.5 seconds\n\n   ncalls  tottime  percall\n   1 1.0 1.0 1.5 1.5 a.py:1(f)\n"

PERF_STAT = (
    "# started on Mon Nov 23 2026\n\n Performance counter stats for './a 4' (3 runs):\n\n"
    "         0.0514070 +- 0.0000356 seconds time elapsed  ( +-  0.07% )\n"
)
PERF_STAT_CSV = "0.86,msec,task-clock,3.55%,862140,100.00,0.917,CPUs utilized\n51270575,ns,duration_time,1,100.00,,\n"
CALIPER = """{"data": [[0, 1.5, 0], [0, 0.5, 1]], "columns": ["mpi.rank", "time", "path"], "column_metadata":
 [{"is_value": true}, {"is_value": true, "attribute.unit": "sec"}, {"is_value": false}], "nodes": [{"label": "main",
 "column": "path"}, {"label": "solve", "column": "path", "parent": 0}], "problem_size": "30", "jobsize": 4}"""
SLURM = (
    "JobID|JobName|State|Elapsed|AllocCPUS|NTasks\n7|a_n100|COMPLETED|1-00:10:20|2|\n7.0|a|COMPLETED|00:10:18|2|1\n"
    "8|a_n200|COMPLETED|00:41:20|4|\n8.0|a|COMPLETED|00:41:18|4|2\n"
)
PROFILES = (PERF, NVPROF, PRINTED, PERF_STAT, PERF_STAT_CSV, CALIPER, folders.TAU.decode())

READERS = {
    reader.name: reader
    for reader in (
        FuzzedReader("model", "a.pam", _model, _blocks("models", ".pam", "samples/pamela/*.pam"), 8),
        FuzzedReader("task-graph", "a.pasl", _model, _task_graphs, 3),
        FuzzedReader(
            "java", "A.java", _translation("core"), _files("samples/java/*.java", "tests/data/java/K_[a-d]*.java"), 2
        ),
        FuzzedReader("java-flat", "A.java", _translation("flat"), _files("samples/java/*.java"), 2),
        FuzzedReader("machines", "a.toml", _machines, _blocks("machines", ".toml", "machines/*.toml"), 6),
        FuzzedReader("queue", "a.toml", _queue, _blocks("queues", ".toml", "samples/queueing/*.toml"), 6),
        FuzzedReader("queue-json", "a.json", _queue, _queues_as_json, 4),
        FuzzedReader("access-log", "access.log", _access_log, _files("samples/queueing/access.log"), 2),
        FuzzedReader(
            "trace", "a.txt", _whole_trace, _files("samples/traces/ring.txt", "tests/data/titrace/*.txt.gz"), 10
        ),
        FuzzedReader("trace-check", "a.txt", _checked_trace, _files("samples/traces/ring.txt"), 8),
        FuzzedReader("trace-questions", "a.txt", _questions, _files("samples/traces/*"), 4),
        FuzzedReader("trace-fold", "a.txt", _folded_trace, _files("samples/traces/*", "tests/data/cli/folded/*"), 8),
        FuzzedReader("trace-folded", "a.folded", _checked_trace, _files("samples/traces/*.folded"), 6),
        FuzzedReader("call-sites", "a.folded", _call_sites, _texts(CALL_SITES), 2),
        FuzzedReader("trace-packed", "a.gz", _checked_trace, _packed_traces, 4),
        FuzzedReader("trace-list", "a.txt", _checked_trace, _lists, 2),
        FuzzedReader("platform", "a.xml", _platform, _files("samples/traces/*.xml", "tests/data/titrace/*.xml"), 8),
        FuzzedReader("hosts", "a.txt", _hostfile, _texts(HOSTS), 3),
        FuzzedReader("event-trace", "a.txt", _event_trace, _files("tests/data/otf2/*.txt"), 4),
        FuzzedReader("paraver", "a.prv", _other_event_trace, _files("tests/data/event_traces/*.prv"), 3),
        FuzzedReader("dumpi", "a-0000.txt", _other_event_trace, _files("tests/data/event_traces/dumpi/*.txt"), 3),
        FuzzedReader("ping-pong", "a.txt", _ping_pong, _texts(PING_PONG), 2),
        FuzzedReader("runs", "a.csv", _runs, _blocks("runs", ".csv", "samples/runs/*.csv"), 4),
        FuzzedReader("runs-json", "a.json", _runs, _blocks("runs", ".json", "samples/runs/*.json"), 4),
        FuzzedReader(
            "extra-p", "a.txt", _runs, _blocks("runs", ".txt", "samples/runs/*.txt", "tests/data/scaling/*.txt"), 4
        ),
        FuzzedReader("extra-p-json", "a.json", _runs, _files("tests/data/scaling/app*.json"), 3),
        FuzzedReader("extra-p-lines", "a.jsonl", _runs, _files("tests/data/scaling/*.jsonl"), 3),
        FuzzedReader("experiment", "a.csv", _experiment, _blocks("experiments", ".csv", "samples/runs/*.csv"), 4),
        FuzzedReader("experiment-json", "a.json", _experiment, _blocks("experiments", ".json"), 3),
        FuzzedReader("benchmarks", "a.json", _experiment, _texts(HYPERFINE, GOOGLE, JMH, PYTEST), 3),
        FuzzedReader("profile", "a.prof", _profile, _python_profiles, 4),
        FuzzedReader("profile-text", "a.txt", _profile, _texts(*PROFILES), 6),
        FuzzedReader("jobs", "a.txt", _experiment, _texts(SLURM), 2),
        FuzzedReader("criterion", "a.json", folders.criterion, _texts(folders.CRITERION), 2),
        FuzzedReader("validation-plan", "a.toml", _validation_plan, _files("samples/pasl/validation.toml"), 3),
        FuzzedReader("sizes", "a.json", _sizes, _files("tests/data/java/sizes.json"), 2),
        FuzzedReader("points", "a.csv", _points, _texts(POINTS), 3),
        FuzzedReader("measured", "a.json", _measured, _texts(MEASURED), 2),
        FuzzedReader("tau-folder", "a.txt", folders.tau_folder, _texts(folders.TAU.decode()), 3),
        FuzzedReader("sweep-manifest", "a.json", folders.manifest, folders.manifests, 1),
        FuzzedReader("sweep-part", "a.part", folders.part, folders.sweep_parts, 1),
        FuzzedReader("formula", "a.json", folders.formula, folders.formulas, 3),
        FuzzedReader("job-log", "a.log", _job_log, _blocks("joblogs", ".log", "tests/data/joblogs/spark.log"), 4),
        FuzzedReader("job-log-dask", "a.jsonl", _job_log, _files("tests/data/joblogs/*.jsonl"), 3),
        FuzzedReader("job-log-hadoop", "a.jhist", _job_log, _blocks("joblogs", ".jhist"), 2),
        FuzzedReader("job-log-neutral", "a.json", _job_log, _files("tests/data/joblogs/neutral.json"), 3),
        FuzzedReader("task-table", "a.csv", _job_log, _blocks("joblogs", ".csv", "samples/joblogs/*.csv"), 3),
        FuzzedReader("kind", "a.txt", _kind, _files("samples/*/*.t*", "samples/runs/*", "samples/pamela/*"), 2),
    )
}


OF_THE_CORE = ("trace-check", "trace-questions", "trace-fold", "trace-folded", "trace-packed")


def shares(inputs: int, readers: dict[str, Any]) -> dict[str, int]:
    """How many of all inputs each reader gets."""
    whole = sum(reader.share for reader in readers.values())
    return {name: max(1, inputs * reader.share // whole) for name, reader in readers.items()}
