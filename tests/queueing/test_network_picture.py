"""The picture of a network: well-formed, with every class, pool and station, and its means."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from apet.queueing.data.networks import Network
from apet.queueing.data.problems import Uncertain
from apet.queueing.data.varied import varied
from apet.queueing.methods.answer import solved
from apet.queueing.read import read_queue
from apet.queueing.report.network_picture import SHADES, network_picture

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "queueing"


def picture(name: str) -> ElementTree.Element:
    problem = read_queue(SAMPLES / name).problem
    one = problem.low if isinstance(problem, Uncertain) else problem
    return ElementTree.fromstring(network_picture(name, one, solved(one)))


def texts(element: ElementTree.Element) -> list[str]:
    return [e.text or "" for e in element.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", ["thread-pool.toml", "terminals.toml", "bi-pipelined.toml", "priorities.toml"])
def test_everything_of_a_network_is_in_its_picture(name: str) -> None:
    problem = read_queue(SAMPLES / name).problem
    network = varied(problem.low if isinstance(problem, Uncertain) else problem)
    shown = texts(picture(name))
    names = [s.name for s in network.stations] + [c.name for c in network.classes] + [p.name for p in network.pools]
    assert set(names) <= set(shown)
    assert any(text.startswith("R = ") for text in shown)


def test_arrows_say_what_a_job_does_where() -> None:
    shown = texts(picture("thread-pool.toml"))
    assert {"40.0 ms", "2 × 5.00 ms", "100 ms", "16 jobs inside", "40 may wait", "70 /s arrive"} <= set(shown)


def test_the_busiest_station_is_the_darkest_and_a_delay_has_no_share() -> None:
    network = read_queue(SAMPLES / "thread-pool.toml").problem
    assert isinstance(network, Network)
    svg = network_picture("x", network, solved(network))
    assert svg.count(SHADES[2]) == 2
    assert SHADES[3] not in svg
