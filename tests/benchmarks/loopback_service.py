"""A real service on this machine, measured at low load and predicted at higher load.

`python -m tests.benchmarks.loopback_service [seconds]`: a web server with threads asks a second one, which serves one
request at a time, for sums that SQLite computes; each is a process. Requests come at random. At a fifth of the capacity
their service times, how these vary, and what else a request takes are measured: that is the network. Then each load
runs for so many seconds, and a table shows what came out next to what was predicted. The generator and both servers
want two processors to themselves: what other programs take is a column, and where it is not small the rest says little.
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
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

from apet.queueing.answer import queue
from apet.queueing.jobs import Distribution
from apet.queueing.networks import JobClass, Network, NetworkResult, Station

LOADS = (0.2, 0.4, 0.6, 0.8)
"""Of the database's capacity; the first one is what is measured."""
ROWS, MEAN_ROWS, LEAST_ROWS = 800_000, 80_000, 4_000
PAGE_ROUNDS = 300
HOST = "127.0.0.1"
ROUNDS = 6


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

    def process_request(self, request: Any, client_address: Any) -> None:
        """As its base class, with the seconds that nobody else is served in the log."""
        begin = time.perf_counter()
        super().process_request(request, client_address)
        self.log.write(f"{time.perf_counter() - begin:.9f}\n")

    def answer(self, number: int) -> bytes:
        """The sum of squares of so many rows."""
        row = self.rows.execute("SELECT sum(value * value) FROM numbers WHERE id < ?", (number,)).fetchone()
        return repr(row[0]).encode()


class Pages(ThreadingHTTPServer):
    """Some work, and what the database says; a thread for each request."""

    request_queue_size = 1_024
    daemon_threads = True

    def __init__(self, folder: Path, database: int) -> None:
        super().__init__((HOST, 0), _Handler)
        self.log, self.database = (folder / "pages.log").open("w", buffering=1), database

    def answer(self, number: int) -> bytes:
        """A page; the seconds of work and those of the call go into the log."""
        begin, digest = time.perf_counter(), b"page"
        for _ in range(PAGE_ROUNDS):
            digest = hashlib.sha256(digest * 8).digest()
        called = time.perf_counter()
        connection = HTTPConnection(HOST, self.database)
        connection.request("GET", f"/{number}")
        body = connection.getresponse().read()
        connection.close()
        self.log.write(f"{called - begin:.9f}\n")
        return digest.hex().encode() + body


@dataclass
class LoadRun:
    """One load, in slices: seconds in all, response times in seconds, service times of the database in seconds, and the
    processor seconds that other programs took."""

    offered: float
    elapsed: float = 0.0
    times: list[float] = field(default_factory=list)
    services: list[float] = field(default_factory=list)
    others: float = 0.0

    @property
    def served(self) -> float:
        """Requests per second."""
        return len(self.times) / self.elapsed

    @property
    def busy(self) -> float:
        """The busy share of the database."""
        return sum(self.services) / self.elapsed


def numbers(rate: float, seconds: float, seed: int) -> list[tuple[float, int]]:
    """Arrivals at random, each with a number of rows: seconds from the beginning, rows."""
    random, at, arrivals = Random(seed), 0.0, list[tuple[float, int]]()
    while at < seconds:
        at += random.expovariate(rate)
        arrivals.append((at, min(ROWS, LEAST_ROWS + int(random.expovariate(1 / MEAN_ROWS)))))
    return arrivals


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
    """So many seconds more of a load; it begins with empty queues."""
    before, begin, others = len(_log(folder / "database.log")), time.perf_counter(), _others(servers)
    times = asyncio.run(loaded(port, numbers(run.offered, seconds, seed)))
    run.elapsed += time.perf_counter() - begin
    run.others += _others(servers) - others
    run.times += times
    run.services += _log(folder / "database.log")[before:]


def predicted(base: Network, rate: float) -> NetworkResult:
    """The network under another load."""
    changed = Network(base.stations, (JobClass("requests", None, 0.0, rate),), base.service, base.visits)
    result = queue(changed, percentiles=True)
    assert isinstance(result, NetworkResult)
    return result


def network(low: LoadRun, pages: Sequence[float]) -> Network:
    """What a low load shows: the database in order of arrival, the web server shared, the rest a delay."""
    mean = statistics.mean(low.services)
    variation = statistics.pvariance(low.services) / mean**2
    shape = Distribution("hyperexp", 1, variation) if variation > 1 else Distribution("erlang", round(1 / variation))
    work = statistics.median(pages)
    stations = (Station("pages"), Station("database", "queue", 1, "FCFS", shape), Station("rest", "delay"))
    known = Network(stations, (JobClass("requests", None, 0.0, low.offered),), [[work, mean, 0.0]], [[1, 1, 1]])
    rest = statistics.mean(low.times) - predicted(known, low.offered).system_response_time[0]
    return Network(stations, known.classes, [[work, mean, max(0.0, rest)]], known.visits)


def _others(servers: Sequence[int]) -> float:
    """Processor seconds since the start of all that is neither this process nor one of the servers; Linux only."""
    if not Path("/proc/stat").exists():
        return math.nan
    user, nice, system, _, _, *interrupts = map(int, Path("/proc/stat").read_text().split()[1:9])
    own = 0
    for process in (os.getpid(), *servers):
        own += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return (user + nice + system + sum(interrupts) - own) / os.sysconf("SC_CLK_TCK")


def _log(path: Path) -> list[float]:
    return [float(line) for line in path.read_text().split()]


def _started(role: str, folder: Path, *further: str) -> tuple[subprocess.Popen[bytes], int]:
    """A server of its own, and its port."""
    server = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, role, str(folder), *further], stdout=subprocess.PIPE
    )
    assert server.stdout
    return server, int(server.stdout.readline())


def study(seconds: float) -> list[list[str]]:
    """A row per load: throughput, mean and 95th percentile, as measured and as predicted."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        database, database_port = _started("database", folder)
        pages, port = _started("pages", folder, str(database_port))
        try:
            asyncio.run(loaded(port, numbers(5.0, 5.0, 99)))  # files and connections warm up
            capacity = 1 / statistics.mean(_log(folder / "database.log"))
            runs = [LoadRun(share * capacity) for share in LOADS]
            for turn in range(ROUNDS):  # in turns, so that a machine that slows down slows all loads
                for run in runs:
                    add_slice(run, folder, port, (database.pid, pages.pid), seconds / ROUNDS, turn)
            base = network(runs[0], _log(folder / "pages.log"))
        finally:
            for server in (pages, database):
                server.terminate()
                server.wait()
    return [_row(run, predicted(base, run.served)) for run in runs]


def _row(run: LoadRun, result: NetworkResult) -> list[str]:
    shares, cells = result.percentiles[0], [f"{run.busy:.0%}"]
    assert shares is not None
    cells.append(f"{run.others / run.elapsed:.2f}")
    cells += _compared(run.served, run.offered, 1.0, "/s")
    cells += _compared(statistics.mean(run.times), result.system_response_time[0], 1e3, "ms")
    cells += _compared(statistics.quantiles(run.times, n=20)[-1], shares.p95, 1e3, "ms")
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
        here = Path(sys.argv[2])
        server = Database(here) if sys.argv[1] == "database" else Pages(here, int(sys.argv[3]))
        print(server.server_address[1], flush=True)
        server.serve_forever()
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
