"""Rounds of loops hold in every run; the idioms of everyday loops have closed forms."""

from __future__ import annotations

from random import Random

import pytest
from tests.benchmarks.rounds_oracle import Run
from tests.program.rounds.python_text import statements

from apet.program.rounds import Rounds, rounds_of
from apet.program.rounds.bounds import degree, text, value
from apet.program.rounds.statements import Statement

IDIOMS = {
    "a step before the work": ("i = 0\nwhile i <= n:\n i += 1\n c += 1", "max(n + 1, 0)", "max(n + 1, 0)"),
    "two steps": ("i = 0\nwhile i < n:\n i += 1\n if any:\n  i += 1", "ceil((max(n, 0)) / 2)", "max(n, 0)"),
    "several counters": (
        "i = 0\nj = n\nwhile i < j:\n i += 1\n j -= 2", "ceil((max(n, 0)) / 3)", "ceil((max(n, 0)) / 3)"
    ),
    "two pointers": (
        "l = 0\nr = n - 1\nwhile l < r:\n if any:\n  l += 1\n else:\n  r -= 1", "max(n - 1, 0)", "max(n - 1, 0)"
    ),
    "doubling": ("i = 1\nwhile i < n:\n i *= 2", "digits(n - 1, 2)", "digits(n - 1, 2)"),
    "halving": ("while n > 0:\n n /= 2", "digits(n, 2)", "digits(n, 2)"),
    "digits": ("while n > 0:\n n /= 10", "digits(n, 10)", "digits(n, 10)"),
    "merging": (
        "i = 0\nj = 0\nwhile i < n and j < m:\n if any:\n  i += 1\n else:\n  j += 1",
        "min(max(n, 0), max(m, 0))",
        "(max(n, 0)) + (max(m, 0))",
    ),
    "ended early": ("i = 0\nwhile i < n and any != 0:\n i += 1", "?", "max(n, 0)"),
    "greatest common divisor": ("while b != 0:\n t = a % b\n a = b\n b = t", "?", "max(b, -b)"),
    "binary search": (
        "l = 0\nh = n\nwhile l < h:\n m = (l + h) / 2\n if any:\n  l = m + 1\n else:\n  h = m", "?", "digits(n, 2)"
    ),
    "subtraction": ("while x >= y and y > 0:\n x -= y", "?", "max(x - y + 1, 0)"),
    "conditions joined": ("while a > 0 and b > 0:\n a -= 1\n b -= 2", "?", "max(a, 0)"),
}  # fmt: skip


def _shown(rounds: Rounds) -> tuple[str, str]:
    low, high = ("?" if b is None else text(b) for b in (rounds.lower, rounds.upper))
    return low, high


@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_has_the_rounds_that_a_reader_expects(name: str) -> None:
    source, low, high = IDIOMS[name]
    ((_, rounds),) = rounds_of(statements(source), ["n", "m", "a", "b", "x", "y"]).items()
    shown = _shown(rounds)
    assert shown[1] == high
    assert low in ("?", shown[0])


NESTS = {
    "a rectangle": ("i = 0\nwhile i < n:\n j = 0\n while j < m:\n  j += 1\n i += 1", 2, 2),
    "a triangle": ("i = 0\nwhile i < n:\n j = i\n while j < n:\n  j += 1\n i += 1", 2, 2),
    "an inner counter that is not set back": ("j = 0\ni = 0\nwhile i < n:\n while j < m:\n  j += 1\n i += 1", 1, None),
    "a stack": ("k = 0\ni = 0\nwhile i < n:\n k += 1\n while k > 0 and any != 0:\n  k -= 1\n i += 1", 1, None),
    "two rounds that take one": ("while x > 0:\n x += y\n y = -y - 1", 1, None),
    "a swap": ("while x > 0:\n t = x - 1\n x = y\n y = t", 1, None),
    "a direction": ("i = m\nwhile 0 < i and i < n:\n if x == 1:\n  i += 1\n else:\n  i -= 1", 1, None),
    "an inner loop that surely runs": ("while x == y and x > n:\n while y > n:\n  x -= 1\n  y -= 1", 1, None),
    "a switch": (
        "b = 0\nwhile x >= 0 and 0 <= y and y <= n:\n if b == 0:\n  y += 1\n  if any:\n   b = 1\n"
        " else:\n  y -= 1\n  if any:\n   x -= 1\n   b = 0", 2, None
    ),
    "a step far from its condition": (
        "y = n\nwhile 1 == 1:\n y -= 1\n x = m\n while x > 0:\n  x -= 1\n if y <= 0:\n  break", 2, None
    ),
    "steps that are not numbers": ("if y > 0:\n while x > 0:\n  x -= y", 1, 1),
    "phases": ("while x >= 0:\n x += y\n y -= 1", 3, None),
    "a counter that another sets back": (
        "while x > 0 and y > 0:\n if any:\n  x -= 1\n else:\n  x = m\n  y -= 1", 2, None
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTS)
def test_a_nest_is_bounded_by_the_degree_of_what_it_does(name: str) -> None:
    source, high, low = NESTS[name]
    found = rounds_of(statements(source), ["n", "m", "x", "y"])
    uppers = [r.upper for r in found.values()]
    assert None not in uppers
    assert max(degree(u) for u in uppers if u is not None) == high
    if low is not None:
        assert max(degree(r.lower) for r in found.values() if r.lower is not None) == low


@pytest.mark.parametrize("source", [s for s, *_ in (*IDIOMS.values(), *NESTS.values())])
def test_no_run_lies_outside_of_its_bounds(source: str) -> None:
    names = ["n", "m", "a", "b", "x", "y", "c"]
    _check(statements(source), names, runs=60)


def _check(program: Statement, names: list[str], runs: int, random: Random | None = None) -> None:
    random = random or Random(1)
    found = rounds_of(program, names)
    for _ in range(runs):
        at = {n: random.randint(-8, 25) for n in names}
        run = Run(at, random, 600)
        ended = run.whole(program) is not None
        for label, rounds in found.items():
            if rounds.upper is not None:
                assert run.rounds[label] <= value(rounds.upper, at), (label, at)
            if ended and rounds.lower is not None:
                assert run.rounds[label] >= value(rounds.lower, at), (label, at)


def _random_program(random: Random, depth: int, line: str = "") -> str:
    names = ("i", "j", "n", "m")
    condition = f"{random.choice(names)} {random.choice(('<', '>', '<=', '!=', '>='))} {random.choice((*names, 0, 3))}"
    step = "{} {} {}"
    lines = []
    for _ in range(random.randint(1, 3)):
        kind = random.random()
        if kind < 0.5 or not depth:
            operator, by = random.choice(
                (("+=", 1), ("-=", 1), ("-=", 2), ("*=", 2), ("/=", 2), ("=", 0), ("=", "m"), ("%=", 3))
            )
            lines.append(
                line + step.format(random.choice(names), operator, random.choice((by, by, "j")) if by != 3 else by)
            )
        elif kind < 0.8:
            lines.append(f"{line}while {condition}:\n{_random_program(random, depth - 1, line + ' ')}")
        else:
            test = random.choice((condition, "any"))
            lines.append(f"{line}if {test}:\n{_random_program(random, depth - 1, line + ' ')}")
            if random.random() < 0.3:
                lines.append(f"{line}else:\n{line} {random.choice(('break', 'return'))}" if " " in line else "")
    return "\n".join(x for x in lines if x)


@pytest.mark.parametrize("seed", range(60))
def test_no_run_of_a_random_program_lies_outside_of_its_bounds(seed: int) -> None:
    random = Random(seed)
    source = _random_program(random, 3).replace("break", "i = 1") if seed % 2 else _random_program(random, 3)
    try:
        compile(source.replace("return", "break"), "random", "exec")
    except SyntaxError:
        source = source.replace("break", "m = 1")
    _check(statements(source), ["i", "j", "n", "m"], runs=25, random=random)
