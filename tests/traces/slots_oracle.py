"""An oracle: the slot of each action of a rank in a folded trace, by walking both."""

from __future__ import annotations

from collections.abc import Sequence

from apet.traces.fold.folded import Kind
from apet.traces.trace import Action


def slots_of(kind: Kind, actions: Sequence[Action]) -> list[int]:
    """The number of the slot of each action; computing is where the next action is, -1 at the end."""
    steps = (k for k in kind.all_places() if kind.slots[k].action != "init")
    slots: list[int] = []
    for number, action in enumerate(actions):
        if action[0] != "compute":
            slot = next(steps, -1)
            slots += [slot] * (number + 1 - len(slots))
    return slots + [-1] * (len(actions) - len(slots))
