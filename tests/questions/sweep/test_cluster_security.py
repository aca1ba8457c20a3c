"""The local cluster: nobody without its certificates reaches it, and nothing answers HTTP."""

from __future__ import annotations

import os
import socket
import ssl
import time
from typing import Any

import pytest

from apet.questions.sweep.cluster import DaskCluster

distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")


def listening() -> list[tuple[str, int]]:
    """The addresses at which this process and its children listen."""
    this = psutil.Process(os.getpid())
    sockets = [s for process in (this, *this.children(recursive=True)) for s in process.net_connections()]
    return [(s.laddr.ip, s.laddr.port) for s in sockets if s.status == psutil.CONN_LISTEN]


def http_ports(client: Any) -> set[int]:
    ports = client.run(lambda dask_worker: dask_worker.http_server.port)
    return {client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.http_server.port), *ports.values()}


def refused(port: int, context: ssl.SSLContext | None) -> bool:
    """Whether the scheduler hangs up on who speaks to it with these credentials, or with none at all."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        try:
            channel = plain if context is None else context.wrap_socket(plain)
            channel.sendall(b"\x00" * 64)
            while channel.recv(4096):
                pass
        except TimeoutError:
            return False
        except OSError:  # an alert of TLS, or a reset
            return True
        return True


def test_only_the_caller_reaches_the_local_cluster() -> None:
    before = set(listening())
    with DaskCluster(workers=1)._client(1) as client:
        address = client.scheduler_info()["address"]
        assert address.startswith("tls://127.0.0.1:")

        deadline = time.monotonic() + 10
        while (ports := {port for _, port in listening()} & http_ports(client)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not ports
        assert {host for host, _ in set(listening()) - before} == {"127.0.0.1"}

        port = int(address.rpartition(":")[2])
        assert refused(port, None)
        assert refused(port, ssl._create_unverified_context())
        stranger = distributed.Security.temporary().get_connection_args("client")["ssl_context"]
        stranger.check_hostname, stranger.verify_mode = False, ssl.CERT_NONE
        assert refused(port, stranger)
