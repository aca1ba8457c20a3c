"""What can be wrong with a call of the predictor."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


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


class MissingOperation(Diagnostic):
    """An operation that machines of the model do not have."""

    message: ClassVar[str] = "operation '{name}' is not in {machines}: missing for {groups}{near}"
    hint: ClassVar[str] = "add it under [machine.op_s], or measure it with apet benchmark"
    name: str
    machines: str
    groups: str
    near: str


class MessagesWithoutNetwork(Diagnostic):
    """Messages without a network."""

    message: ClassVar[str] = "the model sends messages, and {machines} has no [network]"
    hint: ClassVar[str] = "give latency_s and bandwidth_B_per_s under [network]"
    machines: str


class NoTasks(Diagnostic):
    """`share[p]` without `param tasks`."""

    message: ClassVar[str] = "share[p] deals tasks, and the model has no parameter 'tasks'"
    hint: ClassVar[str] = "add param tasks = …;"


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


ADVICE = {
    "closed form": "give the loop fewer iterations, or what it does in all as delay(seconds) or a parameter",
    "division": "choose values for which no right side of / or % and no number of servers is 0",
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
