"""Operations by class: `"call_*_size" = [1e-10, 5e-9]` holds for whatever fits it and has no time of its own.

A machine file cannot name every method of a library. A class is wide and says what it stands for; the predictions that
rest on it name the operations, so that whoever wants less can measure them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from apet.machine.machines import MachineGroup, Machines


def class_of(operation: str, group: MachineGroup) -> str | None:
    """The pattern of a group that fits an operation with the most characters of its own, of equal ones the first."""
    fitting = [pattern for pattern in group.classes if _compiled(pattern).fullmatch(operation)]
    return max(fitting, key=_own_characters, default=None)


def completed(machines: Machines, operations: Iterable[str]) -> Machines:
    """The machines with times for those of the operations that have none of their own but fit a class."""
    groups = (*machines.groups, machines.coordinator)
    if not any(group.classes for group in groups):
        return machines
    patterns = {name: p for name in operations if machines.missing(name) and (p := _pattern(name, groups)) is not None}
    if not patterns:
        return machines

    *own, coordinator = (_with_times(group, tuple(patterns)) for group in groups)
    return machines.replace(groups=tuple(own), coordinator=coordinator, assumed={**machines.assumed, **patterns})


def class_times(machines: Machines) -> dict[str, str]:
    """The operations that have the time of a class, with its pattern."""
    return {name: pattern for name, pattern in machines.assumed.items() if "*" in pattern}


def _pattern(operation: str, groups: Sequence[MachineGroup]) -> str | None:
    lacking = (group for group in groups if _lacks(group, operation))
    return next((p for group in lacking if (p := class_of(operation, group)) is not None), None)


def _lacks(group: MachineGroup, operation: str) -> bool:
    return operation not in group.op_s and operation not in group.fits


def _with_times(group: MachineGroup, operations: Sequence[str]) -> MachineGroup:
    missing = (name for name in operations if _lacks(group, name))
    times = {name: group.classes[p] for name in missing if (p := class_of(name, group)) is not None}
    return group.replace(op_s={**group.op_s, **times})


def _own_characters(pattern: str) -> int:
    return len(pattern) - pattern.count("*")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(r"[\w$]*".join(map(re.escape, pattern.split("*"))))
