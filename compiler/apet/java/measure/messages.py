"""Messages between two JVMs, through the loopback or to another host: samples, and what a machine file says of them."""

from __future__ import annotations

import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import fmean
from typing import Any, NamedTuple

from apet.ground import children
from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import MODES, SOURCES, Jdk, compile_java, end, pinned, quiet_core, run_java
from apet.program.measure.samples import quantile, rounded

SIZES = (1, 16384, 262144, 1048576)
PAUSES = (0, 100, 1000)
"""Microseconds that both sides compute between messages: whoever waits longer sleeps deeper, and wakes later."""
GROUP = 20
"""Messages in a row whose mean is one figure: programs wait for sums of messages, not for the luckiest one."""
LIMIT = 120.0
LOOPBACK = "127.0.0.1"


class Peer(NamedTuple):
    """Where `apet benchmark --serve` waits."""

    host: str
    port: int


Samples = Mapping[tuple[int, int], Sequence[float]]
"""Seconds of one way in the order they were taken, by size in bytes and pause in microseconds."""


def compile_messages(jdk: Jdk, folder: str) -> None:
    """What sends and answers."""
    compile_java(jdk, [SOURCES / "Messages.java"], folder, "the message test")


def sample_messages(jdk: Jdk, folder: str, mode: str, repetitions: int, peer: Peer | None) -> Samples:
    """Round trips to a peer; without one, to a JVM of our own on another core where there is one."""
    if peer is not None:
        return _asked(jdk, folder, mode, repetitions, peer)
    with _serving(jdk, folder, mode) as port:
        return _asked(jdk, folder, mode, repetitions, Peer(LOOPBACK, port))


@contextmanager
def _serving(jdk: Jdk, folder: str, mode: str) -> Iterator[int]:
    # The client runs on the quiet core, so that both sides never share one.
    command = [*pinned(0 if quiet_core() else None), *jdk.machine(folder), *MODES[mode], "-cp", folder]
    command += ["Messages", "serve", "0", LOOPBACK]
    pipe = subprocess.PIPE
    server = children.start(command, stdout=pipe, stderr=pipe, text=True)

    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        if not port.isdecimal():
            raise ApetError(errors.RunFailed(None, None, "the message test", server.wait(), "it names no port"))
        yield int(port)
    finally:
        end(server)


def _asked(jdk: Jdk, folder: str, mode: str, repetitions: int, peer: Peer) -> Samples:
    wanted = [f"{size}:{pause}" for pause in PAUSES for size in SIZES]
    arguments = [*MODES[mode], "-cp", folder, "Messages", peer.host, str(peer.port), str(repetitions), *wanted]
    what = f"the message test with {peer.host}:{peer.port}"
    advice = "" if peer.host == LOOPBACK else f"on {peer.host}, run: apet benchmark --serve {peer.port}"
    text = run_java(jdk, arguments, what, LIMIT, quiet_core(), advice)
    samples: dict[tuple[int, int], list[float]] = {}
    for line in text.splitlines():
        size, pause, *seconds = line.split()
        samples[int(size), int(pause)] = [max(float(s), 1e-9) for s in seconds]
    return samples


def network_of(samples: Samples, peer: Peer | None) -> dict[str, Any]:
    """Latency and bandwidth: of means over several messages, the 5 % quantile of the quickest and 90 % of all.

    Latency is that of a byte. Bandwidth is what messages of 256 KiB and more need beyond the middle latency, which is
    at most half of their time.
    """
    first = {p: means(samples[1, p]) for p in PAUSES}
    latency = _ends(first)
    large = [size for size in SIZES if size >= 1 << 18]
    slopes = {
        (size, p): [max(t - quantile(first[p], 0.5), t / 2) / size for t in means(samples[size, p])]
        for size in large
        for p in PAUSES
    }
    slow, fast = reversed(_ends(slopes))
    ends = f"this machine and {peer.host}" if peer else "two JVMs on this machine, through the loopback"

    return {
        "topology": "switch" if peer else "none",
        "latency_s": [rounded(t) for t in latency],
        "bandwidth_B_per_s": [rounded(1 / slow), rounded(1 / fast)],
        "note": f"{ends}; one way is half of a round trip",
    }


def means(samples: Sequence[float]) -> list[float]:
    """Means over messages in a row."""
    return [fmean(samples[k : k + GROUP]) for k in range(0, len(samples), GROUP)]


def _ends(samples: Mapping[Any, Sequence[float]]) -> tuple[float, float]:
    every = [t for some in samples.values() for t in some]
    return min(quantile(some, 0.05) for some in samples.values()), quantile(every, 0.9)


def serve(jdk: Jdk, port: int, host: str, on_port: Callable[[int], None]) -> None:
    """Answer message tests until interrupted; `on_port` gets it. `ApetError` where the port cannot be had."""
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        compile_messages(jdk, folder)
        command = [*jdk.machine(folder), "-cp", folder, "Messages", "serve", str(port), host]
        pipe = subprocess.PIPE
        server = children.start(command, stdout=pipe, stderr=pipe, text=True)
        before = signal.signal(signal.SIGTERM, _interrupt)

        try:
            assert server.stdout is not None
            answer = server.stdout.readline().strip()
            if not answer.isdecimal():
                reason = " ".join(server.communicate()[1].split())[:300]
                raise ApetError(errors.RunFailed(None, None, f"a server at port {port}", server.returncode, reason))
            on_port(int(answer))
            server.wait()
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGTERM, before)
            end(server)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def parsed_peer(text: str) -> Peer:
    """`HOST:PORT`; `ApetError` where it is none."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ApetError(errors.BadPeer(None, None, text))
    return Peer(host.strip("[]"), int(port))


def measure_network(jdk: Jdk, mode: str, repetitions: int, peer: Peer | None) -> dict[str, Any]:
    """The `[network]` of a machine file."""
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        compile_messages(jdk, folder)
        return network_of(sample_messages(jdk, folder, mode, repetitions, peer), peer)
