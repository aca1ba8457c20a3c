"""The recurrences of a loop: the longest way of a value from one round to the same variable in the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from apet.frontends.java.algebra import ZERO, Value, as_value
from apet.frontends.java.core.units import demand
from apet.frontends.java.ir import Branch, Callee, Items, Loop, Op, Repeat, Weighted

FORWARD_CYCLES = 10.0
HALF = 0.5


class Path(NamedTuple):
    """Cycles as they are guessed, and how often each latency is on the way."""

    cycles: float
    weights: tuple[tuple[str, Value], ...]

    def then(self, name: str, cycles: float) -> Path:
        """The path with one more operation at its end."""
        weights = dict(self.weights)
        weights[name] = weights.get(name, ZERO) + 1
        return Path(self.cycles + cycles, tuple(weights.items()))

    def scaled(self, factor: Value, guess: float) -> Path:
        """The path with a weight in front."""
        return Path(self.cycles * guess, tuple((n, factor * w) for n, w in self.weights))

    def added(self, other: Path) -> Path:
        """One path after the other."""
        weights = dict(self.weights)
        for n, w in other.weights:
            weights[n] = weights.get(n, ZERO) + w
        return Path(self.cycles + other.cycles, tuple(weights.items()))


NONE = Path(0.0, ())
Ways = Mapping[str, Path]
"""From which variable at the start of a round, by which path."""


@dataclass
class State:
    """Where values come from: of variables and array elements by name, of results by number."""

    variables: dict[str, Ways] = field(default_factory=dict)
    results: dict[int, Ways] = field(default_factory=dict)
    stored: dict[str, list[tuple[Value | None, ...]]] = field(default_factory=dict)


def longest(found: Iterable[Ways]) -> Ways:
    """The longest way from each start."""
    best: dict[str, Path] = {}
    for ways in found:
        for start, path in ways.items():
            if start not in best or path.cycles > best[start].cycles:
                best[start] = path
    return best


def recurrences(loop: Loop, free: frozenset[int]) -> dict[str, Path]:
    """Each variable that a round hands to the next, with its way through one round; counters are left out."""
    state = State()
    _follow(loop.body, state, free, loop)
    found: dict[str, Path] = {}
    for variable, ways in state.variables.items():
        path = ways.get(variable)
        if path is not None and path.cycles > 0 and variable != loop.counter:
            found[variable] = path
    found.update(_exchanged(state, found))
    return found


def _exchanged(state: State, known: Mapping[str, Path]) -> dict[str, Path]:
    """Two variables that depend on each other: half the way there and back in each round."""
    found: dict[str, Path] = {}
    names = list(state.variables)[:40]
    for k, a in enumerate(names):
        for b in names[k + 1 :]:
            there, back = state.variables[b].get(a), state.variables[a].get(b)
            if there is None or back is None:
                continue
            both = there.added(back).scaled(as_value(Fraction(1, 2)), HALF)
            if both.cycles > max((known[n].cycles for n in (a, b) if n in known), default=0.0):
                found[f"{a} and {b}"] = both
    return found


def _follow(items: Items, state: State, free: frozenset[int], loop: Loop) -> None:
    for item in items:
        match item:
            case Op():
                _operation(item, state, free, loop)
            case Branch():
                _branch(item, state, free, loop)
            case Weighted():
                _follow(item.body, state, free, loop)
            case Callee():
                state.results[item.result] = longest(state.results.get(i, {}) for i in item.inputs)
            case Loop() | Repeat():
                pass


def _operation(op: Op, state: State, free: frozenset[int], loop: Loop) -> None:
    if op.name == "access" or (op.name == "field_access" and not op.store):
        state.results[op.result] = state.variables.get(op.variable, {op.variable: NONE})
        return
    inputs = longest(state.results.get(i, {}) for i in op.inputs)
    if op.name == "assign" and op.variable:
        state.variables[op.variable] = inputs
    elif op.name == "array_access" and op.memory is not None:
        _element(op, inputs, state, loop)
    elif op.name not in ("assign", "field_access"):
        asked = demand(op)
        costs = asked.latency and op.result not in free
        state.results[op.result] = {n: p.then(asked.latency, asked.cycles) if costs else p for n, p in inputs.items()}


def _element(op: Op, inputs: Ways, state: State, loop: Loop) -> None:
    """An element that an earlier round stored comes through the store buffer, or stays in a register."""
    assert op.memory is not None
    name = f"{op.memory.array}[]"
    asked = demand(op)
    if op.store:
        value = state.results.get(op.inputs[-1], {}) if op.inputs else {}
        state.variables[name] = longest((value, state.variables.get(name, {})))
        state.stored.setdefault(name, []).append(op.memory.subscripts)
        return
    ways = {n: p.then(asked.latency, asked.cycles) for n, p in inputs.items()}
    distance = _distance(op, loop)
    if distance is not None:
        kind = op.variable
        if op.memory.subscripts in state.stored.get(name, ()):
            ways = dict(longest((ways, state.variables.get(name, {}))))
        elif distance == 0 or kind not in ("float", "double"):
            ways = dict(longest((ways, {name: NONE})))
        else:
            forwarded = NONE.then(f"lat_forward_{kind}", FORWARD_CYCLES)
            ways = dict(longest((ways, {name: forwarded.scaled(as_value(Fraction(1, distance)), 1 / distance)})))
    state.results[op.result] = ways


def _distance(op: Op, loop: Loop) -> int | None:
    """How many rounds ago this loop stored what is loaded; 0 for the same address in every round; None for never."""
    assert op.memory is not None
    for other in _stores(loop.body, op.memory.array):
        gaps = []
        for load, store in zip(op.memory.subscripts, other, strict=False):
            if load is None or store is None:
                return None
            gap = (store - load).integer
            if gap is None:
                return None
            slope = store.slope(loop.index)
            gaps.append((gap, None if slope is None else slope.integer))
        moving = [(gap, slope) for gap, slope in gaps if slope]
        if any(gap for gap, slope in gaps if not slope):
            continue
        if not moving:
            return 0
        rounds = {Fraction(gap, slope) * (1 if loop.step >= 0 else -1) for gap, slope in moving if slope}
        if len(rounds) == 1 and (one := rounds.pop()).denominator == 1 and one >= 1:
            return int(one)
    return None


def _stores(items: Items, array: str) -> list[tuple[Value | None, ...]]:
    found: list[tuple[Value | None, ...]] = []
    for i in items:
        if isinstance(i, Op) and i.store and i.memory is not None and i.memory.array == array:
            found.append(i.memory.subscripts)
        elif isinstance(i, Branch):
            found += _stores((*i.then, *i.otherwise), array)
        elif isinstance(i, Weighted):
            found += _stores(i.body, array)
    return found


def _branch(branch: Branch, state: State, free: frozenset[int], loop: Loop) -> None:
    """After a branch a value has come one way or the other: speculation follows the likely one, the mean counts."""
    before = dict(state.variables)
    _follow(branch.then, state, free, loop)
    after_then, state.variables = state.variables, dict(before)
    _follow(branch.otherwise, state, free, loop)
    q = branch.probability
    guess = float(q.constant) if q.constant is not None else HALF
    for name in {*after_then, *state.variables}:
        one, other = (side.get(name, {name: NONE}) for side in (after_then, state.variables))
        if one is other:
            continue
        joined: dict[str, Path] = {}
        for start in {*one, *other}:
            a, b = one.get(start, NONE), other.get(start, NONE)
            joined[start] = a.scaled(q, guess).added(b.scaled(1 - q, 1 - guess))
        state.variables[name] = joined
