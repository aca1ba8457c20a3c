"""Data-parallel trainings on GPUs: simulated here by hand, and written as PyTorch's profiler writes them.

    python -m tests.traces.training_oracle FOLDER

writes the sample: one step of two processes. A host launches kernels; backward kernels of some layers are followed by
an all-reduce on a stream of its own, which waits for them by an event; the optimizer waits for all of these.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HEADER = 16
"""Bytes beside a message's payload."""
COMPUTE, NCCL = 7, 20
"""Numbers of streams."""


class Training(NamedTuple):
    """Microseconds; bytes and bytes per microsecond. `backward` has by layer from the last one its time, and the bytes
    of the all-reduce behind it (0: none)."""

    forward: tuple[float, ...]
    backward: tuple[tuple[float, int], ...]
    optimizer: float
    launching: float = 4.0
    starting: float = 2.0
    python: float = 30.0
    syncs: bool = True  #: whether `cuda_sync` events are written
    sizes: bool = True  #: whether collectives have arguments


class Network(NamedTuple):
    """One message at a time each way: latency in microseconds, bytes per microsecond."""

    latency: float
    bandwidth: float

    def ring(self, size: int, number: int) -> float:
        """An all-reduce of 4-byte elements around a ring."""
        return 2 * (number - 1) * (self.latency + (size // number + HEADER) / self.bandwidth)


class Recorded(NamedTuple):
    """Events by process, and by step the microseconds that it takes on the host of process 0."""

    events: list[list[dict[str, Any]]]
    steps: list[float]


class _Process:
    """One process's clocks, and what it has recorded."""

    def __init__(self, number: int, training: Training, random: Random) -> None:
        self.number, self.training, self.random = number, training, random
        self.host, self.stream = 1000.0 * number, {COMPUTE: 0.0, NCCL: 0.0}
        self.events: list[dict[str, Any]] = []
        self.correlation = 100

    def call(self, name: str, lasts: float, **sync: Any) -> int:
        """A call of the runtime; its correlation."""
        self.correlation += 1
        self.event("cuda_runtime", name, self.host, lasts, correlation=self.correlation)
        if sync and self.training.syncs:
            self.event("cuda_sync", sync["cuda_sync_kind"], self.host, lasts, correlation=self.correlation, **sync)
        self.host += lasts
        return self.correlation

    def event(self, kind: str, name: str, begin: float, lasts: float, **arguments: Any) -> None:
        """Record an event."""
        dates = {"ts": round(begin, 3), "dur": round(lasts, 3)}
        event = {"ph": "X", "cat": kind, "name": name, "pid": self.number, "tid": 1, **dates}
        self.events.append({**event, "args": arguments})

    def wait(self, stream: int, other: int) -> float:
        """Let a stream wait for what another has been given; when that ends."""
        record = self.call("cudaEventRecord", 1.0)
        event = {"wait_on_stream": other, "wait_on_cuda_event_record_corr_id": record, "stream": stream}
        self.call("cudaStreamWaitEvent", 1.0, cuda_sync_kind="Stream Wait Event", **event)
        return self.stream[other]

    def launch(self, stream: int, after: float = 0.0) -> tuple[float, int]:
        """Launch a kernel; when it can begin, and its correlation."""
        begin = max(self.host + self.training.starting, self.stream[stream], after)
        return begin, self.call("cudaLaunchKernel", self.training.launching)

    def kernel(self, name: str, lasts: float, after: float = 0.0) -> None:
        """Launch and execute a kernel that computes."""
        begin, correlation = self.launch(COMPUTE, after)
        lasts *= self.random.uniform(0.99, 1.01)
        self.stream[COMPUTE] = begin + lasts
        self.event("kernel", name, begin, lasts, stream=COMPUTE, correlation=correlation)


def recorded(training: Training, network: Network, processes: int, steps: int = 1, seed: int = 1) -> Recorded:
    """What all processes record; kernels take up to 1 % more or less in each step."""
    all_ = [_Process(p, training, Random(100 * seed + p)) for p in range(processes)]
    seconds = list[float]()
    for step in range(steps):
        began = [process.host for process in all_]
        for process in all_:
            process.host += training.python
            for k, lasts in enumerate(training.forward):
                process.kernel(f"forward_{k}", lasts)

        for k, (lasts, size) in enumerate(training.backward):
            for process in all_:
                process.kernel(f"backward_{k}", lasts)
            if size:
                _reduce(all_, size, network, training.sizes)
        for process, begin in zip(all_, began, strict=True):
            process.kernel("optimizer", training.optimizer, process.wait(COMPUTE, NCCL))
            waits = max(1.0, process.stream[COMPUTE] - process.host + 1.0)
            process.call("cudaDeviceSynchronize", waits, cuda_sync_kind="Context Sync", stream=-1)
            process.event("user_annotation", f"ProfilerStep#{step}", begin, process.host - begin)
        seconds.append(all_[0].host - began[0])
    return Recorded([process.events for process in all_], seconds)


def _reduce(all_: Sequence[_Process], size: int, network: Network, sizes: bool) -> None:
    """An all-reduce, which begins when the last process comes to it. Clocks of hosts are not those of others."""
    ready = [process.launch(NCCL, process.wait(NCCL, COMPUTE)) for process in all_]
    begin = max(at - 1000.0 * p.number for p, (at, _) in zip(all_, ready, strict=True))
    end = begin + network.ring(size, len(all_))
    said = {"Collective name": "allreduce", "In msg nelems": size // 4, "Out msg nelems": size // 4, "dtype": "Float"}
    said |= {"Group size": len(all_), "Process Group Name": "0", "Process Group Ranks": str(list(range(len(all_))))}
    for process, (at, correlation) in zip(all_, ready, strict=True):
        own_end = process.stream[NCCL] = end + 1000.0 * process.number
        arguments = {"stream": NCCL, "correlation": correlation, **(said if sizes else {})}
        process.event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", at, own_end - at, **arguments)


def write(folder: Path, events: Sequence[Sequence[dict[str, Any]]], processes: int | None = None) -> Path:
    """One file for each process, in a folder."""
    folder.mkdir(exist_ok=True)
    for rank, own in enumerate(events):
        info = {"backend": "nccl", "rank": rank, "world_size": processes or len(events)}
        text = ",\n".join(json.dumps(event) for event in sorted(own, key=lambda event: event["ts"]))
        document = f'{{"schemaVersion": 1, "distributedInfo": {json.dumps(info)},\n"traceEvents": [\n{text}\n]}}\n'
        (folder / f"rank-{rank}.json").write_text(document)
    return folder


PLATFORM = """<?xml version='1.0'?>
<!-- {number} GPUs, each in a host of its own. FICTITIOUS: round figures. 1 flop is 1 ns of a recording. -->
<platform version="4.1">
  <config>
    <prop id="smpi/allreduce" value="lr"/>
    <prop id="smpi/lat-factor" value="1"/>
    <prop id="smpi/bw-factor" value="1"/>
    <prop id="network/TCP-gamma" value="0"/>
    <prop id="network/crosstraffic" value="no"/>
  </config>
  <cluster id="gpus" prefix="gpu-" suffix="" radical="0-{last}" speed="1Gf" core="8"
           bw="{bandwidth}MBps" lat="{latency}us" loopback_bw="1000GBps" loopback_lat="0us"/>
</platform>
"""


def platform(network: Network, number: int) -> str:
    """The platform: messages of a cluster go over two links."""
    figures = {"bandwidth": network.bandwidth, "latency": network.latency / 2}
    return PLATFORM.format(number=number, last=number - 1, **figures)


SMALL = Training((400.0, 300.0), ((500.0, 4_000_000), (450.0, 0), (600.0, 12_000_000), (300.0, 2_000_000)), 200.0)
OF_SAMPLE = Network(10.0, 12_000.0)

if __name__ == "__main__":
    target = Path(sys.argv[1])
    write(target / "training", recorded(SMALL, OF_SAMPLE, 2).events)
    (target / "gpus.xml").write_text(platform(OF_SAMPLE, 4))
