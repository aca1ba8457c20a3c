"""A formula: a node of a graph, with everything that can be asked of it.

Notations and searches are imported when asked for: `apet predict` starts without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, operation_names, parameter_names
from apet.formula.show.text import text
from apet.ground.interval import Number

if TYPE_CHECKING:
    import sympy

    from apet.formula.extremes.enclosing import BoxValue, Ends


LARGEST_SHOWN = 500
"""Nodes of a formula up to which a notebook sets it as mathematics."""


class Formula:
    """A cost in symbols: seconds, as an exact expression in parameters and operation times.

    Equal formulas of one compiled application are the same node, so `==` is immediate. `str()` is plain text;
    `sympy()`, `latex()`, `mathml()`, `python()` and `json()` are made when asked for.
    """

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: NodeId) -> None:
        self.graph = graph
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and other.graph is self.graph and other.node == self.node

    def __hash__(self) -> int:
        return hash((id(self.graph), self.node))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Formula({self.text(longest=8)})"

    def text(self, longest: int | None = None) -> str:
        """Infix text; sums and maxima of more than `longest` operands are folded."""
        return text(self.graph, self.node, longest)

    def evaluate(self, values: Mapping[str, Number], items: Any = None) -> Number:
        """The value for given parameters; exact where all values are.

        `items(name, subscripts, arguments)` supplies operation times and other quantities of a machine model; a mapping
        from their printed form (`"t_mpy_int[p]"`) serves as well, looked up in `values`.
        """
        return Plan(self.graph, [self.node]).run(MappingEnvironment(values, items))[0]

    def enclose(self, box: Mapping[str, BoxValue]) -> Ends:
        """Floats `lo` and `hi` that no value over the box lies outside of, and `certificate`: how they were found.

        The box gives each parameter, and each machine quantity by its printed form, a number, an `Interval` or a pair.
        `EvaluationError` where some value may not exist, `KeyError` for what the box lacks, `ValueError` for an empty
        interval, or one that leaves the range for which the formula was made (`Graph.assume`; 0 or more).
        """
        from apet.formula.extremes.enclosing import NamedIntervals, enclosed

        return enclosed(self.graph, self.node, NamedIntervals(box, self.graph.integers))

    def nodes(self) -> set[NodeId]:
        """All nodes that the formula is made of."""
        return set(self.graph.below(self.node))

    @property
    def size(self) -> int:
        """The number of distinct nodes."""
        return len(self.nodes())

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters in it, sorted."""
        return tuple(parameter_names(self.graph.nodes[n] for n in self.nodes()))

    @property
    def operations(self) -> tuple[str, ...]:
        """The names of the machine quantities in it (`t_send`, `share`), sorted."""
        return tuple(operation_names(self.graph.nodes[n] for n in self.nodes()))

    def sympy(self) -> sympy.Expr:
        """The formula as a sympy expression; indexed maxima are objects of `apet.formula.show.sympy_face`."""
        from apet.formula.show.sympy_face import to_sympy

        return to_sympy(self.graph, self.node)

    def srepr(self, name: str = "the formula") -> str:
        """The formula in sympy's own constructors, which `sympy.sympify` reads; `ApetError`, with the name, where it
        has a part that sympy has no constructor for."""
        from apet.formula.show.sympy_source import sympy_source

        return sympy_source(self.graph, self.node, name)

    def latex(self) -> str:
        """LaTeX for a mathematics environment."""
        from apet.formula.show.latex import latex

        return latex(self.graph, self.node)

    def _repr_latex_(self) -> str | None:
        """What notebooks show; None, for the folded text, where a formula is long."""
        if self.size > LARGEST_SHOWN:
            return None
        return f"$\\displaystyle {self.latex()}$".replace("<", r"\lt ").replace(">", r"\gt ")

    def mathml(self) -> str:
        """Presentation MathML: one `<math>` element."""
        from apet.formula.show.mathml import mathml

        return mathml(self.graph, self.node)

    def python(self, name: str = "cost", required: Sequence[tuple[NodeId, str]] | None = None) -> str:
        """Source of a Python function of that name, needing only the standard library; it raises a `ValueError` with
        the text beside a node of `required` where that is negative."""
        from apet.formula.show.python_source import python_source

        return python_source(self.graph, self.node, name, required)

    def json(self) -> dict[str, Any]:
        """The graph below the formula as plain lists and strings; `from_json` reads it back."""
        from apet.formula.show.exchange import to_json

        return to_json(self.graph, self.node)

    @classmethod
    def from_json(cls, data: Any) -> Formula:
        """The formula that `json` wrote, in a graph of its own; `ValueError` says what is wrong with other data."""
        from apet.formula.show.exchange_reader import from_json

        return cls(*from_json(data))

    # Arithmetic with formulas of the same graph and exact numbers

    def _other(self, other: Formula | int | Fraction) -> NodeId:
        if isinstance(other, Formula):
            if other.graph is not self.graph:
                raise ValueError("the two formulas belong to different compiled applications")
            return other.node
        return self.graph.const(other)

    def __add__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.graph, self.graph.plus(self.node, self._other(other)))

    def __sub__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.graph, self.graph.minus(self.node, self._other(other)))

    def __mul__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.graph, self.graph.times(self.node, self._other(other)))

    def __truediv__(self, other: Formula | int | Fraction) -> Formula:
        return Formula(self.graph, self.graph.over(self.node, self._other(other)))

    __radd__ = __add__
    __rmul__ = __mul__
