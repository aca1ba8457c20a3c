"""The formula of a fit over several parameters: by phase a sum of products of powers and logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from apet.formula.formula import Formula
    from apet.formula.graph.graph import Graph
    from apet.formula.graph.nodes import NodeId

DIGITS = 12
READABLE = 4


class LawFactor(NamedTuple):
    """`x^exponent (ln max(x, 1))^logarithms` of one parameter."""

    exponent: float
    logarithms: int = 0


class LawTerm(NamedTuple):
    """`coefficient` times a factor of each parameter, in seconds."""

    coefficient: float
    factors: tuple[LawFactor, ...]

    def seconds(self, x: Sequence[float]) -> float:
        """At values of the parameters."""
        product = self.coefficient
        for value, (exponent, logarithms) in zip(x, self.factors, strict=True):
            product *= value**exponent * math.log(max(value, 1.0)) ** logarithms
        return product


class PhaseLaw(NamedTuple):
    """The terms of a phase."""

    name: str
    terms: tuple[LawTerm, ...]

    def seconds(self, x: Sequence[float]) -> float:
        """At values of the parameters."""
        return math.fsum(term.seconds(x) for term in self.terms)


class SurfaceLaw(NamedTuple):
    """The phases of a run, which add up; one, the whole run, where it was not profiled."""

    parameters: tuple[str, ...]
    phases: tuple[PhaseLaw, ...]

    def seconds(self, x: Sequence[float]) -> float:
        """The run time at values of the parameters."""
        return math.fsum(phase.seconds(x) for phase in self.phases)

    def scaled(self, factor: float) -> SurfaceLaw:
        """All coefficients times a factor."""
        phases = (
            PhaseLaw(p.name, tuple(LawTerm(t.coefficient * factor, t.factors) for t in p.terms)) for p in self.phases
        )
        return SurfaceLaw(self.parameters, tuple(phases))


def formula(law: SurfaceLaw, digits: int = DIGITS) -> Formula:
    """The law in symbols, over parameters that are at least 1; terms of several phases that are alike are one."""
    from apet.formula.formula import Formula
    from apet.formula.graph.graph import Graph

    graph = Graph()
    for name in law.parameters:
        graph.assume(name, 1)
    nodes = [graph.symbol(name) for name in law.parameters]
    return Formula(graph, node(graph, alike(law), nodes, digits))


def alike(law: SurfaceLaw) -> list[LawTerm]:
    """The terms of all phases, the highest powers first; those of the same factors are one."""
    sums = dict[tuple[LawFactor, ...], float]()
    for phase in law.phases:
        for term in phase.terms:
            sums[term.factors] = sums.get(term.factors, 0.0) + term.coefficient
    return [LawTerm(c, factors) for factors, c in sorted(sums.items(), reverse=True)]


def term_text(term: LawTerm, parameters: Sequence[str], digits: int = READABLE) -> str:
    """One term for people: `1.03e-8 n^2/P`."""
    factors = formula(SurfaceLaw(tuple(parameters), (PhaseLaw("", (LawTerm(1.0, term.factors),)),))).text()
    coefficient = f"{term.coefficient:.{digits}g}".replace("e-0", "e-").replace("e+0", "e")
    if factors == "1":
        return coefficient
    return coefficient + factors[1:] if factors.startswith("1/") else f"{coefficient} {factors}"


def law_text(law: SurfaceLaw, longest: int = 1000, digits: int = READABLE) -> str:
    """The sum for people, like terms of several phases in one; at most so many terms, the highest powers first."""
    terms = alike(law)
    more = f" + … ({len(terms) - longest} more)" if len(terms) > longest else ""
    return " + ".join(term_text(t, law.parameters, digits) for t in terms[:longest]) + more


def node(graph: Graph, terms: Sequence[LawTerm], parameters: Sequence[NodeId], digits: int = DIGITS) -> NodeId:
    """The sum of terms as a node of a graph; the logarithm is that of a parameter of 1 or more."""
    return graph.add((_product(graph, term, parameters), Fraction(f"{term.coefficient:.{digits}g}")) for term in terms)


def _product(graph: Graph, term: LawTerm, parameters: Sequence[NodeId]) -> NodeId:
    factors = [graph.one]
    for n, (exponent, logarithms) in zip(parameters, term.factors, strict=True):
        whole = exponent == round(exponent)
        exact = Fraction(exponent).limit_denominator(12)
        factors.append(graph.power(n, round(exponent)) if whole else graph.call("pow", [n, graph.const(exact)]))
        if logarithms:
            factors.append(graph.power(graph.call("log", [graph.maximum([n, graph.one])]), logarithms))
    return graph.times(*factors)
