"""What formulas are evaluated on: P processors of a machine model, or processors that are only counted."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from apet.formula.evaluate.environment import MappingEnvironment
from apet.ground.interval import Interval, Number
from apet.ground.records import Record
from apet.machine import Configuration, End
from apet.machine.configuration import Processors
from apet.prediction.environment import BoxEnvironment, MachineEnvironment, ParameterBox

DeployedEnvironment = MachineEnvironment | MappingEnvironment


class Deployment(Record):
    """P processors and how tasks are dealt to them; without a `configuration` formulas name no machine quantity."""

    P: int
    configuration: Configuration | None
    schedule: str

    @property
    def groups(self) -> tuple[Processors, ...]:
        """The kinds of machines in use."""
        return () if self.configuration is None else self.configuration.groups

    def environment(self, end: End, values: Mapping[str, Number], exact: bool = False) -> DeployedEnvironment:
        """Parameters, and operation times at one end of their intervals; `exact` makes these fractions."""
        if self.configuration is None:
            return MappingEnvironment(values)
        return MachineEnvironment(self.configuration, end, values, self.schedule, exact)

    def over(self, end: End, box: Mapping[str, Interval], exact: bool = False) -> BoxEnvironment | ParameterBox:
        """The same for a box of parameters, all of which it names."""
        if self.configuration is None:
            return ParameterBox(box)
        low, high = (
            MachineEnvironment(self.configuration, end, {n: at(x) for n, x in box.items()}, self.schedule, exact)
            for at in (attrgetter("lo"), attrgetter("hi"))
        )
        return BoxEnvironment(low, high, box)
