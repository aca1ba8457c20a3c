"""From the entry of a program to the text of a PAMELA-E model: the stages in order."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from apet.cost import deep_recursion
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import Advisory, raise_all
from apet.ground.interval import Interval, Number
from apet.ground.source import Span
from apet.program.algebra import Value, as_value, substituted
from apet.program.errors import NotCounted, NotFollowed
from apet.program.free_names import walk
from apet.program.ir import Body, CodeLoop, LineColumn, ParameterKind, SourceNote
from apet.program.levels.counted import counted_text
from apet.program.levels.flat import FlatWriter
from apet.program.levels.writer import core_text
from apet.program.measured import Measuring, measured
from apet.program.model_text import model_text
from apet.program.naming import named
from apet.program.specialise import reached, specialise
from apet.program.translator.entries import entry_titles
from apet.program.translator.fields import settle
from apet.program.translator.frame import MethodFrame
from apet.program.translator.state import TranslationState
from apet.program.translator.translator import Translator
from apet.program.types import is_held

LEVELS = ("core", "flat", "counted")
MOST_RANGES = 6
"""Parameters with ranges up to which all their ends are tried together."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The text of a model, the name of its entry, and advice about what could only be counted.

    `parameters` are the notes of its parameters by name, with their kinds and the sites where a run counts for them.
    `calls` are the operations of library calls by file and place: a run can time them. `files` are those whose classes
    it has read. `ranges` are whole numbers, by the parameters that they depend on, with the types that must hold them.
    `inputs` are the names of what the entry, the constructors of its class and its `setup` are given.
    """

    text: str
    entry: str
    advice: tuple[Advisory, ...]
    calls: Mapping[tuple[str, LineColumn], str] = field(default_factory=dict, hash=False)
    files: Sequence[str] = field(default=(), hash=False)
    parameters: Mapping[str, SourceNote] = field(default_factory=dict, hash=False)
    ranges: Sequence[tuple[Value, str]] = field(default=(), hash=False)
    inputs: frozenset[str] = frozenset()

    def overflows(self, values: Mapping[str, Number | Interval]) -> frozenset[tuple[Value, str]]:
        """The whole numbers of the task, with their types, that are too great or too small for these at some values;
        of ranges their ends count."""
        own = {name: note.value for name, note in self.parameters.items() if note.value is not None}
        needed = {name for number, _ in self.ranges for name in number.names}
        ends = {n: v if isinstance(v, Interval) else Interval(v, v) for n, v in values.items() if n in needed}
        corners = [
            {**own, **{n: as_value(Fraction(v.lo if n in low else v.hi)) for n, v in ends.items()}}
            for low in _some_of([n for n, v in ends.items() if not v.is_point])
        ]
        return frozenset(one for one in self.ranges if any(_is_beyond(*one, corner) for corner in corners))


def _some_of(names: Sequence[str]) -> Iterator[frozenset[str]]:
    """Every choice of some of the names; of many names all and none."""
    if len(names) > MOST_RANGES:
        yield from (frozenset(), frozenset(names))
    else:
        yield from (frozenset(some) for k in range(len(names) + 1) for some in combinations(names, k))


def _is_beyond(number: Value, kind: str, values: Mapping[str, Value]) -> bool:
    held = substituted(number, values).constant
    return held is not None and not is_held(held, kind)


def translation_of(begin: Callable[[bool], Translator], level: str) -> Translation:
    """The model of an entry. `begin` begins a translation, a careful one or not: one that has taken formals to be
    positive, and finds a call that does not prove it, is begun again."""
    with paused_collector(), deep_recursion():
        entry = begin(False)
        body = entry.with_unseen(entry.body(entry.method))
        if not entry.state.holds():
            entry = begin(True)
            body = entry.with_unseen(entry.body(entry.method))
        state = entry.state
        body.items += tuple(item for items in state.in_all for item in items)
        bodies = reached(body, {b.name: b for b in (*state.bodies.values(), *state.steps.values())})
        settle(state)
        bodies = specialise(bodies)
        if state.counted:
            bodies = measured(_measuring(state, bodies), bodies[body.name])
        bodies = named(bodies)
        own: Sequence[SourceNote] = ()
        if level == "flat":
            text = _flat_text(state, body.name, bodies)
        else:
            written = core_text if level == "core" else counted_text
            text, own = written(state, f"{_title(state)}, {level} level", body.name, bodies, bound_names(bodies))
    calls, files = state.library_calls, tuple(state.sources)
    shown = frozenset(re.findall(r"^param ([\w$]+)", text, re.MULTILINE))
    notes = {**state.parameters, **{note.name: note for note in own}}
    parameters = {name: note for name, note in notes.items() if name in shown}
    inputs = frozenset(formal.name for method in state.given_methods() for formal in method.formals)
    return Translation(text, body.name, _advice(state), calls, files, parameters, (*state.ranges,), inputs)


def _measuring(state: TranslationState, bodies: Mapping[str, Body]) -> Measuring:
    own = frozenset(c.name for c in state.program.line(state.entry.owner))

    def ask(equation: str, loop: CodeLoop) -> Value:
        owner = state.owners.get(equation) or state.step_owners.get(equation, state.entry)
        text = f"rounds of the loop in line {loop.at.line}, on average"
        frame = MethodFrame(state, owner)
        return frame.note(f"rounds_{loop.at.line}", text, loop.at, kind=ParameterKind.ROUNDS)

    return Measuring(bodies, state.steps, state.alternatives, state.parameters, own, ask)


def bound_names(bodies: dict[str, Body]) -> frozenset[str]:
    """Formals and indices: the names that an equation made of a part of another must be given."""
    formals = {n for b in bodies.values() for n in b.formals}
    return frozenset(formals | {i.index for b in bodies.values() for i in walk(b.items) if isinstance(i, CodeLoop)})


def _title(state: TranslationState) -> str:
    entry, own = state.entry, state.program.get(state.entry.owner)
    methods = [entry, *(m for m in (*own.methods, *own.constructors) if m != entry)] if own is not None else [entry]
    return f"{os.path.basename(state.source_of(entry.owner).name)}: {entry_titles(methods)[0]}"


def _flat_text(state: TranslationState, entry: str, bodies: dict[str, Body]) -> str:
    flat = FlatWriter(set(state.used))
    flat.bound = bound_names(bodies)
    for body in bodies.values():
        flat.equation(body)
    return model_text(state, f"{_title(state)}, flat level", entry, flat.equations)


def _advice(state: TranslationState) -> tuple[Advisory, ...]:
    advice: list[Advisory] = []
    for (owner, at), what in state.unsupported.items():
        source = state.source_of(owner)
        start = source.offset(*at)
        span = Span(start, start + 1)
        is_jump = (owner, at) in state.unfollowed
        advice.append(NotFollowed(source, span, what, at.line) if is_jump else NotCounted(source, span, what))
    raise_all(advice)
    return tuple(advice)
