"""Limits on the jobs inside: `[[pools]]` of a file."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import Circulation, Pool
from apet.queueing.data.networks import JobClass
from apet.queueing.read.distributions import note

MOST_INSIDE = 10**6


def pools(top: Table, document: Document, classes: Sequence[JobClass | Circulation]) -> tuple[Pool, ...]:
    """The pools of a file, each class in one at most."""
    if "pools" not in top:
        return ()
    names, owners, limits = [c.name for c in classes], dict[int, str](), list[Pool]()
    for i, table in enumerate(top.tables("pools"), start=1):
        table.allow(("name", "size", "backlog", "classes", "note"))
        name = table.text("name") or f"pool {i}"
        if "size" not in table:
            table.notes.missing_key(table.at("size"), "how many jobs it lets in: size = 20")
        size, backlog = _count(table, "size", 1), _count(table, "backlog", 0) if "backlog" in table else None
        members = _members(table, document, names)

        for c in members:
            if c in owners:
                problem = f"the class '{names[c]}' is in {owners[c]} already"
                note(table, document, "name", problem, "a class is in one pool")
            owners.setdefault(c, name)
            if backlog is not None and not classes[c].is_open and not classes[c].think:
                problem = f"a refused job of the class '{names[c]}' comes back at once"
                note(table, document, "backlog", problem, "give the class a think time, or leave backlog out")
        limits.append(Pool(name, size, members, backlog))
    return tuple(limits)


def _count(table: Table, key: str, least: int) -> int:
    value = table.content.get(key, least)
    if isinstance(value, bool) or not isinstance(value, int):
        table.notes.wrong_type(table.at(key), "a whole number of jobs", value)
        return least
    if not least <= value <= MOST_INSIDE:
        table.notes.out_of_range(table.at(key), value, f"at least {least} and at most {MOST_INSIDE:,}")
        return least
    return value


def _members(table: Table, document: Document, names: Sequence[str]) -> tuple[int, ...]:
    """The classes of a pool by number: all, unless it names some."""
    listed = table.content.get("classes", list(names))
    if not isinstance(listed, list):
        table.notes.wrong_type(table.at("classes"), "an array of class names", listed)
        return ()
    for name in listed:
        if name not in names:
            problem = f"there is no class '{name}'{nearest(str(name), names)}"
            note(table, document, "classes", problem, f"classes: {', '.join(names) or 'none'}")
    return tuple(sorted({names.index(name) for name in listed if name in names}))
