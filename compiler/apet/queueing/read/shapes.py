"""How demands vary, as files say it: `{ type = "erlang", k = 4 }`."""

from __future__ import annotations

from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.jobs import Distribution

KINDS = ("exp", "det", "erlang", "hyperexp")
MOST_PHASES = 1_000
MOST_VARIATION = 1e6


def distribution(table: Table, key: str, document: Document) -> Distribution:
    """The distribution under a key; exponential if there is none."""
    found = table.table(key)
    if found is None:
        return Distribution()
    kind = found.text("type", "exp")
    if kind not in KINDS:
        from apet.ground.diagnostics import nearest

        advice = f"choose one of: {', '.join(KINDS)}"
        table.notes.found.append(
            document.wrong(found.at("type"), f"there is no '{kind}'{nearest(kind, KINDS)}", advice)
        )
        return Distribution()
    found.allow({"erlang": ("type", "k"), "hyperexp": ("type", "scv")}.get(kind, ("type",)))
    if kind == "erlang":
        order = found.count("k")
        if order > MOST_PHASES:
            table.notes.out_of_range(found.at("k"), order, f"at most {MOST_PHASES:,}")
        return Distribution("erlang", min(order, MOST_PHASES)) if order > 1 else Distribution()
    if kind == "hyperexp":
        if "scv" not in found:
            table.notes.missing_key(found.at("scv"), "give the squared coefficient of variation, above 1: scv = 4")
        variation = found.number("scv", 1.0, MOST_VARIATION) or 1.0
        return Distribution("hyperexp", 1, variation) if variation > 1 else Distribution()
    return Distribution(kind)
