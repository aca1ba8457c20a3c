"""Which of several methods a call meant, by the classes that a run met."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.java.parse.syntax import LineColumn
    from apet.java.profile.parameter_values import ModelParameter

DISPATCHED = re.compile(r"([^:]+):(\d+): probability that this call of ([\w$]+) is that of ([\w$]+), if of none before")
"""A call that is one of several methods: file, line, method, class."""


def classes_before(
    parameters: Iterable[ModelParameter], places: Mapping[str, LineColumn]
) -> dict[str, tuple[str, set[str]]]:
    """The class of each parameter of a call that is one of several methods, and those that are asked for before it.

    A translation lists the parameters of one call from the last class back.
    """
    owners: dict[str, tuple[str, set[str]]] = {}
    call: object = None
    later: list[str] = []

    for p in parameters:
        match = DISPATCHED.match(p.comment)
        if match is None:
            continue
        owner, here = match[4], (match[1], match[3], places.get(p.name))
        if here != call or owner in (owners[name][0] for name in later):
            call, later = here, []

        for name in later:
            owners[name][1].add(owner)
        later.append(p.name)
        owners[p.name] = (owner, set())
    return owners


def share(counts: Mapping[str, int], owner: str, before: set[str]) -> float | None:
    """How often a call is that of a class, of the calls that are of none before it; None where there was none."""
    left = sum(calls for name, calls in counts.items() if name not in before)
    return counts.get(owner, 0) / left if left else None
