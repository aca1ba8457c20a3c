"""What can be wrong with a question for regions."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NoSuchAxis(Diagnostic):
    """A name that is neither a parameter nor a quantity of machines."""

    message: ClassVar[str] = "{model} has no '{name}' that could vary{near}"
    hint: ClassVar[str] = "its time contains: {contents}"
    model: str
    name: str
    near: str
    contents: str


class AxisNotInTime(Diagnostic):
    """A parameter that no term of the estimate depends on."""

    message: ClassVar[str] = "no term of {model} contains '{name}': every value of it has the same term"
    hint: ClassVar[str] = "its time contains: {contents}"
    model: str
    name: str
    contents: str


class BadAxis(Diagnostic):
    """A range that holds no values to draw regions for."""

    message: ClassVar[str] = "--for {name}={low}:{high}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    low: str
    high: str
    reason: str
    advice_text: str


class VariedAndSet(Diagnostic):
    """A parameter with a value and a range."""

    message: ClassVar[str] = "{name} is given a value and a range at once"
    hint: ClassVar[str] = "leave out one: {how} fixes it, --for {name}=low:high varies it"
    name: str
    how: str


class NotOneValue(Diagnostic):
    """An interval where one value is needed."""

    message: ClassVar[str] = "{name} = {low}..{high}: regions need one value of every other parameter"
    hint: ClassVar[str] = "give one value, or make it an axis: --for {name}={low}:{high}"
    name: str
    low: str
    high: str


class DifferentLinks(Diagnostic):
    """A network figure that is not the same between all machines."""

    message: ClassVar[str] = "{name} cannot vary: {machines} gives links figures of their own"
    hint: ClassVar[str] = "remove [[network.link]] from a copy of the file, or vary another quantity"
    name: str
    machines: str


class TooManyAxes(Diagnostic):
    """A number of parameters that no map is made of."""

    message: ClassVar[str] = "a map has one or two parameters, not {count}"
    hint: ClassVar[str] = "fix the others: --set {name}=…"
    count: int
    name: str


class TooLongLoops(Diagnostic):
    """Terms whose exact values take too long to find again and again."""

    message: ClassVar[str] = "regions of {model} need a loop of {rounds} without closed form, again and again"
    hint: ClassVar[str] = "choose a smaller range, or give what the loop does in all as delay(seconds) or a parameter"
    model: str
    rounds: str
