"""Rounds of counting loops, arithmetic of machines, and calls of recursions, beside programs that count them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.program.algebra import Value, as_value, substituted
from apet.program.arithmetic import computed, narrowed
from apet.program.counter_range import counter_range
from apet.program.free_names import free_names, walk
from apet.program.ir import NEGATED, Body, Callee, CodeBranch, CodeLoop, Condition, Items, LineColumn, ParameterKind
from apet.program.model_names import ModelNames
from apet.program.recursion import Recursive, unfold

AT = LineColumn(1, 1)
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 7), st.sampled_from(sorted(RELATIONS)))
def test_a_counting_loop_has_the_rounds_that_it_runs_with_the_values_of_its_counter(
    start: int, limit: int, size: int, relation: str
) -> None:
    step = size if relation.startswith("<") else -size
    counter, met = start, list[int]()
    while RELATIONS[relation](counter, limit):
        met.append(counter)
        counter += step
    extent = counter_range(relation, step, as_value("s"), as_value("n"), "i", True)
    ends = {"s": as_value(start), "n": as_value(limit)}
    low, high, rounds = (substituted(v, ends).integer for v in (extent.low, extent.high, extent.rounds))
    assert low is not None
    assert high is not None
    assert rounds is not None
    assert max(0, rounds) == len(met)
    indices = range(low, high + 1)
    assert sorted(met) == sorted(substituted(extent.value, {**ends, "i": as_value(i)}).integer or 0 for i in indices)


@given(st.integers(-100, 100), st.integers(-100, 100).filter(bool))
def test_quotients_are_rounded_towards_zero_and_leave_a_remainder_of_the_sign_of_the_dividend(a: int, b: int) -> None:
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    found = [computed(o, as_value(a), as_value(b), True) for o in "/%"]
    assert found == [as_value(quotient), as_value(a - quotient * b)]


@given(st.integers(-(2**40), 2**40), st.sampled_from([("byte", 8), ("short", 16), ("int", 32)]))
def test_a_number_that_is_too_great_for_its_type_keeps_its_low_bits(number: int, kind: tuple[str, int]) -> None:
    kept = narrowed(as_value(number), kind[0]).integer
    assert kept is not None
    assert (kept - number) % 2 ** kind[1] == 0
    assert -(2 ** (kind[1] - 1)) <= kept < 2 ** (kind[1] - 1)


@pytest.mark.parametrize(
    "smaller", [("n - 1",), ("n - 3",), ("n / 2",), ("n / 2", "n / 2"), ("n / 2", "n - n / 2"), ("n - 1", "n - 2")]
)
def test_a_recursion_has_the_calls_that_it_makes(smaller: tuple[str, ...]) -> None:
    n = as_value("n")
    half = computed("/", n, as_value(2), True)
    assert half is not None
    arguments = {"n - 1": n - 1, "n - 2": n - 2, "n - 3": n - 3, "n / 2": half, "n - n / 2": n - half}
    made: dict[str, Callable[[int], int]] = {
        "n - 1": lambda k: k - 1,
        "n - 2": lambda k: k - 2,
        "n - 3": lambda k: k - 3,
        "n / 2": lambda k: k // 2,
        "n - n / 2": lambda k: k - k // 2,
    }

    def calls(k: int) -> int:
        return 1 + (sum(calls(made[s](k)) for s in smaller) if k >= 2 else 0)

    inside = tuple(Callee("f", (), AT, recursive=True, formal_values=(arguments[s],)) for s in smaller)
    guard = CodeBranch(as_value("q"), inside, (), Condition(">=", n, as_value(2)), AT)
    added = dict[str, Body]()
    asked = list[str]()
    names = ModelNames(AT)

    def ask(kind: ParameterKind, name: str, text: str, formal: str) -> Value:
        asked.append(name)
        return as_value(name)

    def add(body: Body) -> None:
        added[body.name] = body

    method = Recursive(names, "f", "f", AT, {"n": 0}, True, False, None, added.get, add, ask)
    body = unfold(method, "f", (guard,), ["n"])
    assert not asked
    for k in (0, 1, 2, 3, 7, 12):
        assert _calls(body.items, {"n": k}) == calls(k), k
    assert free_names(body.items) <= {"n"}


def _number(value: Value, known: dict[str, float]) -> float:
    """A value in numbers."""
    total = 0.0
    for monomial, factor in value.terms:
        product = float(factor)
        for atom in monomial:
            if isinstance(atom, str):
                product *= known[atom]
            else:
                product *= FUNCTIONS[atom.name](*(_number(a, known) for a in atom.arguments))
        total += product
    return total


FUNCTIONS: dict[str, Callable[..., float]] = {
    **{"max": max, "min": min, "log2": math.log2, "sqrt": math.sqrt, "/": operator.truediv, "^": operator.pow},
    **{"floor": lambda x: math.floor(x + 1e-9), "ceil": lambda x: math.ceil(x - 1e-9), "%": operator.mod},
    **{"*": operator.mul, "==": lambda a, b: float(abs(a - b) < 1e-9)},
}


def _calls(items: Items, known: dict[str, float]) -> float:
    """How many calls items make, their loops run one by one."""
    total = 0.0
    for item in items:
        if isinstance(item, Callee):
            total += 1
        elif isinstance(item, CodeLoop):
            assert item.low is not None
            assert item.high is not None
            low, high = (round(_number(v, known)) for v in (item.low, item.high))
            total += sum(_calls(item.body, {**known, item.index: i}) for i in range(low, high + 1))
    return total


def test_the_negation_of_a_relation_holds_where_it_does_not() -> None:
    for relation, holds in RELATIONS.items():
        other = RELATIONS[NEGATED[relation]]
        assert all(holds(a, b) != other(a, b) for a in range(3) for b in range(3))


def test_a_walk_meets_each_item_once_and_before_what_is_inside_it() -> None:
    call = Callee("g", (), AT)
    branch = CodeBranch(as_value("q"), (call,), (), None, AT)
    loop = CodeLoop("i", as_value(1), as_value(3), as_value(3), (branch,), True, 1, "i", as_value(0), AT)
    assert [type(i) for i in walk((loop, call))] == [CodeLoop, CodeBranch, Callee, Callee]
