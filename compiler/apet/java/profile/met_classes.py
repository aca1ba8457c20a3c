"""Which of several methods a call meant, by the classes that a run met."""

from __future__ import annotations

from collections.abc import Mapping

from apet.program.ir import ParameterKind, SourceNote


def classes_before(parameters: Mapping[str, SourceNote]) -> dict[str, tuple[str, set[str]]]:
    """The class of each parameter of a call that is one of several methods, and those that are asked for before it.

    A translation lists the parameters of one call from the last class back.
    """
    owners: dict[str, tuple[str, set[str]]] = {}
    call: object = None
    later: list[str] = []

    for name, note in parameters.items():
        if note.kind is not ParameterKind.RECEIVER or note.site is None:
            continue
        owner, here = note.site.owner, (note.site.file, note.site.at, note.site.member)
        if here != call or owner in (owners[one][0] for one in later):
            call, later = here, []

        for one in later:
            owners[one][1].add(owner)
        later.append(name)
        owners[name] = (owner, set())
    return owners


def share(counts: Mapping[str, int], owner: str, before: set[str]) -> float | None:
    """How often a call is that of a class, of the calls that are of none before it; None where there was none."""
    left = sum(calls for name, calls in counts.items() if name not in before)
    return counts.get(owner, 0) / left if left else None
