"""The declarations of a model, what its resources are, and the faults that are met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from tests.laws.expressions import Expressions, Scope, flat, lone_call, names_below, parts_of, subscripts_of, tokens
from tests.laws.grammar import Node, kind_of, parsed
from tests.laws.machine_pool import PROCESSORS, Computers
from tests.laws.numbers import Exact, FaultError

PROCESSOR = "a processor"


class Key(NamedTuple):
    """A resource by name and numbers of its subscripts; those of machines have names that no model can use."""

    name: str
    subscripts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Declarations:
    """The items of a model, by name. An equation's body is its stretches between two `;`."""

    parameters: dict[str, Node]
    tables: dict[str, Node]
    functions: dict[str, Node]
    resources: dict[str, Node]
    equations: dict[str, tuple[Node, list[Node]]]
    has_free_branches: bool


@lru_cache(maxsize=64)
def read(text: str) -> Declarations:
    """The declarations of a model's text."""
    tree = parsed(text)
    free = any(True for _ in tree.find_pred(lambda node: kind_of(node) == "if_free_else"))
    model = Declarations({}, {}, {}, {}, {}, free)
    body: list[Node] = []
    for item in flat(parts_of(tree)[0]):
        names, kind = tokens(item, "NAME"), kind_of(item)
        if kind == "equation":
            left, branches = parts_of(item)
            body = [branches]
            model.equations[tokens(left, "NAME")[0]] = left, body
        elif kind == "continuation":
            body.append(parts_of(item)[0])
        else:
            tables = {"param": model.parameters, "table": model.tables, "function": model.functions}
            tables.get(kind, model.resources)[names[0]] = item
    if not model.equations:
        raise LookupError("no equation")
    return model


class Resources(Expressions):
    """Finds the resources of one model, and notes the faults that are met; `servers` are those of each found so far."""

    def __init__(self, model: Declarations, values: Scope, computers: Computers) -> None:
        super().__init__(model.parameters, model.tables, model.functions, values)
        self.model, self.computers = model, computers
        self.servers: dict[Key, int] = {}
        self.faults: set[str] = set()
        self.unreached: set[str] = set()

    @contextmanager
    def never_run(self) -> Iterator[None]:
        """Faults met in this context are those of a part that no run reaches."""
        outside, self.faults = self.faults, self.unreached
        try:
            yield
        finally:
            self.faults = outside

    @contextmanager
    def looked_at(self, examine: Callable[[Exact], object]) -> Iterator[None]:
        """Where what says which rounds there are has a fault, look at a round all the same, which no run reaches."""
        try:
            yield
        except FaultError:
            with self.never_run():
                for i in (1, 0):
                    self.caught(partial(examine, i))
            raise

    def caught(self, act: Callable[[], Any]) -> Any:
        """What `act` returns; nothing where it meets a fault, which is noted."""
        try:
            return act()
        except FaultError as fault:
            self.faults.update(fault.args)
            return None

    def resource(self, node: Node, scope: Scope) -> Key:
        call = lone_call(node)
        if call is None or self.is_number(call, scope):
            return self.counted(Key(PROCESSOR, (self.processor(node, scope),)))
        [name] = tokens(call, "NAME")
        if name in self.model.resources and len(self.formals_of(name)) != len(subscripts_of(call)):
            self.faults.add("arity")
        return self.counted(Key(name, tuple(self.each(self.whole, subscripts_of(call), scope))))

    def formals_of(self, name: str) -> list[str]:
        """The names of the subscripts of a declared resource."""
        return names_below(parts_of(self.model.resources[name])[0])

    def counted(self, key: Key) -> Key:
        """The same, with its servers counted."""
        if key not in self.servers:
            is_processor = key.name == PROCESSOR
            self.servers[key] = self.computers.cores[key.subscripts[0]] if is_processor else self.count_servers(*key)
        return key

    def count_servers(self, name: str, subscripts: tuple[int, ...]) -> int:
        if name not in self.model.resources:
            return 1
        _, count = parts_of(self.model.resources[name])
        names = self.formals_of(name)
        if len(names) != len(subscripts):
            raise FaultError("arity")
        if kind_of(count) == "absent":
            return 1
        try:
            servers = self.value(parts_of(count)[0], dict(zip(names, subscripts, strict=True)))
        except FaultError as fault:
            raise FaultError("names" if "names" in fault.args else "servers") from None
        if not isinstance(servers, int) or servers < 1:
            raise FaultError("servers")
        return servers

    def processor(self, subscript: Node, scope: Scope) -> int:
        value = self.whole(subscript, scope)
        if not 0 <= value <= PROCESSORS:
            raise FaultError("processor")
        return value

    def amount(self, node: Node, scope: Scope) -> Exact:
        value = self.value(node, scope)
        if value < 0:
            raise FaultError("negative")
        return value
