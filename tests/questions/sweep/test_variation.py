"""Laws of changed machine models: what is named changes, everything else stays."""

from __future__ import annotations

import pytest
from tests.questions.sweep.design import POOL, task

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.questions.sweep.variation import vary

LAB, CLUSTER = apet.load_machines(POOL), apet.load_machines("cluster-64")


def test_an_operation_has_its_time_everywhere() -> None:
    found = vary(LAB, [("t_step", 3)])
    assert {g.op_s["step"] for g in (*found.groups, found.coordinator)} == {Interval(3.0, 3.0)}
    assert found.network == LAB.network


def test_a_factor_keeps_the_interval() -> None:
    found = vary(LAB, [("scale.t_step", 2)])
    assert [g.op_s["step"] for g in found.groups] == [Interval(2e-8, 4e-8), Interval(4e-8, 1e-7)]
    assert vary(LAB, [("scale.op_s", 1)]) == LAB
    assert vary(CLUSTER, [("scale.t_call", 0)]).groups[0].op_s["compare"] == CLUSTER.groups[0].op_s["compare"]


def test_a_factor_reaches_links_and_a_value_does_not() -> None:
    scaled, fixed = vary(CLUSTER, [("scale.latency_s", 2)]), vary(CLUSTER, [("machine.network.latency_s", 1)])
    assert [link.latency_s for link in scaled.network.links] == [Interval(4e-5, 1e-4)] * 2
    assert fixed.network.links == CLUSTER.network.links
    assert fixed.network.latency_s == Interval(1.0, 1.0)
    assert scaled.network.bandwidth_B_per_s == CLUSTER.network.bandwidth_B_per_s


def test_cores_and_load_are_those_of_every_machine() -> None:
    found = vary(LAB, [("machine.cores", 3), ("machine.load", 0.5)])
    assert {(g.cores, g.load) for g in (*found.groups, found.coordinator)} == {(3, Interval(0.5, 0.5))}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("machine.cores=0", "cores are whole numbers from 1"),
        ("machine.cores=1.5", "cores are whole numbers from 1"),
        ("machine.load=1", "a share from 0 to less than 1"),
        ("machine.network.bandwidth=0", "must be above 0"),
        ("scale.t_step=-1", "must be 0 or more"),
        ("scale.t_step=1e40", "figures of machines lie between"),
        ("t_stp=1", "did you mean 't_step'?"),
        ("machine.network.latencyy=1", "did you mean 'machine.network.latency"),
        ("nn=1", "no such parameter or machine quantity"),
        ("P=5", "P = 5 is not possible"),
        ("P=0:3", "at least one processor"),
        ("P=1.5", "numbers of processors are whole"),
    ],
)
def test_a_value_that_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(ApetError) as caught:
        task(text)
    assert said in str(caught.value)


def test_a_machine_model_without_network_has_no_latency(tmp_path: object) -> None:
    from apet.machine.network import MachineNetwork
    from apet.questions.sweep.variation import problem

    found = problem("scale.latency_s", LAB.replace(network=MachineNetwork()), ("step",))
    assert found is not None
    assert "has no [network]" in found.text
