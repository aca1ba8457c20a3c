"""The cost model: formulas for the time, their terms and bounds, and what they are about.

Every source hands one over: a fit of measured runs, a queueing network, a compiled trace, and, as the subclass
`Application`, a model of a process. What asks it a question (predict, explain, solve, compare, regions, sweep) needs
nothing else: what depends on the source is an attribute or a method here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from apet.cost.cost import Requirement
from apet.cost.open_shapes import KnownShape, OpenShape
from apet.formula.formula import Formula
from apet.formula.graph.graph import FARTHEST, Graph
from apet.formula.graph.nodes import Binder, Item, NodeId, Rational, Symbol
from apet.ground.interval import Interval, Number
from apet.ground.notes import Note
from apet.ground.records import NamedTuple, Record
from apet.ground.source import Source, Span
from apet.ground.units import UNITS
from apet.model.literals import signed
from apet.model.terms import Expression, Parameter
from apet.model.terms import Number as Literal
from apet.model.walk import names_in

SECONDS, PER_SECOND, PLAIN = "s", "1/s", ""
NOWHERE = Span(-1, -1)


class Setting(NamedTuple):
    """How to read a model: the mode of branches, the network's topology, and whether processors have several cores."""

    branches: str = "probability"
    topology: str = "none"
    cores: bool = False


AS_WRITTEN = Setting()


class Resource(Record):
    """The load on one resource, or on the members of a family; of a cost model without a process one of its terms.

    `label` names it as in `T[label]`; `load` is the time it is held in total divided by its servers, for a family that
    of the member `members`, which run through `ranges`. `peak` is the greatest over the members, `table` the node from
    which the loads of single members can be read (None for a single resource).
    """

    label: str
    family: str
    members: tuple[NodeId, ...]
    ranges: tuple[Binder, ...]
    load: Formula
    peak: Formula
    table: NodeId | None


class InputRange(NamedTuple):
    """A parameter of formulas without a process: its value unless set, a number or an expression in other inputs; the
    range that it may lie in, whether it is whole; `interval` is what is known of the value where it is uncertain."""

    name: str
    default: Rational | Expression
    low: Rational
    high: Rational
    whole: bool = False
    interval: Interval | None = None

    @property
    def declaration(self) -> Parameter:
        """As a model would declare it."""
        low, high = (Literal(value, "", NOWHERE) for value in (self.low, self.high))
        default = Literal(self.default, "", NOWHERE) if isinstance(self.default, int | Fraction) else self.default
        return Parameter(self.name, default, low, high, NOWHERE)


class CostModel(Record, kw_only=True):
    """Formulas for a quantity, all of one graph, and what a reader must know of them.

    `T_total` is the estimate, `lower` and `upper` are its bounds. `T0` is the part that belongs to no resource: the
    time without contention, or a constant 0 where `resources`, terms of the estimate by name, say it all.
    `requirements` must not be negative for the formulas to hold. `declared` are the parameters with defaults and
    ranges, `whole` names those that must be whole; `free_branches` and `processors` are further names that take a
    value: probabilities, and numbers of processors. `intervals` is what is known of uncertain parameters.

    `symbol` stands for the `quantity` (T, R, X, U) in reports, `unit` is "s", "1/s" or "". `bracket` says what lies
    between the bounds, which is guaranteed if `sure`. Between neighbouring `breaks` of a parameter both bounds are
    monotone in it; formulas do no more than count the whole parameters in `counted`. `base` names the term `T0`.
    `platform` is what a trace was compiled for. With `usual_processors` the formulas are about P processors, of which
    there are at most `most_processors`. Of an `open_shape` the longest path has no formula: T0 and the estimate are at
    least what they say, until `shaped` for its values, which are then `fixed`.
    """

    source: Source
    graph: Graph
    T0: Formula
    T_total: Formula
    lower: Formula
    upper: Formula
    resources: tuple[Resource, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    declared: Mapping[str, Parameter] = MappingProxyType({})
    whole: frozenset[str] = frozenset()
    free_branches: Mapping[str, Span] = MappingProxyType({})
    processors: frozenset[str] = frozenset()
    intervals: Mapping[str, Interval] = MappingProxyType({})
    setting: Setting = AS_WRITTEN
    kind: str
    quantity: str
    symbol: str = "T"
    unit: str = SECONDS
    sure: bool = True
    unsure: str = "90 % interval"
    bracket: str = ""
    base: str = "T0"
    platform: str = ""
    notes: tuple[Note, ...] = ()
    breaks: Mapping[str, tuple[Number, ...]] = MappingProxyType({})
    counted: tuple[str, ...] = ()
    more_is_better: bool = False
    usual_processors: int | None = None
    most_processors: int = 1
    open_shape: OpenShape | None = None
    fixed: frozenset[str] = frozenset()

    on_machines: ClassVar[bool] = False
    """Whether a prediction needs a machine model; then it differs at the two ends of the operation times."""

    def __repr__(self) -> str:
        terms = [self.base, *(self.term(r.label) for r in self.resources)]
        listed = ", ".join(terms if len(terms) <= MOST_LISTED else [*terms[:MOST_LISTED], "…"])
        return f"{type(self).__name__}({self.name}: {self.symbol}({', '.join(self.parameters)}); terms {listed})"

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)

    @property
    def name(self) -> str:
        """The file name of the model, without folders."""
        return self.source.name.replace("\\", "/").rsplit("/", 1)[-1]

    def written_unit(self, name: str) -> str:
        """The unit that the value of a parameter is written with; "" where it has none, or no literal."""
        literal = signed(self.declared[name].value) if name in self.declared else None
        if literal is None or not literal.unit:
            return ""
        text = self.source.text[literal.span.start : literal.span.end]
        return max((u for u in UNITS if UNITS[u].basic == literal.unit and text.endswith(u)), key=len, default="")

    @property
    def entry(self) -> str:
        """The equation that a model of a process begins with; "L" where there is none."""
        return "L"

    @property
    def T(self) -> dict[str, Formula]:
        """The load on each resource by label."""
        return {r.label: r.load for r in self.resources}

    @property
    def counts_processors(self) -> bool:
        """Whether the number of processors in use means anything."""
        return self.usual_processors is not None

    @property
    def bracket_title(self) -> str:
        """The head of the column of lower and upper ends."""
        return "guaranteed" if self.sure else self.unsure

    @property
    def origin(self) -> str:
        """What errors and reports name where other predictions name their machines."""
        return self.platform or self.source.name

    def term(self, label: str) -> str:
        """The name of what a resource with this label makes of the time."""
        return label

    def title(self, machines: str = "") -> str:
        """What, and where: `pi.pam on JoiN`."""
        return f"{self.name} on {self.platform}" if self.platform else self.name

    def heading(self, machines: str = "", network: str = "", schedule: str = "") -> str:
        """One line: what of what, and what lies between its bounds."""
        bounds = "guaranteed" if self.sure else "estimated"
        return f"{self.title()} · {self.quantity} · {bounds}: {self.bracket}"

    def description(self) -> dict[str, object]:
        """Further keys of JSON: what is predicted, and whether its bounds are guaranteed."""
        return {
            "quantity": self.quantity,
            "platform": self.platform or None,
            "bounds": "guaranteed" if self.sure else "estimated",
            "between": self.bracket,
        }

    @property
    def has_base(self) -> bool:
        """Whether T0 is a term of its own: neither the estimate itself nor nothing beside other terms."""
        return self.T_total != self.T0 and (self.T0.node != self.graph.zero or not self.resources)

    @property
    def is_greatest_term(self) -> bool:
        """Whether the estimate is the greatest of several terms."""
        several = len(self.resources) + self.has_base > 1
        return several and self.graph.maximum([self.T0.node, *(r.load.node for r in self.resources)]) == (
            self.T_total.node
        )

    def under(self, setting: Setting) -> CostModel:
        """The model read in another way; formulas without a process are what they are."""
        return self

    def shaped(self, known: KnownShape) -> CostModel:
        """The model for values of all that its open shape depends on."""
        return self

    @property
    def shaping(self) -> frozenset[str]:
        """The names that change an open shape: those that it depends on, and what their defaults depend on."""
        shape = self.open_shape
        return frozenset() if shape is None else frozenset(self.with_sources([*shape.names, *(["P"] * shape.dealt)]))

    def declared_range(self, name: str, processors: int) -> Interval | None:
        """The range that a name other than P may lie in, where it is declared as two numbers; of P processors."""
        if name in self.processors:
            return Interval(0, processors)
        if name in self.free_branches:
            return Interval(0, 1)
        low, high = self.graph.assumed.get(name, (0, None))
        return None if high is None or low < -FARTHEST / 2 else Interval(low, high)

    def with_sources(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names of parameters, and then those on which their defaults depend."""
        complete = dict.fromkeys(names)
        waiting = list(complete)
        while waiting:
            parameter = self.declared.get(waiting.pop())
            needed = () if parameter is None or parameter.value is None else names_in(parameter.value)
            fresh = [n for n in needed if n not in complete]
            complete |= dict.fromkeys(fresh)
            waiting += fresh
        return tuple(complete)

    def settable(self, name: str) -> bool:
        """Whether a name, other than P, takes a value."""
        return name in self.declared or name in self.free_branches or name in self.processors

    @property
    def operations(self) -> tuple[str, ...]:
        """The machine operations that the formulas need, without the leading `t_`, sorted."""
        names = {n.name for n in self._items() if n.name.startswith("t_")}
        return tuple(sorted(name[2:] for name in names))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that formulas and requirements contain: declared ones first, in order, then free symbols."""
        contained = {n.name for n in self._leaves if isinstance(n, Symbol)}
        declared = [p for p in self.declared if p in contained]
        return (*declared, *sorted(contained - set(declared)))

    @property
    def needs_shares(self) -> bool:
        """Whether `share[p]` occurs, which deals the tasks of the parameter `tasks`; `share[p](m)` does not need it."""
        return any(n.name == "share" and not n.arguments for n in self._items())

    @property
    def deals(self) -> bool:
        """Whether tasks are dealt at all, by `share[p]` or `share[p](m)`: the schedule matters."""
        return any(n.name == "share" for n in self._items())

    def _items(self) -> Iterator[Item]:
        return (n for n in self._leaves if isinstance(n, Item))

    @cached_property
    def _leaves(self) -> tuple[Symbol | Item, ...]:
        """What must have a value before there is a prediction."""
        roots = [f.node for f in (self.T_total, self.lower, self.upper)] + [r.node for r in self.requirements]
        nodes = (self.graph.nodes[n] for n in self.graph.below(*roots))
        return tuple(n for n in nodes if isinstance(n, Symbol | Item))


MOST_LISTED = 4
"""Terms that `repr` names."""


def graph_of(inputs: Sequence[InputRange]) -> Graph:
    """A graph that knows the ranges of the inputs, and that P is 1 or more."""
    graph = Graph()
    graph.assume("P", 1)
    assume(graph, inputs)
    return graph


def assume(graph: Graph, inputs: Sequence[InputRange]) -> None:
    """Make the ranges of inputs known to a graph, and which are whole."""
    for each in inputs:
        graph.assume(each.name, each.low, each.high)
        if each.whole:
            graph.integers.add(each.name)


def of_inputs(inputs: Sequence[InputRange]) -> dict[str, Any]:
    """What a cost model says of its inputs: the fields `declared`, `whole` and `intervals`."""
    return {
        "declared": {i.name: i.declaration for i in inputs},
        "whole": frozenset(i.name for i in inputs if i.whole),
        "intervals": {i.name: i.interval for i in inputs if i.interval is not None},
    }


def named_terms(graph: Graph, terms: Sequence[tuple[str, NodeId]]) -> tuple[Resource, ...]:
    """Terms of an estimate, each by its name."""
    formulas = [(name, Formula(graph, node)) for name, node in terms]
    return tuple(Resource(name, name, (), (), term, term, None) for name, term in formulas)
