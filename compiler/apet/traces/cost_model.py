"""Compiled traces as cost models: the bounds of a replay in multiples of a platform's figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from apet.cost.cost_model import CostModel, InputRange, graph_of, named_terms, of_inputs
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import imported
from apet.formula.graph.nodes import Add, Extreme, Mul, NodeId, Symbol
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.traces.trace import CompiledTrace, Gap

FACTORS = ("speed", "latency", "bandwidth")
WIDEST = 10**6
KINDS = {"speed": "computing", "latency": "latency", "bandwidth": "links"}
"""What a term is called that only one figure decides."""
MULTIPLES = Note(
    NoteKind.MEANING, "speed, latency and bandwidth are multiples of the platform's; the estimate is the lower bound"
)
NARROWER = Note(NoteKind.ADVICE, "'apet predict' bounds the run time on the platform itself, and more narrowly")
WIDE = 1.2
"""Upper over lower bound beyond which this is said: formulas hold for all platforms of this shape."""


def trace_model(path: str, compiled: CompiledTrace, gaps: Sequence[Gap] = ()) -> CostModel:
    """The bounds as a cost model in `speed`, `latency` and `bandwidth`; the estimate is the lower bound. With `gaps` of
    the trace nothing is guaranteed.

    Terms are what the lower bound is the greatest of: paths through the program, the busiest host, the busiest link.
    """
    inputs = tuple(InputRange(name, 1, Fraction(1, WIDEST), WIDEST) for name in FACTORS)
    graph = graph_of(inputs)
    lower, upper = (imported(graph, f.graph, f.node) for f in (compiled.lower, compiled.upper))
    top = graph.nodes[lower]
    parts = top.operands if isinstance(top, Extreme) and top.kind == "max" else (lower,)
    bounds = compiled.at({})
    lacking = [Note(NoteKind.WARNING, f"the trace is not all recorded: {gap.text}") for gap in gaps]

    return CostModel(
        source=Source(path, ""),
        graph=graph,
        T0=Formula(graph, graph.zero),
        T_total=Formula(graph, lower),
        lower=Formula(graph, lower),
        upper=Formula(graph, upper),
        resources=named_terms(graph, _named(graph, parts)),
        kind="trace",
        quantity="run time by replay",
        bracket="however links are shared",
        platform=compiled.platform,
        sure=not gaps,
        unsure="as assumed",
        notes=(*lacking, MULTIPLES, *[NARROWER] * (bounds.upper_s > WIDE * bounds.lower_s)),
        breaks=dict.fromkeys(FACTORS, ()),
        **of_inputs(inputs),
    )


def _named(graph: Graph, parts: tuple[NodeId, ...]) -> list[tuple[str, NodeId]]:
    """Each with a name: of what alone it is made of, else `path 1`, `path 2`, …, the longest on the platform first."""
    ordered = sorted(parts, key=lambda n: (-sum(_weights(graph, n).values()), n))
    named, taken = list[tuple[str, NodeId]](), set[str]()
    paths = 0
    for part in ordered:
        made_of = [name for name, weight in _weights(graph, part).items() if weight]
        name = KINDS.get(made_of[0], "") if len(made_of) == 1 else ""
        if not name or name in taken:
            paths += 1
            name = f"path {paths}"
        taken.add(name)
        named.append((name, part))

    return named


def _weights(graph: Graph, node: NodeId) -> dict[str, Fraction]:
    """Seconds by figure on the platform itself; what depends on none under ""."""
    constant, terms = graph.terms(node)
    seconds = {"": Fraction(constant)}
    for part, factor in terms:
        inner = graph.nodes[part]
        while isinstance(inner, Mul | Add):
            inner = graph.nodes[inner.factors[0][0] if isinstance(inner, Mul) else inner.terms[0][0]]
        name = inner.name if isinstance(inner, Symbol) else ""
        seconds[name] = seconds.get(name, Fraction(0)) + Fraction(factor)
    return seconds
