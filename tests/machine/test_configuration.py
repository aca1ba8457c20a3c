"""Laws of a configuration: which machines are used, how they are numbered, what anything costs on them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.machine import Configuration, MachineGroup, MachineNetwork, Machines, MissingNetwork, load_machines

LAB = Path(__file__).resolve().parents[1] / "data" / "machines" / "lab.toml"


def _machines(*groups: tuple[int, float]) -> Machines:
    described = tuple(
        MachineGroup(f"m{i}", {"sum": Interval(1.0, 1.0)}, count=count, factor=factor)
        for i, (count, factor) in enumerate(groups)
    )
    return Machines("test", "test.toml", described, described[0])


@pytest.fixture(scope="module")
def lab() -> Configuration:
    return load_machines(LAB).configure()


def test_processors_are_numbered_in_file_order(lab: Configuration) -> None:
    assert [(first, last, group.name) for first, last, group in lab.groups] == [(1, 2, "fast"), (3, 5, "slow")]
    assert [lab.group(p).name for p in range(6)] == ["server", "fast", "fast", "slow", "slow", "slow"]


@pytest.mark.parametrize("p", [-1, 6])
def test_there_is_no_processor_outside_the_numbers(lab: Configuration, p: int) -> None:
    with pytest.raises(IndexError):
        lab.group(p)


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from([1.0, 0.5, 0.25])), min_size=1, max_size=5), st.data())
def test_the_fastest_are_kept_and_the_earlier_of_equals(groups: list[tuple[int, float]], data: st.DataObject) -> None:
    machines = _machines(*groups)
    wanted = data.draw(st.integers(1, machines.processors))
    everyone = [(factor, f"m{i}") for i, (count, factor) in enumerate(groups) for _ in range(count)]
    order = sorted(range(len(everyone)), key=lambda p: (-everyone[p][0], p))[:wanted]
    used = machines.configure(wanted)
    assert [used.group(p).name for p in range(1, wanted + 1)] == [everyone[p][1] for p in sorted(order)]
    assert [used.factor(p) for p in range(1, wanted + 1)] == [everyone[p][0] for p in sorted(order)]
    assert (used.P, len(used.shares(0))) == (wanted, wanted)


@pytest.mark.parametrize("wanted", [0, -3, 6])
def test_more_processors_than_there_are_or_none_is_a_mistake(wanted: int) -> None:
    with pytest.raises(ApetError) as caught:
        load_machines(LAB).configure(wanted)
    assert str(caught.value) == (
        f"error: P = {wanted} is not possible: lab.toml has 5 processors\n  hint: P goes from 1 to 5"
    )


def test_external_load_stretches_the_times(lab: Configuration) -> None:
    assert lab.time("sum_double", 1, "tmin") == 1.0
    assert lab.time("sum_double", 1, "tmax") == 3.0 / (1 - 0.5)
    assert lab.time("sum_double", 3, "tmax") == 6.0


def test_the_coordinator_costs_what_machine_one_costs(lab: Configuration) -> None:
    assert lab.time("sum_double", 0, "tmax") == lab.time("sum_double", 1, "tmax")
    assert lab.cores(0) == lab.cores(1) == 4
    assert lab.cores(3) == 1


def test_an_operation_that_a_machine_lacks_is_a_key_error(lab: Configuration) -> None:
    assert lab.time("only_slow", 5, "tmin") == 1.0
    with pytest.raises(KeyError):
        lab.time("only_slow", 1, "tmin")
    assert lab.machines.missing("only_slow") == ("fast", "server")
    assert lab.machines.operations == {"sum_double", "mpy_double"}


@given(st.floats(0, 0.99), st.floats(1e-12, 1e3))
def test_exact_times_are_not_rounded(load: float, seconds: float) -> None:
    group = MachineGroup("m", {"sum": Interval(seconds, seconds)}, load=Interval(0.0, load))
    used = Machines("test", "test.toml", (group,), group).configure()
    exact = used.time("sum", 1, "tmax", exact=True)
    assert exact == Fraction(seconds) / (1 - Fraction(load))
    assert used.time("sum", 1, "tmax") == pytest.approx(float(exact), rel=1e-13)


def test_a_message_to_oneself_takes_no_time(lab: Configuration) -> None:
    assert lab.send(3, 3, 10**9, "tmax") == 0.0
    assert lab.send(3, 3, 10**9, "tmax", exact=True) == Fraction(0)


def test_messages_take_latency_and_size_over_bandwidth(lab: Configuration) -> None:
    assert lab.send(0, 1, 40, "tmin") == 0.5 + 40 / 20
    assert lab.send(1, 2, 40, "tmax") == 1.0 + 40 / 10
    assert lab.send(1, 3, 40, "tmax") == lab.send(3, 1, 40, "tmax") == lab.send(3, 4, 40, "tmax") == 2.0 + 40 / 10
    assert lab.send(1, 2, Fraction(1, 3), "tmin", exact=True) == Fraction(1, 2) + Fraction(1, 60)


def test_a_message_to_nobody_is_an_index_error(lab: Configuration) -> None:
    with pytest.raises(IndexError):
        lab.send(1, 9, 1, "tmin")


def test_without_a_network_messages_have_no_time() -> None:
    machines = _machines((2, 1.0))
    assert machines.network == MachineNetwork()
    assert not machines.has_network
    assert machines.configure().send(1, 1, 8, "tmin") == 0.0
    with pytest.raises(MissingNetwork):
        machines.configure().send(1, 2, 8, "tmin")


def test_shares_follow_the_factors_of_the_processors_in_use() -> None:
    machines = _machines((1, 0.25), (2, 1.0), (1, 0.5))
    assert machines.configure().shares(11) == (1, 4, 4, 2)
    assert machines.configure(3).shares(10) == (4, 4, 2)
    assert machines.configure(3).shares(10, "join") == (4, 4, 2)


def test_the_coordinator_has_no_factor(lab: Configuration) -> None:
    with pytest.raises(IndexError):
        lab.factor(0)


def test_shares_refuse_what_cannot_be_dealt(lab: Configuration) -> None:
    with pytest.raises(ValueError, match="cannot be dealt"):
        lab.shares(-1)
    with pytest.raises(ValueError, match="unknown schedule"):
        lab.shares(5, "fair")
