"""What a model asks a run: by parameter, the place in the source where it is counted, and what is counted there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.program.ir import LineColumn, ParameterKind, SourceNote

_KINDS = {
    ParameterKind.TEST: "test",
    ParameterKind.CASE: "case",
    ParameterKind.HANDLER: "handler",
    ParameterKind.RECEIVER: "class",
    ParameterKind.THROWN: "thrown",
    ParameterKind.ROUNDS: "loop",
    ParameterKind.CALLS: "method",
    ParameterKind.UNSEEN: "unseen",
    ParameterKind.ARGUMENT: "formal",
    ParameterKind.FORMAL: "formal",
    ParameterKind.LAMBDA: "lambda",
    ParameterKind.ELEMENTS: "size",
    ParameterKind.STREAM: "stream",
    ParameterKind.LENGTH: "length",
    ParameterKind.LOCAL: "local",
    ParameterKind.SHUFFLED: "visit",
    ParameterKind.ORDERED: "visit",
    ParameterKind.SPREAD: "visit",
}
_BRANCHES = (ParameterKind.MISSED, ParameterKind.MISSED_SELECT, ParameterKind.MISSED_TARGET)


class Site(NamedTuple):
    """A place that counts: what, in which file ("": whichever has it), where; the method, its formal, the dimension of
    what is an array, and the class of the method.

    Of the calls of a method that no code of the program makes ("unseen"), `variable` is the entry of the task.

    Further kinds: "test", "case", "handler", "thrown", "class", "loop", "method", "formal", "length", "size",
    "stream", "lambda", "local", "visit" (of what stands before a name), "box" (of a result) and "time"
    (of the operation `member`).
    """

    kind: str
    file: str
    at: LineColumn
    member: str = ""
    variable: str = ""
    dimension: int = 0
    owner: str = ""


def asked(parameters: Mapping[str, SourceNote]) -> dict[str, Site]:
    """Where each parameter is counted, by name."""
    files = {note.site.file for note in parameters.values() if note.site is not None}
    counted = ((name, note) for name, note in parameters.items() if not _is_one_of_several(note, parameters))
    sites = ((name, _site(note, files)) for name, note in counted)
    found = {name: site for name, site in sites if site is not None}
    # A branch is mispredicted where its condition is decided.
    branches = ((name, note.site) for name, note in parameters.items() if note.kind in _BRANCHES)
    return found | {name: found[of.variable] for name, of in branches if of is not None and of.variable in found}


def _is_one_of_several(note: SourceNote, parameters: Mapping[str, SourceNote]) -> bool:
    """Whether a call may end with exceptions of several classes: which it was, a run does not tell apart."""
    if note.kind is not ParameterKind.THROWN or note.site is None:
        return False
    place = note.site.file, note.site.at
    thrown = [n.site for n in parameters.values() if n.kind is ParameterKind.THROWN and n.site is not None]
    return len({one.owner for one in thrown if (one.file, one.at) == place}) > 1


def _site(note: SourceNote, files: set[str]) -> Site | None:
    kind, of = _KINDS.get(note.kind), note.site
    if kind is None or of is None:
        return None
    if of.variable == "box" and kind == "visit":
        kind = "box"
    file = of.file or (min(files - {""}) if len(files - {""}) == 1 else "")
    if kind in ("formal", "method", "unseen"):
        return Site(kind, file, of.at, of.member, of.variable, of.dimension, of.owner)
    return Site(kind, file, of.at, dimension=of.dimension if kind == "length" else 0)


def owners(parameters: Mapping[str, SourceNote]) -> set[str]:
    """Classes whose fields a model asks for."""
    kinds = (ParameterKind.FIELD, ParameterKind.FIELD_LENGTH)
    return {note.site.owner for note in parameters.values() if note.kind in kinds and note.site is not None}
