"""The law: what the product says of a program holds for every schedule that the oracle runs.

`judge` gives what contradicts it. Every kind of contradiction has a name, by which findings are counted and shrunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from random import Random

from tests.laws.declared import PROCESSOR
from tests.laws.drawing import Program
from tests.laws.events import DURATIONS, SERVICES, SIDES, DeadlockError, Schedule
from tests.laws.expressions import Scope
from tests.laws.machine_pool import POOL
from tests.laws.meaning import Key, Unrolled, unroll
from tests.laws.numbers import Exact, tidy
from tests.laws.plain_estimate import T0, plain_terms
from tests.laws.subject import PredictedNumbers, Refusal, ask

MOST_COMBINED = 200
MOST_POINTS = 6
MOST_TRIED = 50
"""Schedules of each order of service in which a deadlock is looked for."""
ROUNDED, TINY = 1e-9, 1e-12
"""Relative, and in seconds: estimates and simulated times of the product are floats."""

WORDS = {
    "processor": ("processor",),
    "whole": ("whole", "processor", "subscript"),
    "servers": ("server", "division", "divid", "log", "sqrt", "no value"),
    "negative": ("below 0", "negative", "cannot be dealt"),
    "probability": ("probability",),
    "arity": ("subscript", "argument", "parameter", "values"),
    "range": ("range", "outside", "negative", "below 0"),
    "division": ("division", "divid", " 0", "no value"),
    "domain": ("log", "root", "sqrt", "power", "no value"),
    "table": ("entry",),
    "entry": ("entry", "entries", "table"),
    "step": ("step",),
    "cycle": ("wait", "after"),
    "free branch": ("branch", "probability"),
    "names": ("",),
}
"""By kind of fault, words of which a truthful refusal has one."""
OF_TEXTS = {"names", "arity", "cycle", "free branch", "table", "range", "servers"}
"""Faults of what is written, whether or not a run reaches it."""
LABELS = {T0.name: "T0", PROCESSOR: "cpu", "the bus": "bus", "port out of": "tx", "port into": "rx"}


@dataclass(frozen=True)
class Contradiction:
    """`kind` names what is broken; `text` has the figures."""

    kind: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """What came of one program: "predicted" or "refused", how many schedules were run, and what contradicts the law."""

    outcome: str
    schedules: int
    contradictions: tuple[Contradiction, ...]


def judge(program: Program, seed: int, schedules: int = 4) -> Judgement:
    """Ask the product about a program and run it; `schedules` runs per value of its parameters, beside the corners."""
    return _Judging(program, Random(seed), schedules).verdict()


class _Judging:
    def __init__(self, program: Program, random: Random, schedules: int) -> None:
        self.program, self.random, self.schedules = program, random, schedules
        self.computers = POOL[program.machine]
        self.ranges = any(low != high for low, high in program.settings.values())
        self.runs = 0
        self.fractions = False
        self.deadlocks = False

    def verdict(self) -> Judgement:
        unrolled = self.unrolled(self.some(self.points()))
        answer = ask(self.program, self.random.choice(("tmin", "tmax")), self.random.randrange(100))
        if isinstance(answer, Refusal):
            contradictions = list(self.of_refusal(answer, unrolled))
        else:
            contradictions = list(self.of_answer(answer, unrolled))
        outcome = "refused" if isinstance(answer, Refusal) else "predicted"
        return Judgement(outcome, self.runs, tuple(contradictions))

    def points(self) -> list[Scope]:
        """Values of all parameters: the combinations of their points."""
        values = {name: _points(name, *ends) for name, ends in self.program.settings.items()}
        return [dict(zip(values, point, strict=True)) for point in islice(product(*values.values()), MOST_COMBINED)]

    def some(self, points: list[Scope]) -> list[Scope]:
        """As many as are run, the first and the last among them."""
        if len(points) <= MOST_POINTS:
            return points
        return [points[0], points[-1], *self.random.sample(points[1:-1], MOST_POINTS - 2)]

    def unrolled(self, points: list[Scope]) -> list[Unrolled]:
        """The program with each of some values of its parameters."""
        every = [unroll(self.program.text, values, self.computers, self.program.branches) for values in points]
        whole = [one for one in every if not one.fractions]
        self.fractions |= len(whole) < len(every)
        return whole if self.ranges and whole else every

    # Refusals

    def of_refusal(self, refusal: Refusal, unrolled: list[Unrolled]) -> Iterator[Contradiction]:
        if refusal.crash:
            yield Contradiction(f"crash: {refusal.crash}", refusal.text)
            return
        # What is wrong at one point alone may have been passed over by those that were drawn.
        every = self.unrolled(self.points()) if self.ranges else unrolled
        faults, reached = _faults(every), set().union(*(u.faults for u in every))
        faults |= {"whole"} if self.fractions or any(one.fractions for one in every) else set()
        if not faults and refusal.text.startswith("deadlock"):
            if not self.can_deadlock(unrolled):
                yield Contradiction("refused for a deadlock that does not come", refusal.text)
            return
        if not refusal.of_names and not faults:
            yield Contradiction("refused, and nothing is wrong", refusal.text)
        elif not refusal.of_names and not any(
            w in refusal.text for f in faults for w in (*WORDS[f], "must be a whole")
        ):
            yield Contradiction("refused for another reason", f"{refusal.text}; wrong is: {', '.join(sorted(faults))}")
        elif not refusal.of_names and not reached | faults & (OF_TEXTS | {"whole"}):
            yield Contradiction("refused for what no run reaches", f"{refusal.text}; {', '.join(sorted(faults))}")
        if not refusal.has_place:
            yield Contradiction("refused without a place", refusal.text)

    def can_deadlock(self, unrolled: list[Unrolled]) -> bool:
        for one, service, _ in product(unrolled, SERVICES, range(MOST_TRIED)):
            self.run(one, service, self.random.choice(DURATIONS[:2]), "drawn")
            if self.deadlocks:
                return True
        return False

    # Answers

    def of_answer(self, answer: PredictedNumbers, unrolled: list[Unrolled]) -> Iterator[Contradiction]:
        faults = set().union(*(u.faults for u in unrolled))
        if faults:
            yield Contradiction(f"predicted, and there is something wrong: {', '.join(sorted(faults))}", str(answer))
            return
        low, high = answer.guaranteed
        if not 0 <= low <= high:
            yield Contradiction("a bracket that is none", str(answer))
        for one in unrolled:
            yield from self.of_schedules(answer, one)
        if self.deadlocks and not answer.warns_of_deadlock:
            yield Contradiction("a deadlock that nothing warns of", str(answer))
        if not self.ranges:
            yield from self.of_estimate(answer, unrolled[0])
            yield from self.of_simulation(answer)
            yield from self.of_emitted(answer)

    def of_schedules(self, answer: PredictedNumbers, unrolled: Unrolled) -> Iterator[Contradiction]:
        corners = [(service, end, side) for end in (0, 1) for service, side in self.at_corner(unrolled)]
        if self.ranges:
            corners = []  # what the bounds are at one end, is a question about one value of each parameter
        for service, end, side in corners:
            makespan = self.run(unrolled, service, DURATIONS[end], side)
            if makespan is not None and not _within(makespan, answer.lower[end], answer.upper[end]):
                yield Contradiction(f"outside the bounds at {('tmin', 'tmax')[end]}", f"{_shown(makespan)}; {answer}")
        for service in self.random.sample(SERVICES, min(self.schedules, len(SERVICES))):
            makespan = self.run(unrolled, service, self.random.choice(DURATIONS), self.random.choice(SIDES))
            if makespan is not None and not answer.guaranteed[0] <= makespan <= answer.guaranteed[1]:
                yield Contradiction("outside of what is guaranteed", f"{_shown(makespan)}, {service}; {answer}")

    def at_corner(self, unrolled: Unrolled) -> list[tuple[str, str]]:
        sides = SIDES if unrolled.branches else SIDES[:1]
        return [(self.random.choice(SERVICES), side) for side in sides]

    def run(self, unrolled: Unrolled, service: str, durations: str, side: str) -> Exact | None:
        self.runs += 1
        try:
            return Schedule(unrolled, service, durations, side, self.random).makespan()
        except DeadlockError:
            self.deadlocks = True
            return None

    def of_estimate(self, answer: PredictedNumbers, unrolled: Unrolled) -> Iterator[Contradiction]:
        for end in (0, 1):
            documented = plain_terms(unrolled, end, self.program.branches)
            greatest = max(documented.values())
            if not _within(greatest, answer.estimate[end], answer.estimate[end]):
                yield Contradiction("an estimate that is not T", f"T is {_shown(greatest)}; {answer}")
            elif end:
                yield from self.of_terms(answer, documented)
            if not answer.estimate[end] <= answer.upper[end] * (1 + ROUNDED):
                yield Contradiction("an estimate above the upper bound", str(answer))
            surely = not unrolled.branches or self.program.branches == "best"
            if surely and not answer.estimate[end] <= answer.lower[end] * (1 + ROUNDED):
                yield Contradiction("an estimate above the lower bound", str(answer))

    def of_terms(self, answer: PredictedNumbers, documented: dict[Key, Exact]) -> Iterator[Contradiction]:
        """T0 and T[r], where no processor has a name and the model gives its resources none of the machine's."""
        if "p" in self.program.settings or "o" in self.program.settings:
            return
        if any(key.name in LABELS.values() for key in documented):
            return
        families: dict[str, Exact] = {}
        for key, seconds in documented.items():
            label = LABELS.get(key.name, key.name)
            families[label] = max(families.get(label, 0), seconds)
        for label, seconds in families.items():
            if not _within(seconds, answer.terms.get(label, 0.0), answer.terms.get(label, 0.0)):
                text = f"{label} is {_shown(seconds)}, not {answer.terms.get(label, 0.0)}; {answer}"
                yield Contradiction("a term that is not T0 or T[r]", text)

    def of_emitted(self, answer: PredictedNumbers) -> Iterator[Contradiction]:
        if re.search(r"(floor|ceil) ?\( ?(sqrt|log)", self.program.text):
            return  # floating-point code may be one off at a jump
        pairs = {"T": answer.estimate, "lower": answer.lower, "upper": answer.upper}
        for name, number in answer.emitted.items():
            if isinstance(number, str) or not _within(number, pairs[name][answer.end], pairs[name][answer.end]):
                yield Contradiction("emitted code that differs", f"{name} is {number}; {answer}")

    def of_simulation(self, answer: PredictedNumbers) -> Iterator[Contradiction]:
        simulated = answer.simulated
        if isinstance(simulated, Refusal):
            if simulated.crash:
                yield Contradiction(f"crash of the simulator: {simulated.crash}", simulated.text)
            elif "deadlock" not in simulated.text:
                yield Contradiction("simulate refuses what predict takes", simulated.text)
            elif not answer.warns_of_deadlock:
                yield Contradiction("a deadlock that nothing warns of", str(answer))
        elif not _within(simulated, answer.lower[answer.end], answer.upper[answer.end]):
            yield Contradiction("simulate leaves the bounds", f"{simulated}; {answer}")


def _points(name: str, low: Exact, high: Exact) -> list[Exact]:
    """Some values between the ends: all whole ones, and of x, which need not be whole, one about the middle."""
    if low == high:
        return [low]
    middle = tidy(Fraction(low + high) / 2)
    if isinstance(middle, int):
        middle = min(middle + Fraction(1, 2), high)
    whole = isinstance(low, int) and isinstance(high, int) and high - low <= MOST_POINTS
    return sorted({*(range(int(low), int(high) + 1) if whole else (low, high)), *((middle,) if name == "x" else ())})


def _faults(unrolled: list[Unrolled]) -> set[str]:
    """What is wrong at some point, whether or not a run meets it."""
    return set().union(*(u.faults | u.unreached for u in unrolled))


def _within(number: Exact | float, low: float, high: float) -> bool:
    """Whether it lies between the two, which are rounded."""
    return low * (1 - ROUNDED) - TINY <= number <= high * (1 + ROUNDED) + TINY


def _shown(number: Exact) -> str:
    return f"{number} s" if isinstance(number, int) else f"{number} = {float(number):.12g} s"
