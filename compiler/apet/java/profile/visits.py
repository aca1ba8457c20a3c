"""What a run says of the memory: where objects lie that it visited, in the order of their allocation or in any other,
and how many between; and whether an element that it changed was the one that it had changed before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apet.java.levels.memory import LINE
from apet.java.levels.objects import OBJECTS
from apet.java.profile.counts import CountedRun
from apet.java.translator.layout import AGAIN, BOX, ELEMENT, OBJECT

AT_PLACE = re.compile(
    rf"(?P<file>[^\s:]+\.java):(?P<line>\d+): (?P<what>{'|'.join((*OBJECTS.values(), AGAIN))})"
    rf" (?P<whose>{OBJECT}|{BOX}|{ELEMENT}) (?P<column>\d+)"
)
"""The comment of a parameter of a visit, or of a change."""


def of_place(profile: CountedRun, comment: str) -> float | None:
    """The value of a parameter of a visit or of a change; None where nothing counted it."""
    m = AT_PLACE.match(comment)
    assert m is not None
    kind = "change" if m["what"] == AGAIN else "visit"
    place = int(m["line"]), int(m["column"])
    here = ((s, c) for s, c in profile.sites.get(m["file"], ()) if s.kind == kind and (s.line, s.column) == place)
    site, count = next(here, (None, None))
    if site is None or count is None:
        return None
    if kind == "change":
        return count.second / count.first if count.first else None
    return _visited(profile.visits[site.number], m["what"]) if site.number in profile.visits else None


def _visited(counted: Sequence[float], what: str) -> float:
    visits, shuffled, ordered, between = counted
    if what == OBJECTS["shuffled"]:
        return shuffled / visits
    if what == OBJECTS["ordered"]:
        return ordered / visits
    # Each line is visited once in as many visits as there are lines: the mean is all that they take.
    far = shuffled + ordered
    return LINE * between / far if far else 0.0
