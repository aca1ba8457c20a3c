"""The program of one rank of a folded trace, as nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from apet.traces.extrapolate.explanations import far_fetched
from apet.traces.extrapolate.nodes import (
    Computed,
    Node,
    Observation,
    ObservedLoop,
    ObservedSlot,
    Rank,
    Value,
    in_iteration,
)
from apet.traces.fold.folded import DEFAULT, Folded, Kind, Volumes, word_at
from apet.traces.fold.folded import Slot as FoldedSlot
from apet.traces.lines.communicators import parse_communicator, ranges
from apet.traces.trace import WAIT_TAGS

MOST_ITERATIONS = 64
"""Iterations of a loop that are looked at, where a word advances in it; otherwise the first and the last."""
WORDS = {
    **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), "pnnd"),
    "sendrecv": "npnpdd",
    "wait": "ppn",
    **dict.fromkeys(("waitall", "waitany", "waitsome", "barrier"), ""),
    "sleep": "n",
    "bcast": "nnd",
    "reduce": "nnnd",
    **dict.fromkeys(("allreduce", "scan", "exscan"), "nnd"),
    **dict.fromkeys(("gather", "scatter"), "nnndd"),
    **dict.fromkeys(("allgather", "alltoall"), "nndd"),
    "allgatherv": "nvdd",
    "alltoallv": "nvnvdd",
    "gatherv": "nvndd",
    "scatterv": "vnndd",
    "reducescatter": "vnd",
}
"""What the words of an action are; see `ObservedSlot.kinds`."""
WORDS |= {name: WORDS[name[1:]] for name in WAIT_TAGS}


TAGS = {"wait": 2, **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), 1)}
"""Where an action has its tag."""


class Structure(NamedTuple):
    """What counts for the structure of a program."""

    tags: bool  #: tags that do not advance are part of what an action is
    exclusive: bool  #: partners may be explained by an exclusive or, or in a box
    pairs: bool  #: loops of two iterations are loops, and not two blocks whose numbers are equal by chance


def program(folded: Folded, kind: Kind, position: int, trace: int, structure: Structure) -> list[Node]:
    """What the rank at a position of a kind does, in the trace of this number."""
    rank = Rank(trace, kind.ranks[position], folded.ranks)
    bodies, around = [list[Node]()], list[int]()
    starts = kind.starting()

    for number, slot in enumerate(kind.slots):
        for loop in starts.get(number, ()):
            around.append(loop)
            bodies.append([])
        node = _slot(kind, slot, number, position, rank, structure.tags)
        if not structure.exclusive:
            node.rules = tuple(
                frozenset(r for r in rules if r[0] != "exclusive or" and not far_fetched(r)) or rules
                for rules in node.rules
            )
        bodies[-1].append(node)
        while around and kind.loops[around[-1]].last == number + 1:
            body, times = bodies.pop(), kind.loops[around.pop()].times
            if times == 2 and not structure.pairs:
                bodies[-1] += (*in_iteration(body, len(around), 0), *in_iteration(body, len(around), 1))
            else:
                bodies[-1].append(ObservedLoop({rank: times}, body))

    rest = Computed(rank, 0, kind.rest_of(position).total, 1)
    bodies[0].append(ObservedSlot((REST,), "", [Observation(rank, (), ())], [rest], 0, trace, rank.rank))
    return bodies[0]


REST = "compute"
"""The slot without an action that has what is computed at the end."""


def _slot(kind: Kind, slot: FoldedSlot, number: int, position: int, rank: Rank, tags: bool) -> ObservedSlot:
    times = [kind.loops[loop].times for loop in kind.path(number)]
    texts = [word_at(word.base, position, rank.rank, rank.ranks, word.wraps) for word in slot.words]
    if slot.action == "waitall":
        texts = []  # how many requests are open says nothing that the actions before do not
    mark = texts.index("#") if "#" in texts else len(texts)
    comment = texts[mark:]
    named = parse_communicator(" ".join(comment[1:]))
    members = rank.ranks if named is None else len(named)
    group = "" if named is None else ranges(named)
    action = slot.action.lower()
    spread = _kinds(action, texts[:mark], members)
    tag = TAGS.get(action, -1)
    if tags and 0 <= tag < mark and not slot.words[tag].steps:
        spread = f"{spread[:tag]}d{spread[tag + 1 :]}"
    kinds = "".join(k for at, k in enumerate(spread) if k != "v" or spread[at - 1 : at] != "v")
    form = (action, *(t for t, k in zip(texts, spread, strict=False) if k == "d"))
    form += ("# comm",) if group else (" ".join(comment),) if comment else ()

    steps = [
        {k: int(word_at(s, position, rank.rank, rank.ranks, False)) for k, s in w.steps} for w in slot.words[:mark]
    ]
    rows = list[Observation]()
    for indices in _iterations(times, steps):
        values = list[float]()
        for text, by_level, word in zip(texts, steps, slot.words, strict=False):
            value = float(text) if text[:1] != "@" else 0.0
            value += sum(step * indices[-1 - level] for level, step in by_level.items())
            values.append(value % rank.ranks if word.wraps and by_level else value)
        rows.append(Observation(rank, indices, _gathered(values, spread), group))

    computed = _computed(kind.volume(number, position), times, rank)
    node = ObservedSlot(form, kinds, rows, list(computed), slot.line, rank.trace, rank.rank)
    node.explain()
    return node


def _kinds(action: str, texts: Sequence[str], members: int) -> str:
    """What each word is; ranks and counts that stand for anything cannot vary."""
    if action == DEFAULT:
        return "d" * len(texts)
    spread = "".join("v" * members if kind == "v" else kind for kind in WORDS[action])[: len(texts)]
    spread += "d" * (len(texts) - len(spread))
    return "".join("d" if text.startswith("-") else kind for kind, text in zip(spread, texts, strict=True))


def _gathered(values: Sequence[float], spread: str) -> tuple[Value, ...]:
    """The words with numbers by member as one."""
    words, at = list[Value](), 0
    while at < len(values):
        end = at
        while end < len(values) and spread[at] == spread[end] == "v":
            end += 1
        words.append(tuple(values[at:end]) if end > at else values[at])
        at = max(end, at + 1)
    return tuple(words)


def _iterations(times: Sequence[int], steps: Sequence[dict[int, int]]) -> Iterator[tuple[int, ...]]:
    """The iterations of loops, outermost first, that are looked at."""
    moving = {len(times) - 1 - level for by_level in steps for level in by_level}
    ranges = list[Sequence[int]]()
    for at, count in enumerate(times):
        if at in moving:
            ranges.append(range(min(count, MOST_ITERATIONS)))
        else:
            ranges.append((0, count - 1) if at == len(times) - 1 and count > 1 else (0,))
    return product(*ranges)


def _computed(volumes: Volumes, times: Sequence[int], rank: Rank) -> Iterator[Computed]:
    """Means over the executions in which so many loops, from the inside, are in their first iteration."""
    entering = list[tuple[float, int]]()
    period = 1
    for count in (*reversed(times), 0):
        entering.append(_every(volumes, period))
        period *= count
    for entered, (flops, executions) in enumerate(entering):
        after = entering[entered + 1] if entered + 1 < len(entering) else (0.0, 0)
        if executions > after[1]:
            number = executions - after[1]
            yield Computed(rank, entered, (flops - after[0]) / number, number)


def _every(volumes: Volumes, period: int) -> tuple[float, int]:
    """The sum of every so many volumes, from the first, and their number."""
    flops, number, at = 0.0, 0, 0
    for value, count in zip(volumes.values, volumes.counts, strict=True):
        here = -(-(at + count) // period) + -(-at // period) * -1
        flops += value * here
        number += here
        at += count
    return flops, number
