"""The profile of one run, whichever profiler made it, and what a reader of profiles is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs.errors import BrokenProfile

SMALLEST_SHARE = 0.001
"""Of the run time: shorter functions are no phases."""
MOST_PHASES = 200
DEEPEST = 60
"""Levels of a call tree: what lies deeper counts for its caller at this level."""
START = Span(0, 1)


@dataclass(frozen=True, slots=True)
class ProfiledRun:
    """Seconds in all, and in each function itself, without what it calls.

    `paths` are seconds by call path, its parts separated by `/`, with all that it calls; empty where the profiler knows
    no paths. `parameters` are those of the run where the profile holds them.
    """

    total: float
    functions: Mapping[str, float]
    paths: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float | str] = field(default_factory=dict)

    def shortened(self) -> ProfiledRun:
        """Without functions and paths below a thousandth of the run time, and at most the 200 longest of each."""
        return ProfiledRun(
            self.total, _longest(self.functions, self.total), _longest(self.paths, self.total), self.parameters
        )


def _longest(seconds: Mapping[str, float], total: float) -> dict[str, float]:
    phases = {name: t for name, t in seconds.items() if t >= SMALLEST_SHARE * total}
    longest = set(sorted(phases, key=lambda name: -phases[name])[:MOST_PHASES])
    return {name: t for name, t in phases.items() if name in longest}


class ProfileReader(Protocol):
    """The module of one profiler's format."""

    def recognises(self, text: str, /) -> bool:
        """Whether a text, or its first 64 KiB, is in this format."""

    def read(self, source: Source, /) -> ProfiledRun:
        """The profile; `ApetError` where the text is damaged or holds no times."""


def broken(source: Source, profiler: str, problem: str, place: Span | None = START) -> ApetError:
    """The error of a text that is not what its profiler writes."""
    return ApetError(BrokenProfile(source, place, profiler, problem))


class CallNode(NamedTuple):
    """A function as called on one path: its name, the number of its caller's node, and its own seconds."""

    name: str
    caller: int | None
    seconds: float


class LoopedCallersError(ValueError):
    """Callers that call each other in a circle: no tree."""


def of_call_tree(nodes: Sequence[CallNode], total: float | None, parameters: Mapping[str, float | str]) -> ProfiledRun:
    """The profile of a call tree; `total` is the sum over all nodes where it is None. `LoopedCallersError`."""
    paths, functions = defaultdict[str, float](float), defaultdict[str, float](float)
    placed = dict[int, tuple[str, ...]]()

    for number, node in enumerate(nodes):
        functions[node.name] += node.seconds
        parts = _place(nodes, number, placed)
        for depth in range(len(parts)):
            paths["/".join(parts[: depth + 1])] += node.seconds
    whole = sum(node.seconds for node in nodes) if total is None else total
    return ProfiledRun(whole, dict(functions), dict(paths), parameters)


def _place(nodes: Sequence[CallNode], number: int, placed: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
    """The names from the root to a node, at most `DEEPEST` of them."""
    way, at = list[int](), number
    while at not in placed:
        way.append(at)
        caller = nodes[at].caller
        if caller is None:
            break
        if len(way) > len(nodes):
            raise LoopedCallersError
        at = caller

    for at in reversed(way):
        caller = nodes[at].caller
        above = () if caller is None else placed[caller]
        placed[at] = (*above, nodes[at].name.replace("/", "|"))[:DEEPEST]
    return placed[number]
