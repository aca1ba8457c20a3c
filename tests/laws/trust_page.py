"""The figures of the law on the page that says what may be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BEGIN, END = "<!-- laws -->", "<!-- end of laws -->"


def counts_table(report: Mapping[str, Any]) -> str:
    """What a campaign counted, as a Markdown table."""
    rows = [
        ("programs drawn", report["programs"]),
        ("predicted", report["predicted"]),
        ("refused", report["refused"]),
        ("too long to run", report["too long to run"]),
        ("schedules run", report["schedules"]),
        ("contradictions", sum(report["contradictions"].values())),
        *((f"… {kind}", count) for kind, count in report["contradictions"].items()),
    ]
    lines = [f"Seeds {report['seed']} to {report['seed'] + report['programs'] - 1}.", ""]
    lines += ["| counted | number |", "|---|---:|"]
    return "\n".join([*lines, *(f"| {what} | {number:,} |" for what, number in rows)]) + "\n"


def with_counts(page: str, table: str) -> str:
    """The page with the table between its markers; ValueError where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{table}\n{END}{after}"
