"""Figures of the machines that can be sought: an operation's time on every processor, latency, bandwidth.

All bounds are monotone in every duration: they are sums, maxima and least of durations with factors of 0 or more. So
they never fall with the time of an operation or the latency, and never rise with the bandwidth.
"""

from __future__ import annotations

from apet.cost import CostModel
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.interval import AskedRange, Interval, Number
from apet.machine import Machines
from apet.prediction.predictor import Predictor
from apet.questions.adjusted import BANDWIDTH, LATENCY, figures, operation_times, with_figure, with_operation
from apet.questions.solve.errors import BadRange, NoSuchFigure, NotInFormula
from apet.questions.solve.solution import SearchSpace

AROUND = 1000
"""Without a range one is looked at from the least value in the file divided by this to the greatest times this."""


def is_figure(app: CostModel, name: str) -> bool:
    """Whether a name means a figure of the machines, as `t_mpy_double` or `latency_s`: parameters come first."""
    return not app.settable(name) and (name in (LATENCY, BANDWIDTH) or name.startswith("t_"))


def unit_of(app: CostModel, name: str) -> str:
    """The unit of what is sought: "s", "B/s", or nothing for P and parameters."""
    if name == "P" or not is_figure(app, name):
        return ""
    return "B/s" if name == BANDWIDTH else "s"


def machines_with(machines: Machines, name: str, value: Number) -> Machines:
    """The machines with this figure on every processor or link, one value instead of an interval."""
    if name.startswith("t_"):
        return with_operation(machines, name[2:], value)
    return with_figure(machines, name, value)


def direction_of_figure(name: str) -> int:
    """1 where no bound falls as it rises, -1 where none rises."""
    return -1 if name == BANDWIDTH else 1


def figure_space(predictor: Predictor, name: str, within: AskedRange | None) -> SearchSpace:
    """Where a figure may lie; `ApetError` where the time does not contain it, or the range is none."""
    available = _figures(predictor)
    if name not in available:
        _refuse(predictor.app, name, sorted(available))
    if within is None:
        present = available[name]
        low: Number = present.lo / AROUND or present.hi / AROUND**2
        return SearchSpace(name, low, max(present.hi * AROUND, low), False)
    low, high = within
    if low > high:
        raise ApetError(_bad(name, low, high, "the lower end is above the upper one", "write low..high"))
    if low < 0 or (name == BANDWIDTH and low == 0):
        least = "above 0" if name == BANDWIDTH else "0 or more"
        raise ApetError(_bad(name, low, high, f"it is {least}", "choose a range of such values"))

    return SearchSpace(name, low, high, False)


def _figures(predictor: Predictor) -> dict[str, Interval]:
    """The figures that the time contains, and where they are now."""
    machines = predictor.machines
    if machines is None:
        return {}
    operations = [name for name in predictor.app.operations if name != "send" and name not in machines.fitted]
    times = {f"t_{name}": operation_times(machines, name) for name in operations}
    return times | (figures(machines) if "send" in predictor.app.operations else {})


def _refuse(app: CostModel, name: str, available: list[str]) -> None:
    if name == "t_send" and LATENCY in available:
        reason = "how long a message takes depends on its size"
        raise ApetError(NoSuchFigure(None, None, name, reason, ", ".join(available)))
    exists = name in (LATENCY, BANDWIDTH)
    listed = ", ".join(available) or "no operation"
    if exists or not nearest(name, available):
        raise ApetError(NotInFormula(None, None, app.name, name, listed))
    reason = f"the model has no such operation{nearest(name, available)}"
    raise ApetError(NoSuchFigure(None, None, name, reason, listed))


def _bad(name: str, low: Number, high: Number, reason: str, advice: str) -> BadRange:
    return BadRange(None, None, name, f"{float(low):g}", f"{float(high):g}", reason, advice)
