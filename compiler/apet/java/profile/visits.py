"""Where objects lie that a run visited, in the order of their allocation or in any other, and how many between."""

from __future__ import annotations

import re

from apet.java.levels.memory import LINE
from apet.java.levels.objects import OBJECTS
from apet.java.profile.counts import CountedRun
from apet.java.translator.layout import BOX, OBJECT

VISITED = re.compile(
    rf"(?P<file>[^\s:]+\.java):(?P<line>\d+): (?P<what>{'|'.join(OBJECTS.values())}) (?P<whose>{OBJECT}|{BOX})"
    r" (?P<column>\d+)"
)
"""The comment of a parameter of a visit."""


def visited(profile: CountedRun, comment: re.Match[str]) -> float | None:
    """The value of a parameter of a visit; None where nothing counted it."""
    place = int(comment["line"]), int(comment["column"])
    here = (s for s, _ in profile.sites.get(comment["file"], ()) if s.kind == "visit" and (s.line, s.column) == place)
    site = next(here, None)
    if site is None or site.number not in profile.visits:
        return None

    visits, shuffled, ordered, between = profile.visits[site.number]
    match comment["what"]:
        case what if what == OBJECTS["shuffled"]:
            return shuffled / visits
        case what if what == OBJECTS["ordered"]:
            return ordered / visits
        case _:
            # Each line is visited once in as many visits as there are lines: the mean is all that they take.
            far = shuffled + ordered
            return LINE * between / far if far else 0.0
