"""Why a prediction is what it is: the answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.interval import Number


class Term(NamedTuple):
    """What T is the maximum of: its seconds, its share of T, and how far it is below T, relative and in seconds."""

    name: str
    seconds: float
    share: float
    margin: float
    margin_s: float


class Side(NamedTuple):
    """T at one end of the operation times.

    `terms` come with the greatest first. `contributions` are the shares of T by operation: derivative times value over
    T; what they lack to 1 is fixed durations. `elasticities` are d ln T / d ln x of operations and parameters, partial:
    a parameter whose default is computed from x stays as it is.
    """

    seconds: float
    terms: tuple[Term, ...]
    contributions: Mapping[str, float]
    elasticities: Mapping[str, float]

    @property
    def dominant(self) -> str:
        """The name of the term that T is."""
        return self.terms[0].name if self.terms else "T0"


class Crossover(NamedTuple):
    """Another term is T where the parameter `name` is `>=` or `<=` the value `at`, all else as it is."""

    name: str
    relation: str
    at: float
    dominant: str

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.at:.6g}: {self.dominant}"


class Explanation(NamedTuple):
    """Why T is what it is on one configuration: at both ends of operation times; crossovers are those at tmax."""

    parameters: Mapping[str, Number]
    tmin: Side
    tmax: Side
    crossovers: tuple[Crossover, ...]

    @property
    def without_effect(self) -> tuple[str, ...]:
        """The parameters that T does not depend on here, at either end."""
        both = (self.tmin.elasticities, self.tmax.elasticities)
        return tuple(n for n in self.parameters if n != "P" and not any(e.get(n) for e in both))
