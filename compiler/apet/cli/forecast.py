"""What `apet run` is asked, and what its two ways of measuring hand over: a forecast, and what to do next."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apet.answers.blocks import Sentences, Table
from apet.ground.diagnostics import Diagnostic
from apet.ground.records import NamedTuple

if TYPE_CHECKING:
    from apet.answers.answer import Answer
    from apet.cost import CostModel
    from apet.page.build import Section


class BudgetTooSmall(Diagnostic):
    """A budget that ended before there was enough for a forecast."""

    message = "the budget of {budget:g} s ended before {what}"
    hint = "allow more, such as --budget {more:.0f}s; the runs so far are in {folder}, and the same call continues"


@dataclass(frozen=True, slots=True)
class RunOrder:
    """A command, the folder of its results, seconds for all runs, and whether to measure everything anew."""

    command: tuple[str, ...]
    folder: str
    budget: float
    fresh: bool
    begun: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds of the budget that are left; negative if it is spent."""
        return self.budget - (time.monotonic() - self.begun)

    def file(self, name: str) -> str:
        """The path of a result."""
        return os.path.join(self.folder, name)

    def longer(self) -> str:
        """This call with four times the budget."""
        return f"apet run --budget {4 * self.budget:.0f}s -o {shlex.quote(self.folder)} -- {shlex.join(self.command)}"

    def too_small(self, what: str) -> BudgetTooSmall:
        """The error of a budget that ended before `what`."""
        return BudgetTooSmall(None, None, self.budget, what, 4 * self.budget, self.folder)


INTERPRETERS = ("python", "java", "julia", "node", "perl", "ruby", "Rscript", "bash", "sh")
"""Programs that run the program meant: the first of their arguments that is no option."""


def program_name(command: Sequence[str]) -> str:
    """What the results of a command are called by: `work` of `python3 work.py --size {size}`."""
    words = [os.path.basename(word) for word in command if not word.startswith("-")]
    script = words[0].startswith(INTERPRETERS) and len(words) > 1 and not {"-c", "-e"} & set(command[1:2])
    meant = words[1] if script else words[0]
    return os.path.splitext(meant)[0]


class ForecastTable(NamedTuple):
    """The header and rows of a forecast, and sentences below it."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()


class Forecast(NamedTuple):
    """The answer for the terminal; of the page its title, the table, and, made on demand, the cost model and
    pictures; and what to do next, as questions with their commands."""

    answer: Answer
    title: str
    table: ForecastTable
    model: Callable[[], CostModel]
    pictures: Callable[[], Sequence[Section]]
    steps: Sequence[tuple[str, str]]


def forecast_section(header: Sequence[str], rows: Sequence[Sequence[str]], remarks: Sequence[str]) -> Section:
    """The forecast, for the page."""
    from apet.page.build import Section

    table = Table(header, rows, "<" + ">" * (len(header) - 1), label="Forecast")
    return Section("forecast", "Forecast", [table, Sentences(remarks)])


def steps_section(steps: Sequence[tuple[str, str]]) -> Section:
    """What to do next, for the page."""
    from apet.page.build import Section

    where = "Call them in the folder in which apet run was called."
    return Section("next", "What to do next", [Table(("question", "command"), steps, "<<"), Sentences([where])])
