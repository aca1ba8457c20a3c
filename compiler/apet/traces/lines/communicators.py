"""Which ranks take part in a collective: what a trace says in comments, or what its order lets one conclude.

A line may end in `# comm 0,3,12-15`: the ranks of the communicator, in its order. SimGrid reads such a line as well. A
trace without it, in which some ranks have more collectives than others, is taken as follows: the ranks go through their
collectives together; where their next ones differ, those ranks that have more of them left act among themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.traces.trace import COLLECTIVES, Action

Communicator = tuple[int, ...]


def parse_communicator(text: str) -> Communicator | None:
    """The ranks in a comment; None where it says nothing of a communicator, `ValueError` where it cannot be read."""
    words = text.split()
    if not words or words[0] != "comm":
        return None
    if len(words) != 2:
        raise ValueError("write the ranks of a communicator as: # comm 0,3,12-15")
    members = list[int]()
    for part in words[1].split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError(f"'{part}' is neither a rank nor a range of ranks")
        ranks = range(int(first), int(last or first) + 1)
        if len(ranks) > 1_000_000:
            raise ValueError(f"'{part}' is too long a range of ranks")
        members += ranks
    if len(set(members)) != len(members):
        raise ValueError("a rank is named twice")

    return tuple(members)


def ranges(group: Sequence[int]) -> str:
    """`0,3,12-15`"""
    parts, at = list[str](), 0
    while at < len(group):
        run = 1
        while at + run < len(group) and group[at + run] == group[at] + run:
            run += 1
        run = run if run > 2 else 1
        parts.append(f"{group[at]}-{group[at + run - 1]}" if run > 1 else str(group[at]))
        at += run
    return ",".join(parts)


def inferred(
    ranks: Sequence[Sequence[Action]], named: Sequence[Mapping[int, Communicator]]
) -> tuple[dict[int, Communicator], ...]:
    """By rank, communicators of collectives by the number of the action; only where not all ranks take part."""
    groups = [dict(each) for each in named]
    pending = [
        [k for k, action in enumerate(actions) if action[0] in COLLECTIVES and k not in groups_of_rank]
        for actions, groups_of_rank in zip(ranks, groups, strict=True)
    ]
    if len(set(map(len, pending))) <= 1:
        return tuple(groups)

    at = [0] * len(ranks)
    while True:
        left = [len(p) - a for p, a in zip(pending, at, strict=True)]
        most, least = max(left), min(left)
        if most == 0:
            return tuple(groups)
        following = [_signature(ranks[r][pending[r][at[r]]]) if left[r] else None for r in range(len(ranks))]
        if len(set(following)) == 1:
            group = range(len(ranks))
        else:
            ahead = [r for r in range(len(ranks)) if left[r] > least and left[r] == most]
            first = following[(ahead or [left.index(most)])[0]]
            group = [r for r in (ahead or range(len(ranks))) if following[r] == first]  # type: ignore[assignment]
        for r in group:
            if len(group) < len(ranks):
                groups[r][pending[r][at[r]]] = tuple(group)
            at[r] += 1


def _signature(action: Action) -> tuple[object, ...]:
    """What the members of a collective agree in: its name and, where it has one, its root."""
    name = str(action[0])
    rooted = ("bcast", "reduce", "gather", "scatter", "gatherv", "scatterv")
    return name, action[-1] if name.removeprefix("i") in rooted else 0
