"""Programs against the event simulator, and the simulator against cases worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.laws.campaign import BLOCK, findings, tally
from tests.laws.drawing import draw_program
from tests.laws.events import SERVICES, DeadlockError, Schedule
from tests.laws.formulas import OPERATIONS, Apply, Formula, Numeral, Variable
from tests.laws.machine_pool import POOL
from tests.laws.plain_estimate import plain_estimate
from tests.laws.program import (
    Choice,
    DrawnProgram,
    Execution,
    HeldResource,
    Occupancy,
    Rounds,
    ServerCount,
    Several,
    Term,
    Waiting,
)
from tests.laws.shrinking import shrunk
from tests.laws.trust_page import BEGIN, END, counts_table, with_counts
from tests.laws.unrolled import unroll
from tests.work import campaign

PROGRAMS = campaign(20_000)

ONE, TWO = Numeral(1), Numeral(2)


@pytest.mark.parametrize("block", range(PROGRAMS // BLOCK))
def test_no_schedule_contradicts_what_is_said_of_a_program(block: int) -> None:
    counts = tally(range(block * BLOCK, (block + 1) * BLOCK))
    examples = "\n".join(map(str, findings(counts, most=1))) if counts.kinds else ""
    assert not counts.kinds, examples


# The oracle itself


def seconds(value: int, held: str | None = None, *subscripts: int) -> Term:
    """`delay(value)`, or `use(held[subscripts], value)`."""
    pause = Waiting(Numeral(value))
    return pause if held is None else Occupancy(HeldResource(held, tuple(map(Numeral, subscripts))), pause)


def makespans(program: DrawnProgram, durations: str = "least", side: str = "drawn") -> set[object]:
    """The makespans of sixty schedules of each order of service."""
    unrolled = unroll(program, {}, POOL[0])
    assert not unrolled.faults
    runs = ((service, seed) for service in SERVICES for seed in range(60))
    return {Schedule(unrolled, service, durations, side, Random(seed)).makespan() for service, seed in runs}


def faults(body: Term, **resources: ServerCount) -> set[str]:
    return unroll(DrawnProgram(body, resources=resources), {}, POOL[0]).faults


def at_once(*parts: Term) -> Several:
    return Several(True, parts)


def in_order(*parts: Term) -> Several:
    return Several(False, parts)


def test_what_runs_at_once_waits_for_one_server_and_not_for_two() -> None:
    body = at_once(*[seconds(3, "r")] * 4)
    assert makespans(DrawnProgram(body)) == {12}
    assert makespans(DrawnProgram(body, resources={"r": ServerCount((), TWO)})) == {6}


def test_members_of_a_family_do_not_wait_for_each_other() -> None:
    assert makespans(DrawnProgram(at_once(seconds(3, "r", 1, 1), seconds(5, "r", 1, 2), seconds(4, "r", 1, 1)))) == {7}


def test_the_order_of_service_matters_where_it_should() -> None:
    long_tail = in_order(seconds(1, "r"), seconds(10))
    body = at_once(seconds(1, "r"), in_order(seconds(2, "r"), seconds(1)), long_tail)
    assert makespans(DrawnProgram(body)) == {11, 12, 13, 14}


def test_what_is_held_already_is_not_waited_for() -> None:
    inner = seconds(2, "r", 1)
    assert makespans(DrawnProgram(Occupancy(HeldResource("r", (ONE,)), in_order(inner, inner)))) == {4}


def test_nested_resources_are_held_all_the_while() -> None:
    def nested(outer: int, time: int) -> Term:
        return Occupancy(HeldResource("r", (Numeral(outer), ONE)), seconds(time, "r", 2, 1))

    assert makespans(DrawnProgram(at_once(nested(1, 3), nested(3, 5)))) == {8}


def test_opposite_orders_deadlock() -> None:
    def nested(outer: str, inner: str) -> Term:
        return Occupancy(HeldResource(outer, ()), in_order(seconds(1), seconds(1, inner)))

    unrolled = unroll(DrawnProgram(at_once(nested("r", "s"), nested("s", "r"))), {}, POOL[0])
    with pytest.raises(DeadlockError):
        Schedule(unrolled, "first come", "least", "drawn", Random(0)).makespan()


def test_times_are_drawn_between_their_ends() -> None:
    found = makespans(DrawnProgram(Execution("b", ONE)), "drawn")
    assert found == {Fraction(13, 4), Fraction(7, 2), Fraction(31, 8)}
    assert makespans(DrawnProgram(Execution("b", ONE)), "either end") == {3, 4}


def test_both_sides_of_a_branch_are_taken() -> None:
    choice = Choice(Numeral(Fraction(1, 2)), seconds(1), seconds(2))
    assert makespans(DrawnProgram(choice)) == {1, 2}
    assert makespans(DrawnProgram(choice), side="first") == {1}
    assert makespans(DrawnProgram(Choice(Numeral(0), seconds(1), seconds(2))), side="first") == {2}


def test_loops_may_be_empty_or_depend_on_others() -> None:
    triangle = Rounds(False, "i", ONE, Numeral(3), Rounds(False, "j", Variable("i"), Numeral(2), seconds(1)))
    assert makespans(DrawnProgram(triangle)) == {3}


def test_faults_are_found() -> None:
    assert faults(Execution("a", Numeral(5))) == {"processor"}
    assert faults(seconds(-1)) == {"negative"}
    assert faults(Occupancy(HeldResource("r", (Numeral(Fraction(1, 2)),)), seconds(1))) == {"whole"}
    assert faults(seconds(1, "r", 0), r=ServerCount(("k",), Variable("k"))) == {"servers"}
    assert not faults(Rounds(True, "i", ONE, Numeral(0), seconds(-1)))


@pytest.mark.parametrize(
    ("operation", "argument", "value"),
    [
        ("square root, up", 10**100 + 1, 10**50 + 1),
        ("square root, down", 10**100 - 1, 10**50 - 1),
        ("binary logarithm, up", 2**200 + 1, 201),
        ("binary logarithm, down", 2**200 - 1, 199),
        ("decimal logarithm, down", 1000, 3),
        ("ternary logarithm, up", 243, 5),
        ("cube root, down", 1000, 10),
    ],
)
def test_values_at_jumps_are_exact(operation: str, argument: int, value: int) -> None:
    assert OPERATIONS[operation][1](argument) == value


def test_the_estimate_is_the_greatest_of_T0_and_loads() -> None:
    queue = at_once(*[in_order(seconds(10), seconds(3, "r"))] * 8)
    assert plain_estimate(unroll(DrawnProgram(queue), {}, POOL[0]), 0, "probability") == 24
    choice = Choice(Numeral(Fraction(1, 4)), seconds(4, "r"), seconds(8, "r"))
    readings = {
        b: plain_estimate(unroll(DrawnProgram(choice), {}, POOL[0]), 0, b) for b in ("probability", "best", "worst")
    }
    assert readings == {"probability": 7, "best": 4, "worst": 8}


# Drawing, shrinking, the page


CONTRADICTED = (
    *(23_859, 32_152, 39_355, 43_281, 44_478, 83_631, 88_142, 90_608, 96_615, 99_683, 121_500, 123_439, 150_917),
    *(154_607, 159_763, 160_201, 164_214, 179_260),
    *(851_734, 1_061_870, 1_155_300, 1_474_736, 1_607_033),
    *(72_348, 85_072, 114_424, 160_592, 176_587, 177_892, 461_315, 461_831, 465_760, 484_632, 507_906, 516_791),
)
"""Seeds of programs that contradicted the law before their causes were mended."""


@pytest.mark.parametrize("seed", CONTRADICTED)
def test_a_program_that_once_contradicted_the_law_no_longer_does(seed: int) -> None:
    assert not tally([seed]).kinds


def test_a_seed_draws_the_same_program_every_time() -> None:
    assert [str(draw_program(Random(s))) for s in range(50)] == [str(draw_program(Random(s))) for s in range(50)]


def test_a_shrunk_program_keeps_only_what_matters() -> None:
    def of_interest(program: DrawnProgram) -> bool:
        return "disk[" in str(program)

    drawn = next(p for p in map(draw_program, map(Random, range(1000))) if of_interest(p) and len(str(p)) > 200)
    assert len(str(shrunk(drawn, of_interest))) < 40


def test_a_program_is_written_as_text() -> None:
    body: Term = Rounds(
        True, "i", ONE, Variable("P"), Occupancy(HeldResource("d", (_half(Variable("i")),)), seconds(1))
    )
    program = DrawnProgram(body, resources={"d": ServerCount(("k",), TWO), "unused": ServerCount((), ONE)})
    assert str(program) == "param P;\nresource d[k] servers 2;\nL = par (i = 1, P) use(d[ceil((i / 2))], 1);\n"


def _half(formula: Formula) -> Formula:
    return Apply("ceil", (Apply("divide", (formula, TWO)),))


def test_figures_go_between_the_markers() -> None:
    report = {"seed": 1, "programs": 5, "predicted": 4, "refused": 1, "too long to run": 0, "schedules": 30}
    table = counts_table({**report, "contradictions": {}})
    page = with_counts(f"before\n{BEGIN}\nold\n{END}\nafter\n", table)
    assert "| programs drawn | 5 |" in page
    assert "old" not in page
    assert page.endswith(f"{END}\nafter\n")
