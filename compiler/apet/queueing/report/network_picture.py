"""A network of stations and classes as a picture: classes above, pools between, stations below."""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.data.jobs import Circulation, JobsResult, JobStation, Scenario
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.problems import Asked, Result, busy_shares, class_means
from apet.queueing.data.varied import varied
from apet.queueing.methods.precedence.capacity import StationLoads
from apet.show import svg
from apet.show.svg import LINE, MARGIN, PADDING, PixelBox, wide
from apet.show.times import percent, single

GAP, ROW = 40, 140
CLASS, POOL, IDLE = "#fff1d6", "#ffffff", "#f2f2f2"
SHADES = ("#e3eefb", "#bbd9ea", "#8fbfdd", "#f3b37a")
"""Of stations, by quarters of their busy share."""
NEAREST, FARTHER = 0.82, 0.1
"""Where labels stand along arrows: of the first class, and by how much earlier of each further one, so that those of
several classes at a station are above each other, and those of a class each near its station."""
SHORTEST, PER_CLASS, MOST_LABELS = 80, 45, 4
"""Length of arrows to stations: at least, and for each class, of so many, with labels that do not touch."""


def network_picture(name: str, problem: Asked, result: Result) -> str:
    """SVG text of a problem and its means: what arrives or thinks, what it does where, how busy stations are."""
    network = varied(problem)
    assert isinstance(network, Network | Scenario)
    assert isinstance(result, NetworkResult | JobsResult)
    classes, stations = _class_lines(network, result), _station_lines(network, result)
    entries = _entries(network)
    pools = [[""] if p is None else _pool_lines(network, p) for p in entries]
    rows = [classes, *([pools] if pools else []), stations]
    width = max(map(_row_width, rows)) + 2 * MARGIN

    boxes = [_row(lines, MARGIN + k * ROW, width) for k, lines in enumerate(rows[:-1])]
    longer = max(0, PER_CLASS * min(MOST_LABELS, len(classes)) - SHORTEST)
    boxes.append(_row(stations, MARGIN + len(boxes) * ROW + longer, width))
    elements, labels = _arrows(network, boxes, entries)
    fills = [[CLASS] * len(classes), *([[POOL] * len(pools)] if pools else []), _shades(network, result)]
    for k, (row, lines, colours) in enumerate(zip(boxes, rows, fills, strict=True)):
        for place, text, fill in zip(row, lines, colours, strict=True):
            if text != [""]:
                elements += svg.box(place, text, fill, dashed=bool(pools) and k == 1)
    height = boxes[-1][0].top + max(place.height for place in boxes[-1]) + MARGIN
    return svg.document(name, width, height, [*elements, *labels])


def _class_lines(network: Network | Scenario, result: NetworkResult | JobsResult) -> list[list[str]]:
    """By class its name, where its jobs come from, and its response time."""
    lines = []
    classes: Sequence[JobClass | Circulation] = network.classes
    for c, (_, time) in zip(classes, class_means(result), strict=True):
        think = f", think {single(c.think)}" if c.think else ""
        source = f"{c.arrival_rate:.4g} /s arrive" if c.is_open else f"{c.population} jobs{think}"
        lines.append([c.name, source, f"R = {single(time)}"])
    return lines


def _station_lines(network: Network | Scenario, result: NetworkResult | JobsResult) -> list[list[str]]:
    """By station its name, its servers and order, and its busy share."""
    lines = []
    stations: Sequence[Station | JobStation] = network.stations
    for station, busy in zip(stations, busy_shares(network, result), strict=True):
        servers = f"{station.servers} server{'s' if station.servers > 1 else ''}"
        kind = "delay" if station.is_delay else ", ".join(filter(None, (servers, station.discipline)))
        lines.append([station.name, kind, "" if busy is None else f"{percent(busy)} used"])
    return lines


def _pool_lines(network: Network | Scenario, p: int) -> list[str]:
    pool = network.pools[p]
    waiting = "" if pool.backlog is None else f"{pool.backlog} may wait"
    return [pool.name, f"{pool.size} jobs inside", waiting]


def _shades(network: Network | Scenario, result: NetworkResult | JobsResult) -> list[str]:
    return [IDLE if busy is None else SHADES[min(3, int(4 * busy))] for busy in busy_shares(network, result)]


def _row_width(rows: Sequence[Sequence[str]]) -> float:
    return sum(max(map(wide, lines)) + 2 * PADDING for lines in rows) + GAP * (len(rows) - 1)


def _row(rows: Sequence[Sequence[str]], top: float, width: float) -> list[PixelBox]:
    """The boxes of a row, in its middle."""
    left, boxes = (width - _row_width(rows)) / 2, []
    for lines in rows:
        size = max(map(wide, lines)) + 2 * PADDING
        boxes.append(PixelBox(left, top, size, 3 * LINE + PADDING))
        left += size + GAP
    return boxes


def _entries(network: Network | Scenario) -> list[int | None]:
    """What stands in the row of pools, in the order of the classes that come through: a pool, by number, or None where
    the arrows of a class pass that is in no pool. Without pools there is no such row."""
    pool_of = {c: p for p, pool in enumerate(network.pools) for c in pool.classes}
    entries: list[int | None] = []
    for c in range(len(network.classes)):
        if c not in pool_of or pool_of[c] not in entries:
            entries.append(pool_of.get(c))
    return entries if network.pools else []


def _arrows(
    network: Network | Scenario, boxes: Sequence[Sequence[PixelBox]], entries: Sequence[int | None]
) -> tuple[list[str], list[str]]:
    """From classes, or their pools, to stations, with what a job does there; and the labels of these arrows."""
    arrows, labels = list[str](), list[str]()
    pool_of = {c: p for p, pool in enumerate(network.pools) for c in pool.classes}
    passes = iter([place for place, p in zip(boxes[1], entries, strict=False) if p is None])
    for c in range(len(network.classes)):
        start, way = boxes[0][c], list[tuple[float, float]]()
        if c in pool_of:
            pool = boxes[1][entries.index(pool_of[c])]
            arrows.append(svg.arrow(_ends(start, pool)))
            start = pool
        elif entries:
            gap = next(passes)
            way = [_middle(start, start.height), _middle(gap, 0), _middle(gap, gap.height)]
            start = gap

        for k, text in _work(network, c):
            ends = _ends(start, boxes[-1][k])
            arrows.append(svg.arrow([*way, ends[1]] if way else ends))
            labels.append(_on_arrow(ends, NEAREST - FARTHER * (c % MOST_LABELS), text))
    return arrows, labels


def _on_arrow(ends: Sequence[tuple[float, float]], share: float, text: str) -> str:
    """A label at a share of the way along a bent arrow (`svg.arrow`), its middle on it."""
    (x, y), (a, b) = ends
    across = share**2 * (3 - 2 * share)
    down = 1.5 * share * (1 - share) + share**3
    return svg.label(x + across * (a - x) - wide(text) / 2, y + down * (b - y) + LINE / 4, text)


def _middle(box: PixelBox, below: float) -> tuple[float, float]:
    return box.left + box.width / 2, box.top + below


def _ends(start: PixelBox, end: PixelBox) -> list[tuple[float, float]]:
    return [_middle(start, start.height), _middle(end, 0)]


def _work(network: Network | Scenario, c: int) -> list[tuple[int, str]]:
    """The stations that a class uses, with visits and seconds per visit, or seconds per job."""
    if isinstance(network, Scenario):
        demands = StationLoads(network).demands[c].tolist()
        return [(k, single(d)) for k, d in enumerate(demands) if d]
    rows = zip(network.visits[c], network.service[c], strict=True)
    return [(k, single(s) if v == 1 else f"{v:.3g} × {single(s)}") for k, (v, s) in enumerate(rows) if v * s]
