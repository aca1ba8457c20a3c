"""The numbers of random programs: subscripts, ends of loops, times and numbers of servers, as formulas."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tests.laws.formulas import Apply, Formula, Numeral, Variable

JUMPS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "square root": ((0, 1, 0), (2, 2, 0), (2, 3, 0), (10, 20, 0), (10, 20, 1), (10, 100, 1), (3, 80, -1)),
    "binary logarithm": (
        (2, 0, 0),
        (2, 3, -1),
        (2, 3, 0),
        (2, 3, 1),
        (2, 53, 1),
        (2, 200, -1),
        (2, 200, 0),
        (2, 200, 1),
    ),
    "ternary logarithm": ((3, 0, 0), (3, 2, -1), (3, 2, 0), (3, 5, 0), (3, 40, 0), (3, 120, 1)),
    "decimal logarithm": ((10, 0, 0), (10, 3, -1), (10, 3, 0), (10, 3, 1), (10, 15, 0), (10, 100, -1)),
}
"""What jumps, and arguments base^power + step where it does and beside."""


class NumberDrawing:
    """Draws formulas. `indices` are the whole numbers in scope, `whole` the whole parameters, `named` the free names.

    With `wrong`, some are what no program may have: fractional or negative, or processors that do not exist.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.whole = ["n", "m"][: random.randint(0, 2)]
        self.indices: list[str] = []
        self.named = ["p", "q"] if random.random() < 0.25 else []
        self.wrong = random.random() < 0.12

    def known(self) -> list[Formula]:
        return [Variable(name) for name in (*self.indices, *self.whole)]

    def whole_number(self, least: int = 1, most: int = 4) -> Formula:
        """A formula that is mostly a whole number between the two."""
        random, known = self.random, self.known()
        if self.wrong and random.random() < 0.25:
            odd = [Numeral(most + 1), Numeral(-1), Numeral(Fraction(3, 2)), *known]
            return random.choice([*odd, *(Apply("divide", (v, Numeral(2))) for v in known)])
        if not known or random.random() < 0.35:
            return Numeral(random.randint(least, most))
        v = random.choice(known)
        return random.choice(self.spellings(v, random.choice(known), least, most))

    def spellings(self, v: Formula, w: Formula, least: int, most: int) -> list[Formula]:
        """Numbers between the two, in terms of two others."""
        low, width = Numeral(least), Numeral(most - least + 1)

        def inside(formula: Formula) -> Formula:
            return Apply("max", (low, Apply("min", (formula, Numeral(most)))))

        return [
            Apply("add", (low, Apply("remainder", (v, width)))),
            Apply("add", (low, Apply("remainder", (v, Numeral(min(2, most - least + 1)))))),
            Apply("add", (low, Apply("remainder", (Apply("add", (v, w)), width)))),
            inside(v),
            inside(Apply("subtract", (v, Numeral(1)))),
            inside(Apply("ceil", (Apply("divide", (v, Numeral(2))),))),
            inside(Apply("add", (Numeral(1), Apply("abs", (Apply("subtract", (v, w)),))))),
            v,
            v,
        ]

    def processor(self) -> Formula:
        if self.named and self.random.random() < 0.5:
            return Variable(self.random.choice(self.named))
        return self.whole_number()

    def jump(self, most_digits: int = 200) -> tuple[Formula, Formula]:
        """Something that jumps, of a number where it does or beside, and a whole number that is a little less."""
        function = self.random.choice(tuple(JUMPS))
        argument = _written(*self.random.choice([a for a in JUMPS[function] if a[1] <= most_digits]))
        formula = Apply(f"{function}, {self.random.choice(('down', 'up'))}", (argument,))
        return formula, Numeral(max(0, int(formula.at({})) - self.random.randint(0, 2)))

    def bound(self) -> Formula:
        """The end of a loop: mostly small, now and then below its beginning."""
        random, known = self.random, self.known()
        draw = random.random()
        if draw < 0.45 or not known:
            return Numeral(random.choice((0, 1, 2, 2, 3, 3, 4)))
        if draw < 0.55:
            return Apply("subtract", self.jump(20))  # a float's error in more digits would be millions of rounds
        v = random.choice(known)
        return random.choice(
            (
                v,
                v,
                Apply("subtract", (v, Numeral(1))),
                Apply("divide", (v, Numeral(2))),
                Apply("remainder", (v, Numeral(3))),
                Apply("max", (v, Numeral(2))),
            )
        )

    def seconds(self) -> Formula:
        random, known = self.random, self.known()
        draw = random.random()
        if draw < 0.5:
            return Numeral(random.choice((0, 1, 1, 2, 3, 5)))
        if draw < 0.6:
            return Apply("subtract", self.jump())
        x = Variable("x")
        of: list[Formula] = [x, Apply("ceil", (x,)), Apply("subtract", (Apply("ceil", (x,)), x))]
        of += [Apply("subtract", (x, Apply("floor", (x,)))), Apply("multiply", (x, Numeral(2)))]
        for v in known:
            of += [Apply("abs", (v,)), Apply("divide", (Apply("abs", (v,)), Numeral(2)))]
            of += [Apply("remainder", (v, Numeral(3))), Apply("abs", (Apply("subtract", (v, Numeral(3))),))]
            of += [Apply("ceil", (Apply("divide", (Numeral(7), Apply("max", (v, Numeral(1))))),))]
            of += [Apply("subtract", (v, Numeral(1)))] if self.wrong else []
        return random.choice(of)

    def count(self, subscript: str | None) -> Formula:
        """How many servers, of the last subscript where there is one."""
        if subscript is None:
            of: list[Formula] = [*map(Numeral, (1, 2, 3)), *map(Variable, self.whole)]
            if self.wrong:
                of += [Numeral(0), Apply("divide", (Numeral(3), Numeral(2)))]
                of += [Apply("divide", (Variable(n), Numeral(2))) for n in self.whole]
            return self.random.choice(of)
        k, one, two = Variable(subscript), Numeral(1), Numeral(2)
        of = [
            Numeral(2),
            Apply("add", (one, Apply("remainder", (k, two)))),
            Apply("max", (one, Apply("min", (k, Variable("P"))))),
            Apply("max", (k, Numeral(3))),
            Apply("max", (k, Variable("P"))),
            Apply("add", (one, Apply("greater", (k, two)))),
            Apply("add", (Numeral(2), Apply("equal", (k, one)))),
            Apply("add", (one, Apply("abs", (k,)))),
            Apply("add", (one, Apply("ceil", (Apply("divide", (Apply("abs", (k,)), two)),)))),
        ]
        if self.wrong:
            of += [k, Apply("subtract", (two, k)), Apply("divide", (k, two)), Apply("min", (k, Variable("P")))]
        return self.random.choice(of)


def _written(base: int, power: int, step: int) -> Formula:
    """The number base^power + step, as such where it is long."""
    if power < 4:
        return Numeral(base**power + step)
    exact = Apply("power", (Numeral(base), Numeral(power)))
    return exact if not step else Apply("add" if step > 0 else "subtract", (exact, Numeral(abs(step))))
