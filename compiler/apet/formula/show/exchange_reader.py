"""Reading a formula back from JSON, checking everything."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId, Rational, operation_names, parameter_names
from apet.formula.graph.sums import whole
from apet.formula.show.exchange import FORMAT

FUNCTIONS = {"floor": 1, "ceil": 1, "abs": 1, "log": 1, "log2": 1, "sqrt": 1, "mod": 2, "pow": 2}
RATIONAL = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")


def from_json(data: Any) -> tuple[Graph, NodeId]:
    """The node that `to_json` wrote, in a graph of its own; `ValueError` says what is wrong with other data."""
    document = _object(data, "a formula")
    if document.get("format") != FORMAT or isinstance(document["format"], bool):
        raise ValueError(f"format: {document.get('format')!r} is not {FORMAT}, the only format that can be read")
    reader = _NodeReader()
    nodes = document.get("nodes")
    if not isinstance(nodes, list) or not nodes:
        raise ValueError("nodes: a list of at least one node is needed")
    for position, node in enumerate(nodes):
        try:
            reader.numbers.append(reader.node(_object(node, "a node")))
        except ValueError as error:
            raise ValueError(f"nodes[{position}]: {error}") from None
    try:
        root = reader.at(document, "root")
    except ValueError as error:
        raise ValueError(f"root: {error}") from None

    below = [reader.graph.nodes[n] for n in reader.graph.below(root)]
    for key, names in (("parameters", parameter_names(below)), ("operations", operation_names(below))):
        if key in document and document[key] != names:
            raise ValueError(f"{key}: the nodes hold {names}, not {document[key]!r}")
    return reader.graph, root


def _object(data: Any, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"{what} must be an object, not {type(data).__name__}")
    return data


def _rational(value: Any) -> Rational:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and RATIONAL.fullmatch(value):
        top, _, bottom = value.partition("/")
        if bottom and not int(bottom):
            raise ValueError(f"{value!r} has the denominator 0")
        return whole(Fraction(int(top), int(bottom or 1)))
    raise ValueError(f'{value!r} is no exact number: a whole number or "p/q" is needed')


def _pairs(value: Any, key: str) -> list[list[Any]]:
    if not isinstance(value, list) or not all(isinstance(p, list) and len(p) == 2 for p in value):
        raise ValueError(f"{key} must be a list of pairs")
    return value


class _NodeReader:
    def __init__(self) -> None:
        self.graph = Graph()
        self.numbers: list[NodeId] = []
        self.symbols: set[str] = set()

    def node(self, data: dict[str, Any]) -> NodeId:
        """The number of one node in the graph."""
        readers: dict[str, Callable[[dict[str, Any]], NodeId]] = {
            "const": lambda d: self.graph.intern(kinds.Const(_rational(d.get("value")))),
            "symbol": self._symbol,
            "index": lambda d: self.graph.index(self._name(d), self.at(d, "low"), self.at(d, "high")),
            "item": lambda d: self.graph.item(self._name(d), self._all(d, "subscripts"), self._all(d, "arguments")),
            "add": self._add,
            "mul": self._mul,
            "extreme": self._extreme,
            "call": self._call,
            "compare": self._compare,
            "reduce": self._reduce,
            "peak": lambda d: self.graph.intern(kinds.Peak(self._loads(d, "loads"), *self._family(d))),
            "interference": lambda d: self.graph.intern(
                kinds.Interference(self._loads(d, "own"), self._loads(d, "all"), *self._family(d))
            ),
        }
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in readers:
            raise ValueError(f"kind: {kind!r} is none of {', '.join(readers)}")

        return readers[kind](data)

    # References

    def at(self, data: dict[str, Any], key: str) -> NodeId:
        """The node that a key refers to."""
        return self._number(data.get(key), key)

    def _number(self, value: Any, key: str) -> NodeId:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < len(self.numbers):
            raise ValueError(f"{key}: {value!r} is not the position of an earlier node")
        return self.numbers[value]

    def _all(self, data: dict[str, Any], key: str) -> tuple[NodeId, ...]:
        positions = data.get(key)
        if not isinstance(positions, list):
            raise ValueError(f"{key} must be a list of positions")
        return tuple(self._number(v, key) for v in positions)

    def _index(self, value: Any, key: str) -> NodeId:
        number = self._number(value, key)
        if not isinstance(self.graph.nodes[number], kinds.Index):
            raise ValueError(f"{key}: node {value} is no index")
        return number

    def _name(self, data: dict[str, Any]) -> str:
        name = data.get("name")
        if not isinstance(name, str) or not name:
            raise ValueError(f"name: {name!r} is no name")
        return name

    @staticmethod
    def _word(data: dict[str, Any], key: str, allowed: tuple[str, ...]) -> str:
        word = data.get(key)
        if not isinstance(word, str) or word not in allowed:
            raise ValueError(f"{key}: {word!r} is none of {', '.join(allowed)}")
        return word

    # Kinds

    def _symbol(self, data: dict[str, Any]) -> NodeId:
        name = self._name(data)
        if name in self.symbols:
            raise ValueError(f"the symbol {name!r} comes twice")
        self.symbols.add(name)
        if "low" in data or "high" in data:
            low, high = data.get("low"), data.get("high")
            self.graph.assume(name, None if low is None else _rational(low), None if high is None else _rational(high))
        for fact, names in (("whole", self.graph.integers), ("distinct", self.graph.distinct)):
            if not isinstance(data.get(fact, False), bool):
                raise ValueError(f"{fact} must be true or false")
            if data.get(fact):
                names.add(name)

        return self.graph.symbol(name)

    def _add(self, data: dict[str, Any]) -> NodeId:
        constant = _rational(data.get("constant"))
        pairs = [(self._number(n, "terms"), _rational(c)) for n, c in _pairs(data.get("terms"), "terms")]
        self._distinct([n for n, _ in pairs], "terms")
        if any(isinstance(self.graph.nodes[n], kinds.Add | kinds.Const) or not c for n, c in pairs):
            raise ValueError("terms must not be sums or constants, and their coefficients not 0")
        if not pairs or (len(pairs) == 1 and not constant and pairs[0][1] == 1):
            raise ValueError("a sum of a single operand is that operand")
        return self.graph.intern(kinds.Add(constant, tuple(sorted(pairs))))

    def _mul(self, data: dict[str, Any]) -> NodeId:
        pairs = [(self._number(n, "factors"), e) for n, e in _pairs(data.get("factors"), "factors")]
        self._distinct([n for n, _ in pairs], "factors")
        if any(not isinstance(e, int) or isinstance(e, bool) or not e for _, e in pairs):
            raise ValueError("exponents must be whole numbers other than 0")
        if any(isinstance(self.graph.nodes[n], kinds.Mul | kinds.Const) for n, _ in pairs):
            raise ValueError("factors must not be products or constants")
        if not pairs or (len(pairs) == 1 and pairs[0][1] == 1):
            raise ValueError("a product of a single factor is that factor")
        return self.graph.intern(kinds.Mul(tuple(sorted(pairs))))

    @staticmethod
    def _distinct(nodes: list[NodeId], key: str) -> None:
        if len(set(nodes)) < len(nodes):
            raise ValueError(f"{key}: a node comes twice")

    def _extreme(self, data: dict[str, Any]) -> NodeId:
        choose, numbers = self._word(data, "choose", ("max", "min")), self._all(data, "operands")
        self._distinct(list(numbers), "operands")
        if len(numbers) < 2:
            raise ValueError("operands: at least two are needed")
        return self.graph.intern(kinds.Extreme(choose, numbers))

    def _call(self, data: dict[str, Any]) -> NodeId:
        function, numbers = self._word(data, "function", tuple(FUNCTIONS)), self._all(data, "operands")
        if len(numbers) != FUNCTIONS[function]:
            raise ValueError(f"operands: {function} takes {FUNCTIONS[function]}, not {len(numbers)}")
        return self.graph.intern(kinds.Call(function, numbers))

    def _compare(self, data: dict[str, Any]) -> NodeId:
        operator = self._word(data, "operator", ("<=", "<", "==", "!="))
        return self.graph.intern(kinds.Compare(operator, self.at(data, "left"), self.at(data, "right")))

    def _reduce(self, data: dict[str, Any]) -> NodeId:
        choose, index = self._word(data, "choose", ("sum", "max", "min")), self._index(data.get("index"), "index")
        low, high = self.at(data, "low"), self.at(data, "high")
        if index in self.graph.free[low] | self.graph.free[high]:
            raise ValueError("a range must not depend on its own index")
        return self.graph.intern(kinds.Reduce(choose, index, low, high, self.at(data, "body")))

    def _family(self, data: dict[str, Any]) -> tuple[tuple[NodeId, ...], NodeId]:
        members = data.get("members")
        if not isinstance(members, list):
            raise ValueError("members must be a list of positions")
        return tuple(self._index(m, "members") for m in members), self.at(data, "servers")

    def _loads(self, data: dict[str, Any], key: str) -> tuple[Load, ...]:
        loads, members = data.get(key), data.get("members")
        if not isinstance(loads, list):
            raise ValueError(f"{key} must be a list of loads")
        parsed = tuple(self._load(_object(load, "a load")) for load in loads)
        if isinstance(members, list) and any(len(load.subscripts) != len(members) for load in parsed):
            raise ValueError(f"{key}: a load needs as many subscripts as there are members")
        return parsed

    def _load(self, data: dict[str, Any]) -> Load:
        binders = data.get("binders")
        if not isinstance(binders, list) or not all(isinstance(b, list) and len(b) == 3 for b in binders):
            raise ValueError("binders must be a list of [index, low, high]")
        ranges = tuple(
            Binder(self._index(b[0], "binders"), self._number(b[1], "binders"), self._number(b[2], "binders"))
            for b in binders
        )
        if not isinstance(data.get("certain"), bool):
            raise ValueError("certain must be true or false")
        load, head, tail = self.at(data, "load"), self.at(data, "head"), self.at(data, "tail")
        return Load(ranges, self._all(data, "subscripts"), load, head, tail, data["certain"])
