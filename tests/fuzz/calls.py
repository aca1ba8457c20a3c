"""The call of APET that reads a file of each kind; what it gives back nobody looks at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def model(path: str) -> object:
    from apet.api.models import read

    return read(path)


def translation(level: str) -> Callable[[str], object]:
    def read(path: str) -> object:
        from apet import api

        return api.translate(path, level=level)

    return read


def machines(path: str) -> object:
    from apet import api

    return api.load_machines(path)


def queue(path: str) -> object:
    from apet.queueing.read import read_queue

    return read_queue(path)


def access_log(path: str) -> object:
    from apet.ground.source_files import read_source
    from apet.queueing.measured.access_logs import read_access_log

    return read_access_log([read_source(path)], 20.0, "path")


def requests(path: str) -> object:
    """Calls of services, as a queueing problem."""
    from apet.ground.source_files import read_source
    from apet.queueing.measured import service_files, spans

    return service_files.from_requests("s", spans.read_requests(read_source(path)), {})


def utilizations(path: str) -> object:
    """Throughput and utilization over time, as a queueing problem."""
    from apet.ground.source_files import read_source
    from apet.queueing.measured import demands, service_files, tables

    table = tables.read_table(read_source(path))
    return service_files.from_table("s", table, demands.demands(table, {}), {})


def table_of_model(path: str) -> object:
    """A file that takes the place of a table of a model."""
    from apet.model.given_tables import declarations_of

    return declarations_of({"size": path})


def whole_trace(path: str) -> object:
    from apet import api

    return api.read_trace(path)


def checked_trace(path: str) -> object:
    from apet import api

    return api.check_trace(path)


def questions(path: str) -> object:
    """What is asked of a trace on a platform: its end, bounds and critical path."""
    from apet import api
    from apet.traces.structure import explain_trace

    platform, hosts = api.read_platform(SAMPLES / "traces" / "cluster.xml")
    api.replay(path, platform, hosts)
    return explain_trace(path, platform, hosts)


def folded_trace(path: str) -> object:
    from apet.traces.structure import fold_trace

    return fold_trace(path)


def call_sites(path: str) -> object:
    from apet.traces.lines.sites import SUFFIX, call_sites_of

    trace = path.removesuffix(SUFFIX)
    Path(trace).write_text("0 barrier\n0 compute 999\n")
    return call_sites_of(trace)


def event_trace(path: str) -> object:
    from apet.traces.event_traces.reader import read_event_trace

    Path(path).write_bytes(b"=== OTF2-PRINT ===\n" + Path(path).read_bytes())
    return read_event_trace(path)


def other_event_trace(path: str) -> object:
    from apet.traces.event_traces.formats import is_event_trace
    from apet.traces.event_traces.reader import read_event_trace

    return read_event_trace(path) if is_event_trace(path) else None


def platform(path: str) -> object:
    from apet import api

    platform, hosts = api.read_platform(path)
    return platform.route(hosts[0], hosts[-1])


def hostfile(path: str) -> object:
    from apet.traces.platform import read_hostfile, read_platform

    return read_hostfile(path, read_platform(SAMPLES / "traces" / "cluster.xml"))


def ping_pong(path: str) -> object:
    from apet.ground.source_files import read_source
    from apet.traces.mpi.network import read_samples

    return read_samples(read_source(path).text)


def runs(path: str) -> object:
    from apet.runs.read import read_runs

    return read_runs(path)


def experiment(path: str) -> object:
    from apet.runs.read import read_experiment

    return read_experiment(path)


def profile(path: str) -> object:
    from apet.runs.read import read_runs

    return read_runs(at=[(1.0, path)])


def validation_plan(path: str) -> object:
    from apet.java.validate.plans import read_plan

    return read_plan(path)


def sizes(path: str) -> object:
    from apet.java.validate.kernels import read_sizes

    return read_sizes(path)


def points(path: str) -> object:
    from apet.questions.sweep.notation import read_points

    return read_points(path)


def measured(path: str) -> object:
    from apet.cli.measuring import earlier
    from apet.runs.measure.growing_sizes import MeasuringPlan

    plan = MeasuringPlan(("true", "{n}"), "size", 1, None, None, 1, 1.0, 1.0)
    return earlier(path, plan)


def job_log(path: str) -> object:
    """What is asked of a log: its work, replays, and bounds."""
    from apet import api

    return api.predict_jobs(path, [1, 4])


def kind(path: str) -> object:
    from apet.api.kinds import kind_of

    return kind_of(path)
