"""What has no value is refused by every road alike: predictions, ranges, simulations, columns, generated Python and
JavaScript. The oracle is a Python function beside each text.

An expression without a value at some x stands in contexts that need it, drop it, cancel it, or exclude it.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

import apet
from apet.answers.formulas import python_text
from apet.cost import Application
from apet.formula.show.javascript_source import javascript_source
from apet.machine.plain import plain_machines

Value = Callable[[], Any]
"""An operand that is evaluated when it is called; `ValueError` or `ArithmeticError` where it has no value."""


def _power(base: float, exponent: float) -> float:
    if base < 0 and exponent != int(exponent):
        raise ValueError
    return float(base**exponent)


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "1 / x": lambda x: 1 / x,
    "2 / (x * y)": lambda x: 2 / x,
    "1 / (x - 1)": lambda x: 1 / (x - 1),
    "x / x": lambda x: x / x,
    "7 % x": lambda x: Fraction(7) % Fraction(x),
    "log(x)": math.log,
    "log2(x + 1)": lambda x: math.log2(x + 1),
    "sqrt(x)": math.sqrt,
    "x ^ (0 - 1)": lambda x: _power(x, -1),
    "x ^ (1 / 2)": lambda x: _power(x, 0.5),
    "(x - 1) ^ (0 - y)": lambda x: _power(x - 1, -1),
    "1 / (1 / x)": lambda x: 1 / (1 / x),
    "sum(i = 1, 2, 1 / (x - i))": lambda x: 1 / (x - 1) + 1 / (x - 2),
    "1 / floor(x / 2)": lambda x: 1 / math.floor(x / 2),
}

Context = Callable[[Value, float], Any]

CONTEXTS: dict[str, Context] = {
    "delay(abs({u}))": lambda u, x: abs(u()),
    "delay(min(2, abs({u})))": lambda u, x: min(2, abs(u())),
    "delay(max(2, {u}))": lambda u, x: max(2, u()),
    "delay(({u}) ^ 0)": lambda u, x: u() ** 0,
    "delay((y - 1) * ({u}) + 1)": lambda u, x: 0 * u() + 1,
    "delay(({u}) - ({u}) + 1)": lambda u, x: u() - u() + 1,
    "delay(5 * (({u}) < 3))": lambda u, x: 5 * (u() < 3),
    "delay(3) || delay(abs({u}))": lambda u, x: max(3, abs(u())),
    "delay(sqrt(2)) || delay(min(1, abs({u})))": lambda u, x: max(math.sqrt(2), min(1, abs(u()))),
    "seq (i = 1, min(3, {u})) delay(1)": lambda u, x: max(0, math.floor(min(3, u()))),
    "seq (i = 1, min(3, {u})) seq (j = 1, 0) delay(1)": lambda u, x: 0 * min(3, u()),
    "par (i = 1, max(2, min(3, {u}))) use(r, 1)": lambda u, x: math.floor(max(2, min(3, u()))),
    "if (x > 2) delay(abs({u})) else delay(3)": lambda u, x: abs(u()) if x > 2 else 3,
    "if (x > 2) delay(max(1, min(2, {u}))) else delay(3)": lambda u, x: max(1, min(2, u())) if x > 2 else 3,
    "if (x == 4) {{ if (y) use(r, abs({u})) }} else delay(3)": lambda u, x: abs(u()) if x == 4 else 3,
    "if (n) delay(abs({u})) else delay(3)": lambda u, x: 3,
    "if (n) delay(abs({u})) else delay(log(3))": lambda u, x: math.log(3),
    "if ({u} < 1) delay(2) else delay(3)": lambda u, x: 2 if u() < 1 else 3,
    "seq (i = 1, n) delay(abs({u}))": lambda u, x: 0,
    "seq (i = 1, n) { if ({u} < 1) delay(2) else use(r, 3) }": lambda u, x: 0,
    "delay(sum(k = 1, n, {u}) + 1)": lambda u, x: 1,
    "delay(t[1 + ({u}) * n])": lambda u, x: 2 + 0 * u(),
    "f(abs({u}))": lambda u, x: 2 + 0 * u(),
}
POINTS = (Fraction(-2), Fraction(0), Fraction(1), Fraction(5, 2), Fraction(4))
RANGES: tuple[tuple[int | Fraction, int], ...] = ((-2, 0), (0, 4), (Fraction(5, 2), 4), (3, 4))
ONE = plain_machines(1)
GRID = 12
"""Points of a range that are tried by the oracle."""


def _model(context: str, expression: str) -> str:
    body = context.replace("{{", "{").replace("}}", "}").replace("{u}", expression)
    declared = "param x = 1 in [-9, 9]; param y = 1; param n = 0; param t = [2, 3];"
    return f"{declared} L = {{ {body} }}; f(z) = delay(2);"


def _expected(context: Context, expression: Callable[[Any], Any], x: Fraction) -> float | None:
    """The time at a point; None where it has none."""
    try:
        return float(context(lambda: expression(x), float(x)))
    except (ValueError, ArithmeticError):
        return None


def _answered(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (apet.ApetError, ValueError, ArithmeticError):
        return None


CASES = list(itertools.product(CONTEXTS, EXPRESSIONS))


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_road_gives_the_value_or_refuses(context: str) -> None:
    for expression, function in EXPRESSIONS.items():
        app = apet.compile_text(_model(context, expression))
        points = [x for x in POINTS if "x" not in app.whole or x == int(x)]
        roads: dict[str, Callable[[Fraction], float]]
        roads = {"predict": partial(_predicted, app), "simulate": partial(_simulated, app), "python": _generated(app)}
        for (road, evaluate), x in itertools.product(roads.items(), points):
            value, answer = _expected(CONTEXTS[context], function, x), _answered(partial(evaluate, x))
            shown = f"{road} of {context} with {expression} at x = {x}: {answer}, not {value}"
            assert (answer is None) == (value is None), shown
            assert value is None or answer == pytest.approx(value, rel=1e-9, abs=1e-12), shown


def _predicted(app: Application, x: Fraction) -> float:
    return float(apet.predict(app, x=x).guaranteed.lo)


def _simulated(app: Application, x: Fraction) -> float:
    return apet.simulate(app, ONE, values={"x": x}).makespan


def _generated(app: Application) -> Callable[[Fraction], float]:
    names: dict[str, Any] = {}
    exec(compile(python_text(app), "generated", "exec"), names)
    values = {"y": 1, "n": 0, "P": 1}

    def at(x: Fraction) -> float:
        settings = {**values, "x": int(x) if x == int(x) else x}
        lower = names["lower"]
        wanted = lower.__code__.co_varnames[: lower.__code__.co_argcount]
        return float(lower(**{name: settings[name] for name in wanted}))

    return at


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_range_is_refused_where_it_holds_a_point_without_value(context: str) -> None:
    for (expression, function), (low, high) in itertools.product(EXPRESSIONS.items(), RANGES):
        app = apet.compile_text(_model(context, expression))
        points = [Fraction(low) + Fraction(k, GRID) * Fraction(high - low) for k in range(GRID + 1)]
        points = [x for x in points if "x" not in app.whole or x == int(x)]
        if Fraction(low) not in points:
            continue
        values = [_expected(CONTEXTS[context], function, x) for x in points]
        answer = _answered(partial(apet.predict, app, x=(low, high)))

        shown = f"{context} with {expression}, x = {low}..{high}: {answer}, values {values}"
        if None in values:
            assert answer is None, shown
        else:
            assert answer is not None, shown
            numbers = [v for v in values if v is not None]
            slack = 1e-9 * max(map(abs, numbers))
            assert answer.guaranteed.lo - slack <= min(numbers), shown
            assert max(numbers) <= answer.guaranteed.hi + slack, shown


def test_the_script_of_a_page_gives_the_value_or_refuses() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")

    scripts, expected = [], []
    for context, expression in CASES:
        app = apet.compile_text(_model(context, expression))
        roots = [app.lower.node, *(r.node for r in app.requirements)]
        scripts.append(javascript_source(app.graph, roots, checked=True))
        expected.append([_expected(CONTEXTS[context], EXPRESSIONS[expression], x) for x in POINTS])
    points = json.dumps([float(x) for x in POINTS])
    evaluate = "f => points.map(x => f({x, y: 1, n: 0, P: 1}, {}, 1e6))"
    text = f"const points = {points};\nconsole.log(JSON.stringify([{', '.join(scripts)}].map({evaluate})))"
    run = subprocess.run([node, "-"], input=text, capture_output=True, text=True, check=True)

    for case, values, answers in zip(CASES, expected, json.loads(run.stdout), strict=True):
        for x, value, (answer, *required) in zip(POINTS, values, answers, strict=True):
            refused = answer is None or any(r is None or r < 0 for r in required)
            assert refused == (value is None), (case, x, value, answer, required)
            assert refused or answer == pytest.approx(value, rel=1e-9, abs=1e-9), (case, x, value, answer)


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("param k = 0; L = par (i = 1, k) { send[1, 0](8); a[i] };", {"k": 0}, 0),
        ("param k = 0; L = par (i = 1, k) { use(r, 1); use(s, i) };", {"k": 0}, 0),
        ("param P; param n = 0; L = if (n > P) a[n] else delay(1);", {"n": 2, "P": 4}, 1),
        ("param P; param n = 0; L = if (n > P) { a[n]; a[n]; send[n, 0](n) } else delay(1);", {"n": 0, "P": 4}, 1),
        ("param k = 0 in [0, 1]; param x = 2; L = if (k) use(1, x / k % 2);", {"k": 0, "x": 2}, 0),
        ("param n = 0; param x = 0; L = seq (i = 1, n) seq (j = 1, n / x) delay(1);", {"n": 0, "x": 0}, 0),
    ],
)
def test_generated_code_asks_for_nothing_that_is_excluded(text: str, values: dict[str, int], expected: int) -> None:
    app = apet.compile_text(text, network="switch")
    names: dict[str, Any] = {}
    exec(compile(python_text(app), "generated", "exec"), names)

    def time(*members: int) -> float:
        assert 0 < members[0] < 4, "a quantity that no run needs"
        return 1

    for function in (names["lower"], names["upper"], names["T"], names["T0"]):
        wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
        assert function(**{name: values.get(name, time) for name in wanted}) == expected


@pytest.mark.parametrize(
    "text",
    [
        "param n = 3; L = if (-2 > n) delay(2 / 0) else delay(1);",
        "param n = 0; L = { seq (i = 1, n) delay(-3); delay(1) };",
        "param n = 0; L = { seq (i = 1, n) delay(log(-1)); delay(1) };",
        "param n = 3; L = if (n > 5) seq (i = 0, 2) delay(1 / i) else delay(1);",
        "param n = 0; param t = [1, 2]; L = if (n > 5) delay(t[7]) else delay(1);",
    ],
)
def test_constants_without_value_are_no_errors_of_a_model_where_a_condition_excludes_them(text: str) -> None:
    assert tuple(apet.predict(apet.compile_text(text)).guaranteed) == (1, 1)


def test_a_guarded_range_has_no_upper_end_where_nothing_limits_the_time() -> None:
    app = apet.compile_text("param x = 1 in [-9, 9]; L = if (x > 0) delay(1 / x) else delay(3);")
    low, high = apet.predict(app, x=(0, 3)).guaranteed
    assert low == pytest.approx(1 / 3, rel=1e-5)
    assert high == math.inf
    assert tuple(apet.predict(app, x=(-3, 0)).guaranteed) == (3, 3)
