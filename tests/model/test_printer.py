"""Laws of the printer: its text parses back to the same model, and printing that again changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apet.api.models import read
from apet.ground.source import Source, Span
from apet.model.expression_text import literal
from apet.model.pamela import parse
from apet.model.printer import print_model
from apet.model.terms import Model, Number

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted([*(ROOT / "tests/data/models").glob("*.pam"), *(ROOT / "samples/pamela").glob("*.pam")])


def _shape(term: Any) -> Any:
    """A term without its places."""
    if isinstance(term, Model):
        return [_shape(part) for part in (term.parameters, term.resources, term.equations, term.entry)]
    if isinstance(term, Span):
        return None
    if isinstance(term, dict):
        return {name: _shape(part) for name, part in term.items()}
    if isinstance(term, tuple):
        return (type(term).__name__, *map(_shape, term))
    return term


def _parsed(text: str) -> Model:
    return parse(Source("a.pam", text))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.name)
def test_the_text_of_a_model_parses_to_the_same_model(path: Path) -> None:
    model = read(path)
    text = print_model(model)
    assert _shape(_parsed(text)) == _shape(model)
    assert print_model(_parsed(text)) == text


PROCESSES = (
    "{}",
    "a[1]; b[2] || c[3]; d[4]",
    "{ a[1]; b[1] } || c[1]",
    "a[1]; { b[1] || c[1] }",
    "{ { a[1]; b[1] }; c[1] }",
    "if (q) if (q) a[1] else b[1] else c[1]",
    "if (q) { if (q) a[1] } else c[1]",
    "if (q) seq (i = 1, 3) if (q) a[i] else {}",
    "if { if (q) a[1] } else {}",
    "if a[1] else if b[1] else c[1]",
    "seq (i = 1, 2) par (j = i, 3) { a[i]; b[j] }",
    "use(r, x)",
    "use(r, n)",
    "use(r, (n))",
    "use(r, delay(n))",
    "use(r, 2 ms + n)",
    "use(r[1, n], { a[1]; b[1] || c[1] })",
    "use(1 + n % 2, E(n))",
    "delay(-(1 - 2 - (3 - 4)) ^ 2 ^ -3 * 2 % (3 * 4) / (n / 2))",
    "delay((n + 1) * (n < 3) + sum(i = 1, n, i ^ 2) + max(1, n) + (n == 1) * +2)",
    "delay((-2) ^ 2 + (2 ^ 3) ^ 2 + (-n) * -n)",
)


@pytest.mark.parametrize("process", PROCESSES)
def test_every_form_of_a_process_survives(process: str) -> None:
    model = _parsed(f"param n = 1; param q; L = {process}; E(k) = delay(k); r_ = delay(1);")
    assert _shape(_parsed(print_model(model))) == _shape(model)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("8 ms", "8 ms"),
        ("0.008 s", "8 ms"),
        ("1e-300", "1e-300"),
        ("1000000000", "1000000000"),
        ("1e30", "1e30"),
        ("1024 B", "1 KiB"),
        ("1000 B", "1 kB"),
        ("0.1 KiB", "102.4 B"),
        ("0", "0"),
        ("0 s", "0 s"),
        ("1.50", "1.5"),
    ],
)
def test_a_literal_has_the_unit_that_makes_it_shortest(written: str, shown: str) -> None:
    number = _parsed(f"param n = {written}; L = delay(1);").parameters["n"].value
    assert isinstance(number, Number)
    assert literal(number) == shown
    again = _parsed(f"param n = {shown}; L = delay(1);").parameters["n"].value
    assert isinstance(again, Number)
    assert (again.value, again.unit) == (number.value, number.unit)


def test_a_model_nested_thousands_of_levels_deep_prints() -> None:
    body = "delay(" + "-(" * 300 + "1" + ")" * 300 + ")"
    text = "L = " + "seq (i = 1, 2) { a[1]; " * 3000 + body + " }" * 3000 + ";"
    shown = print_model(_parsed(text))
    assert shown.count("a[1]") == 3000
