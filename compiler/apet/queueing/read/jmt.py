"""Queueing networks of Java Modelling Tools (`.jsimg`): sources, queues, delays, and routes by probability.

A class visits stations as often as its routing says in the mean, by the traffic equations v_k = p_0k + sum_j v_j p_jk;
where routes part, visits are made in a random order, which does not matter in product form.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from apet.ground.documents.document import Document
from apet.ground.documents.xml import Element, parse
from apet.ground.source import Source
from apet.queueing.read.foreign import ForeignTables, shape

SERVERS = {"Server": "FCFS", "PSServer": "PS", "Delay": "delay", "ServiceTunnel": "", "PreemptiveServer": "preemptive"}
ORDERS = {"TailStrategy": "FCFS", "TailStrategyPriority": "priority", "LCFSPRStrategy": "LCFS-PR"}
ORDERS |= {"FCFSPRStrategyPriority": "preemptive"}
WITHOUT_MEANING = ("preload", "measure", "connection", "node", "userClass")
SAME, SUM_TOLERANCE = 1e-9, 1e-6


def network_of_jmt(source: Source) -> Document:
    """The network of a file; `ApetError` with its place for what is not modelled."""
    return _JmtReader(source).document()


class _JmtReader:
    def __init__(self, source: Source) -> None:
        self.out = ForeignTables(source, "JMT")
        root = parse(source)
        sim = root if root.tag == "sim" else next((e for e in root.inside if e.tag == "sim"), None)
        if sim is None:
            raise self.out.refuse(root.span, f"this is a <{root.tag}>", "networks of JMT are in a <sim>")
        for element in sim.inside:
            if element.tag not in WITHOUT_MEANING:
                raise self.out.not_modelled(element.span, f"<{element.tag}>")
        nodes = [e for e in sim.inside if e.tag == "node"]
        self.nodes = {e.attributes.get("name", ""): e for e in nodes}
        if len(self.nodes) < max(1, len(nodes)):
            raise self.out.refuse(sim.span, "stations are missing, or two have one name", "give each a name of its own")
        self.classes = [e for e in sim.inside if e.tag == "userClass"]
        self.ways = [
            (e.attributes.get("source", ""), e.attributes.get("target", ""))
            for e in sim.inside
            if e.tag == "connection"
        ]

    def document(self) -> Document:
        names = [one.attributes.get("name", "") for one in self.classes]
        served = {name: self.station(name, node, names) for name, node in self.nodes.items()}
        ranks = [self.out.whole(one.attributes.get("priority", "0"), one.span) for one in self.classes]
        ranked = any(s.get("discipline") in ("priority", "preemptive") for s in self.out.content.get("stations", []))
        for one, rank in zip(self.classes, ranks, strict=True):
            name, kind, start = (one.attributes.get(key, "") for key in ("name", "type", "referenceSource"))
            is_open = kind == "open"
            if kind not in ("open", "closed") or ((start or is_open) and start not in self.nodes):
                advice = "a class is open, from a source, or closed, with a station where its jobs begin"
                raise self.out.refuse(one.span, f"{name} is {kind or 'of no type'} and begins at '{start}'", advice)
            visits, parts = self.visits(name, start, is_open)
            service = {k: times[name] for k, times in served.items() if visits.get(k) and name in times}
            row: dict[str, Any] = {"name": name, "service": service}
            row["visits"] = {k: v for k, v in visits.items() if k in service and abs(v - 1) > SAME}
            row |= {"routing": "random"} if parts else {}
            row |= {"priority": max(ranks) - rank + 1} if ranked else {}
            if is_open:
                mean, arrivals = self.time(self.strategy(self.nodes[start], "ServiceStrategy", name), one)
                if not 0 < mean < math.inf:
                    raise self.out.refuse(one.span, f"{name} arrives every {mean:g} s", "write a time above 0")
                row |= {"arrival_rate": 1 / mean, "arrival_dist": arrivals}
            else:
                row["population"] = self.out.whole(one.attributes.get("customers", "0"), one.span)
            self.out.add("classes", one.span, **row)
        return self.out.document()

    def station(self, name: str, node: Element, classes: list[str]) -> dict[str, float]:
        """Seconds of service by class; a row of what serves."""
        kinds = {s.attributes.get("className", ""): s for s in node.inside if s.tag == "section"}
        for kind, section in kinds.items():
            if kind not in (*SERVERS, "Queue", "Router", "RandomSource", "JobSink"):
                raise self.out.not_modelled(section.span, kind)
        server = next((s for s in kinds if SERVERS.get(s)), "")
        if not server or "RandomSource" in kinds:
            return {}
        order, section = SERVERS[server], kinds[server]
        if order != "delay" and "Queue" not in kinds:
            raise self.out.not_modelled(node.span, "a server without a queue")
        if any(_kind(s) != "Impatience" for c in classes for s in [self.strategy(node, "Impatience", c)] if s):
            raise self.out.not_modelled(node.span, "jobs that leave while they wait")
        if order not in ("delay", "PS"):
            put = {_kind(p) for p in self.parts(kinds["Queue"], "QueuePutStrategy")}
            if len(put & set(ORDERS)) != 1 or put - set(ORDERS):
                raise self.out.not_modelled(node.span, f"the order {', '.join(sorted(put))}")
            order = ORDERS[put.pop()]
        size = self.value(kinds.get("Queue"), "size")
        if size not in ("", "-1"):
            raise self.out.not_modelled(node.span, "a queue of limited size")

        times: dict[str, float] = {}
        shapes: list[dict[str, Any] | None] = []
        for c in classes:
            strategy = self.strategy(node, "ServiceStrategy", c)
            if strategy is not None and strategy.inside:
                times[c], distribution = self.time(strategy, node)
                shapes += [distribution] if distribution not in shapes else []
        if len(shapes) > 1:
            raise self.out.not_modelled(node.span, "services that vary in another way by class")
        servers = self.out.whole(self.value(section, "maxJobs") or "1", section.span) if order != "delay" else None
        dist = shapes[0] if shapes and order in ("FCFS", "priority", "preemptive") else None
        self.out.add("stations", node.span, name=name, discipline=order, servers=servers, service_dist=dist)
        return times

    def parts(self, section: Element, name: str) -> Iterator[Element]:
        for parameter in section.inside:
            if parameter.attributes.get("name") == name:
                yield from (e for e in parameter.inside if e.tag == "subParameter")

    def value(self, section: Element | None, name: str) -> str:
        """The value of a parameter of a section."""
        for parameter in section.inside if section else ():
            if parameter.attributes.get("name") == name:
                return "".join(e.text for e in parameter.inside if e.tag == "value").strip()
        return ""

    def strategy(self, node: Element, name: str, of: str) -> Element | None:
        """What a node does with a class: the parameter behind its name."""
        for section in node.inside:
            for parameter in section.inside:
                named = ""
                for e in parameter.inside if parameter.attributes.get("name") == name else ():
                    if e.tag == "refClass":
                        named = e.text.strip()
                    elif named == of:
                        return e
        return None

    def time(self, strategy: Element | None, where: Element) -> tuple[float, dict[str, Any] | None]:
        """Mean seconds, and how they vary."""
        if strategy is None or len(strategy.inside) < 2:
            raise self.out.not_modelled(where.span, "a time without a distribution")
        kind = _kind(strategy.inside[0])
        numbers = {
            e.attributes.get("name", ""): float(self.out.number("".join(v.text for v in e.inside).strip(), e.span))
            for e in strategy.inside[1].inside
        }
        try:
            return self.moments(kind, numbers, strategy)
        except (KeyError, ArithmeticError):
            raise self.out.refuse(strategy.span, f"{kind} lacks its numbers", "each above 0") from None

    def moments(
        self, kind: str, numbers: Mapping[str, float], strategy: Element
    ) -> tuple[float, dict[str, Any] | None]:
        """Mean seconds of a distribution, and how it varies."""
        match kind:
            case "Exponential":
                return 1 / numbers["lambda"], None
            case "DeterministicDistr":
                return numbers["t"], {"type": "det"}
            case "Erlang" if numbers["r"].is_integer():
                return numbers["r"] / numbers["alpha"], shape(1 / numbers["r"])
            case "HyperExp":
                p, first, second = numbers["p"], numbers["lambda1"], numbers["lambda2"]
                if abs(p / first - (1 - p) / second) <= SAME * (p / first):
                    mean = p / first + (1 - p) / second
                    return mean, shape(2 * (p / first**2 + (1 - p) / second**2) / mean**2 - 1)
        raise self.out.not_modelled(strategy.span, f"the distribution {kind}")

    def visits(self, name: str, start: str, is_open: bool) -> tuple[dict[str, float], bool]:
        """Visits of a job to each node, and whether its route parts anywhere."""
        names = list(self.nodes)
        chances = np.array([self.targets(name, node) for node in names])
        sums = chances.sum(axis=1)
        parts = bool((np.count_nonzero(chances, axis=1) > 1).any())
        if start not in names:
            start = next((n for n, row in zip(names, chances, strict=True) if row.any()), names[0])
        first = names.index(start)
        entering = chances[first].copy()
        chances[first] = chances[:, first] = entering[first] = 0  # a round ends where it begins
        try:
            rates = np.linalg.solve(np.eye(len(names)) - chances.T, entering)
        except np.linalg.LinAlgError:
            advice = "let it come back to where it begins, or to a sink"
            raise self.out.refuse(self.nodes[start].span, f"the route of {name} never ends", advice) from None
        rates[first] = 1.0
        for node, rate, total in zip(names, rates, sums, strict=True):
            if rate > SAME and abs(total - 1) > SUM_TOLERANCE and not (is_open and _is_sink(self.nodes[node])):
                problem = f"from {node} {name} goes on with probability {total:g}"
                raise self.out.refuse(
                    self.nodes[node].span, problem, "probabilities to stations there are have the sum 1"
                )
        rates[first] = 0.0 if is_open else 1.0
        return dict(zip(names, rates.tolist(), strict=True)), parts

    def targets(self, name: str, node: str) -> list[float]:
        """By node the probability that a job goes there next."""
        targets = [target for source, target in self.ways if source == node]
        strategy = self.strategy(self.nodes[node], "RoutingStrategy", name)
        kind = _kind(strategy) if strategy is not None and targets else "DisabledRoutingStrategy"
        if kind == "RandomStrategy":
            return [targets.count(other) / len(targets) for other in self.nodes]
        if kind == "EmpiricalStrategy" and strategy is not None:
            shares = self.shares(strategy)
            return [shares.get(other, 0.0) for other in self.nodes]
        if not kind.startswith("Disabled"):
            raise self.out.not_modelled(self.nodes[node].span, f"routing by {kind}")
        return [0.0] * len(self.nodes)

    def shares(self, strategy: Element) -> dict[str, float]:
        """By target its probability."""
        found: dict[str, float] = {}
        entries = (e for e in _all(strategy) if e.attributes.get("array") != "true" and _kind(e) == "EmpiricalEntry")
        for entry in entries:
            by_name = {e.attributes.get("name", ""): "".join(v.text for v in e.inside).strip() for e in entry.inside}
            found[by_name.get("stationName", "")] = float(self.out.number(by_name.get("probability", ""), entry.span))
        return found


def _is_sink(node: Element) -> bool:
    return any(section.attributes.get("className") == "JobSink" for section in node.inside)


def _kind(parameter: Element) -> str:
    """The last part of the name of its class."""
    return parameter.attributes.get("classPath", "").rpartition(".")[2]


def _all(element: Element) -> Iterator[Element]:
    for inside in element.inside:
        yield inside
        yield from _all(inside)
