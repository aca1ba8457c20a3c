"""One table of units: models, task graphs, machine files and options read every one of them, and what is printed."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import apet
from apet.editor.layout import laid_out
from apet.ground.diagnostics import ApetError
from apet.ground.resources import data_text
from apet.ground.units import PRINTED, UNITS
from apet.ground.values import number


@pytest.mark.parametrize("unit", UNITS)
def test_options_and_models_read_a_unit_alike(unit: str) -> None:
    value = number("x", f"3 {unit}")
    assert value == 3 * Fraction(UNITS[unit].scale)
    declared = apet.compile_text(f"param x = 3 {unit}; L = delay(1 * x);").declared["x"].value
    assert declared is not None
    assert (declared.value, declared.unit) == (value, UNITS[unit].basic)  # type: ignore[union-attr]


@pytest.mark.parametrize("file", ["pamela.lark", "pasl.lark"])
@pytest.mark.parametrize("unit", UNITS)
def test_grammars_know_the_units_of_the_table(file: str, unit: str) -> None:
    [pattern] = re.findall(r"^NUMBER: /(.*)/$", data_text("grammar", file), re.MULTILINE)
    match = re.match(pattern, f"3 {unit} ")
    assert match is not None
    assert match[0] == f"3 {unit}"


@pytest.mark.parametrize("unit", [unit for names in PRINTED.values() for unit in names])
def test_what_a_model_is_printed_with_is_a_unit(unit: str) -> None:
    assert laid_out(f"L = delay(3 {unit});") == f"L = delay(3 {unit});\n"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("64 MB / 16 GB/s", "1/250"),
        ("10 Gbit / 10 Gbit/s", "1"),
        ("3 GFLOP / 1.5 TFLOP/s", "1/500"),
        ("2 min - 1 h / 60", "60"),
    ],
)
def test_a_quantity_over_its_rate_is_a_time(text: str, seconds: str) -> None:
    assert apet.predict(apet.compile_text(f"L = delay({text});")).lower.lo == pytest.approx(float(Fraction(seconds)))


@pytest.mark.parametrize("text", ["3 GB/s", "3 GFLOP", "3 MB * 2 GB/s", "2 s + 3 GB/s"])
def test_what_is_no_time_is_refused_as_one(text: str) -> None:
    if "*" in text:
        apet.compile_text(f"L = delay({text});")  # of a product of quantities nothing is known
        return
    with pytest.raises(apet.ApetError):
        apet.compile_text(f"L = delay({text});")


def test_a_quotient_by_a_parameter_s_is_no_rate() -> None:
    with pytest.raises(apet.ApetError, match="a rate per second, and 's' is a parameter here"):
        apet.compile_text("param s = 3; L = delay(4 kB/s);")
    apet.compile_text("param s = 3; param n = 4 kB / s; L = send[0, 1](n);")


def test_a_parameter_with_a_unit_is_refused_by_itself_and_counted_in_products() -> None:
    head = "param size = 8 kB; param t = 2 us; "
    for body in ("delay(size)", "delay(t + size)", "send[0, 1](t)"):
        with pytest.raises(ApetError, match=r"size|time"):
            apet.compile_text(f"{head}L = {body};")
    app = apet.compile_text(f"{head}L = {{ seq (i = 1, size / 64) delay(t); delay(size * 1e-9 + t) }};")
    assert apet.predict(app).estimate.lo == pytest.approx(125 * 2e-6 + 8e-6 + 2e-6)
