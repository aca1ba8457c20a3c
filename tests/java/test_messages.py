"""Messages between JVMs of this machine, and the machine file that is kept for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground import host
from apet.ground.diagnostics import ApetError
from apet.java.jvm import Jdk, find_jdk
from apet.java.measure import this_machine
from apet.java.measure.machine_text import machine_text
from apet.java.measure.messages import PAUSES, SIZES, measure_network, network_of, parsed_peer

JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")


@given(latency=st.floats(1e-6, 1e-2), rate=st.floats(1e6, 1e10), noise=st.floats(1, 3))
def test_what_was_measured_gives_intervals_that_hold_it(latency: float, rate: float, noise: float) -> None:
    samples = {
        (size, pause): [(latency + size / rate) * (noise if k % 40 < 20 else 1) for k in range(80)]
        for size in SIZES
        for pause in PAUSES
    }
    found = network_of(samples, None)
    low, high = found["latency_s"]
    slow, fast = found["bandwidth_B_per_s"]
    assert low <= (latency + 1 / rate) * 1.001
    assert high >= (latency + 1 / rate) * 0.999
    assert 0 < slow <= fast


@pytest.mark.parametrize("text", ["host", ":7331", "host:", "host:99999", "host:x"])
def test_a_peer_is_a_host_and_a_port(text: str) -> None:
    with pytest.raises(ApetError, match="a host and a port are needed"):
        parsed_peer(text)


@JAVA
def test_messages_to_another_host_are_measured_where_it_serves() -> None:
    serve = [sys.executable, "-m", "apet.cli.main", "benchmark", "--serve", "0"]
    with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        port = server.stderr.readline().rpartition(":")[2].strip()
        network = measure_network(find_jdk(), "C2", 10, parsed_peer(f"127.0.0.1:{port}"))
        server.terminate()
    assert network["topology"] == "switch"
    assert 0 < network["latency_s"][0] <= network["latency_s"][1] < 1
    assert 1e6 < network["bandwidth_B_per_s"][0] <= network["bandwidth_B_per_s"][1]


@JAVA
def test_a_peer_that_does_not_serve_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "--network", "--quick", "--peer", "127.0.0.1:9"]) == 2
    said = capsys.readouterr().err
    assert "the message test with 127.0.0.1:9 failed" in said
    assert "Connection refused" in said


def kept(folder: Path, date: datetime, **other: object) -> Path:
    """A file of this machine as a measurement would have left it."""
    import socket

    facts = {"host": socket.gethostname(), "cpu": host.processor(), "cores": host.cores(), "jvm": "a JVM"}
    provenance = {"date": date.strftime("%Y-%m-%d %H:%M UTC"), **facts, **other}
    times = {this_machine.NEWEST: [1e-8, 2e-8], "call_*": [1e-9, 1e-6]}
    machine = {"name": "this", "count": 1, "cores": 1, "op_s": times}
    content = {"schema": 1, "name": "here", "machine": [machine], "network": {"topology": "none"}}
    path = folder / "apet" / "this.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(machine_text({**content, "provenance": provenance}))
    return path


@pytest.mark.parametrize(
    ("age", "other", "words"),
    [
        (timedelta(hours=1), {}, ""),
        (timedelta(days=8), {}, "older than 7 days"),
        (timedelta(hours=1), {"jvm": "another JVM"}, "jvm: a JVM now, another JVM then"),
        (timedelta(hours=1), {"host": "elsewhere"}, "elsewhere then"),
        (timedelta(hours=1), {"cores": 99}, "99 then"),
    ],
)
def test_a_kept_file_holds_for_a_week_on_its_own_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: timedelta, other: dict[str, object], words: str
) -> None:
    monkeypatch.setattr(Jdk, "version", lambda self: "a JVM")
    found = this_machine.outdated(kept(tmp_path, datetime.now(UTC) - age, **other), Jdk("java", "javac"))
    assert words in found
    assert bool(found) == bool(words)


def test_this_machine_is_measured_once_after_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from apet.java.measure.measuring import MeasuredMachine

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(Jdk, "version", lambda self: "a JVM")
    monkeypatch.setattr(this_machine, "find_jdk", lambda: Jdk("java", "javac"))
    content = {"schema": 1, "name": "here", "machine": [], "network": {}, "provenance": {"date": "now"}}
    monkeypatch.setattr(this_machine, "measure", lambda *_: MeasuredMachine(content))
    said: list[str] = []
    path = this_machine.this_machine(said.append)
    assert path == tmp_path / "apet" / "this.toml"
    assert "it was not measured yet" in said[0]
    kept(tmp_path, datetime.now(UTC))
    this_machine.this_machine(said.append)
    assert len(said) == 1
