"""What the text of a model means, by the language page alone: a tree with every loop written out, and what is wrong.

The tree is one of tuples, quick to run many times:

    (LEAF, least seconds, greatest seconds, resource or None)
    (HOLD, resource, body)
    (SEQUENCE, parts), (AT_ONCE, parts)
    (CHOICE, probability of the first or None, first, second)
    (ORDERED, parts, of each part the numbers of those that it comes after)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tests.laws.declared import PROCESSOR, Declarations, Key, read
from tests.laws.expressions import Scope, arguments_of, flat, lone_call, names_below, parts_of, subscripts_of, tokens
from tests.laws.grammar import Node, kind_of
from tests.laws.graphs import EMPTY, ORDERED, Graphs, Tree
from tests.laws.machine_pool import Computers
from tests.laws.numbers import BeyondError, Exact, FaultError, tidy

LEAF, HOLD, SEQUENCE, AT_ONCE, CHOICE = range(5)
MOST_LEAVES = 400

__all__ = ["AT_ONCE", "CHOICE", "HOLD", "LEAF", "ORDERED", "SEQUENCE", "Key", "Tree", "Unrolled", "unroll"]


@dataclass
class Unrolled:
    """`tree` as above; `servers` of every resource in it; `faults` that runs meet, `unreached` ones that none does.

    `fractions` are parameters that are not whole, on which the value of an end, a subscript or a remainder depends.
    """

    tree: Tree
    servers: dict[Key, int]
    faults: set[str]
    unreached: set[str]
    fractions: set[str]
    branches: bool


def unroll(text: str, values: Scope, computers: Computers, branches: str = "probability") -> Unrolled:
    """The model for one value of each parameter that has no default and of each free name."""
    return _Unrolling(read(text), values, computers, branches).unrolled()


class _Unrolling(Graphs):
    def __init__(self, model: Declarations, values: Scope, computers: Computers, branches: str) -> None:
        super().__init__(model, values, computers)
        self.reading = branches
        self.called: set[str] = set()
        self.branches = False
        self.leaves = 0

    def unrolled(self) -> Unrolled:
        left, body = self.model.equations.get("L") or next(iter(self.model.equations.values()))
        for name in self.model.parameters:
            self.caught(partial(self.check_parameter, name))
        for name in self.model.tables:
            self.caught(partial(self.check_table, name))
        if len(names_below(left)) > 1:
            self.faults.add("arity")
        tree = self.caught(lambda: self.stretches(body, {})) or EMPTY
        with self.never_run():
            if self.reading == "probability" and self.model.has_free_branches:
                self.faults.add("free branch")
            for other, others_body in self.model.equations.values():
                if others_body is not body and tokens(other, "NAME")[0] not in self.called:
                    self.caught(partial(self.stretches, others_body, dict.fromkeys(names_below(other)[1:], 1)))
        for name, declared in self.model.resources.items():
            if not names_below(parts_of(declared)[0]):
                with self.never_run():
                    self.caught(partial(self.count_servers, name, ()))
        return Unrolled(tree, self.servers, self.faults, self.unreached, self.fractions, self.branches)

    # Processes

    def stretches(self, stretches: list[Node], scope: Scope) -> Tree:
        """A process of stretches between two `;`, which binds tighter than the `||` in them."""
        sequences: list[list[Tree]] = [[]]
        for stretch in stretches:
            first, *others = (self.process(step, scope) for step in flat(stretch))
            sequences[-1].append(first)
            sequences += ([other] for other in others)
        parts = tuple((SEQUENCE, tuple(sequence)) for sequence in sequences)
        return parts[0] if len(parts) == 1 else (AT_ONCE, parts)

    def process(self, node: Node, scope: Scope) -> Tree:
        """The tree of a process; a part with a fault is left out."""
        return self.caught(lambda: getattr(self, f"_{kind_of(node)}")(node, scope)) or EMPTY

    def _process(self, node: Node, scope: Scope) -> Tree:
        return self.stretches(flat(parts_of(node)[0]), scope)

    _group = _process

    def _one(self, node: Node, scope: Scope) -> Tree:
        return self.process(parts_of(node)[0], scope)

    _first = _one

    def _more(self, node: Node, scope: Scope) -> Tree:
        return (AT_ONCE, tuple(self.process(part, scope) for part in flat(node)))

    def _empty_group(self, node: Node, scope: Scope) -> Tree:
        return EMPTY

    _empty_graph = _empty_group

    def _delay(self, node: Node, scope: Scope) -> Tree:
        return self.wait(self.amount(parts_of(node)[0], scope))

    def wait(self, seconds: Exact) -> Tree:
        return self.leaf(seconds, seconds, None)

    def leaf(self, least: Exact, greatest: Exact, key: Key | None) -> Tree:
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise BeyondError
        if key is not None:
            self.counted(key)
        return (LEAF, tidy(least), tidy(greatest), key)

    def _use(self, node: Node, scope: Scope) -> Tree:
        resource, body = parts_of(node)
        key = self.caught(lambda: self.resource(resource, scope))
        call = lone_call(body)
        if call is not None and self.is_number(call, scope):
            inner = self.caught(lambda: self.wait(self.amount(call, scope)))
        else:
            inner = self.process(body, scope)
        return EMPTY if key is None or inner is None else (HOLD, key, inner)

    def _use_time(self, node: Node, scope: Scope) -> Tree:
        resource, time = parts_of(node)
        key = self.caught(lambda: self.resource(resource, scope))
        inner = self.wait(self.amount(parts_of(time)[0], scope))
        return EMPTY if key is None else (HOLD, key, inner)

    def _loop(self, node: Node, scope: Scope) -> Tree:
        *ends, body = parts_of(node)
        [index] = tokens(node, "NAME")
        with self.looked_at(lambda i: self.process(body, {**scope, index: i})):
            rounds = self.rounds(ends, scope)
        if len(rounds) > MOST_LEAVES:
            raise BeyondError
        parts = tuple(self.process(body, {**scope, index: i}) for i in rounds)
        if not parts:
            with self.never_run():
                self.process(body, {**scope, index: 1})
        return (SEQUENCE if tokens(node, "SEQ") else AT_ONCE, parts)

    _stepped_loop = _loop

    def _if_probable(self, node: Node, scope: Scope) -> Tree:
        chance, then, *otherwise = parts_of(node)
        with self.looked_at(lambda i: [self.process(side, scope) for side in (then, *otherwise)]):
            probability = self.value(chance, scope)
            if not 0 <= probability <= 1:
                raise FaultError("probability")
        if probability in (0, 1):
            taken, excluded = ([then], otherwise) if probability else (otherwise, [then])
            with self.never_run():
                for side in excluded:
                    self.process(side, scope)
            return self.process(taken[0], scope) if taken else EMPTY
        self.branches = True
        second = self.process(otherwise[0], scope) if otherwise else EMPTY
        return (CHOICE, probability, self.process(then, scope), second)

    _if_probable_else = _if_probable

    def _if_free_else(self, node: Node, scope: Scope) -> Tree:
        if self.reading == "probability":
            self.faults.add("free branch")
        self.branches = True
        return (CHOICE, None, *(self.process(side, scope) for side in parts_of(node)))

    # Calls

    def _plain_call(self, node: Node, scope: Scope) -> Tree:
        [name], subscripts, arguments = tokens(node, "NAME"), subscripts_of(node), arguments_of(node)
        if name in self.model.equations:
            return self.equation(name, subscripts, arguments, scope)
        if self.is_number(node, scope) or len(subscripts) != (2 if name == "send" else 1):
            raise FaultError("names")
        if name == "send":
            return self.message(subscripts, arguments, scope)
        p = self.processor(subscripts[0], scope)
        for argument in arguments:
            self.value(argument, scope)
        if name not in self.computers.times[p]:
            raise FaultError("names")
        return self.leaf(*self.computers.times[p][name], Key(PROCESSOR, (p,)))

    _subscripted_call = _empty_call = _argument_call = _subscripted_empty_call = _full_call = _plain_call

    def equation(self, name: str, subscripts: list[Node], arguments: list[Node], scope: Scope) -> Tree:
        self.called.add(name)
        left, body = self.model.equations[name]
        if len(subscripts_of(left)) != len(subscripts) or len(arguments_of(left)) != len(arguments):
            raise FaultError("arity")
        names = names_below(left)[1:]
        with self.looked_at(lambda i: self.stretches(body, dict.fromkeys(names, i))):
            values = [*(self.whole(e, scope) for e in subscripts), *(self.value(e, scope) for e in arguments)]
        return self.stretches(body, dict(zip(names, values, strict=True)))

    def message(self, ends: list[Node], sizes: list[Node], scope: Scope) -> Tree:
        if len(sizes) != 1:
            raise FaultError("arity")
        size = self.caught(partial(self.amount, sizes[0], scope))
        p, q = (self.caught(partial(self.processor, end, scope)) for end in ends)
        if p == q or None in (p, q, size):
            return EMPTY
        times = self.computers.message_seconds(size)
        match self.computers.topology:
            case "bus":
                return self.leaf(*times, Key("the bus"))
            case "switch":
                return (HOLD, self.counted(Key("port out of", (p,))), self.leaf(*times, Key("port into", (q,))))
            case _:
                return self.leaf(*times, None)
