"""Classes of operations: the most particular pattern holds, names come before patterns, factors do not change."""

from __future__ import annotations

import pytest

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.machine.operation_classes import class_of, completed

TEXT = """\
schema = 1
[[machine]]
name = "fast"
[machine.op_s]
add = 1e-9
"call_*" = [1e-9, 1e-6]
"call_*_size" = [1e-9, 5e-9]
"call_List_*" = [2e-9, 3e-9]
call_List_get = 4e-9
[[machine]]
name = "slow"
[machine.op_s]
add = 2e-9
"call_*" = [5e-9, 5e-6]
"""


@pytest.fixture
def machines() -> Machines:
    return parse_machines(Source("m.toml", TEXT))


@pytest.mark.parametrize(
    ("operation", "pattern"),
    [("call_Map_size", "call_*_size"), ("call_List_add", "call_List_*"), ("call_x", "call_*"), ("sub", None)],
)
def test_the_most_particular_pattern_holds(machines: Machines, operation: str, pattern: str | None) -> None:
    assert class_of(operation, machines.groups[0]) == pattern


def test_every_group_has_its_own_class_and_names_come_first(machines: Machines) -> None:
    done = completed(machines, ["add", "call_List_get", "call_Map_size"])
    assert done.groups[0].op_s["call_List_get"] == Interval(4e-9, 4e-9)
    assert done.groups[0].op_s["call_Map_size"] == Interval(1e-9, 5e-9)
    assert done.groups[1].op_s["call_Map_size"] == Interval(5e-9, 5e-6)
    assert done.assumed == {"call_List_get": "call_*", "call_Map_size": "call_*_size"}
    assert done.factors() == machines.factors() == (1.0, 0.5)


def test_an_operation_without_a_class_is_missing(machines: Machines) -> None:
    app = apet.compile_text("L = subtract[1];")
    with pytest.raises(ApetError, match="operation 'subtract' is not in"):
        apet.predict(app, machines)


def test_a_prediction_takes_the_time_of_the_class(machines: Machines) -> None:
    app = apet.compile_text("L = call_Map_size[1];")
    estimate = apet.predict(app, machines, 1).estimate
    assert (estimate.lo, estimate.hi) == (1e-9, 5e-9)
