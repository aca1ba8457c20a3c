"""What can be wrong with a call of the predictor."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class MissingParameter(Diagnostic):
    """A parameter without a value."""

    message: ClassVar[str] = "parameter '{name}' has no value"
    hint: ClassVar[str] = "give it one: --set {name}=…, or in the model: param {name} = …;"
    name: str


class MissingProbability(Diagnostic):
    """A branch without a probability."""

    message: ClassVar[str] = "this branch has no probability"
    hint: ClassVar[str] = "set it: --set {name}=0.5; or choose --branches average, best or worst"
    name: str


class FreeProcessor(Diagnostic):
    """A named processor that no number was given for."""

    message: ClassVar[str] = "processor '{name}' is named, but not which machine it is"
    hint: ClassVar[str] = "choose one: --set {name}=1"
    name: str


class UnknownParameter(Diagnostic):
    """A value for what the model does not have."""

    message: ClassVar[str] = "the model has no parameter '{name}'{near}"
    hint: ClassVar[str] = "its parameters: {known}"
    name: str
    near: str
    known: str


class ParameterOutside(Diagnostic):
    """A value that a parameter may not have."""

    message: ClassVar[str] = "{name} = {value}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    value: str
    reason: str
    advice_text: str


class ProcessorsFromMachines(Diagnostic):
    """`--set P=…` where the machine model decides P."""

    message: ClassVar[str] = "P is the number of processors in use"
    hint: ClassVar[str] = "choose it with -P {value}"
    value: str


class NoFittingParameter(Diagnostic):
    """`param P = R * R` on a number of processors that is no square."""

    message: ClassVar[str] = "P = {expression} is {processors} for no whole {name}"
    hint: ClassVar[str] = "choose a number that it can be (-P {offered}), or set {name}: --set {name}=…"
    expression: str
    processors: str
    name: str
    offered: str


class TooManyProcessors(Diagnostic):
    """`param P = R * R` where what R is set to makes more processors than there are."""

    message: ClassVar[str] = "P = {expression} is {count}, and there are {processors} processors in use"
    hint: ClassVar[str] = "use as many (-P {count}), or do not set {names}: it is found from the number in use"
    expression: str
    count: str
    processors: str
    names: str


class MissingOperation(Diagnostic):
    """An operation that machines of the model do not have."""

    message: ClassVar[str] = "operation '{name}' is not in {machines}: missing for {groups}{near}"
    hint: ClassVar[str] = "add it under [machine.op_s], or measure it with apet benchmark"
    name: str
    machines: str
    groups: str
    near: str


class AssumedTimes(Advisory):
    """Operations whose times are those of a class of operations."""

    message: ClassVar[str] = "{machines} has no time of its own for {operations}: {count} assumed, by class"
    hint: ClassVar[str] = (
        "the estimate is as wide as these classes; name what matters under [machine.op_s]: {first} = [low, high]{more}"
    )
    machines: str
    operations: str
    count: str
    first: str
    more: str = ""


class DerivedTimes(Advisory):
    """Operations whose times are derived from the source of the calls that they stand for."""

    message: ClassVar[str] = "{machines} has no time of its own for {operations}: {count} derived from {archive}"
    hint: ClassVar[str] = "a run times them: --profile"
    machines: str
    operations: str
    count: str
    archive: str


class MessagesWithoutNetwork(Diagnostic):
    """Messages without a network."""

    message: ClassVar[str] = "the model sends messages, and {machines} has no [network]"
    hint: ClassVar[str] = "give latency_s and bandwidth_B_per_s under [network]"
    machines: str


class NoProcess(Diagnostic):
    """A question about the steps of a process, of formulas that were made without one."""

    message: ClassVar[str] = "{name} has no process and no operations: its formulas are all that is known"
    hint: ClassVar[str] = "ask for predictions: apet predict"
    name: str


class NoSuchProcessor(Diagnostic):
    """A subscript that names no processor."""

    message: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = "processors are numbered 1 to P; 0 is the coordinator"
    reason: str


class FractionalSubscriptHere(Diagnostic):
    """A subscript that is no whole number for these parameters."""

    public_kind: ClassVar[str] = "FractionalSubscript"
    message: ClassVar[str] = "this subscript is no whole number for {setting}"
    hint: ClassVar[str] = "subscripts are whole numbers"
    setting: str


class OutsideRuns(Diagnostic):
    """An operation whose fit says nothing about its argument."""

    message: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = "call it with one argument of the runs' kind, within 64 times the largest run"
    reason: str


class NoValue(Diagnostic):
    """A default or the end of a range that has no value for these parameters."""

    message: ClassVar[str] = "this has no value{setting}: {reason}"
    hint: ClassVar[str] = "choose other values, or change the expression"
    setting: str
    reason: str


class NotEvaluable(Diagnostic):
    """A formula that has no value for these parameters."""

    message: ClassVar[str] = "the formula cannot be evaluated for {setting}: {reason}"
    setting: str
    reason: str

    @property
    def advice(self) -> str:
        """What to do about the reason."""
        return next((advice for part, advice in ADVICE.items() if part in self.reason), "")


FROM_EVALUATION = (NotEvaluable, NoSuchProcessor)
"""What comes of a formula, which has no places: that of the expression is looked for."""


ADVICE = {
    "closed form": "give the loop fewer iterations, or what it does in all as delay(seconds) or a parameter",
    "division": "choose values for which no right side of / or %, no step of a loop and no number of servers is 0",
    "logarithm": "choose values for which every logarithm is of a number above 0",
    "root": "choose values for which every root is of a number of 0 or more",
    "power": "choose values for which no negative number has a fractional exponent",
    "too large": "choose smaller values",
}
"""By a part of the reason."""


class NegativeHere(Diagnostic):
    """A duration below 0, or a probability outside [0, 1], for these parameters."""

    message: ClassVar[str] = "this {kind} is {what} for {setting}"
    hint: ClassVar[str] = "{advice_text}"
    kind: str
    what: str
    setting: str
    advice_text: str


class Saturated(Diagnostic):
    """A station of an open network to which more work comes than it can do, or all that it can."""

    message: ClassVar[str] = "saturated: U[{station}] = {utilization} for {setting}"
    hint: ClassVar[str] = (
        "there is a steady state below 1 only: lower the arrival rate or the demands, or take more servers"
    )
    station: str
    utilization: str
    setting: str


class UndecidedSign(Diagnostic):
    """A duration or the like of which no value in the ranges is known to be out of bounds, nor proved to be within."""

    message: ClassVar[str] = "it cannot be decided whether this {kind} is valid for all values in {setting}"
    hint: ClassVar[str] = "{advice_text}; narrow the ranges, or put max(0, …) around it"
    kind: str
    setting: str
    advice_text: str


class NoSuchEntryHere(Diagnostic):
    """A subscript of a table that is no number of an entry for these parameters."""

    public_kind: ClassVar[str] = "NoSuchEntry"
    message: ClassVar[str] = "this subscript is outside its table for {setting}"
    hint: ClassVar[str] = "entries are numbered from 1 to len(table)"
    setting: str
