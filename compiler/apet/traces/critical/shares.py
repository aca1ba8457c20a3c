"""Seconds of many steps by kind, summed up over groups of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy

from apet.traces.bounds.transfers import Array
from apet.traces.critical.critical_path import Parts

COMPUTING, LATENCY, BANDWIDTH, SLEEPING, LINKS = range(5)
"""The fields of `Parts`."""


class Shares(NamedTuple):
    """Steps of a path."""

    seconds: Array  #: [steps, kinds], float64; kinds are the fields of `Parts`

    def of(self, chosen: Array) -> Shares:
        """Those of some steps."""
        return Shares(self.seconds[chosen])

    def total(self) -> Parts:
        """All together."""
        return Parts(*(math.fsum(column) for column in self.seconds.T))

    def sums(self, groups: Array, number: int) -> Array:
        """By group of steps, of so many groups."""
        return numpy.stack([numpy.bincount(groups, column, number) for column in self.seconds.T], axis=1)

    def grouped(self, groups: Array, number: int) -> list[tuple[int, Parts]]:
        """Groups that have any, by their number; those with most first."""
        sums = self.sums(groups, number)
        totals = sums.sum(axis=1)
        order = numpy.lexsort((numpy.arange(number), -totals))
        return [(int(k), Parts(*sums[k].tolist())) for k in order if totals[k] > 0]
