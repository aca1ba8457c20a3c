"""What the replay and the check of a trace found."""

from __future__ import annotations

from collections.abc import Sequence

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Lines, Table, cut
from apet.answers.cells import counted
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.show.plain import record
from apet.show.times import column, percent, single, unit_for
from apet.traces.critical.efficiency import Efficiency
from apet.traces.trace import Checked, Finding, Gap, JobTimes, RankTimes, Replayed

MOST_RANKS = 16
MOST_LINKS = 8
MOST_FINDINGS = 50


def replay_answer(
    replayed: Replayed, gaps: Sequence[Gap], jobs: Sequence[JobTimes] = (), lost: Efficiency | None = None
) -> Answer:
    """Run time, that of each of several jobs, its efficiencies, where each rank spent it, and the busiest links."""
    body = record(replayed, "trace", "platform", "ranks", "hosts", "bytes_sent", "links", "segments")
    ranks = [
        {"rank": rank, "host": host, **record(times)}
        for rank, (times, host) in enumerate(zip(replayed.ranks, replayed.hosts, strict=True))
    ]
    links = {use.name: {"bytes": use.bytes_carried, "utilization": use.utilization} for use in replayed.links}
    several = {"jobs": jobs} if jobs else {}
    efficiencies = {"efficiency": dict(efficiency_rows(lost))} if lost else {}
    rows = [[u.name, size(u.bytes_carried), percent(u.utilization)] for u in replayed.links]
    return Answer(
        kind="simulation",
        subject=replayed.trace,
        predictions=[Estimate({}, Interval(replayed.makespan_s, replayed.makespan_s))],
        notes=[Note(NoteKind.DATA, gap.text) for gap in gaps],
        results={
            **{"trace": replayed.trace, "platform": replayed.platform, **body, "bytes": replayed.bytes_sent},
            **{"ranks": ranks, "links": links, "gaps": gaps, **several},
            **efficiencies,
        },
        blocks=[
            [Heading(_heading(replayed))],
            [Lines([f"run time: {single(replayed.makespan_s)}"])],
            _job_table(jobs),
            _efficiency_table(lost),
            [_rank_table(replayed)],
            [cut(["link", "carried", "used"], rows, "<>>", MOST_LINKS, "more, used less")] if rows else [],
        ],
    )


def efficiency_rows(lost: Efficiency) -> list[tuple[str, float]]:
    """The tree of efficiencies from its root on."""
    names = ("parallel", "load_balance", "communication", "serialization", "transfer")
    return [(name, getattr(lost, name)) for name in names]


def _efficiency_table(lost: Efficiency | None) -> Block:
    if lost is None:
        return []
    depth = dict.fromkeys(("load_balance", "communication"), 1) | dict.fromkeys(("serialization", "transfer"), 2)
    named = [(f"{'  ' * depth.get(name, 0)}{name.replace('_', ' ')}", share) for name, share in efficiency_rows(lost)]
    rows = [[name, percent(share)] for name, share in named]
    return [Table(["efficiency", ""], rows, "<>")]


def _heading(replayed: Replayed) -> str:
    counts = f"{counted(replayed.actions, 'action')} · {counted(replayed.messages, 'message')}"
    where = f"{counted(len(replayed.ranks), 'rank')} on {counted(len(set(replayed.hosts)), 'host')}"
    return f"{replayed.trace} on {replayed.platform} · {where} · {counts} of {size(replayed.bytes_sent)}"


def _job_table(jobs: Sequence[JobTimes]) -> Block:
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
    return [Table(["job", "ranks", "run time", "alone", "slower"], rows, "<<>>>")]


def _rank_table(replayed: Replayed) -> Table:
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
    return Table(["rank", "host", "computes", "waits", "ends", "computing"], rows, "<<>>>>")


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


def check_answer(checked: Checked) -> Answer:
    """One line per finding: place, whether it stops a replay, what it is."""
    body = record(checked)
    body["bytes"] = body.pop("bytes_sent")
    fatal = sum(finding.fatal for finding in checked.findings)
    groups = f" · {checked.communicators} communicators" if checked.communicators > 1 else ""
    head = f"{checked.trace} · {counted(checked.ranks, 'rank')} · {counted(checked.actions, 'action')}"
    messages = f"{counted(checked.messages, 'message')} of {size(checked.bytes_sent)}"
    rest = len(checked.findings) - MOST_FINDINGS
    lines = [
        *(f"warning: {gap.text}" for gap in checked.gaps),
        *(_finding(f) for f in _by_rank(checked.findings)[:MOST_FINDINGS]),
        *([f"… {rest} more"] if rest > 0 else []),
        _verdict(checked, fatal),
    ]
    return Answer(
        kind="check",
        subject=checked.trace,
        notes=[Note(NoteKind.DATA, gap.text) for gap in checked.gaps],
        results={**body, "replayable": not fatal},
        blocks=[[Heading(f"{head} · {messages} · {checked.flops:.4g} flops{groups}")], [Lines(lines)]],
    )


def _verdict(checked: Checked, fatal: int) -> str:
    if fatal:
        return f"{counted(fatal, 'error')}: it cannot be replayed"
    if checked.findings:
        return "it can be replayed"
    return "no errors in what was recorded, which is not all" if checked.gaps else "no errors found"


def _by_rank(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (not f.fatal, f.kind, f.rank, f.line))


def _finding(finding: Finding) -> str:
    place = f"line {finding.line}, rank {finding.rank}" if finding.line else f"rank {finding.rank}"
    return f"{place}: {'error' if finding.fatal else 'warning'}: {finding.kind}: {finding.text}"


def size(count: float) -> str:
    """Bytes as people read them."""
    for unit, bytes_each in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= bytes_each:
            scaled = count / bytes_each
            return f"{scaled:.3g} {unit}" if scaled < 999.5 else f"{scaled:,.0f} {unit}"
    return f"{count:.0f} B"
