"""Parameters in the names of files and folders: by a pattern such as `n{n}_P{P}`, or by the numbers that vary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apet.ground.diagnostics import ApetError
from apet.runs import errors
from apet.runs.read.parameter_names import IGNORED, is_parameter

_PLACE = re.compile(r"\{([A-Za-z_]\w*)\}|(\*)")
_LABELLED = re.compile(r"([A-Za-z]*)[=_-]?(\d+(?:\.\d+)?)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]\+?\d+)?")
_REPETITION = re.compile(r"\.r\d+$")
"""The end of Extra-P's names of folders: `app.p4n100.r1`."""
_STAMP = 6
"""Digits of a number without a label that is a date or the id of a process, and no parameter."""


def by_pattern(pattern: str, name: str) -> dict[str, float]:
    """The numbers of a name at the places of a pattern (`*` is any text); `ApetError` where it does not fit."""
    match = _compiled(pattern).search(name)
    if match is None:
        raise ApetError(errors.NoMatch(None, None, name, pattern))
    return {key: float(text) for key, text in match.groupdict().items()}


def _compiled(pattern: str) -> re.Pattern[str]:
    parts, at, names = [], 0, list[str]()
    for place in _PLACE.finditer(pattern):
        parts.append(re.escape(pattern[at : place.start()]))
        if place[1] and place[1] in names:
            raise ApetError(errors.BadNamePattern(None, None, pattern, f"{{{place[1]}}} occurs twice"))
        names += [place[1]] if place[1] else []
        parts.append(rf"(?P<{place[1]}>\d+(?:\.\d+)?)" if place[1] else r"[^{}]*?")
        at = place.end()
    if not names:
        raise ApetError(errors.BadNamePattern(None, None, pattern, "it has no place for a parameter"))
    return re.compile("".join([*parts, re.escape(pattern[at:])]))


def labelled(names: Sequence[str]) -> list[dict[str, float]] | None:
    """The numbers that vary over names of one form, by their labels (`n100_P4`); None where it takes a pattern to tell
    what they are. Labels are those of sizes and processors; Extra-P's may be any."""
    repeated = all(_REPETITION.search(name) for name in names)
    shortened = [_REPETITION.sub("", name) for name in names] if repeated else list(names)
    labels = varying_numbers(shortened)
    if not labels or len(set(labels)) < len(labels):
        return None
    if not all(label.isalpha() and (repeated or is_parameter(label)) for label in labels):
        return None

    points = []
    for name in shortened:
        numbers = _LABELLED.findall(name)
        values = {label: [float(text) for own, text in numbers if own == label] for label in labels}
        if any(len(each) != 1 for each in values.values()):
            return None
        points.append({label: each[0] for label, each in values.items()})
    return points


def varying_numbers(names: Sequence[str]) -> list[str]:
    """Labels of the numbers in which names of one form differ; none where the forms differ."""
    labelled = [_LABELLED.findall(name) for name in names]
    forms = {tuple(label for label, _ in numbers) for numbers in labelled}
    if len(forms) != 1:
        return []
    labels = next(iter(forms))
    varying = []

    for k, label in enumerate(labels):
        values = {numbers[k][1] for numbers in labelled}
        stamp = not label and all(len(v) >= _STAMP for v in values)
        if len(values) > 1 and label.lower() not in IGNORED[1:] and not stamp:
            varying.append(label or f"number {k + 1}")
    return varying


def only_numbers(names: Sequence[str], size: str) -> list[dict[str, float]] | None:
    """The only number of each name, or the only one that varies, as a parameter; None where there is no such."""
    numbers = [_NUMBER.findall(name) for name in names]
    if any(len(own) != 1 for own in numbers):
        same = len({len(own) for own in numbers}) == 1
        varying = [k for k in range(len(numbers[0])) if same and len({own[k] for own in numbers}) > 1]
        numbers = [own[varying[0] :] for own in numbers] if len(varying) == 1 else [[]]
    return [{size: float(own[0])} for own in numbers] if all(own and float(own[0]) > 0 for own in numbers) else None
