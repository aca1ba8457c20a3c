"""What was predicted with what: the heading of every report."""

from __future__ import annotations

from typing import NamedTuple

from apet.cost import Application


class Occasion(NamedTuple):
    """An application and the machine model it was put on.

    `machines` is the model's name, `file` its file; `network` the topology; `schedule` how tasks were dealt.
    """

    app: Application
    machines: str
    file: str
    network: str
    schedule: str

    @property
    def title(self) -> str:
        """What, and where."""
        return title(self.app, self.machines)

    @property
    def unit(self) -> str:
        """Of what is predicted: "s", or that of a closed model."""
        return unit(self.app)

    @property
    def symbol(self) -> str:
        """What stands for it: T, or a closed model's letter."""
        return "T" if self.app.closed is None else self.app.closed.symbol

    @property
    def bracket(self) -> str:
        """The head of the column of lower and upper ends."""
        return "guaranteed" if self.app.closed is None else self.app.closed.title

    @property
    def has_processors(self) -> bool:
        """Whether the number of processors means anything."""
        return self.app.closed is None or self.app.closed.counts_processors

    @property
    def heading(self) -> str:
        """One line: what, where, and how it was read."""
        if self.app.closed is not None:
            return heading(self.app)
        setting = f"branches: {self.app.setting.branches} · network: {self.network}"
        dealt = f" · schedule: {self.schedule}" if self.app.deals else ""
        return f"{self.app.name} on {self.machines} · {setting}{dealt}"


def title(app: Application, machines: str) -> str:
    """What, and where: `pi.pam on JoiN`."""
    where = machines if app.closed is None else app.closed.where
    return f"{app.name} on {where}" if where else app.name


def unit(app: Application) -> str:
    """Of what is predicted."""
    return "s" if app.closed is None else app.closed.unit


def heading(app: Application) -> str:
    """Of a closed model: what of what, and what lies between its bounds."""
    closed = app.closed
    assert closed is not None
    bounds = "guaranteed" if closed.sure else "estimated"
    return f"{title(app, '')} · {closed.quantity} · {bounds}: {closed.bracket}"


def notes(app: Application) -> tuple[str, ...]:
    """Sentences that a reader of a closed model's figures needs."""
    found = () if app.closed is None else app.closed.notes
    return tuple(f"{n[:1].upper()}{n[1:]}." for n in found)


def about(app: Application) -> dict[str, object]:
    """Further keys of JSON for a closed model: what is predicted, and whether its bounds are guaranteed."""
    closed = app.closed
    if closed is None:
        return {}
    return {
        "quantity": closed.quantity,
        "platform": closed.where or None,
        "bounds": "guaranteed" if closed.sure else "estimated",
        "between": closed.bracket,
        "notes": list(closed.notes),
    }
