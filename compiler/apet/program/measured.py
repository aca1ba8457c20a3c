"""A translation for a run: loops whose rounds differ from time to time have the rounds that ran.

What a run tells are means, each at its place: the share of a condition, the rounds of a loop for each time that it is
entered, the calls of a recursion. Products of such means are exact counts, since every factor counts how often its
place came up for the place around it. A closed form is exact only where it is summed over every case: behind a branch
that only its share is known of, or with an argument of which only the mean is, a bound that depends on an index or a
formal stands for the mean of a function, and that is not the function of a mean. There the loop's own rounds are asked
for instead, and the calls of a recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from apet.program.algebra import Value, as_value, substituted
from apet.program.free_names import with_values
from apet.program.ir import (
    Body,
    Callee,
    CodeBranch,
    CodeLoop,
    Item,
    Items,
    Op,
    ParameterKind,
    Repeat,
    SourceNote,
    Weighted,
)
from apet.program.specialise import reached
from apet.program.symbols import HIDDEN, Symbol, wanted_name

EXACT = (ParameterKind.FORMAL, ParameterKind.FORMAL_LENGTH, ParameterKind.LOCAL, ParameterKind.OTHER)
"""What a run knows as a number and not as a mean."""
OF_OBJECTS = (ParameterKind.FIELD, ParameterKind.FIELD_LENGTH, ParameterKind.ARGUMENT)
"""Means over objects or calls, unless their sources give them one value."""


@dataclass(frozen=True)
class Measuring:
    """What is written for a run: equations and those of single calls of a recursion, forms of equations whose calls are
    counted, parameters; `own` are the classes whose fields an entry's object has, and `ask` makes a parameter for the
    rounds of a loop in an equation."""

    bodies: Mapping[str, Body]
    steps: Mapping[str, Body]
    alternatives: dict[str, Callable[[], Body]]
    parameters: Mapping[str, SourceNote]
    own: frozenset[str]
    ask: Callable[[str, CodeLoop], Value]


def as_measured(loop: CodeLoop, rounds: Value) -> CodeLoop:
    """A loop over a counter as one of so many rounds; what depends on the counter is as in its middle."""
    assert loop.low is not None
    middle = {loop.index: loop.low + (rounds - 1) * Fraction(1, 2)}
    # Places in arrays go on with the counter, by a symbol that is never written.
    places = {loop.index: as_value(f"{wanted_name(loop.index)}{HIDDEN}{loop.at.line}")}
    body = _put(loop.body, middle, places)
    return replace(
        loop, index=f"k{HIDDEN}", low=None, high=None, rounds=rounds, body=body, weighted=False, further=True
    )


def _put(items: Items, values: Mapping[str, Value], places: Mapping[str, Value]) -> Items:
    return tuple(
        with_values(
            item,
            lambda v: substituted(v, values),
            lambda inside: _put(inside, values, places),
            lambda v: substituted(v, places),
        )
        for item in items
    )


def measured(run: Measuring, entry: Body) -> dict[str, Body]:
    """The equations of an entry with the rounds and calls that ran where closed forms would stand for means."""
    measuring = _Measured(run)
    while True:  # ends: each round but the last marks a formal
        before = {name: set(formals) for name, formals in measuring.unsure.items()}
        rewritten = {name: measuring.equation(body) for name, body in [*measuring.bodies.items()]}
        if measuring.unsure == before and len(rewritten) == len(measuring.bodies):
            return reached(rewritten[entry.name], rewritten)


class _Measured:
    def __init__(self, run: Measuring) -> None:
        self.run = run
        self.bodies = dict(run.bodies)
        self.unsure: dict[str, set[str]] = {}
        """The formals of which only a mean is known, by equation."""
        self.rounds: dict[tuple[str, int], Value] = {}

    def equation(self, body: Body) -> Body:
        """One equation, in the form for a run."""
        if self.unsure.get(body.name) and body.name in self.run.alternatives:
            known = set(self.run.steps)
            counted = self.run.alternatives.pop(body.name)()
            assert set(counted.formals) <= set(body.formals)  # formals that all calls hand on are those of any form
            body = self.bodies[body.name] = replace(counted, formals=body.formals)
            self.bodies |= {n: self.run.steps[n] for n in self.run.steps.keys() - known}
        own = frozenset(body.formals)
        return replace(body, items=self.items(body.items, body.name, False, own))

    def items(self, items: Items, name: str, averaged: bool, varying: frozenset[str]) -> Items:
        """Items of an equation; `averaged` where only the share of what is around them is known, `varying` are the
        formals and indices there."""
        return tuple(self.item(i, name, averaged, varying) for i in items)

    def item(self, item: Item, name: str, averaged: bool, varying: frozenset[str]) -> Item:
        """One item."""
        match item:
            case Op() | Repeat():
                return item
            case CodeBranch():
                decided = item.probability.constant is None and self.is_sure(item.probability, name, averaged, varying)
                then, otherwise = (
                    self.items(side, name, averaged or not decided, varying) for side in (item.then, item.otherwise)
                )
                return replace(item, then=then, otherwise=otherwise)
            case Weighted():
                return replace(item, body=self.items(item.body, name, True, varying))
            case CodeLoop():
                return self.loop(item, name, averaged, varying)
            case Callee():
                callee = self.bodies.get(item.equation)
                for formal, value in zip(callee.formals, item.arguments, strict=False) if callee is not None else ():
                    if not item.recursive and not self.is_sure(value, name, averaged, varying):
                        self.unsure.setdefault(item.equation, set()).add(formal)
                return item
            case _:
                assert_never(item)

    def loop(self, loop: CodeLoop, name: str, averaged: bool, varying: frozenset[str]) -> CodeLoop:
        """A loop: over its counter as long as that is known in every round."""
        if loop.low is None or loop.high is None:
            return replace(loop, body=self.items(loop.body, name, True, varying))
        is_sure = all(self.is_sure(v, name, averaged, varying) for v in (loop.low, loop.high))
        if is_sure or not isinstance(loop.index, Symbol) or name in self.run.alternatives:
            return replace(loop, body=self.items(loop.body, name, averaged, varying | {loop.index}))

        key = (name, id(loop))
        if key not in self.rounds:
            self.rounds[key] = self.run.ask(name, loop)
        counted = as_measured(loop, self.rounds[key])
        return replace(counted, body=self.items(counted.body, name, True, varying))

    def is_sure(self, value: Value, name: str, averaged: bool, varying: frozenset[str]) -> bool:
        """Whether a value is known each time and not only on average."""
        unsure = self.unsure.get(name, set())
        return not any(n in unsure or (averaged and n in varying) or self.is_mean(n) for n in value.names)

    def is_mean(self, name: str) -> bool:
        """Whether a parameter is a mean."""
        note = self.run.parameters.get(name)
        if note is None or note.site is None or note.kind in EXACT:
            return False
        if note.kind in OF_OBJECTS:
            is_own = note.kind is not ParameterKind.ARGUMENT and note.site.owner in self.run.own
            return note.value is None and not is_own
        return True
