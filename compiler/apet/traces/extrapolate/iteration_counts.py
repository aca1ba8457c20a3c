"""How often loops iterate: once for each partner; or otherwise at the borders of a grid, where first and last
iterations may be apart from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from apet.traces.extrapolate.explanations import MOVING, iterations, simplicity
from apet.traces.extrapolate.features import Feature
from apet.traces.extrapolate.fitting import FeatureSum, Fitted
from apet.traces.extrapolate.grids import SIZES
from apet.traces.extrapolate.nodes import ObservedLoop, ObservedSlot, Rank
from apet.traces.extrapolate.presence import places


def divided(loop: ObservedLoop, times: Callable[[ObservedLoop], Fitted]) -> list[ObservedLoop]:
    """Loops whose numbers of iterations, `times`, are exact, in place of one where it is not; else the loop itself."""
    ranks = loop.present()
    if _most_counts(loop.times.items()) <= 1 or _exact(times(loop)):
        return [loop]

    for part in places(ranks):
        if _most_counts((rank, loop.times[rank]) for rank in part) == 1 and _exact(times(loop.of(part))):
            others = divided(loop.of(ranks - part), times)
            if all(_exact(times(each)) for each in others):
                return [loop.of(part), *others]
    return [loop]


def all_partners(loop: ObservedLoop) -> Fitted | None:
    """As many iterations as it takes to reach all partners by a rule, if there are always so many; other rules go."""
    slots = [node for node in loop.body if isinstance(node, ObservedSlot)]
    rules = {rule for slot in slots for each in slot.rules for rule in each if rule[0] == "moving"}
    complete = {r for r in rules if all(iterations(r, rank.ranks) == n for rank, n in loop.times.items())}
    if not complete:
        return None
    for slot in slots:
        slot.rules = tuple(each & complete or each for each in slot.rules)

    _, name, axis, how = min(complete, key=simplicity)
    size, kind = SIZES[str(name)][int(str(axis))], MOVING[str(how)][0]
    feature = Feature((f"ceil(log2({size}))" if kind == "log2" else size,), 1.0)
    terms = ((1.0, feature), *(((-1.0, Feature((), 0.0)),) if kind == "others" else ()))
    return Fitted(FeatureSum(terms, 0.0))


def _most_counts(times: Iterable[tuple[Rank, int]]) -> int:
    """How many different numbers of iterations a trace has at most."""
    counts: dict[int, set[int]] = {}
    for rank, count in times:
        counts.setdefault(rank.trace, set()).add(count)
    return max(map(len, counts.values()), default=0)


def _exact(number: Fitted) -> bool:
    return number.best.error == 0
