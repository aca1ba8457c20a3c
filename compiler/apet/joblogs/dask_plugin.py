"""A scheduler plugin for Dask that writes a log which APET reads: one line to install, one file per cluster.

    from apet.joblogs.dask_plugin import log_to
    log_to(client, "job.jsonl")

Or on the command line: `dask scheduler --preload apet.joblogs.dask_plugin`, with the file in `APET_JOB_LOG`.
The log has keys, dependencies and times of tasks, and no data. Lines are written as things happen, so that a log that
is cut off can be read.
"""

from __future__ import annotations

import json
import os
import time
from importlib.metadata import version
from typing import IO, Any

from distributed.diagnostics.plugin import SchedulerPlugin


class JobLogPlugin(SchedulerPlugin):
    """Writes graphs, tasks with their dependencies, and when workers computed them."""

    name = "apet-job-log"

    def __init__(self, path: str) -> None:
        self.path = path
        self.scheduler: Any = None
        self._file: IO[str] | None = None
        self._listed = set[str]()

    async def start(self, scheduler: Any) -> None:
        """Begin the log with the workers that are there."""
        self.scheduler = scheduler
        self._file = open(self.path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115  # closed in `close`
        self._write("start", version=version("distributed"))
        for worker in scheduler.workers.values():
            self._write("worker", address=worker.address, threads=worker.nthreads)

    def add_worker(self, scheduler: Any, worker: str) -> None:
        """A worker has come."""
        self._write("worker", address=worker, threads=scheduler.workers[worker].nthreads)

    def remove_worker(self, scheduler: Any, worker: str, **details: Any) -> None:
        """A worker has gone."""
        self._write("worker-gone", address=worker)

    def update_graph(self, scheduler: Any, client: str, keys: Any = (), **details: Any) -> None:
        """A client has submitted a graph."""
        self._write("graph", n=len(keys))
        for key in details.get("tasks") or ():
            self._list(key)

    def transition(self, key: Any, start: str, finish: str, *args: Any, **details: Any) -> None:
        """A task has changed its state: it is known, or it is done."""
        if start == "released" and finish in ("waiting", "no-worker", "queued"):
            self._list(key)
        if start == "processing" and finish in ("memory", "erred"):
            spans = [[s["action"], s["start"], s["stop"]] for s in details.get("startstops") or ()]
            worker = details.get("worker")
            self._write("done", key=str(key), ok=finish == "memory", worker=worker, spans=spans)

    async def close(self) -> None:
        """End the log."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _list(self, key: Any) -> None:
        task = self.scheduler.tasks.get(key)
        if task is None or str(key) in self._listed:
            return
        self._listed.add(str(key))
        deps = [str(dep.key) for dep in task.dependencies]
        priority = [int(p) for p in task.priority or ()]
        self._write("task", key=str(key), deps=deps, priority=priority, prefix=str(task.prefix.name))

    def _write(self, event: str, **details: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"event": event, "t": time.time(), **details}) + "\n")


def log_to(client: Any, path: str) -> None:
    """Let the scheduler of a client write a log to a file of its machine."""
    client.register_plugin(JobLogPlugin(path))


async def dask_setup(scheduler: Any) -> None:
    """What `--preload` calls; the log is the file in `APET_JOB_LOG`, or `job.jsonl`."""
    plugin = JobLogPlugin(os.environ.get("APET_JOB_LOG", "job.jsonl"))
    scheduler.add_plugin(plugin)
    await plugin.start(scheduler)
