"""What `apet solve` must meet: a deadline, a target of another quantity, or what comes close to the best."""

from __future__ import annotations

import argparse

from apet.cli.errors import WrongCall
from apet.cost import CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.notation import duration, share
from apet.ground.records import NamedTuple
from apet.ground.values import number

USUAL = {"runs": "n", "queue": "N", "jobs": "cores"}
"""What is asked for where nothing is said, by the kind of a cost model."""


class SolveGoal(NamedTuple):
    """One of the three, by the option that names it."""

    option: str
    deadline: Number | None
    """The time or other quantity; None where it is a share of the best."""
    near_best: Number | None = None
    """How far from the best in the range, between 0 and 1."""

    def check(self, app: CostModel) -> None:
        """`ApetError` where the option does not fit the quantity that formulas are about."""
        is_time = app.unit == "s"
        if self.option == "--deadline" and not is_time:
            raise ApetError(WrongCall(None, None, f"{self.option}: {app.quantity} is no time", "give --target instead"))
        if self.option == "--target" and is_time:
            raise ApetError(
                WrongCall(None, None, f"{self.option}: what is asked for is a time", "give --deadline instead")
            )


def usual_unknown(app: CostModel) -> str:
    """What is asked for where nothing is said; `ApetError` where nothing suggests itself."""
    if app.counts_processors:
        return "P"
    names = list(app.declared)
    name = USUAL.get(app.kind, "")
    if name in names:
        return name

    raise ApetError(WrongCall(None, None, "what is asked for?", f"name it with --for: {', '.join(names)}"))


def goal_of(options: argparse.Namespace) -> SolveGoal:
    """The goal among the options; `ApetError` where it is none."""
    if options.deadline is not None:
        return SolveGoal("--deadline", duration("--deadline", options.deadline))

    if options.target is not None:
        return SolveGoal("--target", number("--target", options.target))
    return SolveGoal("--near-best", None, share("--near-best", options.slack))
