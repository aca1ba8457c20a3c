"""The counts of a campaign as a table, and a page that has it between two marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from tests.fuzz.campaign import Tally

BEGIN, END = "<!-- fuzz -->", "<!-- end of fuzz -->"


def table(tallies: Sequence[Tally], seed: int) -> str:
    """By reader: inputs, answers, refusals, those with a line, findings, and inputs per second."""
    rows = [_row(t) for t in tallies]
    whole = sum(t.inputs for t in tallies)
    findings = sum(t.counts["finding"] for t in tallies)
    head = f"{whole:,} inputs, seed {seed}: {findings:,} findings.\n\n"
    titles = "| reader | inputs | answers | refusals | with a line | findings | per second |\n"
    return head + titles + "|---|--:|--:|--:|--:|--:|--:|\n" + "\n".join(rows)


def summary(tallies: Sequence[Tally], seed: int) -> str:
    """All readers in one line, and how many inputs each of them got."""
    counts = {key: sum(t.counts[key] for t in tallies) for key in ("answer", "refusal", "finding")}
    whole = f"{sum(t.inputs for t in tallies):,} inputs, seed {seed}: {counts['answer']:,} answers, "
    readers = ", ".join(f"{t.reader} {t.inputs:,}" for t in tallies)
    return f"{whole}{counts['refusal']:,} refusals, {counts['finding']:,} findings.\n\n" + fill(
        f"Inputs by reader: {readers}.", 120, break_on_hyphens=False
    )


def _row(tally: Tally) -> str:
    counted = (tally.counts[key] for key in ("answer", "refusal", "placed", "finding"))
    figures = " | ".join(f"{n:,}" for n in (tally.inputs, *counted, round(tally.inputs / max(tally.seconds, 1e-9))))
    return f"| {tally.reader} | {figures} |"


def put_in(page: Path, text: str) -> None:
    """Replace what stands between the marks."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} lacks {BEGIN} or {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
