"""Machines described in the call: the same as the file that the call stands for."""

from __future__ import annotations

import pytest

import apet
from apet.ground.source import Source
from apet.machine import parse_machines

CALL = "cores=8, load=0.1, op.work=1ms..2ms, op.w2=3 us, topology=bus, latency=2us, bandwidth=10Gbit/s"
FILE = """
schema = 1
[[machine]]
name = "core"
count = 8
load = 0.1
op_s = { work = [1e-3, 2e-3], w2 = 3e-6 }
[network]
topology = "bus"
latency_s = 2e-6
bandwidth_B_per_s = 1.25e9
"""


def test_a_call_is_read_as_its_file() -> None:
    called, written = apet.load_machines(CALL), parse_machines(Source("x.toml", FILE))
    assert (called.groups, called.coordinator, called.network) == (written.groups, written.coordinator, written.network)
    assert (called.name, called.file) == ("8 cores", CALL)


def test_a_network_is_a_switch_and_needs_no_operation() -> None:
    machines = apet.load_machines("cores=2,latency=1us,bandwidth=1GB/s")
    assert machines.network.topology == "switch"
    app = apet.compile_text("L = send[0, 1](1 MB);", network="switch")
    assert apet.predict(app, machines).estimate.lo == pytest.approx(1.001e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("cores=0,latency=1us", "a number of processors is needed"),
        ("cores=2,latncy=1us", "no key 'latncy' here; did you mean 'latency'"),
        ("cores=2,work=1us", "no key 'work' here"),
        ("cores=2,latency", "'latency' is no key with a value"),
        ("cores=2,latency=1us,latency=2us", "'latency=2us' is no key with a value of its own"),
        ('cores=2,op.w="1', "is no key with a value"),
        ("cores=2,op.w=1", "should be a number, not the text '1'"),
        ("cores=2,op.w=1 msec", "should be a number, not the text '1 msec'"),
        ("cores=2,latency=1us", "network.bandwidth_B_per_s is missing"),
        ("cores=2,topology=ring,latency=1us,bandwidth=1GB/s", "ring"),
        ("cores=2,op.send=1us", "send"),
    ],
)
def test_what_is_wrong_with_a_call_is_said(call: str, message: str) -> None:
    with pytest.raises(apet.ApetError) as caught:
        apet.load_machines(call)
    assert message in str(caught.value)
