"""What says which rank a message goes to, or who is in a communicator: rules that hold at any number of ranks.

A rule is a name and its constants. A set of rules explains what was seen if each of them would have made it; the
rules of several observations are those in all of their sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product

from apet.traces.extrapolate.grids import AXES, RankGrid, grid, grids
from apet.traces.lines.communicators import ranges

Rule = tuple[object, ...]
FARTHEST = 2
"""Steps in a grid to a neighbour."""
Moving = Callable[[int, int, int], int]
"""A coordinate, the size of its axis, and the number of an iteration from 0, to another coordinate."""
MOVING: dict[str, tuple[str, Moving]] = {
    "^2^k": ("log2", lambda at, size, k: at ^ (1 << k)),
    "^(size/2^(k+1))": ("log2", lambda at, size, k: at ^ (size >> (k + 1))),
    "+2^k": ("log2", lambda at, size, k: (at + (1 << k)) % size),
    "-2^k": ("log2", lambda at, size, k: (at - (1 << k)) % size),
    "+(k+1)": ("others", lambda at, size, k: (at + k + 1) % size),
    "-(k+1)": ("others", lambda at, size, k: (at - k - 1) % size),
    "^(k+1)": ("others", lambda at, size, k: at ^ (k + 1)),
    "=k": ("all", lambda at, size, k: k),
    "=k, but itself": ("others", lambda at, size, k: k + (k >= at)),
}
"""Partners that change with the iteration, along one axis of a grid; and how many iterations reach all of them."""


@cache
def fixed_rules(rank: int, peer: int, ranks: int) -> frozenset[Rule]:
    """The rules by which a rank has this partner, the same in all iterations."""
    rules: set[Rule] = set()
    if peer in (0, ranks - 1):
        rules.add(("first" if peer == 0 else "last",))
        if ranks == 1:
            rules.add(("last",))

    for each in grids(ranks):
        rules.update(("step", each.name, vector) for vector in _steps(each, rank, peer))
        if len(each.sizes) == 2 and peer == _across(each, rank):
            rules.add(("across", each.name))

    if rank != peer:
        rules.add(("exclusive or", rank ^ peer))
    return frozenset(rules)


def _steps(around: RankGrid, rank: int, peer: int) -> Iterator[tuple[int, ...]]:
    """Vectors to a near partner; around the ends where that is as near."""
    choices = list[tuple[int, ...]]()
    for here, there, size in zip(around.place(rank), around.place(peer), around.sizes, strict=True):
        steps = {there - here, there - here + size, there - here - size}
        choices.append(tuple(s for s in steps if abs(s) <= FARTHEST))
    yield from (vector for vector in product(*choices) if sum(map(abs, vector)) <= FARTHEST)


def _across(around: RankGrid, rank: int) -> int:
    """The partner at the transposed place. Where a grid is twice as long as wide, pairs of ranks are transposed."""
    rows, columns = around.sizes
    if rows == columns:
        i, j = around.place(rank)
        return around.rank((j, i))
    if columns == 2 * rows:
        pair = rank // 2
        return 2 * (pair % rows * rows + pair // rows) + rank % 2
    return -1


@cache
def moving_rules(rank: int, peer: int, ranks: int, iteration: int) -> frozenset[Rule]:
    """The rules by which a rank has this partner in an iteration."""
    return frozenset(
        ("moving", each.name, axis, name)
        for each in grids(ranks)
        for axis in range(len(each.sizes))
        for name in MOVING
        if _moved(each, axis, name, rank, iteration) == peer
    )


def _moved(around: RankGrid, axis: int, name: str, rank: int, iteration: int) -> int:
    place = around.place(rank)
    at = MOVING[name][1](place[axis], around.sizes[axis], iteration)
    if not 0 <= at < around.sizes[axis]:
        return -1
    return around.rank((*place[:axis], at, *place[axis + 1 :]))


def partner(rule: Rule, rank: int, ranks: int, iteration: int) -> int:
    """The partner of a rank by a rule; below 0 where there is none."""
    match rule:
        case ("first",):
            return 0
        case ("last",):
            return ranks - 1
        case ("exclusive or", int(mask)):
            return rank ^ mask if rank ^ mask < ranks else -1
        case ("across", str(name)):
            return _across(grid(name, ranks), rank)
        case ("step", str(name), tuple(vector)):
            around = grid(name, ranks)
            return around.rank(tuple(a + int(v) for a, v in zip(around.place(rank), vector, strict=True)))
        case ("moving", str(name), int(axis), str(how)):
            return _moved(grid(name, ranks), axis, how, rank, iteration)
        case _:
            raise ValueError(rule)


def simplicity(rule: Rule, boxed: bool = False) -> tuple[int, int, str]:
    """The order in which rules are preferred where several explain all; those of boxes first in a program with some."""
    kinds = ("first", "last", "step", "across", "moving", "exclusive or", "along")
    names = list(AXES)
    at = names.index(str(rule[1])) if len(rule) > 1 and rule[1] in names else 0
    at -= len(names) * (boxed and far_fetched(rule))
    how = list(MOVING).index(str(rule[3])) if rule[0] == "moving" else 0
    return kinds.index(str(rule[0])), at, f"{how} {rule}"


def iterations(rule: Rule, ranks: int) -> int:
    """How many iterations reach all partners of a rule that changes with them."""
    size = grid(str(rule[1]), ranks).sizes[int(str(rule[2]))]
    return {"all": size, "others": size - 1, "log2": (size - 1).bit_length()}[MOVING[str(rule[3])][0]]


@cache
def group_rules(rank: int, members: str, ranks: int) -> frozenset[Rule]:
    """The rules by which a communicator, written as in a trace, is that of a rank."""
    return frozenset(
        ("along", each.name, axis)
        for each in grids(ranks)
        for axis in range(len(each.sizes))
        if ranges(each.along(rank, axis)) == members
    )


def far_fetched(rule: Rule) -> bool:
    """Whether a rule needs a grid of three axes."""
    return len(rule) > 1 and str(rule[1]).endswith("box")


def group(rule: Rule, rank: int, ranks: int) -> str:
    """The communicator of a rank by a rule, as in a trace."""
    _, name, axis = rule
    return ranges(grid(str(name), ranks).along(rank, int(str(axis))))


def group_size(rule: Rule, ranks: int) -> int:
    """How many ranks are in a communicator by a rule."""
    return grid(str(rule[1]), ranks).sizes[int(str(rule[2]))]


def described(rule: Rule) -> str:
    """In words: `(y-1, x)`, `rank 0`."""
    match rule:
        case ("first",):
            return "rank 0"
        case ("last",):
            return "the last rank"
        case ("exclusive or", int(mask)):
            return f"rank^{mask}"
        case ("across", _):
            return "the transposed place"
        case ("step", str(name), tuple(vector)):
            return _place(name, vector)
        case ("along", str(name), int(axis)):
            return f"the ranks along {AXES[name][axis]} of the {name}"
        case ("moving", str(name), int(axis), str(how)):
            return f"{AXES[name][axis]}{how} of the {name}"
        case _:
            raise ValueError(rule)


def _place(name: str, vector: Sequence[object]) -> str:
    axes = AXES[name]
    if len(axes) == 1:
        return f"rank{vector[0]:+d}" if vector[0] else "itself"
    parts = [f"{axis}{step:+d}" if step else axis for axis, step in zip(axes, vector, strict=True)]
    return f"({', '.join(parts)})" if any(vector) else "itself"
