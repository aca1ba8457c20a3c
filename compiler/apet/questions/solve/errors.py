"""What can be wrong with a question for the values that meet a deadline."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NotInFormula(Diagnostic):
    """A parameter that the time does not depend on."""

    message: ClassVar[str] = "the time of {model} does not contain '{name}': no value of it meets or misses a deadline"
    hint: ClassVar[str] = "it contains: {contents}"
    model: str
    name: str
    contents: str


class RangeNeeded(Diagnostic):
    """A parameter without a range to search in."""

    message: ClassVar[str] = "in which range may {name} lie? The model declares none"
    hint: ClassVar[str] = "give one: --range 1..1e9"
    name: str


class BadRange(Diagnostic):
    """A range that holds no value."""

    message: ClassVar[str] = "range {low}..{high} of {name}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    low: str
    high: str
    reason: str
    advice_text: str


class BadDeadline(Diagnostic):
    """A deadline that nothing can meet."""

    message: ClassVar[str] = "deadline {deadline}: {reason}"
    hint: ClassVar[str] = "write a time: 90 s, 2 min or 1.5 h"
    deadline: str
    reason: str


class SetAndSought(Diagnostic):
    """A parameter that is both set and sought."""

    message: ClassVar[str] = "{name} is given a value and asked for at once"
    hint: ClassVar[str] = "leave out its value, or limit it with --range"
    name: str


class NoPrice(Diagnostic):
    """A budget where machines have no price."""

    message: ClassVar[str] = "{file} gives no cost_per_hour for {groups}"
    hint: ClassVar[str] = "add cost_per_hour to these machines, or leave out the budget"
    file: str
    groups: str


class BudgetForParameter(Diagnostic):
    """A budget where something else than the number of processors is sought."""

    message: ClassVar[str] = "a budget chooses a number of processors, not {name}"
    hint: ClassVar[str] = "ask for P, or leave out the budget"
    name: str


class NoSuchFigure(Diagnostic):
    """An operation or a figure of the network that cannot be sought."""

    message: ClassVar[str] = "cannot ask for '{name}': {reason}"
    hint: ClassVar[str] = "ask for one of: {choices}"
    name: str
    reason: str
    choices: str
