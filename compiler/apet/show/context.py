"""What is predicted with what: the heading of every report."""

from __future__ import annotations

from typing import NamedTuple

from apet.cost import CostModel
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
        app, machines = predictor.app, predictor.machines
        name, network = (app.origin, "none") if machines is None else (machines.name, machines.network.topology)
        return cls(app, name, predictor.origin, network, predictor.schedule)

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


def notes(app: CostModel) -> tuple[str, ...]:
    """Sentences that a reader of a cost model's figures needs."""
    return tuple(f"{n[:1].upper()}{n[1:]}." for n in app.notes)
