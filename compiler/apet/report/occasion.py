"""What was predicted with what: the heading of every report."""

from __future__ import annotations

from typing import NamedTuple

from apet.analysis import Application


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
    def heading(self) -> str:
        """One line: what, where, and how it was read."""
        setting = f"branches: {self.app.setting.branches} · network: {self.network}"
        dealt = f" · schedule: {self.schedule}" if self.app.deals else ""
        return f"{self.app.name} on {self.machines} · {setting}{dealt}"
