"""Times and bounds of a model by unrolling every loop: slow, plain, and what the symbolic compiler is checked against.

The two bounds are those of section "Bounds" of the documentation: sections with heads and tails below, the
list-scheduling chain above. Numbers are floats, or fractions with `kind=Fraction`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, TypeVar, assert_never

from apet.machine.network import End
from apet.model.arithmetic import whole_range
from apet.model.evaluate import evaluate, parameter_values
from apet.model.free_names import named_processors
from apet.model.names import own_family
from apet.model.terms import (
    BUILTINS,
    FUNCTIONS,
    Branch,
    Delay,
    Expression,
    Invoke,
    Loop,
    Model,
    Name,
    Parallel,
    PartGraph,
    Process,
    Sequence,
    Use,
)
from apet.simulator.costs import Costs

Amount = Any  # float or Fraction, all of one kind
Loads = dict[str, Amount]
T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """Seconds. `loads[label]` is the time that all servers of the resource are held together (not divided)."""

    t0: Amount
    loads: Mapping[str, Amount]
    servers: Mapping[str, int]
    estimate: Amount
    lower: Amount
    upper: Amount
    serial: Amount


@dataclass(frozen=True)
class Measure:
    """What is kept of a subtree: the estimate (t0, load), the lower bound (lb, lb_load, head, tail), the upper (ub, …).

    `holds_and_waits`: somewhere in it a process holds one resource and asks for another.
    """

    t0: Amount = 0
    load: Loads = field(default_factory=dict)
    lb: Amount = 0
    lb_load: Loads = field(default_factory=dict)
    head: Loads = field(default_factory=dict)
    tail: Loads = field(default_factory=dict)
    ub: Amount = 0
    ub_load: Loads = field(default_factory=dict)
    serial: Amount = 0
    holds_and_waits: bool = False


def brute_force(
    model: Model,
    costs: Costs,
    end: End,
    parameters: Mapping[str, Any] | None = None,
    topology: str = "none",
    branches: str = "probability",
    schedule: str = "static",
    kind: Callable[[Any], Amount] = float,
) -> Answer:
    """All quantities of the model at one end of the machine's intervals. Every loop is unrolled."""
    unrolling = _Unrolling(model, costs, end, parameters or {}, topology, branches, schedule, kind)
    with _deep_recursion():
        m = unrolling.measure(model.equations[model.entry].body, unrolling.root, frozenset())
    servers = {r: unrolling.servers(r) for r in {**m.load, **m.lb_load, **m.ub_load}}
    estimate = max([m.t0, *(load / servers[r] for r, load in m.load.items())])
    return Answer(m.t0, m.load, servers, estimate, m.lb, m.ub, m.serial)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Unrolling:
    def __init__(
        self,
        model: Model,
        costs: Costs,
        end: End,
        parameters: Mapping[str, Any],
        topology: str,
        branches: str,
        schedule: str,
        kind: Callable[[Any], Amount],
    ) -> None:
        self.model, self.costs, self.end = model, costs, end
        self.topology, self.branches, self.schedule, self.kind = topology, branches, schedule, kind
        self.named = named_processors(model)
        self.shares: tuple[int, ...] | None = None
        self.root: dict[str, Any] = {}
        given = {**({"P": costs.P} if "P" in model.parameters else {}), **parameters}
        self.root = parameter_values(model, given, self.builtin)
        self._servers: dict[str, int] = {}

    def builtin(self, name: str, subscripts: tuple[Any, ...]) -> Any:
        if len(subscripts) > 1:
            return self.costs.shares(math.floor(subscripts[1]), self.schedule)[int(subscripts[0]) - 1]
        if self.shares is None:
            self.shares = self.costs.shares(int(self.root["tasks"]), self.schedule)
        return self.shares[int(subscripts[0]) - 1]

    def number(self, e: Expression, scope: Mapping[str, Any]) -> Any:
        return evaluate(e, scope, self.builtin, self.model.source)

    def value(self, e: Expression, scope: Mapping[str, Any]) -> Any:
        """The value of a subscript or argument: a number, or the name of a processor."""
        if isinstance(e, Name):
            return scope.get(e.name, e.name)
        return self.number(e, scope)

    def resource(self, e: Expression, scope: Mapping[str, Any]) -> str:
        """The label of the resource, `name` or `name[1, 2]`."""
        if isinstance(e, Name) and e.name not in scope and e.name not in self.named:
            return self.label(e.name, (), scope)
        if isinstance(e, Invoke) and e.name not in FUNCTIONS and e.name not in BUILTINS:
            return self.label(e.name, e.subscripts or (), scope)
        return f"cpu[{self.value(e, scope)}]"

    def label(self, name: str, subscripts: Iterable[Expression], scope: Mapping[str, Any]) -> str:
        values = [self.value(s, scope) for s in subscripts]
        family = own_family(name)
        label = f"{family}[{', '.join(map(str, values))}]" if values else family
        declared = self.model.resources.get(name)
        if declared is not None and declared.servers is not None:
            inner = {**self.root, **dict(zip(declared.subscripts, values, strict=True))}
            self._servers[label] = int(self.number(declared.servers, inner))
        return label

    def servers(self, label: str) -> int:
        if label.startswith("cpu["):
            return self.costs.cores(int(label[4:-1]))
        return self._servers.get(label, 1)

    def measure(self, process: Process, scope: Mapping[str, Any], held: frozenset[str]) -> Measure:
        match process:
            case Invoke():
                return self.invoke(process, scope, held)
            case Delay():
                return self.delay(self.number(process.time, scope))
            case Use():
                return self.use(self.resource(process.resource, scope), held, process.body, scope)
            case Sequence():
                return sequence([self.measure(s, scope, held) for s in process.steps])
            case Parallel():
                return self.parallel([self.measure(b, scope, held) for b in process.branches])
            case Loop():
                parts = [self.measure(process.body, inner, held) for inner in self.iterations(process, scope)]
                return sequence(parts) if process.kind == "seq" else self.parallel(parts)
            case Branch():
                return self.branch(process, scope, held)
            case PartGraph():
                raise NotImplementedError("graphs are checked by tests/laws")
            case _:
                assert_never(process)

    def iterations(self, loop: Loop[Process], scope: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for i in whole_range(self.number(loop.low, scope), self.number(loop.high, scope)):
            yield {**scope, loop.index: i}

    def invoke(self, call: Invoke, scope: Mapping[str, Any], held: frozenset[str]) -> Measure:
        equation = self.model.equations.get(call.name)
        if equation is not None:
            names = (*equation.subscripts, *equation.formals)
            given = (*(call.subscripts or ()), *(call.arguments or ()))
            values = [self.value(e, scope) for e in given]
            return self.measure(equation.body, {**self.root, **dict(zip(names, values, strict=True))}, held)
        if call.name in FUNCTIONS or call.name in BUILTINS:
            return self.delay(self.number(call, scope))
        if call.subscripts is None and call.arguments is None:
            return self.delay(self.number(Name(call.name, call.span), scope))
        subscripts = [self.value(s, scope) for s in call.subscripts or ()]
        if call.name == "send":
            p, q = subscripts
            return self.send(p, q, self.number((call.arguments or ())[0], scope), held)
        (p,) = subscripts
        duration = self.delay(self.costs.time(call.name, p, self.end))
        return self.hold(f"cpu[{p}]", duration, held)

    def send(self, p: int, q: int, size: Any, held: frozenset[str]) -> Measure:
        if p == q:
            return Measure()
        duration = self.delay(self.costs.send(p, q, size, self.end))
        match self.topology:
            case "bus":
                return self.hold("bus", duration, held)
            case "switch":
                inner = self.hold(f"rx[{q}]", duration, held | {f"tx[{p}]"})
                return self.hold(f"tx[{p}]", inner, held)
            case _:
                return duration

    def delay(self, time: Any) -> Measure:
        d = self.kind(time)
        return Measure(t0=d, lb=d, ub=d, serial=d)

    def use(self, r: str, held: frozenset[str], body: Process, scope: Mapping[str, Any]) -> Measure:
        return self.hold(r, self.measure(body, scope, held | {r}), held)

    def hold(self, r: str, m: Measure, held: frozenset[str]) -> Measure:
        """`m`, with one server of r held all the while, unless it is held already."""
        if r in held:
            return m
        seconds = max([m.t0, *(load / self.servers(s) for s, load in m.load.items())])
        return replace(
            m,
            load={**m.load, r: m.load.get(r, 0) + seconds},
            lb_load={**m.lb_load, r: m.lb},
            head={**m.head, r: 0},
            tail={**m.tail, r: 0},
            ub_load={**m.ub_load, r: m.ub},
            holds_and_waits=m.holds_and_waits or bool(m.ub_load),
        )

    def parallel(self, parts: list[Measure]) -> Measure:
        if not parts:
            return Measure()
        lb_load, ub_load = total(m.lb_load for m in parts), total(m.ub_load for m in parts)
        head, tail = least(m.head for m in parts), least(m.tail for m in parts)
        queues = (head[r] + load / self.servers(r) + tail[r] for r, load in lb_load.items())
        serial = sum(m.serial for m in parts)
        holds_and_waits = any(m.holds_and_waits for m in parts)
        return Measure(
            t0=max(m.t0 for m in parts),
            load=total(m.load for m in parts),
            lb=max([*(m.lb for m in parts), *queues]),
            lb_load=lb_load,
            head=head,
            tail=tail,
            ub=serial if holds_and_waits else min(serial, max(self.chain(m, ub_load) for m in parts)),
            ub_load=ub_load,
            serial=serial,
            holds_and_waits=holds_and_waits,
        )

    def chain(self, m: Measure, loads: Loads) -> Amount:
        """The longest time one branch can take while the others' work on its resources goes first."""
        return m.ub + sum((loads[r] - own) / self.servers(r) for r, own in m.ub_load.items())

    def branch(self, b: Branch[Process], scope: Mapping[str, Any], held: frozenset[str]) -> Measure:
        q = None if b.probability is None else self.number(b.probability, scope)
        if q in (0, 1):
            return self.measure(b.then if q else b.otherwise, scope, held)
        one, two = self.measure(b.then, scope, held), self.measure(b.otherwise, scope, held)
        labels = {**one.load, **two.load}
        both = [r for r in one.lb_load if r in two.lb_load]
        pick = self.picker(b, scope)
        return Measure(
            t0=pick(one.t0, two.t0),
            load={r: pick(one.load.get(r, 0), two.load.get(r, 0)) for r in labels},
            lb=min(one.lb, two.lb),
            lb_load={r: min(one.lb_load[r], two.lb_load[r]) for r in both},
            head={r: min(one.head[r], two.head[r]) for r in both},
            tail={r: min(one.tail[r], two.tail[r]) for r in both},
            ub=max(one.ub, two.ub),
            ub_load={r: max(one.ub_load.get(r, 0), two.ub_load.get(r, 0)) for r in {**one.ub_load, **two.ub_load}},
            serial=max(one.serial, two.serial),
            holds_and_waits=one.holds_and_waits or two.holds_and_waits,
        )

    def picker(self, b: Branch[Process], scope: Mapping[str, Any]) -> Callable[[Amount, Amount], Amount]:
        """What the estimate makes of the two sides."""
        if self.branches == "best":
            return min
        if self.branches == "worst":
            return max
        if self.branches == "average":
            q = self.kind(0.5)
        else:
            assert b.probability is not None, "a free branch has no estimate in this mode"
            q = self.kind(self.number(b.probability, scope))
        return lambda x, y: q * x + (1 - q) * y


def sequence(parts: list[Measure]) -> Measure:
    """One after the other."""
    return Measure(
        t0=sum(m.t0 for m in parts),
        load=total(m.load for m in parts),
        lb=sum(m.lb for m in parts),
        lb_load=total(m.lb_load for m in parts),
        head=first_use((m.lb, m.head) for m in parts),
        tail=first_use((m.lb, m.tail) for m in reversed(parts)),
        ub=sum(m.ub for m in parts),
        ub_load=total(m.ub_load for m in parts),
        serial=sum(m.serial for m in parts),
        holds_and_waits=any(m.holds_and_waits for m in parts),
    )


def first_use(parts: Iterable[tuple[Amount, Loads]]) -> Loads:
    """Per resource, the time before its first user and that user's own."""
    found: Loads = {}
    before: Amount = 0
    for lb, heads in parts:
        for r, head in heads.items():
            found.setdefault(r, before + head)
        before += lb
    return found


def total(loads: Iterable[Loads]) -> Loads:
    """Per resource, the sum."""
    found: Loads = {}
    for part in loads:
        for r, load in part.items():
            found[r] = found.get(r, 0) + load
    return found


def least(times: Iterable[Loads]) -> Loads:
    """Per resource, the least; a part that does not use it counts as infinite."""
    found: Loads = {}
    for part in times:
        for r, time in part.items():
            found[r] = min(found.get(r, inf), time)
    return found
