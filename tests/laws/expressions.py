"""The values of expressions, exactly, by the language page alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from lark import Token, Tree
from tests.laws.grammar import Node, kind_of
from tests.laws.machine_pool import PROCESSORS
from tests.laws.numbers import FUNCTIONS, OPERATORS, BeyondError, Exact, FaultError, tidy

T = TypeVar("T")
Scope = Mapping[str, Exact]

NUMBER = re.compile(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)[ \t]*(.*)")
UNITS: dict[str, Exact] = {
    **{
        "": 1,
        "s": 1,
        "ms": Fraction(1, 10**3),
        "us": Fraction(1, 10**6),
        "ns": Fraction(1, 10**9),
        "min": 60,
        "h": 3600,
    },
    **{"B": 1, "kB": 1000, "KiB": 1024, "MB": 10**6, "MiB": 2**20},
}
LISTS = ("one", "more", "first", "one_name", "more_items", "no_items")
MOST_ROUNDS = 400


def parts_of(node: Node) -> list[Node]:
    """The children that are no tokens."""
    return [child for child in node.children if isinstance(child, Tree)]


def tokens(node: Node, kind: str) -> list[str]:
    """The texts of a node's own tokens of one kind."""
    return [str(child) for child in node.children if isinstance(child, Token) and child.type == kind]


def names_below(node: Node) -> list[str]:
    """All names in a tree, in the order of the text."""
    return [str(token) for token in node.scan_values(lambda token: getattr(token, "type", "") == "NAME")]


def flat(node: Node) -> list[Node]:
    """The entries of a list, which the grammar writes as a list and one more."""
    found: list[Node] = []
    while True:
        parts, kind = parts_of(node), kind_of(node)
        if kind in ("one", "no_items") or (kind == "first" and not tokens(node, "SEMICOLON")):
            return [*parts, *found[::-1]]
        if len(parts) > 1:
            found.append(parts[1])
        node = parts[0]


def subscripts_of(call: Node) -> list[Node]:
    """The expressions between a call's brackets."""
    return _between(call, "LSQB")


def arguments_of(call: Node) -> list[Node]:
    """The expressions between a call's parentheses."""
    return _between(call, "LPAR")


def _between(call: Node, opening: str) -> list[Node]:
    before = zip(call.children, call.children[1:], strict=False)
    lists = [part for token, part in before if isinstance(part, Tree) and getattr(token, "type", "") == opening]
    return flat(lists[0]) if lists else []


def lone_call(node: Node) -> Node | None:
    """The call that a process or an expression is alone."""
    while not kind_of(node).endswith("_call"):
        parts = parts_of(node)
        if kind_of(node) not in ("process", "one", "first") or len(parts) != 1:
            return None
        node = parts[0]
    return node


class Expressions:
    """Evaluates expressions of one model with the values of its parameters.

    `fractions`: parameters that are not whole, on which the value of an end, a subscript or a remainder depended.
    """

    def __init__(
        self, parameters: Mapping[str, Node], tables: Mapping[str, Node], functions: Mapping[str, Node], values: Scope
    ) -> None:
        self.parameters, self.tables, self.functions = parameters, tables, functions
        self.globals: dict[str, Exact] = {**values, **({"P": PROCESSORS} if "P" in parameters else {})}
        self.fractions: set[str] = set()
        self.as_whole = 0

    def value(self, node: Node, scope: Scope) -> Exact:
        """FaultError where it has none; every operand has to have one."""
        return tidy(getattr(self, f"_{kind_of(node)}_value")(node, scope))

    def whole(self, node: Node, scope: Scope) -> int:
        with self.whole_wanted():
            value = self.value(node, scope)
        if not isinstance(value, int):
            raise FaultError("whole")
        return value

    def every(self, nodes: list[Node], scope: Scope) -> list[Exact]:
        """The values of some expressions; the FaultError says what is wrong with any of them."""
        return self.each(self.value, nodes, scope)

    def each(self, value: Callable[[Node, Scope], T], nodes: list[Node], scope: Scope) -> list[T]:
        """What a function says of some expressions; the FaultError says what is wrong with any of them."""
        values, faults = list[T](), list[str]()
        for node in nodes:
            try:
                values.append(value(node, scope))
            except FaultError as fault:
                faults += fault.args
        if faults:
            raise FaultError(*faults)
        return values

    @contextmanager
    def whole_wanted(self) -> Iterator[None]:
        self.as_whole += 1
        try:
            yield
        finally:
            self.as_whole -= 1

    def rounds(self, ends: list[Node], scope: Scope) -> list[Exact]:
        """The values of an index from the first end to the second, by steps of the third if there is one."""
        with self.whole_wanted():
            low, high, *steps = self.every(ends, scope)
        if not steps:
            first, last = ceil(low), floor(high)
            if last - first > MOST_ROUNDS:
                raise BeyondError
            return list(range(first, last + 1))

        if not steps[0]:
            raise FaultError("step")
        count = floor(Fraction(high - low) / steps[0])
        if count > MOST_ROUNDS:
            raise BeyondError
        return [tidy(low + k * steps[0]) for k in range(count + 1)]

    def is_number(self, call: Node, scope: Scope) -> bool:
        """Whether a call is one of a value and not of a process."""
        name, has_arguments = tokens(call, "NAME")[0], bool(tokens(call, "LPAR"))
        if name == "share" or ((name in self.functions or name in FUNCTIONS or name == "len") and has_arguments):
            return True
        if tokens(call, "LSQB"):
            return name in self.tables
        return not has_arguments and (name in scope or name in self.globals or name in self.parameters)

    # By kinds of productions

    def _first_value(self, node: Node, scope: Scope) -> Exact:
        return self.value(parts_of(node)[0], scope)

    _second_value = _first_value

    def _number_value(self, node: Node, scope: Scope) -> Exact:
        match = NUMBER.fullmatch(str(node.children[0]))
        assert match is not None
        return Fraction(match[1]) * UNITS[match[2]]

    def _unary_value(self, node: Node, scope: Scope) -> Exact:
        value = self.value(parts_of(node)[0], scope)
        return -value if tokens(node, "MINUS") else value

    def _binary_value(self, node: Node, scope: Scope) -> Exact:
        operator = str(node.children[1])
        with self.whole_wanted() if operator == "%" else nullcontext():
            x, y = (self.value(side, scope) for side in parts_of(node))
        return OPERATORS[operator](x, y)

    def _sum_over_value(self, node: Node, scope: Scope) -> Exact:
        *ends, body = parts_of(node)
        [index] = tokens(node, "NAME")
        return sum(self.value(body, {**scope, index: i}) for i in self.rounds(ends, scope))

    _stepped_sum_value = _sum_over_value

    def check_parameter(self, name: str) -> None:
        """A value is within the range of its parameter, which is from 0 on where none is given."""
        default, ends = parts_of(self.parameters[name])
        low, high = (self.value(end, {}) for end in parts_of(ends)) if parts_of(ends) else (0, None)
        if high is not None and low > high:
            raise FaultError("range")
        if name not in self.globals and not parts_of(default):
            return
        value = self.parameter(name)
        if value < low or (high is not None and value > high):
            raise FaultError("range")

    def _plain_call_value(self, node: Node, scope: Scope) -> Exact:
        [name] = tokens(node, "NAME")
        return scope[name] if name in scope else self.parameter(name)

    def parameter(self, name: str) -> Exact:
        """What is set, or the default."""
        if name not in self.globals:
            default = parts_of(self.parameters[name])[0] if name in self.parameters else None
            if default is None or kind_of(default) == "absent":
                raise FaultError("names")
            self.globals[name] = 0  # a default that needs itself has no value
            self.globals[name] = self.value(parts_of(default)[0], {})
        value = self.globals[name]
        if self.as_whole and not isinstance(value, int):
            self.fractions.add(name)
        return value

    def _argument_call_value(self, node: Node, scope: Scope) -> Exact:
        [name], arguments = tokens(node, "NAME"), arguments_of(node)
        if name == "len":
            return self._length(arguments)
        values = [self.value(argument, scope) for argument in arguments]
        if name in self.functions:
            formals, body = parts_of(self.functions[name])
            names = names_below(formals)
            if len(names) != len(values):
                raise FaultError("arity")
            return self.value(body, dict(zip(names, values, strict=True)))
        if name not in FUNCTIONS or (len(values) != 1 and name not in ("min", "max")):
            raise FaultError("names")
        return FUNCTIONS[name](*values)

    def _length(self, arguments: list[Node]) -> Exact:
        call = lone_call(arguments[0]) if len(arguments) == 1 else None
        if call is None or (name := tokens(call, "NAME")[0]) not in self.tables:
            raise FaultError("names")
        return len(flat(parts_of(self.tables[name])[0]))

    def _subscripted_call_value(self, node: Node, scope: Scope) -> Exact:
        [name], subscripts, arguments = tokens(node, "NAME"), subscripts_of(node), arguments_of(node)
        if len(subscripts) != 1 or len(arguments) > 1:
            raise FaultError("arity")
        k = self.whole(subscripts[0], scope)
        if name == "share":
            return self._share(k, arguments, scope)
        if name not in self.tables or arguments:
            raise FaultError("names")
        entries = flat(parts_of(self.tables[name])[0])
        if not 1 <= k <= len(entries):
            raise FaultError("entry")
        return self.value(entries[k - 1], {})

    def check_table(self, name: str) -> None:
        """Entries are plain numbers."""
        for entry in flat(parts_of(self.tables[name])[0]):
            if list(entry.find_pred(lambda n: kind_of(n) not in ("first", "second", "number", "unary"))):
                raise FaultError("table")

    _full_call_value = _subscripted_call_value

    def _share(self, p: int, tasks: list[Node], scope: Scope) -> Exact:
        """Of so many tasks, or those of the parameter; all processors of the pool are equally fast."""
        count = self.whole(tasks[0], scope) if tasks else self.parameter("tasks")
        if not 1 <= p <= PROCESSORS or count < 0:
            raise FaultError("processor" if count >= 0 else "negative")
        return count // PROCESSORS + (p <= count % PROCESSORS)

    def _empty_call_value(self, node: Node, scope: Scope) -> Exact:
        raise FaultError("names")

    _subscripted_empty_call_value = _empty_call_value
