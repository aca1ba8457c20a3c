"""Random models, drawn production by production from the grammar.

A symbol is written by one of its productions (`writing`), with what each of its parts needs: the names that may stand
there, and what kind of number is wanted. Every second program is led to one pair of productions, by the shortest way in
the grammar, so that all pairs are drawn however rare they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tests.laws.forms import numeral
from tests.laws.grammar import FAR, OF_SYMBOL, PAIRS, Pair, distances
from tests.laws.machine_pool import POOL
from tests.laws.numbers import Exact
from tests.laws.scopes import Callee, Scope
from tests.laws.writing import CALLS, KINDS, Writer

READINGS = ("probability", "probability", "probability", "average", "best", "worst")


@dataclass(frozen=True)
class Program:
    """A model's text, the two ends of each value that is set, a machine of the pool and a reading of branches."""

    text: str
    settings: Mapping[str, tuple[Exact, Exact]]
    machine: int = 0
    branches: str = "probability"

    def __str__(self) -> str:
        return self.text


def draw_program(seed: int) -> Program:
    """The program of a seed."""
    goal = PAIRS[seed // 2 % len(PAIRS)] if seed % 2 else None
    return _Drawing(Random(seed), goal).program()


class _Drawing(Writer):
    """Draws the items of one program. `values` are what its parameters are set to."""

    def __init__(self, random: Random, goal: Pair | None) -> None:
        super().__init__(random, random.choice(READINGS))
        self.goal = goal
        self.values: dict[str, tuple[Exact, Exact]] = {}

    def program(self) -> Program:
        items = self.items()
        while True:  # what is declared may use more of it
            words = set(re.findall(r"[A-Za-z_]\w*", " ".join(items)))
            missing = [n for n in ("f", "g", "t", *self.arities, "n", "m", "x", "q", "P", "tasks") if n in words]
            missing += ["tasks"] if "share" in words else []
            missing = [n for n in missing if not any(re.match(rf"\w+ {n}\b", item) for item in items)]
            if not missing:
                break
            items.insert(0, self.declaration(missing[0]))

        settings = {name: ends for name, ends in self.values.items() if name in words}
        settings |= {name: (k, k) for name in self.named if name in words for k in [self.random.randint(1, 2)]}
        machine = 0 if self.random.random() < 0.4 else self.random.randrange(len(POOL))
        text = "".join(f"{item};\n" for item in items if item)
        return Program(text, settings, machine, self.branches)

    # Items

    def items(self) -> list[str]:
        """The equations; and, where a declaration is what the program is led to, that one."""
        kinds = ["equation", "equation", "continuation"]
        if self.goal is not None:
            near = [k for k in OF_SYMBOL["item"] if distances(self.goal[0])[k] < FAR and KINDS[k] != "include"]
            kinds = [KINDS[k] for k in near] or kinds
        entry = self.random.choice(kinds)
        led = self.goal if entry in ("equation", "continuation") else None
        for name in ("F", "E"):
            if self.random.random() < 0.35:
                self.equations[name] = self.callee()
        equations = [self.equation(name, None) for name in self.equations]
        items = [*self.main(entry, led), *equations]
        if led is None and self.goal is not None and entry not in ("equation", "continuation"):
            name = {"param": "x", "table": "t", "function": "f", "resource": "r"}[entry]
            if entry == "resource":
                self.arities.setdefault("r", self.random.randint(0, 2))
            items.insert(0, self.declaration(name, self.goal))
        return items

    def main(self, entry: str, goal: Pair | None) -> list[str]:
        """The equation L, also in several items."""
        stretches = [self.branches_text(Scope(self.whole_parameters(), ("x",)), goal)]
        if entry == "continuation" or self.random.random() < 0.15:
            stretches.insert(0, self.branches_text(Scope(self.whole_parameters(), ("x",)), None))
        return [f"L = {stretches[0]}", *stretches[1:]]

    def branches_text(self, scope: Scope, goal: Pair | None) -> str:
        return self.text("branches", scope, "process", goal)

    def whole_parameters(self) -> tuple[str, ...]:
        return ("n", "m")[: self.random.randint(0, 2)]

    def callee(self) -> Callee:
        form = self.random.choice(tuple(CALLS))
        if self.goal is not None and KINDS[self.goal[0]] == "equation" and not self.goal[1]:
            form = KINDS[self.goal[2]]
        subscripts, arguments = CALLS[form]
        count = self.random.randint(1, 2) * subscripts
        formals = ("d", "x" if self.random.random() < 0.3 else "c")[: self.random.randint(1, 2) * (arguments or 0)]
        return Callee(form, ("j", "n" if self.random.random() < 0.2 else "k")[:count], formals)

    def equation(self, name: str, goal: Pair | None) -> str:
        callee = self.equations[name]
        known = self.equations
        self.equations = {n: c for n, c in known.items() if n < name and name == "F"}
        scope = Scope((*callee.subscripts, *self.whole_parameters()), (*callee.formals, "x"), depth=1)
        body = self.branches_text(scope, goal)
        self.equations = known
        return f"{callee.written(name, callee.subscripts, callee.formals)} = {body}"

    def declaration(self, name: str, goal: Pair | None = None) -> str:
        random = self.random
        outside = Scope((), ())
        if name == "t":
            entries = ", ".join(random.choice(("1", "2", "0.5", "4", "3")) for _ in range(random.randint(1, 4)))
            return f"param t = [{self.text('exprs', outside, 'number', goal) if goal else entries}]"
        if name in self.functions:
            formals = ("a", "b", "c")[: self.functions[name]]
            scope = Scope((), (*formals, *(("n", "x") if random.random() < 0.5 else ())), tables=False)
            self.functions = {n: c for n, c in self.functions.items() if n > name}
            return f"def {name}({', '.join(formals)}) = {self.text('expr', scope, 'number', goal)}"
        if name in self.arities:
            formals = ("k", "l", "h")[: self.arities[name]]
            left = f"resource {name}{f'[{chr(44).join(formals)}]' if formals else ''}"
            if goal is None and random.random() < 0.4:
                return left
            return f"{left} servers {self.text('expr', Scope(formals, ()), 'count', goal)}"
        return self.parameter(name, goal)

    def parameter(self, name: str, goal: Pair | None) -> str:
        """Its value is set, or is its default; `P` is that of the machine."""
        random = self.random
        if name == "P":
            return "param P"
        if name == "q":
            low: Exact = random.choice((Fraction(1, 4), Fraction(1, 2), 0, 1))
        elif name == "x":
            low = random.choice((0, 1, 2, Fraction(1, 2), 3, -1 if self.wrong else 4))
        else:
            low = random.randint(-1 if self.wrong and name != "tasks" else 0, 4)
        high = low + random.randint(1, 2) if random.random() < 0.1 and name != "q" else low
        declared = low < 0 or random.random() < 0.2
        ends = " in [0, 1]" if name == "q" and declared else " in [-5, 9]" if declared else ""
        if goal is not None:
            k = OF_SYMBOL["item"][1]
            written = self.written(k, Scope((), ()), "number", goal, [name])
            if "=" not in written:
                self.values[name] = low, high
            return written
        if low == high and random.random() < 0.35:
            return f"param {name} = {numeral(low)}{ends}"
        self.values[name] = low, high
        return f"param {name}{ends}"
