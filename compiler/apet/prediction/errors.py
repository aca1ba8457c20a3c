"""What can be wrong with a call of the predictor."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class MissingParameter(Diagnostic):
    """A parameter without a value."""

    name: str
    message = "parameter '{name}' has no value"
    hint = "give it one: --set {name}=…, or in the model: param {name} = …;"


class MissingProbability(Diagnostic):
    """A branch without a probability."""

    message = "this branch has no probability"
    hint = "set it: --set {name}=0.5; or choose --branches average, best or worst"


class FreeProcessor(Diagnostic):
    """A named processor that no number was given for."""

    message = "processor '{name}' is named, but not which machine it is"
    hint = "choose one: --set {name}=1"


class UnknownParameter(Diagnostic):
    """A value for what the model does not have."""

    message = "the model has no parameter '{name}'{near}"
    hint = "its parameters: {known}"


class ParameterOutside(Diagnostic):
    """A value that a parameter may not have."""

    message = "{name} = {value}: {reason}"
    hint = "{advice_text}"


class ProcessorsFromMachines(Diagnostic):
    """`--set P=…` where the machine model decides P."""

    message = "P is the number of processors in use"
    hint = "choose it with -P {value}"


class NoFittingParameter(Diagnostic):
    """`param P = R * R` on a number of processors that is no square."""

    message = "P = {expression} is {processors} for no whole {name}"
    hint = "choose a number that it can be (-P {offered}), or set {name}: --set {name}=…"


class OtherProcessors(Diagnostic):
    """`param P = R * C` where what R and C are makes another number of processors than is in use."""

    message = "P = {expression} is {count}, and there are {processors} processors in use"
    hint = "use as many (-P {count}){more}"
    expression: str
    count: str
    processors: str
    more: str


class ExampleOfProcessors(Advisory):
    """`param P = 8` where nobody names a number of processors."""

    message = "{model} has P = {count} as an example: all {processors} processors of the machine model are used"
    hint = "to use {count}: -P {count}"
    model: str
    count: str
    processors: int


class TiedToProcessors(Diagnostic):
    """`param P = R * R` on a number of processors, and a range of R."""

    message = "P = {expression}: {name} cannot vary while there are {processors} processors in use"
    hint = "give {name} one value, or leave it out: it is found from the number in use"
    expression: str
    name: str
    processors: str


class MissingOperation(Diagnostic):
    """An operation that machines of the model do not have."""

    message = "operation '{name}' is not in {machines}: missing for {groups}{near}"
    hint = "add it under [machine.op_s], or measure it with apet benchmark"


class AssumedTimes(Advisory):
    """Operations whose times are those of a class of operations."""

    message = "{machines} has no time of its own for {operations}: {count} assumed, by class"
    hint = "the estimate is as wide as these classes; name what matters under [machine.op_s]: {first} = [low, high]"


class MessagesWithoutNetwork(Diagnostic):
    """Messages without a network."""

    message = "the model sends messages, and {machines} has no [network]"
    hint = "give latency_s and bandwidth_B_per_s under [network]"


class NoProcess(Diagnostic):
    """A question about the steps of a process, of formulas that were made without one."""

    message = "{name} has no process and no operations: its formulas are all that is known"
    hint = "ask for predictions: apet predict"


class NoSuchProcessor(Diagnostic):
    """A subscript that names no processor."""

    message = "{reason}"
    hint = "processors are numbered 1 to P; 0 is the coordinator"


class FractionalSubscriptHere(Diagnostic):
    """A subscript that is no whole number for these parameters."""

    public_kind: ClassVar[str] = "FractionalSubscript"
    message = "this subscript is no whole number for {setting}"
    hint = "subscripts are whole numbers"


class OutsideRuns(Diagnostic):
    """An operation whose fit says nothing about its argument."""

    message = "{reason}"
    hint = "call it with one argument of the runs' kind, within 64 times the largest run"


class NoValue(Diagnostic):
    """A default or the end of a range that has no value for these parameters."""

    message = "this has no value{setting}: {reason}"
    hint = "choose other values, or change the expression"


class NotEvaluable(Diagnostic):
    """A formula that has no value for these parameters."""

    message = "the formula cannot be evaluated for {setting}: {reason}"
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

    message = "this {kind} is {what} for {setting}"
    hint = "{advice_text}"


class Saturated(Diagnostic):
    """A station of an open network to which more work comes than it can do, or all that it can."""

    message = "saturated: U[{station}] = {utilization} for {setting}"
    hint = "there is a steady state below 1 only: lower the arrival rate or the demands, or take more servers"


class UndecidedSign(Diagnostic):
    """A duration or the like of which no value in the ranges is known to be out of bounds, nor proved to be within."""

    message = "it cannot be decided whether this {kind} is valid for all values in {setting}"
    hint = "{advice_text}; narrow the ranges, or put max(0, …) around it"


class NoSuchEntryHere(Diagnostic):
    """A subscript of a table that is no number of an entry for these parameters."""

    public_kind: ClassVar[str] = "NoSuchEntry"
    message = "this subscript is outside its table for {setting}"
    hint = "entries are numbered from 1 to len(table)"


class ShapeVaries(Diagnostic):
    """A range of a name that the order of a graph depends on, where a formula is needed."""

    message = "'{name}' changes which members of a graph wait for which, and their longest path has no formula"
    hint = "give it one value; apet sweep and apet solve take several, one after the other"
