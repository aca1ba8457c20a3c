"""Laws of the lints: each finds what it is for, at its place, and nothing in a tidy model."""

from __future__ import annotations

import pytest

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source
from apet.model.check import check
from apet.model.lints import lints
from apet.model.nesting import opposite_nesting
from apet.model.pamela import parse
from apet.model.resolve import resolve


def _found(text: str) -> list[Diagnostic]:
    model = parse(Source("a.pam", text))
    return lints(model, resolve(model))


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


CIRCLES = {
    "par (i = 1, 3) use(f[i], { delay(1); use(f[1 + i % 3], 1) })": True,
    "par (i = 1, 3) use(f[i], hold[1 + i % 3])": True,
    "par (i = 1, 3) use(f[i], par (i = 1, 3) use(f[i], 1))": True,
    "par (i = 1, 3) use(f[i], use(f[i + 1], 1))": False,
    "par (i = 1, 3) use(f[i], hold[i + 1])": False,
    "par (i = 1, 3) use(f[i], hold[i])": False,
    "par (i = 1, 3) use(f[i], use(f[7], 1))": False,
    "par (i = 1, 3) use(g[i, 1], use(g[i, 2], 1))": False,
    "par (i = 1, 3) use(g[i, 1], use(g[1 + i % 3, 1], 1))": True,
    "{ use(f[1], use(f[3], 1)) || use(f[3], use(f[2], 1)) }": False,
    "{ use(f[1], use(f[3], 1)) || use(f[3], use(f[2], 1)) || use(f[2], use(f[1], 1)) }": True,
    "{ use(a, use(b, 1)) || use(b, use(c, 1)) || use(c, use(a, 1)) }": True,
    "{ use(a, use(b, 1)) || use(b, use(c, 1)) || use(a, use(c, 1)) }": False,
    "{ use(x, op[y]) || use(y, op[x]); op[x]; op[y] }": True,
    "{ use(cpu, op[1]) || use(1, use(bus, 1)) }": False,
}


@pytest.mark.parametrize("process", CIRCLES)
def test_members_and_resources_taken_in_a_circle_are_found(process: str) -> None:
    text = f"L = {process}; hold[i] = use(f[i], 1);"
    resolved = resolve(parse(Source("t.pam", text)))
    assert bool(list(opposite_nesting(resolved))) == CIRCLES[process]


@pytest.mark.parametrize(
    ("end", "advice"),
    [
        ("n / 16", "is 1.9375, counted as 1"),
        ("2 * (n / m) + 1", "is rounded down to a whole number"),
        ("n / k", "is rounded down to a whole number"),
        ("n / 31", None),
        ("n - 30 + log(1000) / log(10)", None),  # 2.9999999999999996 in floats
        ("ceil(n / 16)", None),
        ("floor(n / m) - 1", None),
        ("n * m", None),
        ("sqrt(n)", "is 5.56776, counted as 5"),
        ("n ^ (1 / 5)", "is 1.98734, counted as 1"),
        ("sqrt(n + 5)", None),
    ],
)
def test_an_end_of_a_loop_that_need_not_be_whole_is_seen(end: str, advice: str | None) -> None:
    text = f"param n = 31; param m = 2; param P; L = par (k = 1, P) seq (j = 1, {end.replace('m', 'P')}) a[k + m];"
    found = [d.text for d in _found(text)]
    assert found == ([] if advice is None else [f"the end of this loop {advice}"])


def test_an_end_that_is_passed_to_an_equation_is_seen_where_it_is_passed() -> None:
    (advice,) = _found("param n = 31; L = work[1](n / 2); work[p](m) = seq (i = 1, m) a[p];")
    assert advice.text == "the end of this loop is 15.5, counted as 15"
    assert not _found("param n = 31; L = work[1](n / 2); work[p](m) = seq (i = 1, ceil(m)) a[p];")


@pytest.mark.parametrize("word", ["recv", "wait", "barrier"])
def test_a_word_of_another_language_gets_advice(word: str) -> None:
    assert _said(f"L = {{ a[1]; {word}[2]; {word}[1] }};") == [f"ForeignWord@{word}"]
    assert _said(f"L = {word}[2]; {word}[p] = a[p];") == []


@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("recv[1, 2](8)", "send[from, to](bytes)"),
        ("sned[1, 2](8)", "did you mean 'send'? a message is written send[from, to](bytes)"),
        ("dealy(3)", "did you mean 'delay'? to let time pass write delay(t)"),
        ("wait(3)", "delay(t)"),
        ("barrier", "one after the other"),
        ("work(3)", "write work[p]; did you mean 'worker'?"),
    ],
)
def test_a_step_without_a_processor_is_told_what_it_may_be(step: str, hint: str) -> None:
    (mistake,) = check(parse(Source("a.pam", f"L = {step}; worker[p] = a[p];"))).diagnostics
    assert hint in mistake.advice


@pytest.mark.parametrize(
    ("loop", "advised"),
    [
        ("par (p = 0, P - 1) use(p, 1)", True),
        ("par (p = 0, P - 1) a[p]", True),
        ("seq (p = 0, P - 1) { use(2, a[p]); a[1] }", True),
        ("par (p = 0, P - 1) w[p]", True),
        ("par (p = 0, P - 1) v(p)", False),
        ("par (p = 0, P - 1) use(i, 1)", False),
        ("par (p = 0, P - 1) use(disk, 1)", False),
        ("par (p = 1, P - 1) a[p]", False),
        ("par (p = 0, P) a[p]", False),
        ("par (p = 0, P + 1) a[p]", False),
        ("par (p = 0, n - 1) a[p]", False),
    ],
)
def test_a_loop_from_0_over_processors_gets_advice(loop: str, advised: bool) -> None:
    used = "w[i]; v(i); use(i, delay(n + P))"
    text = f"param P; param n; L = seq (i = 1, 2) {{ {loop}; {used} }}; w[q] = a[q]; v(q) = delay(q);"
    assert _said(text) == ([f"ProcessorZero@{loop.partition(')')[0]})"] if advised else [])


@pytest.mark.parametrize("first", range(3))
def test_a_circle_of_families_is_told_where_it_closes(first: int) -> None:
    pairs = ["use(a, use(b, 1))", "use(b, use(c, 1))", "use(c, use(a, 1))"]
    text = f"L = {{ {' || '.join([*pairs[first:], *pairs[:first]])} || use(b, use(d, 1)) }};"
    (found,) = _found(text)
    assert " > ".join([*"abc"[first:], *"abc"[: first + 1]]) in found.text
    assert found.span is not None
    assert text[found.span.start : found.span.end] == f"use({'abc'[first]}, 1)"
