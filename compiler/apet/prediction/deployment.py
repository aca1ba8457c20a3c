"""What formulas are evaluated on: P processors of a machine model, or processors that are only counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apet.formula.evaluate.environment import MappingEnvironment
from apet.ground.interval import Interval, Number
from apet.ground.records import Record
from apet.machine import Configuration, End
from apet.machine.configuration import Processors
from apet.prediction.environment import BoxEnvironment, MachineEnvironment

if TYPE_CHECKING:
    from apet.formula.evaluate.enclosure import IntervalEnvironment

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

    def over(self, end: End, box: Mapping[str, Interval], exact: bool = False) -> IntervalEnvironment:
        """The same for a box of parameters, all of which it names."""
        if self.configuration is None:
            from apet.formula.extremes.enclosing import NamedIntervals

            return NamedIntervals(box)
        configuration, schedule = self.configuration, self.schedule
        return BoxEnvironment(lambda values: MachineEnvironment(configuration, end, values, schedule, exact), box)
