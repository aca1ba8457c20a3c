"""Which of two opposite neighbours a message goes to, where every trace has two ranks along an axis: both are one rank.

Not around the end if that will do, against the direction of the partner, and the other one than the slot before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apet.traces.extrapolate.explanations import Rule, simplicity
from apet.traces.extrapolate.grids import grid
from apet.traces.extrapolate.nodes import ObservedSlot
from apet.traces.extrapolate.programs import TAGS


class Directions:
    """Chooses for one slot after the other, in the order of the program."""

    def __init__(self, boxed: bool) -> None:
        self.boxed = boxed
        self.uses = Counter[tuple[bool, Rule]]()  #: by whether it sends, and its rule
        self.open: dict[tuple[bool, object, Rule], int] = {}  #: those whose partner has not come yet, with their tag

    def ordered(self, slot: ObservedSlot, rules: Sequence[Rule]) -> tuple[Rule, ...]:
        """The rules of a partner, the best first."""
        order = sorted(rules, key=lambda rule: simplicity(rule, self.boxed))
        opposite = _opposite(order[0]) if order else None
        if opposite is None or opposite not in order or opposite == order[0] or slot.form[0] not in TAGS:
            return tuple(order)

        sends, tag = "send" in slot.form[0], slot.rows[0].words[TAGS[slot.form[0]]]
        pair = order[0], opposite
        best = min(pair, key=lambda rule: (_wraps(slot, rule), not self._awaited(sends, tag, rule),
                                           self.uses[sends, rule]))  # fmt: skip
        self._take(sends, tag, best)
        return (best, *(rule for rule in order if rule != best))

    def _awaited(self, sends: bool, tag: object, rule: Rule) -> bool:
        """Whether the other end of such a message has its direction already."""
        return self.open.get((not sends, tag, _opposite(rule) or rule), 0) > 0

    def _take(self, sends: bool, tag: object, rule: Rule) -> None:
        self.uses[sends, rule] += 1
        if self._awaited(sends, tag, rule):
            self.open[not sends, tag, _opposite(rule) or rule] -= 1
        else:
            self.open[sends, tag, rule] = self.open.get((sends, tag, rule), 0) + 1


def across(rules: Sequence[Sequence[Rule]]) -> int:
    """The axis along which the partners of a slot lie in a grid; -1 where there is none, or several."""
    axes = {axis for each in rules for rule in each[:1] if rule[0] == "step" for axis in _moved(rule)}
    return axes.pop() if len(axes) == 1 else -1


def _moved(rule: Rule) -> list[int]:
    vector = rule[2]
    assert isinstance(vector, tuple)
    return [axis for axis, step in enumerate(vector) if step]


def _opposite(rule: Rule) -> Rule | None:
    match rule:
        case ("step", str(name), tuple(vector)):
            return ("step", name, tuple(-int(v) for v in vector))
        case _:
            return None


def _wraps(slot: ObservedSlot, rule: Rule) -> bool:
    """Whether all ranks that were observed would have to go around an end."""
    _, name, vector = rule
    assert isinstance(vector, tuple)

    def around(rank: int, ranks: int) -> bool:
        here = grid(str(name), ranks)
        places = zip(here.place(rank), vector, here.sizes, strict=True)
        return any(not 0 <= place + step < size for place, step, size in places)

    return all(around(row.rank.rank, row.rank.ranks) for row in slot.rows)
