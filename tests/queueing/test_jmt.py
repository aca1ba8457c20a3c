"""Files of Java Modelling Tools are the networks that they draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.queueing.data.networks import Network
from apet.queueing.methods.answer import queue
from apet.queueing.read import read_queue

STRATEGY = "jmt.engine.NetStrategies"


def value(name: str, number: object) -> str:
    return f'<subParameter classPath="java.lang.Double" name="{name}"><value>{number}</value></subParameter>'


def times(kind: str = "Exponential", **numbers: float) -> str:
    inner = "".join(value("lambda" if k == "rate" else k, v) for k, v in numbers.items())
    return (
        f'<subParameter classPath="{STRATEGY}.ServiceStrategies.ServiceTimeStrategy" name="s">'
        f'<subParameter classPath="jmt.engine.random.{kind}" name="d"/>'
        f'<subParameter classPath="jmt.engine.random.{kind}Par" name="distrPar">{inner}</subParameter></subParameter>'
    )


def by_class(name: str, rows: dict[str, str]) -> str:
    inner = "".join(f"<refClass>{c}</refClass>{row}" for c, row in rows.items())
    return f'<parameter array="true" classPath="x" name="{name}">{inner}</parameter>'


def routes(strategy: str = "RandomStrategy", **shares: float) -> str:
    entries = "".join(
        '<subParameter classPath="jmt.engine.random.EmpiricalEntry" name="e">'
        + value("stationName", name)
        + value("probability", share)
        + "</subParameter>"
        for name, share in shares.items()
    )
    listed = (
        f'<subParameter array="true" classPath="jmt.engine.random.EmpiricalEntry" name="a">{entries}</subParameter>'
    )
    return (
        f'<subParameter classPath="{STRATEGY}.RoutingStrategies.{strategy}" name="r">'
        f"{listed if shares else ''}</subParameter>"
    )


def node(name: str, server: str, service: dict[str, str], way: dict[str, str], put: str = "TailStrategy") -> str:
    order = dict.fromkeys(service, f'<subParameter classPath="{STRATEGY}.QueuePutStrategies.{put}" name="p"/>')
    return (
        f'<node name="{name}"><section className="Queue">'
        '<parameter classPath="java.lang.Integer" name="size"><value>-1</value></parameter>'
        f'{by_class("QueuePutStrategy", order)}</section><section className="{server}">'
        '<parameter classPath="java.lang.Integer" name="maxJobs"><value>2</value></parameter>'
        f'{by_class("ServiceStrategy", service)}</section><section className="Router">'
        f"{by_class('RoutingStrategy', way)}</section></node>"
    )


def file(folder: Path, *parts: str) -> Path:
    path = folder / "net.jsimg"
    path.write_text(f'<?xml version="1.0"?><archive name="net"><sim name="net">{"".join(parts)}</sim></archive>')
    return path


def ways(*pairs: str) -> str:
    return "".join(f'<connection source="{p.split(">")[0]}" target="{p.split(">")[1]}"/>' for p in pairs)


CLOSED = '<userClass customers="5" name="c" priority="0" referenceSource="think" type="closed"/>'
THINK = node("think", "Delay", {"c": times(rate=0.5)}, {"c": routes()})
CPU = node("cpu", "PSServer", {"c": times(rate=4.0)}, {"c": routes("EmpiricalStrategy", disk=0.75, think=0.25)})
DISK = node("disk", "Server", {"c": times(rate=10.0)}, {"c": routes()})
LINKS = ways("think>cpu", "cpu>disk", "cpu>think", "disk>cpu")


def test_visits_of_a_closed_class_follow_from_its_routes(tmp_path: Path) -> None:
    path = file(tmp_path, CLOSED, THINK, CPU, DISK, LINKS)
    network = read_queue(path).problem
    assert isinstance(network, Network)
    assert [(s.name, s.kind, s.servers, s.discipline) for s in network.stations] == [
        ("think", "delay", 1, ""),
        ("cpu", "queue", 2, "PS"),
        ("disk", "queue", 2, "FCFS"),
    ]
    assert network.visits[0] == pytest.approx([1, 4, 3])
    assert network.service[0] == pytest.approx([2, 0.25, 0.1])
    assert network.classes[0].population == 5

    assert main(["import", str(path), "-o", str(tmp_path / "ours.toml")]) == 0
    ours = read_queue(tmp_path / "ours.toml").problem
    assert queue(ours) == queue(network)


def test_open_classes_arrive_at_the_rate_of_their_source(tmp_path: Path) -> None:
    rate, way = by_class("ServiceStrategy", {"c": times("Erlang", alpha=4.0, r=2)}), {"c": routes()}
    source = (
        f'<node name="in"><section className="RandomSource">{rate}</section><section className="ServiceTunnel"/>'
        f'<section className="Router">{by_class("RoutingStrategy", way)}</section></node>'
    )
    web = node("web", "Server", {"c": times("DeterministicDistr", t=0.2)}, {"c": routes()})
    sink = '<node name="out"><section className="JobSink"/></node>'
    one = '<userClass name="c" priority="0" referenceSource="in" type="open"/>'
    network = read_queue(file(tmp_path, one, source, web, sink, ways("in>web", "web>out"))).problem
    assert isinstance(network, Network)
    assert network.classes[0].arrival_rate == pytest.approx(2)
    assert network.classes[0].arrivals.variation == pytest.approx(0.5)
    assert network.stations[0].service.kind == "det"
    assert network.visits == [[1.0]]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("RandomStrategy", "RoundRobinStrategy", "routing by RoundRobinStrategy"),
        ("random.Exponential", "random.Lognormal", "the distribution Lognormal"),
        ("TailStrategy", "RandStrategy", "the order RandStrategy"),
        ("<value>-1</value>", "<value>8</value>", "a queue of limited size"),
        ('className="PSServer"', 'className="Fork"', "Fork"),
        ("<connection", "<blockingRegion/><connection", "<blockingRegion>"),
    ],
)
def test_what_is_not_modelled_is_refused(old: str, new: str, problem: str, tmp_path: Path) -> None:
    path = file(tmp_path, CLOSED, THINK, CPU, DISK, LINKS)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ApetError, match="this is not modelled") as raised:
        read_queue(path)
    assert problem in raised.value.diagnostics[0].text


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("<value>0.75", "<value>0.65", "from cpu c goes on with probability 0.9"),
        ("<value>disk", "<value>dosk", "from cpu c goes on with probability 0.25"),
        ('<connection source="disk" target="cpu"/>', "", "from disk c goes on with probability 0"),
        ('"closed"', '"opne"', "c is opne"),
        ('referenceSource="think"', 'referenceSource="thunk"', "begins at 'thunk'"),
        ('<node name="disk"', '<node name="cpu"', "two have one name"),
        ('<section className="Queue">', '<section className="JobSink">', "a server without a queue"),
    ],
)
def test_a_network_that_is_not_whole_is_refused(old: str, new: str, problem: str, tmp_path: Path) -> None:
    path = file(tmp_path, CLOSED, THINK, CPU, DISK, LINKS)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ApetError) as raised:
        read_queue(path)
    assert problem in raised.value.diagnostics[0].text


@pytest.mark.parametrize(
    ("arrivals", "problem"),
    [
        (times("DeterministicDistr", t=0.0), "c arrives every 0 s"),
        (times("Erlang", alpha=4.0, r=2.5), "the distribution Erlang"),
        (times("HyperExp", p=0.5, lambda1=1e200, lambda2=1e200), "HyperExp lacks its numbers"),
    ],
)
def test_arrivals_that_cannot_be_are_refused(arrivals: str, problem: str, tmp_path: Path) -> None:
    source = (
        f'<node name="in"><section className="RandomSource">{by_class("ServiceStrategy", {"c": arrivals})}</section>'
    )
    source += f'<section className="Router">{by_class("RoutingStrategy", {"c": routes()})}</section></node>'
    web = node("web", "Server", {"c": times(rate=5.0)}, {"c": routes()})
    sink = '<node name="out"><section className="JobSink"/></node>'
    one = '<userClass name="c" priority="0" referenceSource="in" type="open"/>'
    with pytest.raises(ApetError) as raised:
        read_queue(file(tmp_path, one, source, web, sink, ways("in>web", "web>out")))
    assert problem in raised.value.diagnostics[0].text


def test_jobs_that_leave_while_they_wait_are_refused(tmp_path: Path) -> None:
    kinds = {
        kind: by_class(
            "Impatience", {"c": f'<subParameter classPath="{STRATEGY}.ImpatienceStrategies.{kind}" name="i"/>'}
        )
        for kind in ("Impatience", "Reneging")
    }
    disks = {kind: DISK.replace('className="Queue">', f'className="Queue">{text}') for kind, text in kinds.items()}
    read_queue(file(tmp_path, CLOSED, THINK, CPU, disks["Impatience"], LINKS))
    with pytest.raises(ApetError, match="jobs that leave while they wait"):
        read_queue(file(tmp_path, CLOSED, THINK, CPU, disks["Reneging"], LINKS))
