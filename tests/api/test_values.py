"""Parameters of a model are one mapping: a model may call them as options of functions are called."""

from __future__ import annotations

from pathlib import Path

import pytest

import apet
from apet.machine import Machines

NAMES = [
    "workers",
    "seed",
    "depth",
    "end",
    "by",
    "within",
    "levels",
    "draws",
    "axes",
    "output",
    "schedule",
    "values",
    "machines",
    "app",
    "engine",
    "vary",
    "unknown",
    "deadline",
    "budget",
    "changes",
    "processors",
    "noise",
    "expected",
    "of",
    "title",
    "extra",
    "thorough",
    "resume",
    "against",
    "scheduler",
]
MODEL = "".join(f"param {name} = 1 in [0, 100];\n" for name in NAMES) + f"L = delay({' + '.join(NAMES)});"
ALL = dict.fromkeys(NAMES, 2)
SECONDS = 2 * len(NAMES)


@pytest.fixture(scope="module")
def app() -> apet.Application:
    return apet.compile_text(MODEL)


@pytest.fixture(scope="module")
def lab() -> Machines:
    return apet.load_machines("join-2005")


def test_a_parameter_may_be_called_as_an_option_is(app: apet.Application, lab: Machines) -> None:
    assert apet.predict(app, lab, values=ALL).estimate.hi == SECONDS
    assert apet.explain(app, lab, values=ALL).tmax.seconds == SECONDS
    assert float(apet.simulate(app, lab, 1, values=ALL).makespan) == SECONDS
    assert apet.quantiles(app, lab, 1, draws=100, values=ALL).quantities["estimate"].mean == SECONDS
    assert f"{SECONDS}" in apet.report_page(app, lab, [1], values=ALL)


def test_questions_over_a_parameter_called_as_an_option_is(app: apet.Application, lab: Machines) -> None:
    others = {name: 2 for name in NAMES if name != "workers"}
    assert apet.solve(app, lab, SECONDS, "workers", within=(0, 50), values=others).enough_up_to == pytest.approx(2)
    assert apet.regions(app, lab, {"workers": (1, 4)}, values=others).terms

    swept = apet.sweep(app, lab, {"workers": [2, 3]}, values=others)
    assert swept.best is not None
    assert swept.best.times["estimate_tmax"] == SECONDS

    compared = apet.compare((app, lab), (app, lab), [1], values=ALL, changes={"workers": 3})
    assert compared.pairs[0].second.estimate.hi == SECONDS + 1


def test_keywords_of_predict_set_parameters_that_are_no_options(app: apet.Application, lab: Machines) -> None:
    assert apet.predict(app, lab, workers=10).estimate.hi == len(NAMES) + 9
    assert apet.predict(app, lab, values={"workers": 10, "seed": 10}, seed=20).estimate.hi == len(NAMES) + 28


@pytest.mark.parametrize("option", ["schedule", "values", "machines"])
def test_a_keyword_that_is_an_option_is_never_taken_for_a_parameter(app: apet.Application, option: str) -> None:
    message = f'{option} is an option of predict.*\n.*values={{"{option}"'
    with pytest.raises(apet.ApetError, match=message):
        apet.predict(app, **{option: 8})  # type: ignore[arg-type]


def test_an_option_keeps_its_meaning_in_such_a_model(app: apet.Application, lab: Machines, tmp_path: Path) -> None:
    assert apet.predict(app, lab, schedule="join", values={"schedule": 3}).estimate.hi == len(NAMES) + 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [("count = '3 kB'", "a size, and count is a plain number"), ("wait = '1 kB..2 kB'", "a size, and wait is a time")],
)
def test_a_value_with_the_unit_of_another_quantity_is_refused_as_on_the_command_line(text: str, reason: str) -> None:
    timed = apet.compile_text("param count = 3; param wait = 2 ms; L = seq (i = 1, count) delay(wait);")
    name, value = text.replace("'", "").split(" = ")
    with pytest.raises(apet.ApetError, match=f"{text}: {reason}"):
        apet.predict(timed, P=1, values={name: value})
    assert apet.predict(timed, P=1, values={"count": "4", "wait": "3 s"}).estimate.hi == 12
