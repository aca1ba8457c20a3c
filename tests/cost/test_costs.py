"""The symbolic costs against unrolling by brute force, and against the simulator, on random models."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from tests.brute_force import brute_force
from tests.machine_table import Table
from tests.strategies import Case, Features, cases

from apet.api import compile, compile_text, load_machines, predict
from apet.cost import Application, Setting, analyse
from apet.formula.evaluate.environment import Items, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.machine.network import End
from apet.model.evaluate import parameter_values
from apet.model.pamela import parse

ENDS: tuple[End, ...] = ("tmin", "tmax")
MODELS = Path(__file__).parents[1] / "data" / "models"
CLOSE = Fraction(1, 10**12)


def exact_items(table: Table, end: End, tasks: int) -> Items:
    """What a table says of operation times, messages, cores and shares, as fractions."""

    def item(name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        members = [int(s) for s in subscripts]
        if name == "t_send":
            return Fraction(table.send(members[0], members[1], arguments[0], end))
        if name == "cores":
            return table.cores(members[0])
        if name == "share":
            return table.shares(tasks)[members[0] - 1]
        return Fraction(table.time(name[2:], members[0], end))

    return item


def compiled(case: Case, branches: str = "probability") -> Application:
    model = parse(Source("random.pam", case.text))
    return analyse(model, Setting(branches, case.topology, cores=True))


def numbers(app: Application, table: Table, end: End) -> tuple[Number, ...]:
    """T0, estimate, lower, upper and serial bound, exactly."""
    roots = [f.node for f in (app.T0, app.T_total, app.lower, app.upper, app.serial)]
    values = parameter_values(app.model, {"P": table.P})
    given = {n: v for n, v in values.items() if not isinstance(v, str)}
    environment = MappingEnvironment(given, exact_items(table, end, int(given.get("tasks", 0))))
    return tuple(Plan(app.graph, roots).run(environment))


@given(cases(Features()))
def test_times_and_bounds_are_those_of_the_unrolled_model(case: Case) -> None:
    app = compiled(case)
    for end in ENDS:
        t0, estimate, lower, upper, serial = numbers(app, case.table, end)
        want = brute_force(app.model, case.table, end, topology=case.topology, kind=Fraction)
        assert abs(t0 - want.t0) <= CLOSE
        assert abs(estimate - want.estimate) <= CLOSE
        assert abs(serial - want.serial) <= CLOSE
        assert want.estimate - CLOSE <= lower <= want.upper + CLOSE
        assert max(lower, want.lower) - CLOSE <= upper <= want.serial + CLOSE
        # A message to oneself, or a use in a loop that turns out to be empty, waits for nothing: not told apart.
        if "send" not in case.text and not may_be_empty(case.text):
            assert upper <= want.upper + CLOSE


def may_be_empty(text: str) -> bool:
    """Whether a loop of a model ends with `n`, which is 0, or with an index that begins with 0."""
    return ", n" in text or any(f"({index} = 0," in text for index in re.findall(r" = 1, (i\d+)\)", text))


@pytest.mark.parametrize("name", sorted(p.stem for p in MODELS.glob("*.pam")))
def test_the_reference_models_get_the_reference_bounds(name: str) -> None:
    want = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))
    found = predict(compile(MODELS / f"{name}.pam"), load_machines(MODELS / f"{name}.toml"))
    for end, estimate, lower, upper in zip(ENDS, found.estimate, found.lower, found.upper, strict=True):
        assert estimate == pytest.approx(want[end]["estimate"], rel=1e-12)
        assert lower == pytest.approx(want[end]["lower"], rel=1e-12)
        assert upper == pytest.approx(want[end]["upper"], rel=1e-12)
        assert lower <= want[end]["simulated"] * (1 + 1e-12)
        assert want[end]["simulated"] <= upper * (1 + 1e-12)


def test_variables_of_nested_families_are_told_apart() -> None:
    text = "param n = 4; param P; L = par (a = 1, n) seq (b = 1, n) { seq (i = 1, b) w[1 + (i - 1) % P] || w[P] };"
    app = compile_text(text, network="none")
    table = Table({p: {"w": (p / 4, p / 2)} for p in range(3)}, (0.0, 0.0), (1.0, 1.0), dict.fromkeys(range(3), 1))
    for end in ENDS:
        _, _, lower, upper, _ = numbers(app, table, end)
        want = brute_force(app.model, table, end, kind=Fraction)
        assert lower == want.lower
        assert want.upper <= upper <= want.serial
