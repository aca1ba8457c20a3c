"""Why a prediction is what it is: the answers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apet.ground.interval import Interval, Number

PARAMETER, PROCESSORS, OPERATION, NETWORK = "parameter", "processors", "operation", "network"
"""What can be turned: kinds of levers."""
STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Term:
    """What T is the maximum of: its seconds, its share of T, and how far it is below T, relative and in seconds."""

    name: str  #: "T0" or "T[…]"
    seconds: float  #: its value
    share: float  #: of T, 0 to 1
    margin: float  #: how far it is below T, as a share of T
    margin_s: float  #: how far it is below T, in seconds


@dataclass(frozen=True, slots=True)
class ExplainedEnd:
    """T at one end of the operation times.

    `terms` come with the greatest first. `contributions` are the shares of T by operation: derivative times value over
    T; what they lack to 1 is fixed durations. `elasticities` are d ln T / d ln x of operations, network figures and
    parameters: a parameter whose default is computed from x moves with it.
    """

    seconds: float  #: T
    terms: tuple[Term, ...] = field(repr=False)  #: the greatest first
    contributions: Mapping[str, float]  #: by operation: share of T, 0 to 1
    elasticities: Mapping[str, float]  #: by name: d ln T / d ln x, without unit
    room: bool = False  #: whether the bounds leave room for a mean run time that is far from T

    @property
    def dominant(self) -> str:
        """The name of the term that T is."""
        return self.terms[0].name if self.terms else "T0"


@dataclass(frozen=True, slots=True)
class TermCrossover:
    """Another term is T where what is named is `>=` or `<=` the value `at`, all else as it is.

    `kind` says what is named; `now` is its present value: of an operation the longest time of it in the formulas, in
    seconds. `proved` says that no term takes over between `now` and `at`; else one might in between. `after` is the
    nearest value at which the present term was found to be T still.
    """

    name: str  #: of the lever
    relation: str  #: ">=" or "<="
    at: float  #: in the unit of the lever
    dominant: str  #: the term that is T from there on
    kind: str = PARAMETER  #: of the lever
    now: float = 0.0  #: present value, in the unit of the lever
    proved: bool = False  #: whether no term takes over before
    after: float = 0.0  #: in the unit of the lever

    @property
    def factor(self) -> float | None:
        """`at` over `now`; None where that is 0 or less."""
        return self.at / self.now if self.now > 0 else None

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.at:.6g}: {self.dominant}"


@dataclass(frozen=True, slots=True)
class Idle:
    """What T does not depend on here, and from where it would: the nearest values below and above at which T changes.

    None: it does not change as far as was searched. `proved` says that T is the same at every value between those, or
    to the ends of the range searched.
    """

    name: str  #: of the lever
    kind: str  #: of the lever
    now: float  #: present value, in the unit of the lever
    below: float | None  #: in the same unit
    above: float | None  #: in the same unit
    searched: Interval  #: in the same unit
    proved: bool  #: for every value in between


@dataclass(frozen=True, slots=True)
class Swing:
    """What one interval does to T: its least and greatest value while this input alone runs over its interval.

    All other intervals are at their middle, where T is `base`.
    """

    name: str  #: of the input
    kind: str  #: of the input
    interval: Interval  #: in seconds, bytes per second or without unit
    low: float  #: T in seconds
    base: float  #: T in seconds
    high: float  #: T in seconds

    @property
    def swing(self) -> float:
        """In seconds."""
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class SobolIndex:
    """The share of T's variance that one input explains alone (first order), and with all its interactions (total).

    Each with a confidence interval of 95 %.
    """

    name: str  #: of the input
    first: float  #: share of the variance, 0 to 1
    first_within: Interval  #: 95 % confidence interval
    total: float  #: share of the variance, 0 to 1
    total_within: Interval  #: 95 % confidence interval


@dataclass(frozen=True, slots=True)
class SobolIndices:
    """Sobol' indices of T at independent inputs, each uniform on its interval.

    `samples` is the base sample size N of N (inputs + 2) evaluations; mean and standard deviation of T are in seconds.
    """

    samples: int  #: N
    evaluations: int  #: of T
    seed: int  #: of the draws
    mean: float  #: of T, in seconds
    deviation: float  #: of T, in seconds
    inputs: tuple[SobolIndex, ...]  #: one for each interval


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why T is what it is on one configuration: at both ends of operation times; crossovers are those at tmax.

    `searched` says how far crossovers were looked for, by kind of lever; under `STOPPED` that not all was.
    """

    parameters: Mapping[str, Number]  #: by name, and P
    tmin: ExplainedEnd  #: at the shortest operation times
    tmax: ExplainedEnd  #: at the longest operation times
    crossovers: tuple[TermCrossover, ...] = field(repr=False)  #: at the longest operation times
    idle: tuple[Idle, ...] = field(default=(), repr=False)  #: what T does not depend on here
    swings: tuple[Swing, ...] = field(default=(), repr=False)  #: the greatest first
    searched: Mapping[str, str] = field(default_factory=dict, repr=False)  #: by kind of lever: how far
    indices: SobolIndices | None = None  #: None unless requested

    @property
    def without_effect(self) -> tuple[str, ...]:
        """The parameters that T does not depend on here, at either end."""
        both = (self.tmin.elasticities, self.tmax.elasticities)
        return tuple(n for n in self.parameters if n != "P" and not any(e.get(n) for e in both))

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
