"""A network of stations and classes as a picture: classes above, pools between, stations below."""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.jobs import Circulation, JobsResult, JobStation, Scenario
from apet.queueing.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.precedence.capacity import StationLoads
from apet.queueing.problems import Asked, Result
from apet.queueing.varied import varied
from apet.show import svg
from apet.show.svg import LINE, MARGIN, PADDING, Box, wide
from apet.show.times import percent, single

GAP, ROW = 40, 130
CLASS, POOL, IDLE = "#fff1d6", "#ffffff", "#f2f2f2"
SHADES = ("#e3eefb", "#bbd9ea", "#8fbfdd", "#f3b37a")
"""Of stations, by quarters of their busy share."""


def network_picture(name: str, problem: Asked, result: Result) -> str:
    """SVG text of a problem and its means: what arrives or thinks, what it does where, how busy stations are.

    An open fork-join has no picture.
    """
    network = varied(problem)
    classes, stations = _class_lines(network, result), _station_lines(network, result)
    pools = [_pool_lines(network, p) for p in range(len(network.pools))]
    rows = [classes, *([pools] if pools else []), stations]
    width = max(map(_row_width, rows)) + 2 * MARGIN

    boxes = [_row(lines, k, width) for k, lines in enumerate(rows)]
    elements, labels = _arrows(network, boxes)
    fills = [[CLASS] * len(classes), *([[POOL] * len(pools)] if pools else []), _shades(network, result)]
    for k, (row, lines, colours) in enumerate(zip(boxes, rows, fills, strict=True)):
        for place, text, fill in zip(row, lines, colours, strict=True):
            elements += svg.box(place, text, fill, dashed=bool(pools) and k == 1)
    height = boxes[-1][0].top + max(place.height for place in boxes[-1]) + MARGIN
    return svg.document(name, width, height, [*elements, *labels])


def _class_lines(network: Network | Scenario, result: Result) -> list[list[str]]:
    """By class its name, where its jobs come from, and its response time."""
    if isinstance(result, NetworkResult):
        times = result.system_response_time
    else:
        assert isinstance(result, JobsResult)
        times = [c.response_time for c in result.classes]
    lines = []
    classes: Sequence[JobClass | Circulation] = network.classes
    for c, time in zip(classes, times, strict=True):
        think = f", think {single(c.think)}" if c.think else ""
        source = f"{c.arrival_rate:.4g} /s arrive" if c.is_open else f"{c.population} jobs{think}"
        lines.append([c.name, source, f"R = {single(time)}"])
    return lines


def _station_lines(network: Network | Scenario, result: Result) -> list[list[str]]:
    """By station its name, its servers and order, and its busy share."""
    lines = []
    stations: Sequence[Station | JobStation] = network.stations
    for station, busy in zip(stations, _busy(network, result), strict=True):
        servers = f"{station.servers} server{'s' if station.servers > 1 else ''}"
        kind = "delay" if _is_delay(station) else ", ".join(filter(None, (servers, station.discipline)))
        lines.append([station.name, kind, "" if busy is None else f"{percent(busy)} used"])
    return lines


def _is_delay(station: Station | JobStation) -> bool:
    return station.is_delay if isinstance(station, Station) else station.discipline == "delay"


def _pool_lines(network: Network | Scenario, p: int) -> list[str]:
    pool = network.pools[p]
    waiting = "" if pool.backlog is None else f"{pool.backlog} may wait"
    return [pool.name, f"{pool.size} jobs inside", waiting]


def _busy(network: Network | Scenario, result: Result) -> list[float | None]:
    """The busy share of each station; None where there is none, as at delays."""
    if isinstance(result, NetworkResult):
        columns = list(zip(*result.utilization, strict=True))
        shares = [None if None in column else sum(u or 0.0 for u in column) for column in columns]
        stations: Sequence[Station | JobStation] = network.stations
        return [None if _is_delay(s) else share for s, share in zip(stations, shares, strict=True)]
    assert isinstance(result, JobsResult)
    return [s.utilization for s in result.stations]


def _shades(network: Network | Scenario, result: Result) -> list[str]:
    return [IDLE if busy is None else SHADES[min(3, int(4 * busy))] for busy in _busy(network, result)]


def _row_width(rows: Sequence[Sequence[str]]) -> float:
    return sum(max(map(wide, lines)) + 2 * PADDING for lines in rows) + GAP * (len(rows) - 1)


def _row(rows: Sequence[Sequence[str]], k: int, width: float) -> list[Box]:
    """The boxes of a row, in its middle."""
    left, boxes = (width - _row_width(rows)) / 2, []
    for lines in rows:
        size = max(map(wide, lines)) + 2 * PADDING
        boxes.append(Box(left, MARGIN + k * ROW, size, 3 * LINE + PADDING))
        left += size + GAP
    return boxes


def _arrows(network: Network | Scenario, boxes: Sequence[Sequence[Box]]) -> tuple[list[str], list[str]]:
    """From classes, or their pools, to stations, with what a job does there; and the labels of these arrows."""
    arrows, labels = list[str](), list[str]()
    pool_of = {c: p for p, pool in enumerate(network.pools) for c in pool.classes}
    for c, p in pool_of.items():
        arrows.append(svg.arrow(_ends(boxes[0][c], boxes[1][p])))

    for c in range(len(network.classes)):
        start = boxes[1][pool_of[c]] if c in pool_of else boxes[0][c]
        for k, text in _work(network, c):
            (x, y), (a, b) = ends = _ends(start, boxes[-1][k])
            arrows.append(svg.arrow(ends))
            # Nearer to the station, where arrows of several classes are apart; one row lower for each class.
            labels.append(svg.label(x + 0.75 * (a - x) + 6, y + 0.6 * (b - y) + LINE * (c % 3), text))
    return arrows, labels


def _ends(start: Box, end: Box) -> list[tuple[float, float]]:
    return [(start.left + start.width / 2, start.top + start.height), (end.left + end.width / 2, end.top)]


def _work(network: Network | Scenario, c: int) -> list[tuple[int, str]]:
    """The stations that a class uses, with visits and seconds per visit, or seconds per job."""
    if isinstance(network, Scenario):
        demands = StationLoads(network).demands[c].tolist()
        return [(k, single(d)) for k, d in enumerate(demands) if d]
    rows = zip(network.visits[c], network.service[c], strict=True)
    return [(k, single(s) if v == 1 else f"{v:.3g} × {single(s)}") for k, (v, s) in enumerate(rows) if v * s]
