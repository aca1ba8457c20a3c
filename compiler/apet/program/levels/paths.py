"""The recurrences of a loop: the longest way of a value from one round to the same variable in the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from apet.program.algebra import MOST_OF_PRODUCT, ZERO, Value, as_value
from apet.program.free_names import walk
from apet.program.ir import Callee, CodeBranch, CodeLoop, Items, Op, Repeat, Weighted
from apet.program.levels.escape import ANY, NEW
from apet.program.levels.memory import levels
from apet.program.levels.placement import reassociated
from apet.program.levels.units import FLOATING, demand
from apet.program.symbols import HIDDEN

FORWARD_CYCLES = 10.0
ADDED = 16
"""Rounds for which a compiler adds at once what none of them changes."""
UNROLLED = 8
"""Rounds that a compiler makes one: what the last round stored is still in a register in all but the first of them."""
HALF = 0.5


class LatencyPath(NamedTuple):
    """Cycles as they are guessed, and how often each latency is on the way."""

    cycles: float
    weights: tuple[tuple[str, Value], ...]

    def then(self, name: str, cycles: float) -> LatencyPath:
        """The path with one more operation at its end."""
        return self.added(LatencyPath(cycles, ((name, as_value(1)),)))

    def scaled(self, factor: Value, guess: float) -> LatencyPath:
        """The path with a weight in front."""
        return LatencyPath(self.cycles * guess, tuple((n, factor * w) for n, w in self.weights))

    def added(self, other: LatencyPath) -> LatencyPath:
        """One path after the other."""
        weights = dict(self.weights)
        for n, w in other.weights:
            weights[n] = weights.get(n, ZERO) + w
        return LatencyPath(self.cycles + other.cycles, tuple(weights.items()))


NONE = LatencyPath(0.0, ())
REGISTER = "(register)"
"""Stands for what a floating-point register held before a conversion was put into it: no variable has this name."""
MERGED = Fraction(3, 5)
"""The part of the way from a conversion on that the next conversion waits for, on average: it depends on which register
the compiler takes."""
FEW = 3
"""Operations from a conversion to a sum that do not make the next conversion wait."""
Ways = Mapping[str, LatencyPath]
"""From which variable at the start of a round, by which path."""


@dataclass
class ValueOrigins:
    """Where values come from: of variables and array elements by name, of results by number."""

    touched: Value
    variables: dict[str, Ways] = field(default_factory=dict)
    results: dict[int, Ways] = field(default_factory=dict)
    stored: dict[str, list[tuple[Value | None, ...]]] = field(default_factory=dict)
    loaded: set[int] = field(default_factory=set)
    """Results that are elements of arrays."""
    leaving: bool = False
    """Whether this is a side of a branch that no round goes on from."""


def longest(alternatives: Iterable[Ways]) -> Ways:
    """The longest way from each start."""
    best: dict[str, LatencyPath] = {}
    for ways in alternatives:
        for start, path in ways.items():
            if start not in best or path.cycles > best[start].cycles:
                best[start] = path
    return best


def recurrences(loop: CodeLoop, free: frozenset[int], touched: Value) -> dict[str, LatencyPath]:
    """Each variable that a round hands to the next, with its way through one round; counters are left out.

    `touched` are the bytes that elements from anywhere lie in, where the length of their array is unknown.
    """
    added = reassociated(loop)
    state = ValueOrigins(touched)
    _follow(loop.body, state, free - added.keys(), loop)
    chains: dict[str, LatencyPath] = {}

    for variable, ways in state.variables.items():
        path, owner = ways.get(variable), variable.rpartition(".")[0]
        # A field of another object in each round is another field.
        moves = owner in state.variables or owner.startswith((NEW, ANY))
        if path is not None and path.cycles > 0 and variable != loop.counter and not moves:
            is_added = variable in added.values()
            chains[variable] = path.scaled(as_value(Fraction(1, ADDED)), HALF) if is_added else path
    return chains | _merged(state, chains)


def _merged(state: ValueOrigins, chains: Mapping[str, LatencyPath]) -> dict[str, LatencyPath]:
    """What a conversion to floating point waits for: `cvtsi2sd` fills one half of a register and keeps the other, so
    that it depends on whatever the round before left there. Loops that convert elements were measured without it, and
    those that add what they convert, or one operation on it, to a sum: the sum has a register of its own."""
    path = longest((*state.results.values(), *state.variables.values())).get(REGISTER)
    if path is None:
        return {}
    added = any(state.variables[v].get(REGISTER) == path for v in chains if v in state.variables)
    if added and sum(1 if w.constant is None else float(w.constant) for _, w in path.weights) <= FEW:
        return {}
    return {REGISTER: path.scaled(as_value(MERGED), float(MERGED))}


def _follow(items: Items, state: ValueOrigins, free: frozenset[int], loop: CodeLoop) -> None:
    for item in items:
        match item:
            case Op():
                _operation(item, state, free, loop)
            case CodeBranch():
                _branch(item, state, free, loop)
            case Weighted():
                _follow(item.body, state, free, loop)
            case Callee():
                state.results[item.result] = longest(state.results.get(i, {}) for i in item.inputs)
            case CodeLoop() | Repeat():
                pass


def _operation(op: Op, state: ValueOrigins, free: frozenset[int], loop: CodeLoop) -> None:
    inputs = longest(state.results.get(i, {}) for i in op.inputs)
    if op.name == "access" or (op.name == "field_access" and not op.store):
        unit_demand = demand(op)
        through_object = {
            n: p.then(unit_demand.latency, unit_demand.cycles) if unit_demand.latency else p for n, p in inputs.items()
        }
        begins = {} if op.variable.startswith((NEW, ANY)) else {op.variable: NONE}
        own = state.variables.get(op.variable, begins)
        is_new = op.variable.startswith(NEW) and op.variable in state.variables
        state.results[op.result] = own if is_new else longest((own, through_object))
        return

    if op.name == "assign" and op.variable:
        state.variables[op.variable] = inputs
        if op.variable.startswith(NEW):
            # What a new object has been given is there when its fields are.
            whole = int(op.variable[len(NEW) :].partition(".")[0])
            state.results[whole] = longest((state.results.get(whole, {}), inputs))
    elif op.name == "array_access" and op.memory is not None:
        _element(op, inputs, state, loop)
    elif op.name not in ("assign", "field_access"):
        unit_demand = demand(op)
        costs = unit_demand.latency and op.result not in free
        is_conversion = op.name.startswith("cast_") and op.type is not None and op.type.name in FLOATING
        if costs and is_conversion and not state.leaving and state.loaded.isdisjoint(op.inputs):
            inputs = longest((inputs, {REGISTER: NONE}))
        state.results[op.result] = {
            n: p.then(unit_demand.latency, unit_demand.cycles) if costs else p for n, p in inputs.items()
        }


def _element(op: Op, inputs: Ways, state: ValueOrigins, loop: CodeLoop) -> None:
    """An element that an earlier round stored comes through the store buffer, or stays in a register."""
    assert op.memory is not None
    name = f"{op.memory.array}[]"
    unit_demand = demand(op)
    if op.store:
        value = state.results.get(op.inputs[-1], {}) if op.inputs else {}
        state.variables[name] = longest((value, state.variables.get(name, {})))
        state.stored.setdefault(name, []).append(op.memory.subscripts)
        return

    state.loaded.add(op.result)
    ways = {n: _waited(p.then(unit_demand.latency, unit_demand.cycles), op, state.touched) for n, p in inputs.items()}
    distance, kind = _distance(op, loop), op.variable
    if distance is not None:
        if op.memory.subscripts in state.stored.get(name, ()):
            ways = dict(longest((ways, state.variables.get(name, {}))))
        elif distance == 0 or kind not in ("float", "double"):
            # Compiled code keeps such an element in a register: nothing is loaded.
            ways = dict(longest((ways, {name: NONE})))
        else:
            # Through the store buffer, once for each copy of the body where the loop is unrolled.
            rounds = distance * (1 if _between(op, loop) else UNROLLED)
            forwarded = NONE.then(f"lat_forward_{kind}", FORWARD_CYCLES)
            ways = dict(longest((ways, {name: forwarded.scaled(as_value(Fraction(1, rounds)), 1 / rounds)})))
    state.results[op.result] = ways


def _waited(path: LatencyPath, op: Op, touched: Value) -> LatencyPath:
    """An element from anywhere whose place the last round computed: the whole latency of the level that has it."""
    assert op.memory is not None
    if not op.memory.gathered and None not in op.memory.subscripts:
        return path
    extent = touched if op.memory.extent is None else op.memory.extent
    weights = dict(path.weights)
    for level, here in levels(extent, scattered=True) if extent.terms else ():
        weights[f"wait_{level}"] = weights.get(f"wait_{level}", ZERO) + here
    return LatencyPath(path.cycles, tuple(weights.items()))


def _between(op: Op, loop: CodeLoop) -> bool:
    """Whether something keeps an element from staying in a register over the rounds of an unrolled loop: the loop does
    not count, or it also stores elements of this type in another array."""
    assert op.memory is not None
    kind, array = op.variable, op.memory.array
    stores = (i for i in walk(loop.body) if isinstance(i, Op) and i.store and i.memory is not None)
    return not loop.counted or any(
        s.variable == kind and s.memory is not None and s.memory.array != array for s in stores
    )


def _distance(op: Op, loop: CodeLoop) -> int | None:
    """How many rounds ago this loop stored what is loaded; 0 for the same address in every round; None for never."""
    assert op.memory is not None
    for other in _stores(loop.body, op.memory.array):
        gaps = []
        for load, store in zip(op.memory.subscripts, other, strict=False):
            if load is None or store is None:
                return None
            gap = (store - load).integer
            slope = advance(store, loop)
            if gap is None or slope is None:
                return None
            gaps.append((gap, slope))

        moving = [(gap, slope) for gap, slope in gaps if slope]
        if any(gap for gap, slope in gaps if not slope):
            continue
        if not moving:
            return 0
        rounds = {Fraction(gap, slope) * (1 if loop.step >= 0 else -1) for gap, slope in moving if slope}
        if len(rounds) == 1 and (one := rounds.pop()).denominator == 1 and one >= 1:
            return int(one)
    return None


def advance(subscript: Value, loop: CodeLoop) -> int | None:
    """How far a subscript moves with each round, as if the loop counted upwards; None where it is no linear form."""
    # Counters of loops without symbolic bounds have hidden symbols that end in the loop's line.
    moving = [n for n in subscript.names if n == loop.index or n.partition(HIDDEN)[2] == str(loop.at.line)]
    total = 0
    for name in moving:
        slope = subscript.slope(name)
        if slope is None or slope.integer is None:
            return None
        total += slope.integer * (1 if name == loop.index else abs(loop.step or 1))
    return total


def _stores(items: Items, array: str) -> list[tuple[Value | None, ...]]:
    """The subscripts of all stores in an array."""
    accesses = ((i.memory, i.store) for i in walk(items) if isinstance(i, Op))
    return [memory.subscripts for memory, store in accesses if store and memory is not None and memory.array == array]


def mixed(one: LatencyPath, other: LatencyPath, q: Value, guess: float) -> LatencyPath:
    """One path with a probability, else the other: what they have in common stays as it is."""
    before, weights = dict(one.weights), dict(other.weights)
    for n in {**before, **weights}:
        base, way = weights.get(n, ZERO), before.get(n, ZERO)
        if way == base:
            continue
        change = way - base
        # Of many cases one after the other, what is behind is one factor: multiplied out it has a term for each way.
        # Where both sides have most terms in common, little is multiplied.
        apart = min(len(change.terms), len(base.terms)) > MOST_OF_PRODUCT
        weights[n] = q * way + (1 - q) * base if apart else base + q * change
    cycles = one.cycles * guess + other.cycles * (1 - guess)
    return LatencyPath(cycles, tuple((n, w) for n, w in weights.items() if w.terms))


def _branch(branch: CodeBranch, state: ValueOrigins, free: frozenset[int], loop: CodeLoop) -> None:
    """After a branch a value has come one way or the other: speculation follows the likely one, the mean counts."""
    before, around = dict(state.variables), state.leaving
    state.leaving = around or branch.leaves
    _follow(branch.then, state, free, loop)
    after_then, state.variables = state.variables, dict(before)
    _follow(branch.otherwise, state, free, loop)
    state.leaving = around
    q = branch.probability
    # `cycles` only orders paths, before any parameter has a value: an unknown probability counts as a half.
    guess = float(q.constant) if q.constant is not None else HALF

    for name in {**after_then, **state.variables}:
        one, other = (side.get(name, {name: NONE}) for side in (after_then, state.variables))
        if one is other:
            continue
        joined: dict[str, LatencyPath] = {}
        for start in {**one, **other}:
            a, b = one.get(start, NONE), other.get(start, NONE)
            joined[start] = mixed(a, b, q, guess)
        state.variables[name] = joined
