"""Runs statements with random inputs and choices, and counts the rounds of each loop, without the analysis."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import assert_never

from apet.program.rounds import statements as s


class TooLong(Exception):
    """A run that takes more steps than it may."""


class Jumped(Exception):
    def __init__(self, kind: str, label: str) -> None:
        super().__init__(kind)
        self.kind, self.label = kind, label


class Run:
    """One run; a value that is not known is drawn."""

    def __init__(self, values: dict[str, int], random: Random, most_steps: int = 600) -> None:
        self.values, self.random, self.left = dict(values), random, most_steps
        self.rounds: Counter[str] = Counter()

    def whole(self, statement: s.Statement) -> Counter[str] | None:
        """The rounds by label; None for a run that was stopped."""
        try:
            self.run(statement)
        except Jumped:
            pass
        except TooLong:
            return None
        return self.rounds

    def run(self, statement: s.Statement) -> None:
        match statement:
            case s.Do(expression):
                self.value(expression)
            case s.Block(inner):
                for one in inner:
                    self.run(one)
            case s.If(condition, first, second):
                self.run(first if self.value(condition) else second)
            case s.Jump(kind, label):
                raise Jumped(kind, label)
            case s.Loop():
                self.loop(statement)
            case _:
                assert_never(statement)

    def loop(self, loop: s.Loop) -> None:
        first = loop.is_do
        while first or self.value(loop.condition):
            first = False
            self.rounds[loop.label] += 1
            self.left -= 1
            if self.left < 0:
                raise TooLong
            try:
                self.run(loop.body)
            except Jumped as jump:
                if jump.kind == "return" or jump.label not in ("", loop.label):
                    raise
                if jump.kind == "break":
                    return
            for update in loop.updates:
                self.value(update)

    def value(self, e: s.Expression) -> int:
        match e:
            case s.Whole(value):
                return value
            case s.Name(name):
                return self.values.setdefault(name, self.random.randint(-9, 30))
            case s.Unknown(parts):
                for part in parts:
                    self.value(part)
                return self.random.choice((0, 1, self.random.randint(-20, 40)))
            case s.Assign(name, value, is_postfix):
                old = self.values.get(name, 0)
                self.values[name] = new = self.value(value)
                if abs(new) > 10**40:
                    raise TooLong
                return old if is_postfix else new
            case s.Choice(condition, first, second):
                return self.value(first if self.value(condition) else second)
            case s.Not(operand):
                return int(not self.value(operand))
            case s.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case _:
                assert_never(e)

    def binary(self, operator: str, left: s.Expression, right: s.Expression) -> int:
        a = self.value(left)
        if operator in ("&&", "||"):
            return int(bool(a) and bool(self.value(right)) if operator == "&&" else bool(a) or bool(self.value(right)))
        b = self.value(right)
        if operator in ("/", "%"):
            if not b:
                raise TooLong
            whole = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return whole if operator == "/" else a - b * whole
        table = {
            "+": a + b, "-": a - b, "*": a * b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b,
            "!=": a != b,
        }  # fmt: skip
        return int(table[operator])
