"""What is predicted with what: the heading of every report."""

from __future__ import annotations

from apet.cost import CostModel
from apet.ground.records import NamedTuple
from apet.machine import Machines
from apet.prediction import Predictor


class PredictionContext(NamedTuple):
    """A cost model and the machine model it was put on, if any.

    `machines` is the model's name, `file` its file; `network` the topology; `schedule` how tasks were dealt.
    """

    app: CostModel
    machines: str
    file: str
    network: str
    schedule: str

    @classmethod
    def of(cls, predictor: Predictor) -> PredictionContext:
        """The context of a predictor's predictions."""
        return cls.on(predictor.app, predictor.machines, predictor.schedule)

    @classmethod
    def on(cls, app: CostModel, machines: Machines | None, schedule: str) -> PredictionContext:
        """The context of predictions of a cost model that was read for these machines, if it needs any."""
        if machines is None:
            return cls(app, app.origin, app.origin, "none", schedule)
        return cls(app, machines.name, machines.file, machines.network.topology, schedule)

    @property
    def json_head(self) -> dict[str, object]:
        """What JSON about a cost model names: the model, its machines, and what is predicted."""
        return {"model": self.app.name, "machines": self.file, **self.app.description()}

    @property
    def json_setting(self) -> dict[str, str]:
        """How the model was read, under the keys of JSON."""
        return {"branches": self.app.setting.branches, "network": self.network, "schedule": self.schedule}

    @property
    def title(self) -> str:
        """What, and where."""
        return self.app.title(self.machines)

    @property
    def unit(self) -> str:
        """Of what is predicted: "s", "1/s" or ""."""
        return self.app.unit

    @property
    def symbol(self) -> str:
        """What stands for it: T, or another letter."""
        return self.app.symbol

    @property
    def bracket(self) -> str:
        """The head of the column of lower and upper ends."""
        return self.app.bracket_title

    @property
    def has_processors(self) -> bool:
        """Whether the number of processors means anything."""
        return self.app.counts_processors

    @property
    def heading(self) -> str:
        """One line: what, where, and how it was read."""
        return self.app.heading(self.machines, self.network, self.schedule)
