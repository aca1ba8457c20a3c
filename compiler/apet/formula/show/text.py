"""Formulas as plain text: the way people read them in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational
from apet.formula.graph.sums import whole
from apet.formula.show.bound_names import bound_names

SUM, PRODUCT, POWER, ATOM = 1, 2, 3, 4

TINY, HUGE = Fraction(1, 10_000), 10**15
"""Decimals outside are written with a power of ten."""
MOST_DIGITS, MOST = 18, 10**400
"""Significant digits of a decimal in text; beyond MOST, numbers and denominators are written as they are."""


def text(graph: Graph, node: NodeId, longest: int | None = None) -> str:
    """A node in infix notation; sums and maxima of more than `longest` operands are folded to `(… N more terms)`."""
    nodes = graph.below(node)
    writer = _TextWriter(graph, longest, bound_names(graph, nodes))
    for inner in nodes:
        writer.write(inner, 0)
    return writer.write(node, 0)


def number(value: Rational) -> str:
    """An exact number: decimal if it ends, `7.8125e-12` where that is tiny, else a fraction."""
    if isinstance(value, int):
        return str(value)
    tiny, sign = scientific(abs(value)), "-" if value < 0 else ""
    if tiny is not None and len(tiny[0]) <= MOST_DIGITS:
        return f"{sign}{tiny[0]}e{tiny[1]}"
    places = decimal_places(value)
    if places is None or value.denominator >= 10**MOST_DIGITS:
        return f"{value.numerator}/{value.denominator}"
    whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}"


def scientific(value: Rational) -> tuple[str, int] | None:
    """Digits and power of ten, exactly, of a decimal that is tiny or huge; None for other numbers."""
    places = decimal_places(value)
    if places is None or value <= 0 or TINY <= value < HUGE or value >= MOST:
        return None

    digits = str(value.numerator * 10**places // value.denominator)
    power, digits = len(digits) - 1 - places, digits.rstrip("0")
    if len(digits) > power > 0:
        return None  # an integer without zeros at its end
    return (f"{digits[0]}.{digits[1:]}" if digits[1:] else digits), power


def decimal_places(value: Rational) -> int | None:
    """How many digits an exact number has after the point; None if they do not end, or there are too many."""
    rest, exponents = value.denominator, []
    if rest >= MOST:
        return None
    for prime in (2, 5):
        exponents.append(0)
        while rest % prime == 0:
            rest //= prime
            exponents[-1] += 1
    return max(exponents) if rest == 1 else None


class _TextWriter:
    def __init__(self, graph: Graph, longest: int | None, names: Mapping[NodeId, str]) -> None:
        self.graph = graph
        self.longest = longest
        self.names = names
        self.written: dict[NodeId, tuple[str, int]] = {}

    def write(self, node: NodeId, least: int) -> str:
        """The text of a node, in brackets if it binds weaker than asked for."""
        if node not in self.written:
            self.written[node] = self._write(node)
        text, strength = self.written[node]
        return f"({text})" if strength < least else text

    def _write(self, node: NodeId) -> tuple[str, int]:
        match self.graph.nodes[node]:
            case kinds.Const(value):
                text = number(value)
                return text, SUM if text.startswith("-") else PRODUCT if "/" in text else ATOM
            case kinds.Symbol(name):
                return name, ATOM
            case kinds.Index():
                return self.names[node], ATOM
            case kinds.Item(name, subscripts, arguments):
                return self._item(name, subscripts, arguments), ATOM

            case kinds.Add(constant, terms):
                return self._sum(constant, terms)
            case kinds.Mul(factors):
                return self._product(factors), PRODUCT
            case kinds.Extreme(kind, inner):
                return f"{kind}({', '.join(self._folded(inner))})", ATOM
            case kinds.Call("mod", (left, right)):
                return f"{self.write(left, POWER)} % {self.write(right, POWER)}", PRODUCT
            case kinds.Call("pow", (left, right)):
                return f"{self.write(left, ATOM)}^{self.write(right, ATOM)}", POWER
            case kinds.Call(function, (argument,)):
                return f"{function}({self.write(argument, 0)})", ATOM
            case kinds.Call(function, inner):
                return f"{function}({', '.join(self._folded(inner))})", ATOM
            case kinds.Compare(operator, left, right):
                return f"[{self.write(left, SUM)} {operator} {self.write(right, SUM)}]", ATOM

            case kinds.Reduce(kind, index, low, high, body):
                strength = PRODUCT if kind == "sum" else SUM + 1
                return f"{kind}_{{{self._range(index, low, high)}}} {self.write(body, strength)}", PRODUCT
            case kinds.Peak(loads, _, servers):
                inside = self._loads(loads)
                return f"peak({inside}){self._servers(servers)}", PRODUCT
            case kinds.Interference(own, total, _, servers):
                return f"others({self._loads(own)}; {self._loads(total)}){self._servers(servers)}", PRODUCT

    def _item(self, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> str:
        text = name
        if subscripts:
            text += f"[{', '.join(self.write(s, 0) for s in subscripts)}]"
        if arguments:
            text += f"({', '.join(self.write(a, 0) for a in arguments)})"
        return text

    def _sum(self, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> tuple[str, int]:
        count, note = self._kept(len(terms), lambda k: self._term(*terms[k]), " term")
        parts = [self._term(n, c) for n, c in _positive_first(terms[:count])]
        if constant:
            parts.append(number(constant))
        if note:
            parts.append(f"({note})")
        text = parts[0]
        for part in parts[1:]:
            text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
        return text, SUM if len(parts) > 1 or parts[0].startswith("-") else PRODUCT

    def _kept(self, many: int, written: Callable[[int], str], noun: str = "") -> tuple[int, str]:
        """How many of the operands to write, and the note on the others, which is shorter than they are."""
        left = many - self.longest if self.longest else 0
        if left <= 0:
            return many, ""
        note = f"… {left} more{noun}{'s' if noun and left > 1 else ''}"
        if left <= len(note) and len(", ".join(map(written, range(many - left, many)))) <= len(note):
            return many, ""
        return many - left, note

    def _term(self, node: NodeId, coefficient: Rational) -> str:
        if coefficient == 1:
            return self.write(node, SUM + 1)
        inside = self._put_inside(node, coefficient)
        if inside:
            return inside
        text = self.write(node, PRODUCT)
        if coefficient == -1:
            return f"-{text}"
        c = Fraction(coefficient)
        return f"{number(coefficient) if '/' not in number(c) else f'({number(c)})'} {text}"

    def _put_inside(self, node: NodeId, coefficient: Rational) -> str:
        """`n (0.5 a + 2 b)` for 0.5 n (a + 4 b): a fraction is put back into the one sum that it was drawn from."""
        form, nodes = self.graph.nodes[node], self.graph.nodes
        if isinstance(coefficient, int) or not isinstance(form, kinds.Mul):
            return ""
        sums = [n for n, e in form.factors if e == 1 and isinstance(nodes[n], kinds.Add)]
        if len(sums) != 1:
            return ""

        inner = nodes[sums[0]]
        assert isinstance(inner, kinds.Add)
        terms = tuple((n, whole(c * coefficient)) for n, c in inner.terms)
        text, _ = self._sum(whole(inner.constant * coefficient), terms)
        rest = tuple(f for f in form.factors if f[0] != sums[0])
        return f"{self._product(rest)} ({text})"

    def _product(self, factors: tuple[tuple[NodeId, int], ...]) -> str:
        above = [self._power(n, e) for n, e in self._ordered(factors) if e > 0]
        below = [self._power(n, -e) for n, e in factors if e < 0]
        text = " ".join(above) or "1"
        if below:
            text += f"/{below[0]}" if len(below) == 1 else f"/({' '.join(below)})"
        return text

    def _ordered(self, factors: tuple[tuple[NodeId, int], ...]) -> list[tuple[NodeId, int]]:
        """Sums last, as people write: n (a + b)."""
        late = (kinds.Add, kinds.Reduce, kinds.Peak, kinds.Interference)
        return sorted(factors, key=lambda f: isinstance(self.graph.nodes[f[0]], late))

    def _power(self, node: NodeId, exponent: int) -> str:
        text = self.write(node, POWER)
        return text if exponent == 1 else f"{self.write(node, ATOM)}^{exponent}"

    def _folded(self, parts: tuple[NodeId, ...]) -> list[str]:
        count, note = self._kept(len(parts), lambda k: self.write(parts[k], 0))
        texts = [self.write(n, 0) for n in parts[:count]]
        return [*texts, note] if note else texts

    def _range(self, index: NodeId, low: NodeId, high: NodeId) -> str:
        return f"{self.write(low, SUM)}<={self.write(index, SUM)}<={self.write(high, SUM)}"

    def _loads(self, loads: tuple[kinds.Load, ...]) -> str:
        return "; ".join(self._load(load) for load in loads)

    def _load(self, load: kinds.Load) -> str:
        text = self.write(load.load, 0)
        zero = self.graph.zero
        if load.head != zero or load.tail != zero:
            text = f"{self.write(load.head, 0)} | {text} | {self.write(load.tail, 0)}"
        member = ", ".join(self.write(s, 0) for s in load.subscripts)
        ranges = "".join(f", {self._range(b.index, b.low, b.high)}" for b in load.binders)
        return f"[{member}] {text}{ranges}" if load.subscripts else text

    def _servers(self, servers: NodeId) -> str:
        return "" if servers == self.graph.one else f"/{self.write(servers, ATOM)}"


def _positive_first(terms: tuple[tuple[NodeId, Rational], ...]) -> tuple[tuple[NodeId, Rational], ...]:
    first = next((t for t in terms if t[1] > 0), None)
    return terms if first is None else (first, *(t for t in terms if t is not first))
