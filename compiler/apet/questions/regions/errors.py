"""What can be wrong with a question for regions."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NoSuchAxis(Diagnostic):
    """A name that is neither a parameter nor a quantity of machines."""

    message = "{model} has no '{name}' that could vary{near}"
    hint = "its time contains: {contents}"


class AxisNotInTime(Diagnostic):
    """A parameter that no term of the estimate depends on."""

    message = "no term of {model} contains '{name}': every value of it has the same term"
    hint = "its time contains: {contents}"


class TiedAxis(Diagnostic):
    """The number of processors where it is declared by other parameters."""

    message = "P is made of {names} in this model: regions over it would need values of these for each P"
    hint = "compare single numbers of processors: apet predict -P 4,16,64"


class BadAxis(Diagnostic):
    """A range that holds no values to draw regions for."""

    message = "--for {name}={low}:{high}: {reason}"
    hint = "{advice_text}"


class VariedAndSet(Diagnostic):
    """A parameter with a value and a range."""

    message = "{name} is given a value and a range at once"
    hint = "leave out one: {how} fixes it, --for {name}=low:high varies it"


class NotOneValue(Diagnostic):
    """An interval where one value is needed."""

    message = "{name} = {low}..{high}: regions need one value of every other parameter"
    hint = "give one value, or make it an axis: --for {name}={low}:{high}"


class DifferentLinks(Diagnostic):
    """A network figure that is not the same between all machines."""

    message = "{name} cannot vary: {machines} gives links figures of their own"
    hint = "remove [[network.link]] from a copy of the file, or vary another quantity"


class TooManyAxes(Diagnostic):
    """A number of parameters that no map is made of."""

    message = "a map has one or two parameters, not {count}"
    hint = "fix the others: --set {name}=…"


class TooLongLoops(Diagnostic):
    """Terms whose exact values take too long to find again and again."""

    message = "regions of {model} need a loop of {rounds} without closed form, again and again"
    hint = "choose a smaller range, or give what the loop does in all as delay(seconds) or a parameter"
