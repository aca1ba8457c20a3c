"""Which of the numbered tasks of a batch a worker gets: in turn, so that those of each spread evenly over all.

The k-th of the s tasks of a worker comes at the place (k - 1/2) / s, ties to the earlier worker (Webster's order, as
`workload.dealt_in_turn` deals them for a run). So task (k - 1) P + p is the k-th of worker p of P equal ones: their
shares differ by one at most, and places of equal k lie between those of k - 1 and k + 1. Of workers that are not equal
the number is counted: those of worker q before it have (2 j - 1) s_p <= (2 k - 1) s_q, or less where q > p.
"""

from __future__ import annotations

from typing import NamedTuple

from apet.ground.source import Span
from apet.model.terms import Binary, Expression, Invoke, Name, Number, SumOver

NOWHERE = Span(0, 0)
FINE = 1000
"""Workers that get as many of so many times all tasks count as equal."""


class DealtRow(NamedTuple):
    """Rounds of a loop over the tasks of a worker, and the number of the task of each round."""

    rounds: Expression
    number: Expression


class Dealing(NamedTuple):
    """How a number of tasks is dealt: the share of a worker by its name, and names of a worker, of another and of a
    round."""

    tasks: Expression
    share: Invoke
    worker: str
    other: str
    round: str

    @property
    def rows(self) -> tuple[DealtRow, DealtRow]:
        """Loops over the tasks of a worker where all workers are equal, and where they are not: one is empty."""
        processors, p, k = _name("P"), _name(self.worker), _name(self.round)
        many = _of("*", _number(FINE), _of("*", processors, self.tasks))
        fine = Invoke("share", (_name(self.other),), (many,), NOWHERE)
        as_many = _of("==", fine, _of("*", _number(FINE), self.tasks))
        alike = SumOver(self.other, _number(1), processors, as_many, NOWHERE)
        turn = _of("+", _of("*", _of("-", k, _number(1)), processors), p)
        return (
            DealtRow(_of("*", self.share, _of("==", alike, processors)), turn),
            DealtRow(_of("*", self.share, _of("<", alike, processors)), self._counted()),
        )

    def _counted(self) -> Expression:
        one, two = _number(1), _number(2)
        odd = _of("-", _of("*", two, _name(self.round)), one)
        others = self.share._replace(subscripts=(_name(self.other),))
        later = _of(">", _name(self.other), _name(self.worker))
        own = Invoke("max", None, (self.share, one), NOWHERE)
        before = _of("/", _of("-", _of("*", odd, others), later), own)
        many = Invoke("floor", None, (_of("/", _of("+", before, one), two),), NOWHERE)
        return SumOver(self.other, one, _name("P"), many, NOWHERE)


def _name(name: str) -> Name:
    return Name(name, NOWHERE)


def _number(value: int) -> Number:
    return Number(value, "", NOWHERE)


def _of(operator: str, left: Expression, right: Expression) -> Binary:
    return Binary(operator, left, right, NOWHERE)
