"""What the critical path of a trace is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from apet.answers.answer import Answer
from apet.answers.blocks import Block, Heading, Lines, Table
from apet.show.plain import as_json, record
from apet.show.times import column, percent, single, unit_for
from apet.traces.critical.critical_path import CriticalPath, OfPlace, Parts
from apet.traces.lines.sites import NOWHERE, CallSite, CallSites
from apet.traces.report.bounds import estimate, heading, run_time
from apet.traces.report.replay import size

KINDS = {
    "computing_s": "computing",
    "latency_s": "latency",
    "bandwidth_s": "bandwidth",
    "links_s": "busiest link",
    "sleep_s": "sleep",
}
"""What a path may be made of, as it is called in tables."""
LEAST = 0.0005
"""Rows below this share are counted, not shown, unless all are asked for; cells below it are empty."""
Row = tuple[tuple[str, ...], Parts]


class OfSite(NamedTuple):
    """What of the path is in the calls at a place in the program, and is computed before them."""

    site: CallSite
    calls: Parts
    before: Parts

    @property
    def seconds(self) -> float:
        """Both."""
        return self.calls.total_s + self.before.total_s


def by_site(path: CriticalPath, sites: CallSites) -> list[OfSite]:
    """By call site, those with most of it first."""
    rows: dict[CallSite, OfSite] = {}
    for place in path.places:
        site = _site(place, sites)
        if site is not None:
            row = rows.get(site, OfSite(site, Parts(), Parts()))
            if place.action == "compute":
                rows[site] = row._replace(before=_sum(row.before, place.parts))
            else:
                rows[site] = row._replace(calls=_sum(row.calls, place.parts))
    return sorted(rows.values(), key=lambda row: (-row.seconds, row.site))


def _sum(one: Parts, other: Parts) -> Parts:
    return Parts(*map(sum, zip(one, other, strict=True)))


def _site(place: OfPlace, sites: CallSites) -> CallSite | None:
    return sites.at(min(place.ranks), place.line) if place.what == "action" and place.line else None


def critical_answer(path: CriticalPath, longest: int | None, sites: CallSites = NOWHERE) -> Answer:
    """Bounds, what the path is made of, then by call site, loop, rank and pair of ranks: so many rows each."""
    scales = {name: (value, value) for name, value in path.scales}
    made_of = {**_seconds(path.parts), "steps": path.steps, "messages": path.messages, "changes_of_rank": path.changes}
    return Answer(
        kind="explanation",
        subject=path.trace,
        parameters=dict(path.scales),
        predictions=[estimate(path.bounds)],
        results={
            **{"trace": path.trace, "platform": path.platform, "scales": dict(path.scales)},
            **{"lower_s": path.bounds.lower_s, "upper_s": path.bounds.upper_s},
            "loads": {load.what: record(load, "what") for load in path.loads},
            "path": made_of,
            **_by_name(path, sites),
        },
        blocks=[
            [Heading(heading(path.trace, path.platform, scales))],
            [Lines(list(_bounds(path)))],
            *(_tables(path, longest, sites) if path.length_s > 0 else [[Lines(["Nothing on it takes time."])]]),
        ],
    )


def _by_name(path: CriticalPath, sites: CallSites) -> dict[str, list[dict[str, Any]]]:
    """The path by rank, pair of ranks, action, loop and call site."""
    return {
        "ranks": [{"rank": r.rank, "host": r.host, **_seconds(r.parts)} for r in path.ranks],
        "pairs": [
            {
                "source": p.source,
                "target": p.target,
                "messages": p.messages,
                "bytes": p.bytes_sent,
                "latency_s": p.parts.latency_s,
                "bandwidth_s": p.parts.bandwidth_s,
            }
            for p in path.pairs
        ],
        "links": as_json(path.links),
        "actions": [{"action": a.action, "times": a.actions, **_seconds(a.parts)} for a in path.actions],
        "places": [_place(p, sites) for p in path.places],
        "sites": [
            {**row.site._asdict(), "calls_s": row.calls.total_s, "before_s": row.before.total_s}
            for row in by_site(path, sites)
        ],
    }


def _seconds(parts: Parts) -> dict[str, float]:
    return {"seconds": parts.total_s, **record(parts)}


def _place(place: OfPlace, sites: CallSites) -> dict[str, Any]:
    site = _site(place, sites)
    names = {"action": place.action or None, "site": site and site._asdict()}
    return {**record(place, "parts"), **names, **_seconds(place.parts)}


def _tables(path: CriticalPath, longest: int | None, sites: CallSites) -> Iterator[Block]:
    kinds = [name for name in KINDS if getattr(path.parts, name) > 0]
    unit = unit_for(getattr(path.parts, name) for name in kinds)
    seconds = column([getattr(path.parts, name) for name in kinds], unit)
    shares = [percent(getattr(path.parts, name) / path.length_s) for name in kinds]
    rows = [[KINDS[k], f"{s} {unit.name}", share] for k, s, share in zip(kinds, seconds, shares, strict=True)]
    yield [Table(["of the path", "time", "share"], rows, "<>>")]
    columns = [name for name in kinds if name != "links_s"]
    of_messages = [name for name in columns if name in ("latency_s", "bandwidth_s")]
    called = list[Row]()
    for row in by_site(path, sites):
        called += [((row.site.text,), row.calls), ((f"before {row.site.text}",), row.before)]
    yield _listed(path, ("in the program",), [row for row in called if row[1].total_s > 0], kinds, longest)
    labels = [((_label(place, _site(place, sites)),), place.parts) for place in path.places]
    yield _listed(path, ("in the trace",), labels, kinds, longest)
    yield _listed(path, ("rank", "host"), [((f"{r.rank}", r.host), r.parts) for r in path.ranks], columns, longest)
    pairs = [((f"{p.source} → {p.target}", f"{p.messages:,}", size(p.bytes_sent)), p.parts) for p in path.pairs]
    yield _listed(path, ("from → to", "messages", "carried"), pairs, of_messages, longest)
    links = [((each.name, f"{each.times:,}"), Parts(links_s=each.seconds)) for each in path.links]
    yield _listed(path, ("busiest between two collectives", "times"), links, (), longest)


def _bounds(path: CriticalPath) -> Iterator[str]:
    """The interval; the path; what else makes the lower bound; how far the upper bound is away."""
    low, high = path.bounds.lower_s, path.bounds.upper_s
    yield f"{run_time(path.bounds)}"
    counts = f"steps: {path.steps:,} · messages: {path.messages:,} · changes of rank: {path.changes:,}"
    yield f"critical path, each message at its greatest rate: {single(path.length_s)}"
    yield f"{counts}"
    yield ""
    load = max(path.loads, key=lambda each: each.seconds, default=None)
    reached = path.length_s
    if load is not None and load.seconds > reached * (1 + LEAST):
        what = "host {}: what its ranks compute" if load.what == "computing" else "link {}: what it has to carry"
        yield f"The lower bound is not the path, but {what.format(load.name)} takes {single(load.seconds)}."
        reached = load.seconds
    if low - reached > LEAST * reached:
        yield f"At least {single(low - reached)} more, since links have to carry what is due by then."

    rest = high - max(low, reached)
    more = f"Up to {single(rest)}" if rest > LEAST * high else "At most 0.05 %"
    yield f"{more} more, where messages share links or ranks a host."


def _label(place: OfPlace, site: CallSite | None) -> str:
    """`250 × loop at line 31`, indented by the loops around it."""
    name = place.action or "loop"
    if name == "end":
        where = "at the end"
        name = "wait"
    elif not place.line:
        where = "at the end" if name == "compute" else ""
    elif site is not None:
        where = f"before {site.text}" if name == "compute" else f"in {site.text}"
    else:
        where = f"{'before' if name == 'compute' else 'at'} line {place.line:,}"
    return f"{'  ' * place.depth}{place.times:,} × {name} {where}".rstrip()


def _listed(
    path: CriticalPath, names: Sequence[str], rows: Sequence[Row], kinds: Sequence[str], longest: int | None
) -> Block:
    """A table of shares of the path: the greatest rows, in the order given; nothing where none is worth a row."""
    T = path.length_s
    order = sorted(range(len(rows)), key=lambda k: (-rows[k][1].total_s, k))
    listed = [k for k in order if longest is None or rows[k][1].total_s >= LEAST * T][:longest]
    cells = [
        [*rows[k][0], percent(rows[k][1].total_s / T), *(_share(getattr(rows[k][1], name) / T) for name in kinds)]
        for k in sorted(listed)
    ]
    if not listed:
        return []

    align = "<" + ("<" if names[-1] == "host" else ">" * (len(names) - 1)) + ">" * (len(kinds) + 1)
    rest = len(rows) - len(listed)
    more = f"… {rest:,} more, of less (--longest 0 shows all)" if rest else ""
    return [Table([*names, "share", *(KINDS[name] for name in kinds)], cells, align, rest=more)]


def _share(share: float) -> str:
    return percent(share) if share >= LEAST else ""
