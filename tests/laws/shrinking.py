"""Smaller programs that break the law in the same way: parts are left out or made simple as long as they still do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from typing import Any

from tests.laws.formulas import Apply, Numeral, Variable
from tests.laws.program import (
    Choice,
    DrawnProgram,
    Execution,
    Invocation,
    Network,
    Occupancy,
    ParameterValue,
    Rounds,
    Several,
    Transmission,
    Waiting,
)

MOST_TRIES = 600
TERMS = (Execution, Waiting, Transmission, Occupancy, Several, Rounds, Network, Choice, Invocation)
FORMULAS = (Numeral, Variable, Apply)


def shrunk(
    program: DrawnProgram, still_breaks: Callable[[DrawnProgram], bool], tries: int = MOST_TRIES
) -> DrawnProgram:
    """The smallest program found within so many tries; `still_breaks` says whether one is of interest."""
    while tries > 0:
        for candidate in islice(_simpler_programs(program), tries):
            tries -= 1
            if still_breaks(candidate):
                program = candidate
                break
        else:
            break
    return program


def _simpler_programs(program: DrawnProgram) -> Iterator[DrawnProgram]:
    if program.machine:
        yield replace(program, machine=0)
    if program.branches != "probability":
        yield replace(program, branches="probability")
    for name in ("resources", "equations", "parameters"):
        table = getattr(program, name)
        for key, entry in table.items():
            if name == "resources":
                yield replace(program, resources={k: v for k, v in table.items() if k != key})
            for simpler in _simpler_value(entry) if isinstance(entry, ParameterValue) else _simpler_parts(entry):
                changed: dict[str, Any] = {name: {**table, key: simpler}}
                yield replace(program, **changed)
    yield from (replace(program, body=body) for body in _simpler(program.body))


def _simpler_value(value: ParameterValue) -> Iterator[ParameterValue]:
    if value.declared and value.low >= 0:
        yield replace(value, declared="")
    if value.low != value.high:
        yield replace(value, low=value.high)
        yield replace(value, high=value.low)
    elif value.low not in (1, 0):
        yield replace(value, low=1, high=1)


def _simpler(node: Any) -> Iterator[Any]:
    """What may stand in place of a node: its parts, something plain, and itself with simpler parts."""
    kinds = TERMS if isinstance(node, TERMS) else FORMULAS if isinstance(node, FORMULAS) else ()
    if isinstance(node, TERMS):
        yield from (Waiting(Numeral(1)),) if _size(node) > _size(Waiting(Numeral(1))) else ()
    elif isinstance(node, FORMULAS):
        yield from (Numeral(n) for n in (1, 2, 0) if not isinstance(node, Numeral) or node.value not in (0, 1, 2))
    for name, part in _parts(node):
        yield from (p for p in (part if isinstance(part, tuple) else (part,)) if isinstance(p, kinds))
        if isinstance(node, Network):
            yield from _simpler_graphs(node)
        if isinstance(node, Several) and name == "parts":
            yield from (replace(node, parts=part[:i] + part[i + 1 :]) for i in range(len(part)))
    yield from _simpler_parts(node)


def _simpler_graphs(graph: Network) -> Iterator[Any]:
    """What a part does, the graph without a part, and with one reference less."""
    yield from (part.body for part in graph.parts)
    for i, gone in enumerate(graph.parts):
        left = (*graph.parts[:i], *graph.parts[i + 1 :])
        yield Network(tuple(replace(p, after=tuple(w for w in p.after if w.name != gone.name)) for p in left))
        for k in range(len(gone.after)):
            fewer = replace(gone, after=gone.after[:k] + gone.after[k + 1 :])
            yield Network((*graph.parts[:i], fewer, *graph.parts[i + 1 :]))


def _simpler_parts(node: Any) -> Iterator[Any]:
    """The node with one part made simpler."""
    for name, part in _parts(node):
        if isinstance(part, tuple):
            for i, each in enumerate(part):
                yield from (replace(node, **{name: (*part[:i], s, *part[i + 1 :])}) for s in _simpler(each))
        elif is_dataclass(part):
            yield from (replace(node, **{name: s}) for s in _simpler(part))


def _parts(node: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(node):
        yield from ((f.name, getattr(node, f.name)) for f in fields(node))


def _size(node: object) -> int:
    return len(str(node))
