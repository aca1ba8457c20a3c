"""What the names and subscripts of a running model stand for: numbers, processors, servers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from apet.ground.diagnostics import ApetError
from apet.ground.exact import reduced
from apet.ground.interval import Number
from apet.ground.source import Span
from apet.model.evaluate import Evaluator, parameter_value, parameter_values, prepare
from apet.model.names import PROCESSORS, declaration, shown_family
from apet.model.resolved import Member, ResolvedModel
from apet.model.terms import Expression, Name
from apet.simulator import errors
from apet.simulator.costs import Costs
from apet.simulator.engine import Engine, ResourceServer, Scope
from apet.simulator.exact_values import exactly, may_jump

Value = Number | str


class Names:
    """The names of one model on one machine. `parameters` is the scope that every equation begins with.

    `P` is the number of processors and `share[p]` the tasks of processor p, unless the parameters say otherwise.
    """

    def __init__(
        self, resolved: ResolvedModel, costs: Costs, engine: Engine, assigned: Mapping[str, Number], schedule: str
    ) -> None:
        self.resolved = resolved
        self.model = model = resolved.model
        self.costs = costs
        self.engine = engine
        self.schedule = schedule
        self._shares: tuple[int, ...] | None = None
        self._own_shares: dict[int, tuple[int, ...]] = {}
        self._evaluators: dict[int, Evaluator] = {}
        self._shown: dict[str, str] = {}
        self.parameters: Scope = dict(assigned)
        if "P" in model.parameters or "P" in resolved.processors:
            self.parameters.setdefault("P", costs.P)
        else:
            self.parameters.pop("P", None)  # a free name, which `use` takes for a resource
        tasks = model.parameters.get("tasks")
        if tasks is not None and tasks.value is not None:
            # First, because the other defaults may depend on share.
            self.parameters.setdefault("tasks", parameter_value(model, "tasks", self.parameters))

        self.parameters = parameter_values(model, self.parameters, self._builtin)

    def number(self, expression: Expression, rounded: bool = False) -> Evaluator:
        """A function from a scope to the value of the expression, which must be a number; `rounded`: a whole one, or
        one that others are made of."""
        evaluator = self._evaluators.get(id(expression))
        if evaluator is None:
            evaluator = prepare(expression, self._builtin, self.model.source)
            if may_jump(expression, rounded):
                evaluator = exactly(expression, self.model.source, self._builtin, evaluator)
            self._evaluators[id(expression)] = evaluator
        return evaluator

    def value(self, expression: Expression) -> Callable[[Scope], Value]:
        """As `number`, but a lone free name is allowed: it stands for itself."""
        if not isinstance(expression, Name):
            return self.number(expression, rounded=True)
        name = expression.name
        return lambda scope: scope.get(name, name)

    def resource(self, member: Member) -> Callable[[Scope], ResourceServer]:
        """A function from a scope to what is held."""
        family, span, values = member.family, member.span, [self.value(s) for s in member.subscripts]
        if family == PROCESSORS:
            (value,) = values
            return lambda scope: self.cpu(value(scope), span)
        return lambda scope: self.server(family, tuple([self._subscript(v(scope), span) for v in values]))

    def processor(self, value: Value, span: Span) -> int:
        """The number of a processor; an error if it has only a name."""
        if isinstance(value, str):
            raise ApetError(errors.NamedOnly(self.model.source, span, value))
        whole = self._subscript(value, span)
        assert isinstance(whole, int)
        return whole

    def cpu(self, value: Value, span: Span) -> ResourceServer:
        """The server of a processor; one that has only a name has one core."""
        value = self._subscript(value, span)
        label = f"{PROCESSORS}[{value}]"
        server = self.engine.servers.get(label)
        if server is None:
            cores = self._cores(value, span) if isinstance(value, int) else 1
            server = self.engine.servers[label] = ResourceServer(label, cores)
        return server

    def server(self, family: str, subscripts: tuple[Value, ...]) -> ResourceServer:
        """The server of a resource that is no processor; one that is not declared has one."""
        name = self._shown.get(family)
        if name is None:
            name = self._shown[family] = shown_family(self.resolved, family)
        label = f"{name}[{', '.join(map(str, subscripts))}]" if subscripts else name
        server = self.engine.servers.get(label)
        if server is None:
            server = self.engine.servers[label] = ResourceServer(label, self._declared(family, label, subscripts))
        return server

    def _cores(self, p: int, span: Span) -> int:
        try:
            return self.costs.cores(p)
        except (LookupError, ValueError):
            raise ApetError(errors.NoCost(self.model.source, span, f"there is no processor {p}")) from None

    def _declared(self, family: str, label: str, subscripts: tuple[Value, ...]) -> int:
        declared = declaration(self.model, family)
        if declared is None or declared.servers is None:
            return 1
        scope = {**self.parameters, **dict(zip(declared.subscripts, subscripts, strict=True))}
        servers = reduced(self.number(declared.servers, rounded=True)(scope))
        if not isinstance(servers, int) or servers < 1:
            raise ApetError(
                errors.SimulatedWithoutServers(self.model.source, declared.servers.span, label, f"{float(servers):g}")
            )

        return servers

    def _subscript(self, value: Value, span: Span) -> int | str:
        if isinstance(value, int | str):
            return value
        if value != value or value % 1:
            raise ApetError(errors.RangeNotWhole(self.model.source, span, f"{float(value):g}"))
        return int(value)

    def _builtin(self, name: str, subscripts: tuple[Number, ...]) -> Number:
        """`share[p]`; LookupError where it has no value."""
        if len(subscripts) > 1:
            return self._dealt(subscripts[0], subscripts[1])
        if self._shares is None:
            tasks = self.parameters.get("tasks")
            if not isinstance(tasks, int | float) or tasks % 1:
                raise LookupError("share[p] needs param tasks, a whole number")
            self._shares = self.costs.shares(int(tasks), self.schedule)
        p = subscripts[0]
        if not 1 <= p <= len(self._shares) or p % 1:
            raise LookupError(f"there is no share of processor {p}: they are numbered 1 to {len(self._shares)}")
        return self._shares[int(p) - 1]

    def _dealt(self, p: Number, tasks: Number) -> int:
        """`share[p](m)`: whole tasks of m."""
        number = math.floor(tasks)
        if number not in self._own_shares:
            self._own_shares[number] = self.costs.shares(number, self.schedule)
        shares = self._own_shares[number]
        if not 1 <= p <= len(shares) or p % 1:
            raise LookupError(f"there is no share of processor {p}: they are numbered 1 to {len(shares)}")
        return shares[int(p) - 1]
