"""What can be wrong with a question for the values that meet a deadline."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NotInFormula(Diagnostic):
    """A parameter that the time does not depend on."""

    message = "the time of {model} does not contain '{name}': no value of it meets or misses a deadline"
    hint = "it contains: {contents}"


class RangeNeeded(Diagnostic):
    """A parameter without a range to search in."""

    message = "in which range may {name} lie? The model declares none"
    hint = "give one: --range 1..1e9"


class BadRange(Diagnostic):
    """A range that holds no value."""

    message = "range {low}..{high} of {name}: {reason}"
    hint = "{advice_text}"
    name: str
    low: str
    high: str
    reason: str
    advice_text: str


class BadDeadline(Diagnostic):
    """A deadline that nothing can meet."""

    message = "deadline {deadline}: {reason}"
    hint = "write a time: 90 s, 2 min or 1.5 h"


class SetAndSought(Diagnostic):
    """A parameter that is both set and sought."""

    message = "{name} is given a value and asked for at once"
    hint = "leave out its value, or limit it with --range"


class NoPrice(Diagnostic):
    """A budget where machines have no price."""

    message = "{file} gives no cost_per_hour for {groups}"
    hint = "add cost_per_hour to these machines, or leave out the budget"


class BudgetForParameter(Diagnostic):
    """A budget where something else than the number of processors is sought."""

    message = "a budget chooses a number of processors, not {name}"
    hint = "ask for P, or leave out the budget"


class NoSuchFigure(Diagnostic):
    """An operation or a figure of the network that cannot be sought."""

    message = "cannot ask for '{name}': {reason}"
    hint = "ask for one of: {choices}"
