"""Laws of the lints: each finds what it is for, at its place, and nothing in a tidy model."""

from __future__ import annotations

import pytest

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source
from apet.model.check import check
from apet.model.lints import lints
from apet.model.pamela import parse


def _found(text: str) -> list[Diagnostic]:
    model = parse(Source("a.pam", text))
    return lints(model, check(model).processors)


def _said(text: str) -> list[str]:
    return [f"{type(d).__name__}@{text[d.span.start : d.span.end]}" for d in _found(text) if d.span is not None]


def test_an_equation_that_nothing_reaches_is_unused() -> None:
    assert _said("L = a; a = delay(1); b = c; c = b2; b2 = delay(1);") == [
        "UnusedEquation@b",
        "UnusedEquation@c",
        "UnusedEquation@b2",
    ]


@pytest.mark.parametrize(
    "use",
    [
        "delay(n)",
        "use(r, n)",
        "use(n, delay(1))",
        "use(disk[n], delay(1))",
        "a[n]",
        "send[0, 1](n)",
        "seq (i = 1, n) a[1]",
        "if (n) a[1]",
        "delay(sum(i = 1, n, i))",
        "delay(sum(n = 1, n, n))",
        "use(r, max(1, n))",
    ],
)
def test_a_parameter_is_used_wherever_a_number_may_stand(use: str) -> None:
    assert _said(f"param n = 1; L = {use};") == []


@pytest.mark.parametrize("use", ["seq (n = 1, 3) delay(n)", "delay(sum(n = 1, 3, n))", "a[1]"])
def test_an_index_of_the_same_name_is_no_use_of_a_parameter(use: str) -> None:
    assert _said(f"param n = 1; L = {use};") == ["UnusedParameter@n"]


def test_parameters_of_other_parameters_and_of_servers_are_used() -> None:
    assert _said("param a = 1; param b = a; resource r servers b; L = use(r, 1);") == []


def test_shares_use_the_tasks_and_the_processors() -> None:
    assert _said("param P; param tasks = 3; L = delay(share[1]);") == []


def test_mixed_separators_are_found_and_braces_silence_them() -> None:
    assert _said("L = { a[1]; b[1] || c[1] };") == ["MixedSeparators@a[1]; b[1] || c[1]"]
    assert _said("L = { { a[1]; b[1] } || c[1] };") == []
    assert _said("L = { a[1]; { b[1] || c[1] } };") == []


def test_a_named_processor_is_told_once_where_it_is_free() -> None:
    text = "L = { par (p = 1, 2) a[p]; b[p]; c[p] };"
    found = _found(text)
    assert [type(d).__name__ for d in found] == ["NamedProcessor"]
    assert found[0].span is not None
    assert found[0].span.start == text.index("b[p]") + 2


OPPOSITE = (
    "L = a || b; a = use(r, use(s, 1)); b = use(s, use(r, 1));",
    "L = a || b; a = use(r, inner); inner = use(s, 1); b = use(s, { delay(1); use(r, 1) });",
    "L = par (i = 1, 2) { use(lock[1], use(lock[2], 1)); use(lock[2], use(lock[1], 1)) };",
    "L = par (i = 1, 2) { use(tx[i], use(rx[1], 1)); use(rx[2], use(tx[i], 1)) };",
    "L = { use(disk, work[1]) || use(1, use(disk, 1)) };",
)


@pytest.mark.parametrize("text", OPPOSITE)
def test_two_resources_taken_in_both_orders_are_found_once(text: str) -> None:
    assert [type(d).__name__ for d in _found(text)] == ["OppositeNesting"]


@pytest.mark.parametrize(
    "text",
    [
        "L = a || b; a = use(r, use(s, 1)); b = use(r, use(s, 1));",
        "L = { use(r, use(s, 1)); use(s, use(r, 1)) };",
        "L = a || b; a = { use(r, 1); use(s, 1) }; b = { use(s, 1); use(r, 1) };",
        "L = { use(r, { use(s, 1) || use(r, 1) }) };",
    ],
)
def test_one_order_or_nothing_at_once_is_fine(text: str) -> None:
    assert _found(text) == []


def test_advice_comes_in_the_order_of_the_text() -> None:
    found = _found("param a = 1; L = { x[1]; y[1] || z[m] }; b = delay(1); param c = 2;")
    places = [d.span.start for d in found if d.span is not None]
    assert places == sorted(places)
    assert len(places) == 5
