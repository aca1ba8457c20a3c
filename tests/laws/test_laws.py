"""Programs against the event simulator, and the simulator against cases worked out by hand."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tests.laws.campaign import BLOCK, Tally, findings, tally
from tests.laws.drawing import Program, draw_program
from tests.laws.events import SERVICES, DeadlockError, Schedule
from tests.laws.grammar import PAIRS, PRODUCTIONS, shown
from tests.laws.law import judge
from tests.laws.machine_pool import POOL
from tests.laws.meaning import Unrolled, unroll
from tests.laws.numbers import FUNCTIONS, Exact, logarithm, tidy
from tests.laws.plain_estimate import plain_estimate
from tests.laws.shrinking import shrunk
from tests.laws.trust_page import BEGIN, END, counts_table, with_counts
from tests.work import campaign

VERIFIED = 20_000
"""So many programs have been judged, of which each contradiction is mended."""
PROGRAMS = min(campaign(20_000), VERIFIED)
BLOCKS = PROGRAMS // BLOCK
CONTRADICTED = Path(__file__).parents[1] / "data" / "laws" / "contradicted.txt"

NEVER_DRAWN = {
    "items: items item SEMICOLON, place 1: INCLUDE": "a text may not include files: tests/model",
    "start: items, place 0: nothing": "a file without an equation: tests/test_bad_models.py",
    "step: IF LPAR expr RPAR step ELSE step, place 4: IF LPAR expr RPAR step": "an else belongs to the nearest if",
    "step: IF step ELSE step, place 1: IF LPAR expr RPAR step": "an else belongs to the nearest if",
}
"""Pairs that no program has, and why."""


@cache
def judged(block: int) -> Tally:
    return tally(range(block * BLOCK, (block + 1) * BLOCK))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_schedule_contradicts_what_is_said_of_a_program(block: int) -> None:
    counts = judged(block)
    examples = "\n".join(map(str, findings(counts, most=1))) if counts.seeds else ""
    assert not counts.seeds, f"{counts.seeds}\n{examples}"


def test_every_production_and_every_pair_of_productions_is_drawn() -> None:
    used = set().union(*(judged(block).used for block in range(BLOCKS)[:2]))
    productions = [k for k in range(len(PRODUCTIONS)) if k not in used]
    assert [str(PRODUCTIONS[k].alias).partition("__")[0] for k in productions] == ["include"]
    assert sorted(shown(pair) for pair in PAIRS if pair not in used) == sorted(NEVER_DRAWN)


# The oracle itself


def meaning(text: str, **values: Exact) -> Unrolled:
    return unroll(text, values, POOL[0])


def makespans(text: str, durations: str = "least", side: str = "drawn") -> set[object]:
    """The makespans of sixty schedules of each order of service."""
    unrolled = meaning(text)
    assert not unrolled.faults
    runs = ((service, seed) for service in SERVICES for seed in range(60))
    return {Schedule(unrolled, service, durations, side, Random(seed)).makespan() for service, seed in runs}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("L = par (i = 1, 4) use(r, 3);", {12}),
        ("resource r servers 2; L = par (i = 1, 4) use(r, 3);", {6}),
        ("L = use(r[1, 1], 3) || use(r[1, 2], 5) || use(r[1, 1], 4);", {7}),
        ("L = use(r, 1) || use(r, 2); delay(1) || use(r, 1); delay(10);", {11, 12, 13, 14}),
        ("L = use(r[1], { use(r[1], 2); use(r[1], 2) });", {4}),
        ("L = use(r[1, 1], use(r[2, 1], 3)) || use(r[3, 1], use(r[2, 1], 5));", {8}),
        ("L = seq (i = 1, 3) seq (j = i, 2) delay(1);", {3}),
        ("L = seq (i = 5, 1, -2) delay(i); seq (i = 1, 0, 2) delay(1);", {9}),
        ("L = delay(1); delay(1) || delay(1); delay(2);", {3}),
        ("L = delay(1); delay(2) || delay(5);\ndelay(1);", {6}),
        ("L = if (2 > 1) delay(1) else delay(1 / 0);", {1}),
        ("L = graph { u[i = 1, 3]: delay(i) after u[i - 1]; v: delay(4); w: delay(1) after u, v };", {7}),
        ("L = graph { u[i = 1, 2, j = i, 2]: delay(j) after u[i - 1, j] };", {4}),
        ("L = graph { u: delay(5); v[i = 1, 0]: delay(1) after u; w: delay(1) after v };", {6}),
        ("L = graph { u[i = 1, 2]: delay(5); v[i = 1, 0]: delay(1) after u[1]; w: delay(1) after v };", {5}),
        ("L = E[2](3); E[k](n) = use(k, n * k);", {6}),
        ("param t = [1, 2, 4]; L = par (i = 1, len(t)) delay(t[i]);", {4}),
        ("param n = 2; def f(a) = a + n; L = seq (n = 1, 2) delay(f(n));", {7}),
        ("param tasks = 6; L = delay(share[2] + share[3](7));", {4}),
        ("L = delay(sum(i = 1, 3, i) + sum(i = 3, 1, -2, i) + 500 ms + .5e0);", {11}),
    ],
)
def test_a_program_means_what_the_language_page_says(text: str, seconds: set[object]) -> None:
    assert makespans(text) == seconds


def test_opposite_orders_deadlock() -> None:
    unrolled = meaning("L = use(r, { delay(1); use(s, 1) }) || use(s, { delay(1); use(r, 1) });")
    with pytest.raises(DeadlockError):
        Schedule(unrolled, "first come", "least", "drawn", Random(0)).makespan()


def test_times_are_drawn_between_their_ends() -> None:
    assert makespans("L = b[1];", "drawn") == {Fraction(13, 4), Fraction(7, 2), Fraction(31, 8)}
    assert makespans("L = b[1];", "either end") == {3, 4}


def test_both_sides_of_a_branch_are_taken() -> None:
    choice = "L = if (1 / 2) delay(1) else delay(2);"
    assert makespans(choice) == {1, 2}
    assert makespans(choice, side="first") == {1}
    assert makespans("L = if (0) delay(1) else delay(2);", side="first") == {2}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("L = a[5];", {"processor"}),
        ("L = delay(-1);", {"negative"}),
        ("L = use(r[1 / 2], 1);", {"whole"}),
        ("resource r[k] servers k; L = use(r[0], 1);", {"servers"}),
        ("L = par (i = 1, 0) delay(-1);", set()),
        ("L = delay(min(1, 1 / 0));", {"division"}),
        ("L = delay(0 * log(0));", {"domain"}),
        ("L = delay((-8) ^ (1 / 3));", {"domain"}),
        ("L = if (3) delay(1);", {"probability"}),
        ("L = seq (i = 1, 2, 0) delay(1);", {"step"}),
        ("param t = [1]; L = delay(t[2]);", {"entry"}),
        ("param n = 3 in [4, 5]; L = delay(n);", {"range"}),
        ("L = graph { u: delay(1) after v; v: delay(1) after u };", {"cycle"}),
        ("L = graph { u: delay(1) after v[1]; v: delay(1) };", {"names"}),
    ],
)
def test_faults_are_found(text: str, faults: set[str]) -> None:
    assert meaning(text).faults == faults


@pytest.mark.parametrize(
    ("text", "unreached"),
    [
        ("L = seq (i = 1, 1 / 0) delay(log(0));", {"domain"}),
        ("L = if (2) delay(log(0)) else delay(-1);", {"domain", "negative"}),
        ("L = graph { u[i = 1, 1 / 0]: delay(log(i)) };", {"domain"}),
        ("L = graph { u[i = 1, 0, j = 1, log(0)]: delay(1) };", {"domain"}),
    ],
)
def test_what_stands_behind_a_fault_is_looked_at(text: str, unreached: set[str]) -> None:
    assert meaning(text).unreached == unreached


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (FUNCTIONS["sqrt"](10**40), 10**20),
        (FUNCTIONS["sqrt"](Fraction(9, 4)), Fraction(3, 2)),
        (FUNCTIONS["log2"](2**53), 53),
        (Fraction(logarithm(3**40)) / logarithm(3), 40),
        (FUNCTIONS["sqrt"](2) * FUNCTIONS["sqrt"](2), 2),
        (logarithm(1), 0),
    ],
)
def test_roots_and_logarithms_are_exact_where_they_are_simple(value: Exact, exact: Exact) -> None:
    assert tidy(value) == exact


def test_the_estimate_is_the_greatest_of_T0_and_loads() -> None:
    assert plain_estimate(meaning("L = par (i = 1, 8) { delay(10); use(r, 3) };"), 0, "probability") == 24
    choice = meaning("L = if (1 / 4) use(r, 4) else use(r, 8);")
    readings = {branches: plain_estimate(choice, 0, branches) for branches in ("probability", "best", "worst")}
    assert readings == {"probability": 7, "best": 4, "worst": 8}


# Drawing, shrinking, the page


def once_contradicted() -> list[Program]:
    """Programs that contradicted the law before their causes were mended, each with two lines of comments."""
    programs = []
    for block in CONTRADICTED.read_text(encoding="utf-8").split("\n\n"):
        values, machine, text = block.split("\n", 2)
        entries = [entry.split(" = ") for entry in values.removeprefix("// ").split("; ") if " = " in entry]
        ends = {name: [tidy(Fraction(end)) for end in value.split(" .. ")] for name, value in entries}
        _, number, branches = re.split(r"machine (\d+), branches ", machine)
        settings = {name: (low_high[0], low_high[-1]) for name, low_high in ends.items()}
        programs.append(Program(text, settings, int(number), branches))
    return programs


@pytest.mark.parametrize("program", once_contradicted(), ids=lambda program: program.text.split("L = ")[1][:30])
def test_a_program_that_once_contradicted_the_law_no_longer_does(program: Program) -> None:
    assert not judge(program, 0).contradictions


def test_a_seed_draws_the_same_program_every_time() -> None:
    assert [draw_program(seed) for seed in range(50)] == [draw_program(seed) for seed in range(50)]


def test_a_shrunk_program_keeps_only_what_matters() -> None:
    def of_interest(program: Program) -> bool:
        return "disk[" in program.text

    drawn = next(p for p in map(draw_program, range(1000)) if of_interest(p) and len(p.text) > 300)
    assert len(shrunk(drawn, of_interest).text) < 40


def test_figures_go_between_the_markers() -> None:
    report = {"seed": 1, "programs": 5, "predicted": 4, "refused": 1, "too long to run": 0, "schedules": 30}
    table = counts_table({**report, "contradictions": {}})
    page = with_counts(f"before\n{BEGIN}\nold\n{END}\nafter\n", table)
    assert "| programs drawn | 5 |" in page
    assert "old" not in page
    assert page.endswith(f"{END}\nafter\n")
