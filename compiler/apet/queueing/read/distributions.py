"""How demands vary, as files say it: `{ type = "erlang", k = 4 }`."""

from __future__ import annotations

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import Distribution

KEYS = {
    "exp": ("type",),
    "det": ("type",),
    "erlang": ("type", "k"),
    "hyperexp": ("type", "scv"),
    "measured": ("type", "values"),
}
MOST_PHASES, MOST_VALUES = 1_000, 1_000
MOST_VARIATION = 1e6


def distribution(parent: Table, key: str, document: Document) -> Distribution:
    """The distribution under a key; exponential if there is none."""
    table = parent.table(key)
    if table is None:
        return Distribution()
    kind = table.text("type", "exp")
    if kind not in KEYS:
        advice = f"choose one of: {', '.join(KEYS)}"
        note(table, document, "type", f"there is no '{kind}'{nearest(kind, tuple(KEYS))}", advice)
        return Distribution()

    table.allow(KEYS[kind])
    if kind == "erlang":
        order = table.count("k")
        if order > MOST_PHASES:
            table.notes.out_of_range(table.at("k"), order, f"at most {MOST_PHASES:,}")
        return Distribution("erlang", min(order, MOST_PHASES)) if order > 1 else Distribution()
    if kind == "measured":
        return _measured(table)
    if kind == "hyperexp":
        if "scv" not in table:
            table.notes.missing_key(table.at("scv"), "give the squared coefficient of variation, above 1: scv = 4")
        variation = table.number("scv", 1.0, MOST_VARIATION) or 1.0
        return Distribution("hyperexp", 1, variation) if variation > 1 else Distribution()
    return Distribution(kind)


def _measured(table: Table) -> Distribution:
    """Equally frequent times, of which only the ratios matter: demands are the mean."""
    listed = table.content.get("values")
    if not isinstance(listed, list) or not listed or len(listed) > MOST_VALUES:
        table.notes.wrong_type(table.at("values"), f"an array of 1 to {MOST_VALUES:,} times", listed)
        return Distribution()
    times = [table.figure((*table.at("values"), i), value, "s", False) or 0.0 for i, value in enumerate(listed)]
    mean = sum(times) / len(times)
    if not mean:
        return Distribution("det")
    return Distribution("measured", values=tuple(t / mean for t in times))


def note(table: Table, document: Document, key: str, problem: str, advice: str) -> None:
    """Note an error at a key of a table."""
    table.notes.diagnostics.append(document.wrong(table.at(key), problem, advice))
