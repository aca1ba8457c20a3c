"""Why a prediction is what it is: the answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.ground.interval import Interval, Number

PARAMETER, PROCESSORS, OPERATION, NETWORK = "parameter", "processors", "operation", "network"
"""What can be turned: kinds of levers."""
STOPPED = "stopped"


class Term(NamedTuple):
    """What T is the maximum of: its seconds, its share of T, and how far it is below T, relative and in seconds."""

    name: str
    seconds: float
    share: float
    margin: float
    margin_s: float


class ExplainedEnd(NamedTuple):
    """T at one end of the operation times.

    `terms` come with the greatest first. `contributions` are the shares of T by operation: derivative times value over
    T; what they lack to 1 is fixed durations. `elasticities` are d ln T / d ln x of operations, network figures and
    parameters: a parameter whose default is computed from x moves with it.
    """

    seconds: float
    terms: tuple[Term, ...]
    contributions: Mapping[str, float]
    elasticities: Mapping[str, float]

    @property
    def dominant(self) -> str:
        """The name of the term that T is."""
        return self.terms[0].name if self.terms else "T0"


class TermCrossover(NamedTuple):
    """Another term is T where what is named is `>=` or `<=` the value `at`, all else as it is.

    `kind` says what is named; `now` is its present value: of an operation the longest time of it in the formulas, in
    seconds. `proved` says that no term takes over between `now` and `at`; else one might in between. `after` is the
    nearest value at which the present term was found to be T still.
    """

    name: str
    relation: str
    at: float
    dominant: str
    kind: str = PARAMETER
    now: float = 0.0
    proved: bool = False
    after: float = 0.0

    @property
    def factor(self) -> float | None:
        """`at` over `now`; None where that is 0 or less."""
        return self.at / self.now if self.now > 0 else None

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.at:.6g}: {self.dominant}"


class Idle(NamedTuple):
    """What T does not depend on here, and from where it would: the nearest values below and above at which T changes.

    None: it does not change as far as was searched. `proved` says that T is the same at every value between those, or
    to the ends of the range searched.
    """

    name: str
    kind: str
    now: float
    below: float | None
    above: float | None
    searched: Interval
    proved: bool


class Swing(NamedTuple):
    """What one interval does to T: its least and greatest value while this input alone runs over its interval.

    All other intervals are at their middle, where T is `base`. `unit` is that of `interval`: "s", "B/s" or "".
    """

    name: str
    kind: str
    interval: Interval
    low: float
    base: float
    high: float

    @property
    def swing(self) -> float:
        """In seconds."""
        return self.high - self.low


class SobolIndex(NamedTuple):
    """The share of T's variance that one input explains alone (first order), and with all its interactions (total).

    Each with a confidence interval of 95 %.
    """

    name: str
    first: float
    first_within: Interval
    total: float
    total_within: Interval


class SobolIndices(NamedTuple):
    """Sobol' indices of T at independent inputs, each uniform on its interval.

    `samples` is the base sample size N of N (inputs + 2) evaluations; mean and standard deviation of T are in seconds.
    """

    samples: int
    evaluations: int
    seed: int
    mean: float
    deviation: float
    inputs: tuple[SobolIndex, ...]


class Explanation(NamedTuple):
    """Why T is what it is on one configuration: at both ends of operation times; crossovers are those at tmax.

    `searched` says how far crossovers were looked for, by kind of lever; under `STOPPED` that not all was.
    """

    parameters: Mapping[str, Number]
    tmin: ExplainedEnd
    tmax: ExplainedEnd
    crossovers: tuple[TermCrossover, ...]
    idle: tuple[Idle, ...] = ()
    swings: tuple[Swing, ...] = ()
    searched: Mapping[str, str] = {}
    indices: SobolIndices | None = None

    @property
    def without_effect(self) -> tuple[str, ...]:
        """The parameters that T does not depend on here, at either end."""
        both = (self.tmin.elasticities, self.tmax.elasticities)
        return tuple(n for n in self.parameters if n != "P" and not any(e.get(n) for e in both))

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
