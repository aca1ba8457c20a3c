"""What the replay and the check of a trace found: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from apet.show.plain import as_json, dumps, record
from apet.show.tables import table
from apet.show.times import column, percent, single, unit_for
from apet.traces.trace import Checked, Finding, Gap, JobTimes, RankTimes, Replayed

MOST_RANKS = 16
MOST_LINKS = 8
MOST_FINDINGS = 50


def replay_json(replayed: Replayed, gaps: Sequence[Gap], version: str, jobs: Sequence[JobTimes] = ()) -> str:
    """One object: seconds and bytes; ranks in order, links by name; what the trace lacks; several jobs."""
    head = {"apet": version, "trace": replayed.trace, "platform": replayed.platform, "unit": "s"}
    body = record(replayed, "trace", "platform", "ranks", "hosts", "bytes_sent", "links", "segments")
    ranks = [
        {"rank": rank, "host": host, **record(times)}
        for rank, (times, host) in enumerate(zip(replayed.ranks, replayed.hosts, strict=True))
    ]
    links = {use.name: {"bytes": use.bytes_carried, "utilization": use.utilization} for use in replayed.links}
    several = {"jobs": as_json(jobs)} if jobs else {}
    return dumps(
        head | body | {"bytes": replayed.bytes_sent, "ranks": ranks, "links": links, "gaps": as_json(gaps)} | several
    )


def replay_text(replayed: Replayed, jobs: Sequence[JobTimes] = ()) -> str:
    """Run time, that of each of several jobs, where each rank spent it, and the busiest links."""
    hosts = len(set(replayed.hosts))
    lines = [
        f"{replayed.trace} on {replayed.platform} · {_count(len(replayed.ranks), 'rank')} on {_count(hosts, 'host')} · "
        f"{_count(replayed.actions, 'action')} · {_count(replayed.messages, 'message')} of {size(replayed.bytes_sent)}",
        "",
        f"  run time: {single(replayed.makespan_s)}",
        "",
        *_job_table(jobs),
        *_rank_table(replayed),
    ]
    if replayed.links:
        rows = [[u.name, size(u.bytes_carried), percent(u.utilization)] for u in replayed.links[:MOST_LINKS]]
        lines += ["", *table(["link", "carried", "used"], rows, "<>>")]
        if len(replayed.links) > MOST_LINKS:
            lines.append(f"  … {len(replayed.links) - MOST_LINKS} more, used less")

    return "\n".join(lines) + "\n"


def _job_table(jobs: Sequence[JobTimes]) -> list[str]:
    """Each job with the others, and alone on its hosts."""
    if not jobs:
        return []
    unit = unit_for([job.makespan_s for job in jobs])
    times = [column([getattr(job, name) for job in jobs], unit) for name in ("makespan_s", "alone_s")]

    rows = []
    for k, job in enumerate(jobs):
        slower = f"{job.makespan_s / job.alone_s:.2f}x" if job.alone_s > 0 else ""
        ranks = f"{job.first_rank}-{job.first_rank + job.ranks - 1}"
        rows.append([job.trace, ranks, *(f"{each[k]} {unit.name}" for each in times), slower])
    return [*table(["job", "ranks", "run time", "alone", "slower"], rows, "<<>>>"), ""]


def _rank_table(replayed: Replayed) -> list[str]:
    times = replayed.ranks
    named = [(str(r), replayed.hosts[r], t) for r, t in enumerate(times)]
    if len(named) > MOST_RANKS:
        named = _extremes(replayed)
    unit = unit_for([replayed.makespan_s])
    cells = [column([getattr(t, name) for _, _, t in named], unit) for name in ("compute_s", "wait_s", "end_s")]
    rows = [
        [rank, host, *(f"{cell[k]} {unit.name}" for cell in cells), percent(_share(t))]
        for k, (rank, host, t) in enumerate(named)
    ]
    return table(["rank", "host", "computes", "waits", "ends", "computing"], rows, "<<>>>>")


def _extremes(replayed: Replayed) -> list[tuple[str, str, RankTimes]]:
    """The ranks that compute least and most, the last to end, and the mean of all."""
    times, number = replayed.ranks, len(replayed.ranks)
    mean = RankTimes(
        compute_s=sum(t.compute_s for t in times) / number,
        wait_s=sum(t.wait_s for t in times) / number,
        end_s=sum(t.end_s for t in times) / number,
    )
    least = min(range(number), key=lambda r: (times[r].compute_s, r))
    most = max(range(number), key=lambda r: (times[r].compute_s, -r))
    last = max(range(number), key=lambda r: (times[r].end_s, -r))
    picked = [("computes least", least), ("computes most", most), ("ends last", last)]
    return [(f"{r} {what}", replayed.hosts[r], times[r]) for what, r in picked] + [("mean of all", "", mean)]


def _share(times: RankTimes) -> float:
    return times.compute_s / times.end_s if times.end_s > 0 else 0.0


def check_json(checked: Checked, version: str) -> str:
    """One object: what is in the trace, and the findings."""
    body = record(checked)
    body["bytes"] = body.pop("bytes_sent")
    body["replayable"] = not any(finding.fatal for finding in checked.findings)
    return dumps({"apet": version, **body})


def check_text(checked: Checked) -> str:
    """One line per finding: place, whether it stops a replay, what it is."""
    groups = f" · {checked.communicators} communicators" if checked.communicators > 1 else ""
    lines = [
        f"{checked.trace} · {_count(checked.ranks, 'rank')} · {_count(checked.actions, 'action')} · "
        f"{_count(checked.messages, 'message')} of {size(checked.bytes_sent)} · {checked.flops:.4g} flops{groups}",
        "",
        *(f"  warning: {gap.text}" for gap in checked.gaps),
        *(_finding(f) for f in _by_rank(checked.findings)[:MOST_FINDINGS]),
    ]
    if len(checked.findings) > MOST_FINDINGS:
        lines.append(f"  … {len(checked.findings) - MOST_FINDINGS} more")
    fatal = sum(f.fatal for f in checked.findings)
    if fatal:
        lines.append(f"  {_count(fatal, 'error')}: it cannot be replayed")
    elif checked.findings:
        lines.append("  it can be replayed")
    elif checked.gaps:
        lines.append("  no errors in what was recorded; the program did more than that")
    else:
        lines.append("  no errors found")

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
