"""What the replay and the check of a trace found: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.show.plain import dumps
from apet.show.tables import table
from apet.show.times import column, percent, single, unit_for
from apet.traces.trace import Checked, Finding, RankTimes, Replayed

MOST_RANKS = 16
MOST_LINKS = 8
MOST_FINDINGS = 50


def replay_json(found: Replayed, version: str) -> str:
    """One object: seconds and bytes; ranks in order, links by name."""
    ranks = [
        {"rank": r, "host": host, "compute_s": t.compute_s, "wait_s": t.wait_s, "end_s": t.end_s}
        for r, (t, host) in enumerate(zip(found.ranks, found.hosts, strict=True))
    ]
    return dumps(
        {
            "apet": version,
            "trace": found.trace,
            "platform": found.platform,
            "unit": "s",
            "makespan_s": found.makespan_s,
            "actions": found.actions,
            "messages": found.messages,
            "bytes": found.bytes_sent,
            "ranks": ranks,
            "links": {u.name: {"bytes": u.bytes_carried, "utilization": u.utilization} for u in found.links},
        }
    )


def replay_text(found: Replayed) -> str:
    """Run time, where each rank spent it, and the busiest links."""
    hosts = len(set(found.hosts))
    lines = [
        f"{found.trace} on {found.platform} · {_count(len(found.ranks), 'rank')} on {_count(hosts, 'host')} · "
        f"{_count(found.actions, 'action')} · {_count(found.messages, 'message')} of {size(found.bytes_sent)}",
        "",
        f"  run time: {single(found.makespan_s)}",
        "",
        *_rank_table(found),
    ]
    if found.links:
        rows = [[u.name, size(u.bytes_carried), percent(u.utilization)] for u in found.links[:MOST_LINKS]]
        lines += ["", *table(["link", "carried", "used"], rows, "<>>")]
        if len(found.links) > MOST_LINKS:
            lines.append(f"  … {len(found.links) - MOST_LINKS} more, used less")
    return "\n".join(lines) + "\n"


def _rank_table(found: Replayed) -> list[str]:
    times = found.ranks
    named = [(str(r), found.hosts[r], t) for r, t in enumerate(times)]
    if len(named) > MOST_RANKS:
        named = _extremes(found)
    unit = unit_for([found.makespan_s])
    cells = [column([getattr(t, name) for _, _, t in named], unit) for name in RankTimes._fields]
    rows = [
        [rank, host, *(f"{cell[k]} {unit.name}" for cell in cells), percent(_share(t))]
        for k, (rank, host, t) in enumerate(named)
    ]
    return table(["rank", "host", "computes", "waits", "ends", "computing"], rows, "<<>>>>")


def _extremes(found: Replayed) -> list[tuple[str, str, RankTimes]]:
    """The ranks that compute least and most, the last to end, and the mean of all."""
    times, number = found.ranks, len(found.ranks)
    mean = RankTimes(*(sum(t[k] for t in times) / number for k in range(3)))
    least = min(range(number), key=lambda r: (times[r].compute_s, r))
    most = max(range(number), key=lambda r: (times[r].compute_s, -r))
    last = max(range(number), key=lambda r: (times[r].end_s, -r))
    picked = [("computes least", least), ("computes most", most), ("ends last", last)]
    return [(f"{r} {what}", found.hosts[r], times[r]) for what, r in picked] + [("mean of all", "", mean)]


def _share(times: RankTimes) -> float:
    return times.compute_s / times.end_s if times.end_s > 0 else 0.0


def check_json(found: Checked, version: str) -> str:
    """One object: what is in the trace, and the findings."""
    head: dict[str, Any] = {"apet": version, "trace": found.trace}
    body = found._asdict()
    body["bytes"] = body.pop("bytes_sent")
    body["findings"] = [f._asdict() for f in found.findings]
    body["replayable"] = not any(f.fatal for f in found.findings)
    return dumps({**head, **body})


def check_text(found: Checked) -> str:
    """One line per finding: place, whether it stops a replay, what it is."""
    groups = f" · {found.communicators} communicators" if found.communicators > 1 else ""
    lines = [
        f"{found.trace} · {_count(found.ranks, 'rank')} · {_count(found.actions, 'action')} · "
        f"{_count(found.messages, 'message')} of {size(found.bytes_sent)} · {found.flops:.4g} flops{groups}",
        "",
        *(_finding(f) for f in _by_rank(found.findings)[:MOST_FINDINGS]),
    ]
    if len(found.findings) > MOST_FINDINGS:
        lines.append(f"  … {len(found.findings) - MOST_FINDINGS} more")
    fatal = sum(f.fatal for f in found.findings)
    if fatal:
        lines.append(f"  {_count(fatal, 'mistake')}: it cannot be replayed")
    elif found.findings:
        lines.append("  it can be replayed")
    else:
        lines.append("  no mistakes found")
    return "\n".join(lines) + "\n"


def _by_rank(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (not f.fatal, f.kind, f.rank, f.line))


def _finding(finding: Finding) -> str:
    place = f"line {finding.line}, rank {finding.rank}" if finding.line else f"rank {finding.rank}"
    return f"  {place}: {'error' if finding.fatal else 'warning'}: {finding.kind}: {finding.text}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def size(count: float) -> str:
    """Bytes as people read them."""
    for unit, bytes_each in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= bytes_each:
            scaled = count / bytes_each
            return f"{scaled:.3g} {unit}" if scaled < 999.5 else f"{scaled:,.0f} {unit}"
    return f"{count:.0f} B"
