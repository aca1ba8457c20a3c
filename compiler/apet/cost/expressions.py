"""Expressions of a model to nodes of the formula graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from fractions import Fraction

from apet.cost import errors
from apet.cost.cost import DIVISOR, ENTRY, SHARE, WHOLE, Requirement
from apet.cost.definedness import failures
from apet.cost.loop_loads import least_over
from apet.cost.open_shapes import KnownShape
from apet.formula.algebra.reduction import sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, NodeId
from apet.formula.graph.sums import whole
from apet.formula.show.text import text
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.model.errors import ValueOutsideDomain
from apet.model.terms import Binary, Expression, Invoke, Lookup, Name, Number, SumOver, Unary

Names = Mapping[str, NodeId]


class Expressions:
    """Turns expressions into nodes; names not bound in the scope are symbols.

    A node is in normal form, in which x / x is 1: where the expression has no value is recorded as requirements in the
    context `recording`. What has no value whatever its symbols are is an `ApetError`; in the context `guarded`, where a
    condition may exclude it, it is 0. Where a shape is `known`, its values and shares of tasks are numbers.
    """

    def __init__(
        self, graph: Graph, source: Source, processors: frozenset[str], known: KnownShape | None = None
    ) -> None:
        self.graph = graph
        self.source = source
        self.processors = processors
        self.known = known
        self.is_guarded = False
        self._required: list[Requirement] | None = None

    @contextmanager
    def recording(self) -> Iterator[list[Requirement]]:
        """The list to which is added what must hold for the expressions in this context to have a value."""
        before, required = self._required, list[Requirement]()
        self._required = required
        try:
            yield required
        finally:
            self._required = before

    @property
    def is_conditional(self) -> bool:
        """Whether something has been recorded in this context: without it what stands here has no value."""
        return bool(self._required)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What is required in this context need not hold in every run: nothing is an error before values are known."""
        before = self.is_guarded
        self.is_guarded = True
        try:
            yield
        finally:
            self.is_guarded = before

    @contextmanager
    def in_rounds(self, rounds: Sequence[Binder]) -> Iterator[None]:
        """What is required in this context is required in each round of these ranges, the outermost first, if any."""
        g = self.graph
        surely = all(g.compare("<=", low, high) == g.one for _, low, high in rounds)
        with self.recording() as inside, nullcontext() if surely else self.guarded():
            yield
        for r in inside:
            refusal = ValueOutsideDomain(self.source, r.span, r.kind)
            self._require(self._in_rounds(r.node, rounds), r.kind, r.span, refusal)

    def _in_rounds(self, node: NodeId, rounds: Sequence[Binder]) -> NodeId:
        """What must not be negative so that a node is negative in no round; 0 without one."""
        g = self.graph
        for index, low, high in reversed(rounds):
            least = least_over(g, index, low, high, node) if index in g.free[node] else node
            node = g.times(g.compare("<=", low, high), least)
        return node

    def node(self, expression: Expression, scope: Names) -> NodeId:
        """The node of an expression that stands for a number."""
        g = self.graph

        match expression:
            case Number(value, _, _):
                return g.const(value)
            case Name(name, _):
                node = scope[name] if name in scope else self._value(name)
                self._refuse_processor(node, expression)
                return node
            case Unary(operator, operand, _):
                return g.scale(self.node(operand, scope), -1 if operator == "-" else 1)
            case Binary(operator, left, right, _):
                return self._operation(operator, [self.node(left, scope), self.node(right, scope)], expression)
            case Invoke(name, None, arguments, _):
                return self._operation(name, [self.node(a, scope) for a in arguments or ()], expression)
            case Invoke():
                return self._share(expression, scope)
            case Lookup():
                return self._entry(expression, scope)
            case SumOver():
                return self._sum(expression, scope)

    def whole(self, expression: Expression, scope: Names, rounding: str) -> NodeId:
        """The node of a loop's bound: loops run over the integers within their bounds."""
        return self.graph.call(rounding, [self.node(expression, scope)])

    def subscript(self, expression: Expression, scope: Names) -> NodeId:
        """The node of a subscript, which may be a named processor."""
        if isinstance(expression, Name):
            return scope[expression.name] if expression.name in scope else self._value(expression.name)
        return self.node(expression, scope)

    def _value(self, name: str) -> NodeId:
        """The node of a name that nothing binds."""
        if self.known is not None and name in self.known.values:
            return self.graph.const(whole(Fraction(self.known.values[name])))
        return self.graph.symbol(name)

    def _refuse_processor(self, node: NodeId, at: Name) -> None:
        name = getattr(self.graph.nodes[node], "name", "")
        if name in self.processors and self.graph.symbol(name) == node:
            raise ApetError(errors.ProcessorAsNumber(self.source, at.span, name))

    def _require(self, node: NodeId, kind: str, span: Span, refusal: Diagnostic) -> bool:
        """Record that a node must not be negative; False where it always is.

        `ApetError` with the refusal where it always is, and no condition may exclude it.
        """
        value = self.graph.value(node)
        if value is not None and value >= 0:
            return True
        if value is not None and not self.is_guarded:
            raise ApetError(refusal)
        if self._required is not None:
            self._required.append(Requirement(node, kind, span))
        return value is None

    def _operation(self, operator: str, operands: list[NodeId], at: Expression) -> NodeId:
        g = self.graph
        holds = True
        for kind, failing in failures(g, operator, operands):
            holds &= self._require(g.scale(failing, -1), kind, at.span, self._refusal(kind, at))
        if not holds:
            return g.zero  # it has no value: that is what is required

        match operator, operands:
            case "+", _:
                return g.plus(*operands)
            case "-", [left, right]:
                return g.minus(left, right)
            case "*", _:
                return g.times(*operands)
            case "/", [left, right]:
                return g.over(left, right)
            case "%", _:
                return g.call("mod", operands)
            case "^", _:
                return g.call("pow", operands)
            case "max", _:
                return g.maximum(operands)
            case "min", _:
                return g.minimum(operands)
            case (("<" | "<=" | ">" | ">=" | "==" | "!="), [left, right]):
                return g.compare(operator, left, right)
            case _:
                return g.call(operator, operands)

    def _refusal(self, kind: str, at: Expression) -> Diagnostic:
        """What is wrong with an operation that never has a value."""
        if kind == DIVISOR:
            divisor = at.right if isinstance(at, Binary) else at
            return errors.DivisionByZero(self.source, divisor.span)
        return ValueOutsideDomain(self.source, at.span, kind)

    def _share(self, expression: Invoke, scope: Names) -> NodeId:
        """A built-in that has subscripts: the share of a processor, of which there are P."""
        g, span = self.graph, expression.span
        arguments = [self.node(a, scope) for a in expression.arguments or ()]
        subscripts = [self.subscript(s, scope) for s in expression.subscripts or ()]
        for subscript in subscripts:
            if getattr(g.nodes[subscript], "name", "") not in self.processors:
                refusal = errors.NoShare(self.source, span, text(g, subscript))
                self._require_member(subscript, g.symbol("P"), SHARE, span, refusal)
        return self._dealt(expression.name, subscripts, arguments)

    def _dealt(self, name: str, subscripts: Sequence[NodeId], arguments: Sequence[NodeId]) -> NodeId:
        """How many tasks a processor has; of a known shape a number where it and the tasks are."""
        g, numbers = self.graph, [self.graph.value(n) for n in (*subscripts, *arguments)]
        if self.known is None or self.known.shares is None or None in numbers:
            return g.item(name, subscripts, arguments)
        values = tuple(n for n in numbers if n is not None)
        tasks = self.known.shares(name, values[: len(subscripts)], values[len(subscripts) :])
        return g.const(whole(Fraction(tasks)))

    def _require_member(self, subscript: NodeId, last: NodeId, kind: str, span: Span, refusal: Diagnostic) -> None:
        """That a subscript is a whole number from 1 to the last."""
        g = self.graph
        if not g.integral[subscript]:
            self._require(g.scale(g.call("mod", [subscript, g.one]), -1), WHOLE, span, refusal)
        ends = [end for end in (g.shift(subscript, -1), g.minus(last, subscript)) if not g.nonnegative(end)]
        if ends:
            self._require(g.minimum(ends), kind, span, refusal)

    def _entry(self, expression: Lookup, scope: Names) -> NodeId:
        """The entry of a table: each, times whether the subscript is its number."""
        g, table, span = self.graph, expression.table, expression.span
        index, number = self.node(expression.index, scope), len(table.entries)
        refusal = errors.NoSuchEntry(self.source, span, table.name, str(g.value(index)), number)
        self._require_member(index, g.const(number), ENTRY, span, refusal)
        return g.plus(*(g.scale(g.compare("==", index, g.const(k)), v) for k, v in enumerate(table.entries, 1)))

    def _sum(self, total: SumOver, scope: Names) -> NodeId:
        g = self.graph
        low, high = self.whole(total.low, scope, "ceil"), self.whole(total.high, scope, "floor")
        index, filled = g.index(total.index, low, high), g.compare("<=", low, high)
        with self.recording() as inside, self.guarded():
            body = self.node(total.body, {**scope, total.index: index})

        refusal, rounds = errors.ZeroInLoop(self.source, total.span, total.index), (Binder(index, low, high),)
        holds = [self._require(self._in_rounds(r.node, rounds), r.kind, r.span, refusal) for r in inside]
        if filled == g.zero or not all(holds):
            return g.zero

        try:
            return sum_over(g, index, low, high, body)
        except ZeroDivisionError:
            raise ApetError(refusal) from None
