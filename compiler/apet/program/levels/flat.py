"""The flat level, as published: every operation costs its interval, and counts multiply."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import assert_never

from apet.model import terms
from apet.program.algebra import Value, apply, as_value
from apet.program.free_names import free_names
from apet.program.ir import Body, Callee, CodeBranch, CodeLoop, Item, Items, Op, Repeat, Weighted, operation_name
from apet.program.levels.threads import THREADS, own_chunks, own_rounds
from apet.program.named_factors import names_in
from apet.program.symbols import HIDDEN
from apet.program.value_terms import NOWHERE, expression, number

PROCESSOR = terms.Name("p", NOWHERE)
SHORT = 2
"""Bodies of no more processes than this are written twice rather than given a name."""


@lru_cache(maxsize=4096)  # what is shared is also printed once
def step(name: str, arguments: tuple[Value, ...] = ()) -> terms.Invoke:
    """An operation or equation of processor p."""
    return terms.Invoke(name, (PROCESSOR,), tuple(expression(a) for a in arguments) or None, NOWHERE)


def sequence(processes: list[terms.Process]) -> terms.Process:
    """Processes one after the other."""
    return processes[0] if len(processes) == 1 else terms.Sequence(tuple(processes), NOWHERE)


def weighed(probability: Value, then: list[terms.Process], otherwise: list[terms.Process]) -> list[terms.Process]:
    """A branch; nothing where both sides are empty."""
    if probability.constant == 1 or not (then or otherwise):
        return then
    if probability.constant == 0:
        return otherwise
    if not then:
        return weighed(1 - probability, otherwise, [])
    rest = terms.Sequence((), NOWHERE) if not otherwise else sequence(otherwise)
    return [terms.Branch(expression(probability), sequence(then), rest, NOWHERE)]


def repeated(index: str, low: Value, high: Value, body: list[terms.Process]) -> list[terms.Process]:
    """`seq`, or nothing where there is nothing to repeat."""
    if not body:
        return []
    return [terms.Loop("seq", index, expression(low), expression(high), sequence(body), NOWHERE)]


def locked(lock: str, body: list[terms.Process]) -> list[terms.Process]:
    """What holds a lock, if it has a name."""
    return [terms.Use(terms.Name(lock, NOWHERE), sequence(body), NOWHERE)] if lock and body else body


UNSEEN = ("either", "visit", "call_virtual", "instanceof_absent")
LIKE = {"new_matrix": "new", "new_row": "new"}
"""An interpreter makes each array of an array alike, and looks up the method of each call."""


class FlatWriter:
    """Writes equations; bodies that are needed twice get equations of their own."""

    def __init__(self, used: set[str]) -> None:
        self.used = used
        self.equations: dict[str, terms.Equation[terms.Process]] = {}
        self.formals: frozenset[str] = frozenset()

    def equation(self, body: Body) -> None:
        """One method, and what it needs besides."""
        self.formals = frozenset(body.formals)
        self.equations[body.name] = terms.Equation(
            body.name, ("p",), body.formals, terms.Sequence((), NOWHERE), NOWHERE
        )
        body_process = terms.Sequence(tuple(self.items(body.items, body.name)), NOWHERE)
        self.equations[body.name] = self.equations[body.name]._replace(body=body_process)

    def items(self, items: Items, name: str) -> list[terms.Process]:
        """Items as processes."""
        return [p for item in items for p in self.item(item, name)]

    def item(self, item: Item, name: str) -> list[terms.Process]:
        """One item."""
        match item:
            case Op():
                return [] if item.name in UNSEEN else [step(LIKE.get(item.name, operation_name(item)))]
            case CodeBranch():
                return weighed(item.probability, self.items(item.then, name), self.items(item.otherwise, name))
            case Weighted():
                return weighed(item.probability, locked(item.lock, self.items(item.body, name)), [])
            case Repeat():
                return repeated(self.unused("k", item.body), as_value(1), item.times, self.items(item.body, name))
            case Callee():
                return [] if item.recursive else [step(item.equation, item.arguments)]
            case CodeLoop():
                return self.loop(item, name)
            case _:
                assert_never(item)

    def unused(self, wanted: str, body: Items) -> str:
        """An index that hides nothing in a body."""
        names = free_names(body)
        while wanted in names:
            wanted += "_"
        return wanted

    def loop(self, loop: CodeLoop, name: str) -> list[terms.Process]:
        """A loop that counts, or one whose rounds are a parameter."""
        return self.rounds(loop, self.items(loop.body, name), name, free_names(loop.body))

    def rounds(self, loop: CodeLoop, body: list[terms.Process], name: str, names: Set[str]) -> list[terms.Process]:
        """`seq` around a body, in each of the threads that share the rounds; `names` are those in the body."""
        if loop.chunk is not None:
            return self.shared(loop, body, name, names)
        if loop.low is None or loop.high is None:
            return self.uncounted(loop, body, name)

        index = self.unused("k", loop.body) if HIDDEN in loop.index else loop.index
        low, high = loop.low, loop.high
        # An index that nothing uses counts from 1, as people write it.
        if index not in names and low.constant == 0:
            low, high = as_value(1), high + 1
        if loop.weighted:
            body = weighed(apply("^", 1 - loop.leaves, as_value(index) - low), body, [])
        return repeated(index, low, high, body)

    def shared(self, loop: CodeLoop, body: list[terms.Process], name: str, names: Set[str]) -> list[terms.Process]:
        """`par` over the threads, each of which is a processor with its own rounds in an equation."""
        if not body:
            return []
        part = own_rounds(loop, names)
        own = self.chunks(loop, body, name) if part is None else self.rounds(part, body, name, names)
        thread = terms.Name(self.unused("thread", (loop,)), NOWHERE)
        call = self.apart((loop,), own, f"{name}_threads{loop.at.line}")._replace(subscripts=(thread,))
        return [terms.Loop("par", thread.name, number(1), expression(THREADS), call, NOWHERE)]

    def chunks(self, loop: CodeLoop, body: list[terms.Process], name: str) -> list[terms.Process]:
        """Chunks of rounds in turn, and the last one, which is not whole."""
        assert loop.low is not None
        assert loop.high is not None
        index, body = self.unused("chunk", loop.body), self.named(loop, body, name)
        one, last, rest, is_own = own_chunks(loop, loop.low, loop.high, index)
        names = names_in(sequence(body))
        whole = repeated(index, as_value(0), last, self.rounds(one, body, name, names))
        return whole + (weighed(is_own, self.rounds(rest, body, name, names), []) if loop.chunk != 1 else [])

    def uncounted(self, loop: CodeLoop, body: list[terms.Process], name: str) -> list[terms.Process]:
        """Rounds that are a mean: the whole ones, and one more with the broken part as its probability."""
        index = self.unused("k", loop.body)
        if not body:
            return []
        if loop.rounds.integer is not None:
            return repeated(index, as_value(1), loop.rounds, body)

        body = self.named(loop, body, name)
        high = terms.Invoke("floor", None, (expression(loop.rounds),), NOWHERE)
        broken = terms.Binary("-", expression(loop.rounds), high, NOWHERE)
        part = terms.Branch(broken, sequence(body), terms.Sequence((), NOWHERE), NOWHERE)
        return [terms.Loop("seq", index, number(1), high, sequence(body), NOWHERE), part]

    def named(self, loop: CodeLoop, body: list[terms.Process], name: str) -> list[terms.Process]:
        """A body as an equation of its own, unless it is short."""
        if len(body) <= SHORT and all(isinstance(b, terms.Invoke) for b in body):
            return body
        return [self.apart(loop.body, body, f"{name}_loop{loop.at.line}")]

    def apart(self, items: Items, body: list[terms.Process], wanted: str) -> terms.Invoke:
        """Items, written as `body`, as an equation of their own: a call of it."""
        unique, k = wanted, 1
        while unique in self.used or unique in self.equations:
            k += 1
            unique = f"{wanted}_{k}"

        self.used.add(unique)
        used = names_in(sequence(body)) & self.formals
        inside = sorted(used | {n for n in free_names(items) if n in self.bound})
        formals = tuple(inside)
        self.equations[unique] = terms.Equation(unique, ("p",), formals, terms.Sequence(tuple(body), NOWHERE), NOWHERE)
        return step(unique, tuple(as_value(n) for n in formals))

    bound: frozenset[str] = frozenset()
    """Names that are no parameters of the model: formals and indices."""
