"""Laws of messages: latency and bandwidth, and which link is in force in which direction."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.interval import Interval
from apet.machine import MachineLink, MachineNetwork, MissingNetwork
from apet.machine.network import both_ways, exact_message_time, message_time

LATENCY, BANDWIDTH = Interval(0.5, 1.0), Interval(10.0, 20.0)
POSITIVE = st.floats(min_value=1e-6, max_value=1e9)


def _network(*links: MachineLink) -> MachineNetwork:
    return MachineNetwork("switch", LATENCY, BANDWIDTH, both_ways(links))


def _link(sender: str, receiver: str, seconds: float) -> MachineLink:
    return MachineLink(sender, receiver, Interval(seconds, seconds))


def _latency(network: MachineNetwork, sender: str, receiver: str) -> float:
    return float(network.between(sender, receiver)[0].lo)


def test_tmin_takes_the_low_latency_and_the_high_bandwidth() -> None:
    assert message_time(LATENCY, BANDWIDTH, 40, "tmin") == 0.5 + 40 / 20
    assert message_time(LATENCY, BANDWIDTH, 40, "tmax") == 1.0 + 40 / 10


@given(POSITIVE, POSITIVE, st.integers(0, 10**12))
def test_the_float_time_is_the_exact_time_but_for_rounding(latency: float, bandwidth: float, size: int) -> None:
    arguments = Interval(latency, latency), Interval(bandwidth, bandwidth), size, "tmax"
    exact = exact_message_time(Interval(latency, latency), Interval(bandwidth, bandwidth), size, "tmax")
    assert exact == Fraction(latency) + Fraction(size) / Fraction(bandwidth)
    assert message_time(arguments[0], arguments[1], size, "tmax") == pytest.approx(float(exact), rel=1e-15, abs=0)


def test_a_link_holds_in_both_directions() -> None:
    network = _network(_link("a", "b", 7))
    assert _latency(network, "a", "b") == _latency(network, "b", "a") == 7
    assert _latency(network, "a", "c") == 0.5


def test_a_link_of_the_reverse_direction_ends_that() -> None:
    network = _network(_link("a", "b", 7), _link("b", "a", 8))
    assert (_latency(network, "a", "b"), _latency(network, "b", "a")) == (7, 8)
    exchanged = _network(_link("b", "a", 8), _link("a", "b", 7))
    assert (_latency(exchanged, "a", "b"), _latency(exchanged, "b", "a")) == (7, 8)


def test_a_star_is_every_machine_and_the_machine_itself() -> None:
    network = _network(_link("a", "*", 7))
    assert _latency(network, "a", "a") == _latency(network, "c", "a") == 7
    assert _latency(network, "b", "c") == 0.5


def test_later_links_override_earlier_ones() -> None:
    network = _network(_link("*", "*", 6), _link("a", "b", 7))
    assert (_latency(network, "a", "b"), _latency(network, "c", "b")) == (7, 6)
    assert _latency(_network(_link("a", "b", 7), _link("*", "*", 6)), "a", "b") == 6


def test_a_link_inherits_what_it_does_not_override() -> None:
    network = _network(_link("a", "b", 7), MachineLink("a", "b", None, Interval(1.0, 1.0)))
    assert network.between("a", "b") == (Interval(7, 7), Interval(1.0, 1.0))
    assert network.between("a", "c") == (LATENCY, BANDWIDTH)


def test_a_network_without_costs_says_so() -> None:
    assert not MachineNetwork().is_known
    with pytest.raises(MissingNetwork):
        MachineNetwork().between("a", "b")
