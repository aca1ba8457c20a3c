"""Loops: those that count become `seq` with symbolic bounds, of the others the rounds are a parameter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, apply, as_value
from apet.program.counter_range import CounterRange
from apet.program.ir import CodeLoop, Item, Items, Op, Weighted
from apet.program.jumps import Jumps, leaving
from apet.program.signs import is_nonnegative
from apet.program.symbols import HIDDEN
from apet.program.translator.arithmetic import converted, in_range, stays_in_range
from apet.program.translator.counting import Counting, constant_steps, counting, rounds
from apet.program.translator.facts import Fact
from apet.program.translator.for_each import for_each
from apet.program.translator.loop_parts import forget, leave, mean_rounds, write_loop
from apet.program.translator.motions import Motion, MovingRange, motions_of, moving_range
from apet.program.translator.proved_rounds import ProvedRounds, proved_rounds
from apet.program.translator.teams import run_shared

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


class LoopShape(NamedTuple):
    """A loop taken apart: its condition, what it does at the end of a round, its body, and steps of its counters; and
    how its variables move."""

    condition: s.Expression | None
    updates: tuple[s.Expression, ...]
    body: s.Statement
    steps: dict[str, int]
    at_least_once: bool
    kind: str
    motions: Mapping[str, Motion]


def run_loop(t: Translator, loop: s.LoopStatement, label: str) -> Jumps:
    """Write a loop; the jumps that leave more than this loop."""
    outside = dict(t.types)
    if isinstance(loop, s.ForEach):
        flow = for_each(t, loop, label)
    else:
        if isinstance(loop, s.For):
            for statement in loop.start:
                t.run(statement)
        flow = _loop(t, loop, label)

    for name in set(t.types) - set(outside):
        t.facts.pop(name, None)
    t.types = outside
    return flow


def _shape(t: Translator, loop: s.For | s.While | s.DoWhile) -> LoopShape:
    motions = _motions(t, loop)
    if isinstance(loop, s.For):
        steps = constant_steps(t, loop.updates)
        return LoopShape(loop.condition, loop.updates, loop.body, steps, False, "for", motions)
    kind = "while" if isinstance(loop, s.While) else "do"
    body, last = _split(t, loop.body)
    steps = constant_steps(t, (last,)) if last is not None else {}
    if last is not None and len(steps) == 1 and all(steps.values()):
        return LoopShape(loop.condition, (last,), body, steps, kind == "do", kind, motions)
    return LoopShape(loop.condition, (), loop.body, {}, kind == "do", kind, motions)


def _motions(t: Translator, loop: s.For | s.While | s.DoWhile) -> dict[str, Motion]:
    """The variables that every round moves: at its end, or by statements of its body that no `continue` skips."""
    body = loop.body
    inside = body.statements if isinstance(body, s.CodeBlock) else (body,)
    facts, steps = t.method.scan.facts(body), list[s.Expression]()
    moved = [one.expression for one in inside if isinstance(one, s.Do) and not facts.continues]
    steps += [e for e in moved if isinstance(e, s.Increment | s.Assign)]
    updates = loop.updates if isinstance(loop, s.For) else ()
    motions = motions_of(t, (*steps, *updates), loop.condition)

    # What is assigned anywhere else in the body as well moves in some rounds only.
    times = Counter(name for e in steps for name in t.method.scan.facts(e).assigned)
    return {n: m for n, m in motions.items() if len(facts.assigned.get(n, ())) == times[n] and n not in facts.declared}


def _split(t: Translator, body: s.Statement) -> tuple[s.Statement, s.Expression | None]:
    """A body without the step that ends it; a `continue` would skip that step, so that there is none then."""
    if isinstance(body, s.Do):
        return s.EmptyStatement(body.at), body.expression
    if not isinstance(body, s.CodeBlock) or not body.statements:
        return body, None
    last = body.statements[-1]
    if not isinstance(last, s.Do) or t.method.scan.facts(body).continues:
        return body, None
    return s.CodeBlock(body.statements[:-1], body.at), last.expression


def _loop(t: Translator, loop: s.For | s.While | s.DoWhile, label: str) -> Jumps:
    start = dict(t.facts)  # the counter's first value is what held before the loop
    forget(t, replace(loop, start=()) if isinstance(loop, s.For) else loop)
    shape = _shape(t, loop)  # what steps are by may change in the loop itself
    counter = counting(t, shape.condition, shape.steps, shape.body)
    index = t.state.bound(counter.counter if counter is not None else "k")
    extent = _extent(t, counter, start, index, shape.at_least_once) if counter is not None else None
    moving = _moving(t, shape, start, index) if extent is None or counter is None or counter.further else None
    proved = (
        proved_rounds(t, loop, start) if moving is None and (extent is None or (counter and counter.further)) else None
    )
    if proved is not None and proved.low == proved.high:
        moving = MovingRange(proved.high, {})
    if moving is not None:
        counter, extent = None, CounterRange(as_value(1), moving.rounds, moving.rounds, as_value(index))
    if shape.condition is not None and isinstance(shape.condition, s.Literal):
        shape = shape._replace(condition=None)
    for name, step in shape.steps.items():
        if step:
            # A symbol that is never written: it tells a[i] and a[i + 1] apart.
            t.facts[name] = as_value(f"{name}{HIDDEN}{loop.at.line}")

    first, again = _comparison(t, shape, counter, extent)
    if not shape.at_least_once:
        t.out += first
    if counter is not None and extent is not None:
        t.facts[counter.counter] = extent.value
    t.facts |= {} if moving is None else moving.values
    index.signed = extent is not None and not is_nonnegative(extent.low)
    with t.writing() as body:
        t.loops.append(label)
        jumps = t.run(shape.body)
        t.loops.pop()
    with t.writing() as control:
        for update in shape.updates:
            t.evaluate(update)

    leaves, away = leaving(jumps, label)
    control = [*_control(control, counter), *again]
    if leaves.terms:  # a round that leaves early does not step or compare again
        control = [Weighted(1 - leaves, tuple(control), loop.at)]
    forget(t, loop)
    leave(t, index)
    held = (*body, *control)
    if extent is not None and (moving is not None or (counter is not None and not counter.further)):
        written = _counted(t, loop, shape, index, extent, counter, held, leaves)
    else:
        written = _repeated(t, loop, extent, counter, held, leaves, proved)
    if isinstance(loop, s.For) and loop.team is not None and run_shared(t, loop.team, written):
        return Jumps()
    return write_loop(t, loop, written, extent, away, leaves)


def _moving(t: Translator, shape: LoopShape, start: dict[str, Fact], index: str) -> MovingRange | None:
    return moving_range(t, shape.condition, shape.motions, start, index, shape.at_least_once)


def _counted(
    t: Translator,
    loop: s.For | s.While | s.DoWhile,
    shape: LoopShape,
    index: str,
    extent: CounterRange,
    counter: Counting | None,
    held: Items,
    leaves: Value,
) -> CodeLoop:
    """A loop over the values of its counter."""
    # The body of a `do` runs before its condition is looked at: the range of the counter alone may be empty.
    least = as_value(1) if shape.at_least_once else None
    many = extent.rounds if least is None else apply("max", least, extent.rounds)
    low, high = extent.low, extent.high
    if least is not None and not _surely_once(extent):
        # The first round is that of the counter's start, at the one end of its range or at the other.
        is_down = counter is not None and counter.step < 0 and extent.value == as_value(index)
        low, high = (apply("min", low, high), high) if is_down else (low, apply("max", low, high))
    counts, early = _machine_counts(t, counter), bool(leaves.terms)
    return CodeLoop(index, low, high, many, held, counts, _step_of(counter), _counter(counter), leaves, loop.at, early)


def _repeated(
    t: Translator,
    loop: s.For | s.While | s.DoWhile,
    extent: CounterRange | None,
    counter: Counting | None,
    held: Items,
    leaves: Value,
    proved: ProvedRounds | None,
) -> CodeLoop:
    """A loop of which only the number of rounds is known, or a parameter stands for it."""
    # A further condition may end it before its counter does, so that the range of the counter is no number of rounds.
    many, step, name = mean_rounds(t, loop, extent, proved), _step_of(counter), _counter(counter)
    further, counts = counter is not None and counter.further, _machine_counts(t, counter)
    return CodeLoop(f"k{HIDDEN}", None, None, many, held, counts, step, name, leaves, loop.at, further=further)


def _surely_once(extent: CounterRange) -> bool:
    number = extent.rounds.constant
    return number is not None and number >= 1


def _machine_counts(t: Translator, counter: Counting | None) -> bool:
    """Whether a compiler counts it; with a further condition only where every round goes one element on."""
    if counter is None or counter.squared or t.types[counter.counter].name not in types.INTEGRAL:
        return False
    return not counter.further or abs(counter.step) == 1


def _step_of(counter: Counting | None) -> int:
    return 0 if counter is None else counter.step


def _counter(counter: Counting | None) -> str:
    return "" if counter is None else counter.counter


def _extent(
    t: Translator, counter: Counting, start: dict[str, Fact], index: str, at_least_once: bool
) -> CounterRange | None:
    fact, own = start.get(counter.counter), t.types[counter.counter]
    begin = fact if isinstance(fact, Value) else None
    with t.writing():
        limit = t.evaluate(counter.limit)
        kind = t.conversions.promoted(own, limit.type)
        if kind.name in types.UNSIGNED:  # numbers below 0 are compared as great ones
            limit = converted(t, limit, kind)
            is_plain = counter.relation == "!=" or begin is None or is_nonnegative(begin)
            begin = begin if is_plain else None if at_least_once else in_range(t.state, begin, kind.name)
    found = rounds(t, counter, begin, limit.number, index)
    if found is None or begin is None:
        return found
    number, is_at_limit = found.rounds.constant, begin == limit.number and not at_least_once
    if counter.relation == "!=" and number is not None and number < 1 and not is_at_limit:
        return None  # it comes to the limit when it has wrapped around
    if own.name in types.WRAPPING:
        many = apply("max", 1, found.rounds) if at_least_once else found.rounds
        return found if stays_in_range(t.state, begin + counter.step * many, own.name) else None
    return found


def _comparison(
    t: Translator, shape: LoopShape, counter: Counting | None, extent: CounterRange | None
) -> tuple[list[Item], list[Item]]:
    """The first comparison and that of each further round. As published, a limit that is a plain variable is accessed
    once, and the counter, which has just been assigned, not at all."""
    if shape.condition is None:
        return [], []
    with t.writing() as items:
        if counter is None or counter.further or extent is None or counter.squared:
            value = t.evaluate(shape.condition)
            if not isinstance(shape.condition, s.BinaryOp) and value.value >= 0:
                t.op("compare", types.BOOLEAN, value)
        else:
            t.evaluate(counter.limit)
            t.op("compare", None)

    if counter is not None and extent is not None and not counter.further and not counter.squared:
        items = [replace(i, control=True) if isinstance(i, Op) else i for i in items]
        if len(items) == 2 and isinstance(items[0], Op) and items[0].name == "access":
            return [replace(items[0], type=None), items[1]], [items[1]]
    return items, items


def _control(items: list[Item], counter: Counting | None) -> list[Item]:
    """The steps of a loop's counter, marked as such; the assignment first, as published."""
    if counter is None:
        return items
    marked = [replace(i, control=True) if isinstance(i, Op) and i.name != "either" else i for i in items]
    return sorted(marked, key=lambda i: not (isinstance(i, Op) and i.name == "assign"))
