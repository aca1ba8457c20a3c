"""Statements to a transition system: every path between two heads of loops is one transition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from apet.program.rounds import statements as s
from apet.program.rounds.polynomial import Polynomial, as_polynomial, variable
from apet.program.rounds.system import FRESH, TRAPPED, System, Transition

MOST_PATHS = 24
"""More paths than these meet in a location of their own."""
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Path:
    """What has held and changed since a location."""

    source: int
    guard: tuple[Polynomial, ...] = ()
    values: dict[str, Polynomial] = field(default_factory=dict)
    began: tuple[int, ...] = ()

    def where(self, *more: Polynomial) -> Path | None:
        """With further conditions; None where a number contradicts."""
        if any(p.constant is not None and p.constant < 0 for p in more):
            return None
        return replace(self, guard=self.guard + tuple(p for p in more if p.constant is None))

    def assigned(self, name: str, value: Polynomial) -> Path:
        return replace(self, values={**self.values, name: value})

    def read(self, name: str) -> Polynomial:
        return self.values[name] if name in self.values else variable(name)


Paths = list[Path]
Valued = list[tuple[Path, Polynomial]]


@dataclass
class Flow:
    """Paths that go on, and those that jump, by kind and label."""

    paths: Paths
    jumps: dict[tuple[str, str], Paths] = field(default_factory=dict)

    def take(self, kind: str, label: str) -> Paths:
        return self.jumps.pop((kind, ""), []) + (self.jumps.pop((kind, label), []) if label else [])

    def jumping(self, other: Flow) -> None:
        for key, paths in other.jumps.items():
            self.jumps[key] = self.jumps.get(key, []) + paths


def system_of(statement: s.Statement, formals: Sequence[str]) -> System:
    """The system of a function's body; its formals are the parameters, and other variables begin with any value."""
    return Builder().build(statement, formals)


class Builder:
    def __init__(self) -> None:
        self.transitions: list[Transition] = []
        self.loops: dict[str, int] = {}
        self.inside: dict[int, frozenset[int]] = {}
        self.places = 1
        self.fresh = 0

    def build(self, statement: s.Statement, formals: Sequence[str]) -> System:
        start = Path(0, (), {n: self.unknown() for n in sorted(s.names_in(statement) - set(formals))})
        flow = self.run(statement, [start])
        for path in (*flow.paths, *(p for paths in flow.jumps.values() for p in paths)):
            self.write(path, -1)
        names = tuple(dict.fromkeys((*formals, *sorted(s.names_in(statement)))))
        return System(tuple(self.transitions), names, self.loops, self.inside, -1)

    def unknown(self) -> Polynomial:
        self.fresh += 1
        return variable(f"{FRESH}{self.fresh}")

    def write(self, path: Path, target: int) -> None:
        same = {n: v for n, v in path.values.items() if v != variable(n)}
        self.transitions.append(Transition(path.source, target, tuple(dict.fromkeys(path.guard)), same, path.began))

    def place(self, paths: Iterable[Path]) -> int:
        """A new location that paths lead to."""
        place, self.places = self.places, self.places + 1
        for path in paths:
            self.write(path, place)
        return place

    def met(self, paths: Paths) -> Paths:
        return [Path(self.place(paths))] if len(paths) > MOST_PATHS else paths

    # Statements

    def run(self, statement: s.Statement, paths: Paths) -> Flow:
        match statement:
            case s.Do(expression):
                return Flow(self.met([p for path in paths for p, _ in self.evaluate(expression, path)]))
            case s.Block(inner):
                flow = Flow(paths)
                for one in inner:
                    after = self.run(one, flow.paths) if flow.paths else Flow([])
                    flow.paths = after.paths
                    flow.jumping(after)
                return flow
            case s.If(condition, first, second):
                flow = self.run(first, self.met(self.where(condition, paths, True)))
                other = self.run(second, self.met(self.where(condition, paths, False)))
                flow.jumping(other)
                return replace(flow, paths=self.met(flow.paths + other.paths))
            case s.Jump(kind, label):
                return Flow([], {(kind, label): paths})
            case s.Loop():
                return self.loop(statement, paths)
            case _:
                assert_never(statement)

    def loop(self, loop: s.Loop, paths: Paths) -> Flow:
        """Its head is where a body begins, of a `do` too: what the condition says is part of the paths to it."""
        head = self.place(paths)
        self.loops[loop.label or f"loop{len(self.loops) + 1}"] = head
        first = self.places
        going = [Path(head)] if loop.is_do else self.where(loop.condition, [Path(head)], True)
        flow = self.run(loop.body, self.met([replace(p, began=(*p.began, head)) for p in going]))
        ending = self.met(flow.paths + flow.take("continue", loop.label))
        for update in loop.updates:
            ending = [p for path in ending for p, _ in self.evaluate(update, path)]

        again = self.where(loop.condition, ending, True) if loop.is_do else ending
        left = self.where(loop.condition, ending if loop.is_do else [Path(head)], False)
        for path in again:
            self.write(path, head)
        self.inside[head] = frozenset({head, *range(first, self.places)})
        return Flow(self.met(left + flow.take("break", loop.label)), flow.jumps)

    # Expressions

    def evaluate(self, e: s.Expression, path: Path) -> Valued:
        match e:
            case s.Whole(value):
                return [(path, as_polynomial(value))]
            case s.Name(name):
                return [(path, path.read(name))]
            case s.Unknown(parts):
                paths = [path]
                for part in parts:
                    paths = self.met([q for p in paths for q, _ in self.evaluate(part, p)])
                return [(p, self.unknown()) for p in paths]
            case s.Assign(name, value, is_postfix):
                return [
                    (p.assigned(name, v), path.read(name) if is_postfix else v) for p, v in self.evaluate(value, path)
                ]
            case s.Choice(condition, first, second):
                yes, no = (self.where(condition, [path], truth) for truth in (True, False))
                return [v for p in yes for v in self.evaluate(first, p)] + [
                    v for p in no for v in self.evaluate(second, p)
                ]
            case s.Binary(operator, left, right) if operator in ("+", "-", "*", "/", "%", ">>"):
                both = [(q, a, b) for p, a in self.evaluate(left, path) for q, b in self.evaluate(right, p)]
                return [v for p, a, b in both for v in self.computed(operator, p, a, b)]
            case s.Binary() | s.Not():
                return [(p, as_polynomial(int(truth))) for truth in (True, False) for p in self.where(e, [path], truth)]
            case _:
                assert_never(e)

    def computed(self, operator: str, path: Path, a: Polynomial, b: Polynomial) -> Valued:
        if operator == "+":
            return [(path, a + b)]
        if operator == "-":
            return [(path, a - b)]
        if operator == "*":
            return [(path, a * b)]
        by = b.constant
        if operator == ">>":
            if by is None or not 0 <= by < 63:
                return [(path, self.unknown())]
            whole, size = self.unknown(), 1 << int(by)
            rest = a - whole * size
            side = path.where(rest, as_polynomial(size - 1) - rest)
            return [] if side is None else [(side, whole)]
        for trap in _compared("==", path, b, as_polynomial(0)):
            self.write(trap, TRAPPED)
        if by is None:
            return [v for sign in (1, -1) for v in self.divided(operator, path, a, b, sign)]

        size, answers = abs(int(by)), Valued()
        for sign in (1, -1) if size else ():
            # |a| = size * whole + rest, with the sign of a.
            whole = self.unknown()
            rest = a * sign - whole * size
            side = path.where(a * sign if sign > 0 else a * sign - 1, rest, as_polynomial(size - 1) - rest, whole)
            if side is not None:
                answers.append((side, rest * sign if operator == "%" else whole * (sign if by > 0 else -sign)))
        return answers

    def divided(self, operator: str, path: Path, a: Polynomial, b: Polynomial, sign: int) -> Valued:
        """By what is not known: |whole| <= |a|, |rest| <= |a| and |rest| < |b|, for a divisor of this sign."""
        answers = Valued()
        for of in (1, -1):
            size = self.unknown()
            under = () if operator == "/" else (b * sign - 1 - size,)
            side = path.where(b * sign - 1, a * of if of > 0 else a * of - 1, size, a * of - size, *under)
            if side is not None:
                answers.append((side, size * (of if operator == "%" else of * sign)))
        return answers

    def where(self, e: s.Expression, paths: Paths, truth: bool) -> Paths:
        """Paths on which a condition holds, or does not."""
        match e:
            case s.Not(operand):
                return self.where(operand, paths, not truth)
            case s.Binary("&&" | "||" as operator, left, right):
                if (operator == "&&") == truth:
                    return self.where(right, self.where(left, paths, truth), truth)
                return self.where(left, paths, truth) + self.where(right, self.where(left, paths, not truth), truth)
            case s.Binary(operator, left, right) if operator in NEGATED:
                relation = operator if truth else NEGATED[operator]
                return [
                    r
                    for path in paths
                    for p, a in self.evaluate(left, path)
                    for q, b in self.evaluate(right, p)
                    for r in _compared(relation, q, a, b)
                ]
            case s.Unknown():
                return [p for path in paths for p, _ in self.evaluate(e, path)]
            case _:
                relation = "!=" if truth else "=="
                return [
                    r
                    for path in paths
                    for p, v in self.evaluate(e, path)
                    for r in _compared(relation, p, v, as_polynomial(0))
                ]


def _compared(relation: str, path: Path, a: Polynomial, b: Polynomial) -> Paths:
    gap = a - b
    match relation:
        case "<":
            ways = [(-gap - 1,)]
        case "<=":
            ways = [(-gap,)]
        case ">":
            ways = [(gap - 1,)]
        case ">=":
            ways = [(gap,)]
        case "==":
            return [p for p in (path.where(gap, -gap),) if p is not None]
        case _:
            ways = [(gap - 1,), (-gap - 1,)]
    return [p for way in ways if (p := path.where(*way)) is not None]
