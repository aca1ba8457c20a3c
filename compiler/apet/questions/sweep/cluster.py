"""Chunks on Dask workers: a cluster of processes on this machine, or the one behind a scheduler's address.

A chunk depends on nothing but the task, which is plain data, and its number; therefore it has the same bytes wherever
it is computed, and Dask may compute it again when a worker is lost. A few chunks per worker are in flight at a time.

Whoever can reach a Dask scheduler can run code on it. The cluster on this machine therefore has certificates of its
own, made for this call and never written to a file, and the HTTP servers that Dask always starts are stopped at once. A
scheduler named by its address is reached with the security settings of the user's own Dask configuration.
"""

from __future__ import annotations

import logging
import pickle
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.questions.sweep.allocation import ENVIRONMENT
from apet.questions.sweep.errors import ClusterFailed, NoScheduler, NoWorkers, OtherWorkers
from apet.questions.sweep.libraries import versions
from apet.questions.sweep.loop import Result, compute
from apet.questions.sweep.task import RowEvaluator, TableTask

IN_FLIGHT = 3
"""Chunks per worker that are computed or waiting at a time."""
RETRIES = 3
"""How often a chunk is tried again that failed for no fault of the call."""
SCHEDULER_PATIENCE = 10
WORKER_PATIENCE = 60
WORKER_ENVIRONMENT = {**ENVIRONMENT, "OMP_NUM_THREADS": "1"}
"""Dask's own setting gives freed memory back at once."""
QUIET = ("distributed", "distributed.worker", "distributed.nanny", "distributed.scheduler", "distributed.core")


class DaskCluster:
    """An engine of Dask workers: those of a scheduler, or `workers` new processes on this machine (None: one per core).

    Raises `ApetError` where the scheduler does not answer, has no workers, or workers of other versions.
    """

    def __init__(self, scheduler: str | None = None, workers: int | None = None) -> None:
        self.scheduler, self.workers = scheduler, workers

    def __call__(self, task: TableTask, chunks: Iterable[int]) -> Iterator[Result]:
        """The results of these chunks as they come. What it started is closed whatever happens."""
        waiting = iter(chunks)
        first = next(waiting, None)
        if first is None:
            return
        with _quiet(), ExitStack() as stack:
            client = stack.enter_context(self._client(min(self.workers or _cores(), task.space.chunks)))
            _check_versions(client, task)
            yield from _computed(client, task, first, waiting)

    @contextmanager
    def _client(self, count: int) -> Iterator[Any]:
        library = _library()
        if self.scheduler is not None:
            with _connected(self.scheduler) as client:
                _await_workers(client, self.scheduler)
                yield client
            return

        settings = {
            "distributed.nanny.pre-spawn-environ": WORKER_ENVIRONMENT,
            "distributed.scheduler.http.routes": [],  # nothing is answered until the servers are stopped
            "distributed.worker.http.routes": [],
        }
        with _without_interrupts(), _config().set(settings):
            local = library.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                host="127.0.0.1",
                memory_limit=0,
                security=library.Security.temporary(),
                silence_logs=logging.CRITICAL,
            )

        with local, library.Client(local, set_as_default=False) as client:
            client.run_on_scheduler(_stop_scheduler_http)
            client.run(_stop_worker_http)
            yield client


def _computed(client: Any, task: TableTask, first: int, waiting: Iterator[int]) -> Iterator[Result]:
    """Submit a few chunks per worker, and another for each that comes back."""
    library = _library()
    plain = client.scatter(pickle.dumps(task), broadcast=True, hash=False)
    most = IN_FLIGHT * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))

    def submit(chunk: int) -> Any:
        return client.submit(run_chunk, plain, chunk, pure=False, retries=RETRIES)

    begun = [submit(chunk) for chunk in (first, *islice(waiting, most - 1))]
    running = library.as_completed(begun, loop=client.loop)
    for future in running:
        try:
            result = future.result()
        except library.scheduler.KilledWorker as error:
            raise ApetError(ClusterFailed(None, None, _first_line(error))) from None
        future.release()
        if isinstance(result, tuple) and result and isinstance(result[0], Diagnostic):
            raise ApetError(result)
        yield result
        chunk = next(waiting, None)
        if chunk is not None:
            running.add(submit(chunk))


def _connected(address: str) -> Any:
    """A client of a running scheduler; `ApetError` where it does not answer."""
    try:
        return _library().Client(address, timeout=SCHEDULER_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ApetError(NoScheduler(None, None, address, _first_line(error))) from None


def _library() -> Any:
    """Dask's distributed, which has no complete types."""
    import distributed

    return distributed


def _config() -> Any:
    """Dask's configuration."""
    import dask.config

    return dask.config


# On the worker

_LAST: dict[bytes, tuple[TableTask, RowEvaluator]] = {}


def run_chunk(plain: bytes, chunk: int) -> Result | tuple[Diagnostic, ...]:
    """One chunk of a pickled task; errors as data. The evaluator of the last task is kept in the process."""
    if plain not in _LAST:
        _LAST.clear()
        task = pickle.loads(plain)
        _LAST[plain] = task, task.evaluator(threads=1)
    try:
        return compute(*_LAST[plain], chunk)
    except ApetError as error:
        return error.diagnostics


def _stop_scheduler_http(dask_scheduler: Any) -> None:
    """Close the socket of the scheduler's HTTP server; Dask gives its scheduler by this name."""
    dask_scheduler.http_server.stop()


def _stop_worker_http(dask_worker: Any) -> None:
    """Close the socket of a worker's HTTP server; Dask gives its worker by this name."""
    dask_worker.http_server.stop()


# Checks


def _check_versions(client: Any, task: TableTask) -> None:
    """`ApetError` for the first worker whose results could differ."""
    ours = dict(task.versions)
    by_worker = client.run(versions, task.form, on_error="return")
    for worker, theirs in sorted(by_worker.items()):
        if isinstance(theirs, Exception):
            installed = "no APET of this version" if "apet" in str(theirs) else _first_line(theirs)
            raise ApetError(OtherWorkers(None, None, worker, installed, _versions_text(ours)))
        if theirs != ours:
            raise ApetError(OtherWorkers(None, None, worker, _versions_text(theirs), _versions_text(ours)))


def _await_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKER_PATIENCE)
    except TimeoutError:
        raise ApetError(NoWorkers(None, None, address, str(WORKER_PATIENCE))) from None


def _versions_text(libraries: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(libraries.items()))


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _cores() -> int:
    import os

    return os.cpu_count() or 1


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Threads and processes that begin here never see Ctrl-C, which a terminal sends to all; it waits for this one.

    They inherit what is blocked. The tracker of multiprocessing unblocks it where it starts, so it starts before.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Workers that come and go are no news: nothing of it on standard error."""
    loggers = [logging.getLogger(name) for name in QUIET]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
