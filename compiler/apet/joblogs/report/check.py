"""What a log lacks, and how far it can be trusted."""

from __future__ import annotations

from apet.ground.diagnostics import visible
from apet.joblogs.job_log import JobLog
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.trust import NO_BOUNDS, NOTED, own_error
from apet.show.times import single


def check_text(log: JobLog, work: WorkGraph) -> str:
    """One line each: what was read, the error of the own run, and notes."""
    error = own_error(work)
    verdict = "bounds are refused" if abs(error) > NO_BOUNDS else "take it with care" if abs(error) > NOTED else "fine"
    counts = f"jobs: {len(log.jobs):,} · stages: {len(set(log.tasks.stage)):,} · tasks: {sum(log.tasks.ok):,}"
    unsuccessful = len(log.tasks) - sum(log.tasks.ok)

    lines = [
        f"{log.name} · {log.engine} {log.version}".rstrip(),
        f"  {counts} · cores: {log.cores}",
        f"  replay of this run: {error:+.2%} ({verdict})".replace("%", " %"),
        f"  turnaround of a core: {single(work.turnaround / 1e6)}",
    ]

    if unsuccessful:
        lines.append(f"  attempts of tasks without success: {unsuccessful:,}")
    if not log.complete:
        lines.append("  the log is incomplete")
    return "\n".join(visible(line) for line in [*lines, *(f"  note: {note}" for note in log.notes)]) + "\n"
