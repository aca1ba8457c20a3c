"""A real service on this machine, measured at low load and predicted at higher load.

`python -m tests.benchmarks.loopback_service [seconds]`: a web server with threads asks a second one, which serves one
request at a time, for sums that SQLite computes; each is a process. Requests come at random, as many as their rate
says, and all loads have the same mixture of sizes. The database has a processor of its own; the web server and the
generator share another one: these two processors are the stations. At a fifth of the capacity what a request takes of
each is measured, how the database's share varies, and how long the rest is: that is the network. A request that wakes
the database takes longer than one that follows another (P. D. Welch, Op. Res. 12, 1964: exceptional first service); the
difference is no demand, since a busy server does not sleep. That load runs for so many seconds, heavier ones longer,
and a table shows what came out next to what was predicted. What other programs take of the processors is a column:
where it is not small the rest says little.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from apet.queueing.data.jobs import Distribution
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.methods.answer import queue

LOADS = (0.2, 0.4, 0.6, 0.84)
"""Of the database's capacity; the first one is what is measured."""
ROWS, MEAN_ROWS, LEAST_ROWS = 800_000, 80_000, 4_000
PAGE_ROUNDS = 300
HOST = "127.0.0.1"
ROUNDS = 4
AT_ONCE = 1e-4
"""Seconds within which the next request was there when one ended."""


class _Handler(BaseHTTPRequestHandler):
    """Answers `/NUMBER` with what its server makes of the number."""

    def do_GET(self) -> None:
        body = self.server.answer(int(self.path[1:]))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on the terminal."""


class Database(HTTPServer):
    """Sums of so many rows, one request at a time."""

    request_queue_size = 1_024

    def __init__(self, folder: Path) -> None:
        super().__init__((HOST, 0), _Handler)
        self.log = (folder / "database.log").open("w", buffering=1)
        self.rows = sqlite3.connect(":memory:")
        self.rows.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, value REAL)")
        self.rows.executemany("INSERT INTO numbers VALUES (?, ?)", ((i, i * 0.5) for i in range(ROWS)))
        self.number, self.ended, self.spent = 0, 0.0, time.process_time()

    def process_request(self, request: Any, client_address: Any) -> None:
        """As its base class, with a line of the log: the processor seconds since the request before (time that other
        programs take is no service), the rows, and whether the database was idle."""
        idle = time.perf_counter() > self.ended + AT_ONCE
        super().process_request(request, client_address)
        spent, before = time.process_time(), self.spent
        self.ended, self.spent = time.perf_counter(), spent
        self.log.write(f"{spent - before:.9f} {self.number} {idle:d}\n")

    def answer(self, number: int) -> bytes:
        """The sum of squares of so many rows."""
        self.number = number
        row = self.rows.execute("SELECT sum(value * value) FROM numbers WHERE id < ?", (number,)).fetchone()
        return repr(row[0]).encode()


class Pages(ThreadingHTTPServer):
    """Some work, and what the database says; a thread for each request."""

    request_queue_size = 1_024
    daemon_threads = True

    def __init__(self, database: int) -> None:
        super().__init__((HOST, 0), _Handler)
        self.database = database

    def answer(self, number: int) -> bytes:
        """A page."""
        digest = b"page"
        for _ in range(PAGE_ROUNDS):
            digest = hashlib.sha256(digest * 8).digest()
        connection = HTTPConnection(HOST, self.database)
        connection.request("GET", f"/{number}")
        body = connection.getresponse().read()
        connection.close()
        return digest.hex().encode() + body


class LoggedRequest(NamedTuple):
    """A line of the database's log: processor seconds, rows, and 1 where the database was idle before."""

    seconds: float
    rows: float
    idle: float


@dataclass
class LoadRun:
    """One load, in slices: seconds in all, response times in seconds, the requests in the database's log, and the
    processor seconds that the web server and the generator took, and other programs."""

    offered: float
    elapsed: float = 0.0
    times: list[float] = field(default_factory=list)
    requests: list[LoggedRequest] = field(default_factory=list)
    front: float = 0.0
    others: float = 0.0

    @property
    def served(self) -> float:
        """Requests per second."""
        return len(self.times) / self.elapsed

    @property
    def busy(self) -> float:
        """The busy share of the database."""
        return sum(r.seconds for r in self.requests) / self.elapsed

    def service_times(self) -> list[float]:
        """Of the database in seconds, as if every request followed another one.

        What it takes to wake up is the coefficient of `idle` in least squares of seconds on rows and `idle`.
        """
        seconds, rows, idle = np.array(self.requests).T
        waking = np.linalg.lstsq(np.column_stack([np.ones(len(rows)), rows, idle]), seconds)[0][2]
        return [float(s) for s in seconds - waking * idle]


def numbers(rate: float, seconds: float, seed: int) -> list[tuple[float, int]]:
    """Arrivals at random, each with a number of rows: seconds from the beginning, rows.

    A Poisson process of which the number of arrivals is known, and the quantiles of an exponential distribution in any
    order: the mean of so few sizes by chance would differ by several percent between loads.
    """
    random, number = Random(seed), round(rate * seconds)
    rows = [min(ROWS, LEAST_ROWS - int(MEAN_ROWS * math.log(1 - (i + 0.5) / number))) for i in range(number)]
    random.shuffle(rows)
    return list(zip(sorted(random.uniform(0, seconds) for _ in rows), rows, strict=True))


async def loaded(port: int, arrivals: Sequence[tuple[float, int]]) -> list[float]:
    """Response times in seconds, from when requests were due."""
    times, begin = list[float](), time.perf_counter()

    async def ask(at: float, number: int) -> None:
        await asyncio.sleep(at - (time.perf_counter() - begin))
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(f"GET /{number} HTTP/1.0\r\n\r\n".encode())
        await reader.read()
        writer.close()
        times.append(time.perf_counter() - begin - at)

    await asyncio.gather(*(ask(at, number) for at, number in arrivals))
    return times


def add_slice(run: LoadRun, folder: Path, port: int, servers: Sequence[int], seconds: float, seed: int) -> None:
    """So many seconds more of a load; it begins with empty queues. `servers` are the database and the web server."""
    front = (os.getpid(), *servers[1:])
    before, begin = len(_log(folder / "database.log")), time.perf_counter()
    used, machine = _seconds_of(front), _machine_seconds() - _seconds_of((*front, servers[0]))
    times = asyncio.run(loaded(port, numbers(run.offered, seconds, seed)))

    run.elapsed += time.perf_counter() - begin
    run.front += _seconds_of(front) - used
    run.others += _machine_seconds() - _seconds_of((*front, servers[0])) - machine
    run.times += times
    run.requests += _log(folder / "database.log")[before:]


@dataclass(frozen=True)
class ServiceModel:
    """A network of what a low load shows, by how service times at the database vary.

    The squared coefficient of variation lies between those of two shapes, of which the first has the weight `share`:
    mean waits are linear in it (Pollaczek and Khinchine), and percentiles nearly so.
    """

    networks: tuple[Network, Network]
    share: float

    def predicted(self, rate: float) -> tuple[float, float]:
        """Mean and 95th percentile of the response time in seconds under another load."""
        pairs = []
        for base in self.networks:
            changed = replace(base, classes=(JobClass("requests", None, 0.0, rate),))
            result = queue(changed, percentiles=True)
            assert isinstance(result, NetworkResult)
            assert result.percentiles[0] is not None
            pairs.append((result.system_response_time[0], result.percentiles[0].by_level()[95]))
        (mean, p95), (other_mean, other_p95) = pairs
        rest = 1 - self.share
        return self.share * mean + rest * other_mean, self.share * p95 + rest * other_p95


def service_model(low: LoadRun) -> ServiceModel:
    """The database in order of arrival, the processor of the web server and the generator shared, with the demand
    D = U / X, and what is left of the mean response time as a delay."""
    services = low.service_times()
    mean = statistics.mean(services)
    variation = statistics.pvariance(services) / mean**2
    order = max(1, int(1 / variation))
    shapes = (Distribution("erlang", order), Distribution("erlang", order + 1))
    if variation > 1:
        shapes = (Distribution("hyperexp", 1, variation), Distribution())
    share = 1.0 if variation > 1 else (variation - 1 / (order + 1)) / (1 / order - 1 / (order + 1))

    def model(rest: float) -> ServiceModel:
        stations = (
            (Station("front"), Station("database", "queue", 1, "FCFS", s), Station("rest", "delay")) for s in shapes
        )
        job, demands = JobClass("requests", None, 0.0, low.offered), [[low.front / len(low.times), mean, rest]]
        first, second = (Network(places, (job,), demands, [[1, 1, 1]]) for places in stations)
        return ServiceModel((first, second), share)

    seen, expected = statistics.mean(low.times), model(0.0).predicted(low.offered)[0]
    return model(max(0.0, seen - expected))


def _seconds_of(processes: Sequence[int]) -> float:
    """Processor seconds that processes have taken since they began; Linux only."""
    rows = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(row[11]) + int(row[12]) for row in rows) / os.sysconf("SC_CLK_TCK")


def _machine_seconds() -> float:
    """Processor seconds that all programs together have taken since the machine began; Linux only."""
    user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def _log(path: Path) -> list[LoggedRequest]:
    return [LoggedRequest(*map(float, line.split())) for line in path.read_text().splitlines()]


def _started(role: str, folder: Path, *further: str) -> tuple[subprocess.Popen[bytes], int]:
    """A server of its own, and its port."""
    server = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, role, str(folder), *further], stdout=subprocess.PIPE
    )
    assert server.stdout
    return server, int(server.stdout.readline())


def _stay_on(processor: int) -> None:
    """This process and its threads stay on one processor."""
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {processors[processor % len(processors)]})


def study(seconds: float) -> list[list[str]]:
    """A row per load: throughput, mean and 95th percentile, as measured and as predicted."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        database, database_port = _started("database", folder)
        pages, port = _started("pages", folder, str(database_port))
        try:
            _stay_on(1)  # only now: the servers choose for themselves
            asyncio.run(loaded(port, numbers(30.0, 10.0, 99)))  # caches and connections warm up
            capacity = 1 / statistics.mean(r.seconds for r in _log(folder / "database.log"))
            runs = [LoadRun(share * capacity) for share in LOADS]
            for turn in range(ROUNDS):  # in turns, so that a machine that slows down slows all loads
                for run, share in zip(runs, LOADS, strict=True):  # longer queues take longer to forget
                    length = seconds / ROUNDS * (1 - LOADS[0]) / (1 - share)
                    add_slice(run, folder, port, (database.pid, pages.pid), length, turn)
            model = service_model(runs[0])
        finally:
            for server in (pages, database):
                server.terminate()
                server.wait()
    return [_row(run, *model.predicted(run.served)) for run in runs]


def _row(run: LoadRun, mean: float, p95: float) -> list[str]:
    cells = [f"{run.busy:.0%}", f"{run.others / run.elapsed:.2f}"]
    cells += _compared(run.served, run.offered, 1.0, "/s")
    cells += _compared(statistics.mean(run.times), mean, 1e3, "ms")
    cells += _compared(statistics.quantiles(run.times, n=20)[-1], p95, 1e3, "ms")
    return cells


def _compared(seen: float, expected: float, scale: float, unit: str) -> list[str]:
    return [f"{seen * scale:.4g} {unit}", f"{expected * scale:.4g} {unit}", f"{expected / seen - 1:+.1%}"]


def main(seconds: float) -> None:
    """Print the table."""
    header = ["database busy", "processors of others"]
    for what in ("throughput", "mean", "p95"):
        header += [what, "predicted", "error"]
    for row in (header, ["---"] * len(header), *study(seconds)):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    if sys.argv[1:2] in (["database"], ["pages"]):
        is_database = sys.argv[1] == "database"
        _stay_on(0 if is_database else 1)
        server = Database(Path(sys.argv[2])) if is_database else Pages(int(sys.argv[3]))
        print(server.server_address[1], flush=True)
        server.serve_forever()
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
