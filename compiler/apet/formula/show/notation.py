"""How a formula is set in two dimensions, whatever the language: order of terms, brackets, fractions, limits.

`Layout` walks the graph once, operands first, and asks a `Marks` for each piece; LaTeX and MathML are two sets
of marks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId, Rational, parameter_names
from apet.formula.show.bound_names import bound_names
from apet.formula.show.text import number, scientific

SUM, BIG, SIGMA, PRODUCT, POWER, ATOM = range(1, 7)
"""How tightly a text holds together. BIG: an indexed maximum, which reaches as far to the right as it can."""

RELATIONS = {"<=": "≤", "<": "<", "==": "=", "!=": "≠"}
LATE = (kinds.Add, kinds.Reduce, kinds.Peak, kinds.Interference)


class Marks(ABC):
    """The pieces that a written formula is put together from; every method returns text of the language."""

    @abstractmethod
    def digits(self, decimal: str) -> str:
        """A decimal number without sign."""

    @abstractmethod
    def name(self, name: str) -> str:
        """A parameter or bound variable, in italics."""

    @abstractmethod
    def word(self, word: str) -> str:
        """Upright text such as `log` or `for`."""

    @abstractmethod
    def sign(self, sign: str) -> str:
        """An operator or punctuation: `+ − · ≤ < = ≠ , mod`."""

    @abstractmethod
    def row(self, parts: Sequence[str]) -> str:
        """Pieces one after the other."""

    @abstractmethod
    def fraction(self, top: str, bottom: str) -> str:
        """top over bottom."""

    @abstractmethod
    def script(self, base: str, below: str = "", above: str = "") -> str:
        """A base with subscript or superscript or both."""

    @abstractmethod
    def root(self, inner: str) -> str:
        """A square root."""

    @abstractmethod
    def fenced(self, left: str, inner: str, right: str) -> str:
        """inner between brackets of its height: `( ) [ ] ⌊ ⌋ ⌈ ⌉ |`."""

    @abstractmethod
    def limits(self, operator: str, below: str, above: str = "") -> str:
        """`max`, `min` or `∑` with what stands under and over it."""

    @abstractmethod
    def lines(self, rows: Sequence[str]) -> str:
        """Rows above each other, flush left."""

    def product(self, parts: Sequence[str]) -> str:
        """Factors one after the other, with a sign between those that would read as one word."""
        return self.row(parts)

    def listed(self, parts: Sequence[str]) -> str:
        """Pieces with commas between them."""
        pieces: list[str] = []
        for part in parts:
            pieces += (self.sign(","), part) if pieces else (part,)
        return self.row(pieces)

    def item(self, name: str, subscripts: Sequence[str], arguments: Sequence[str]) -> str:
        """A quantity: `t_op[p](x)` is t with the subscripts op, p and the argument x."""
        head, _, rest = name.partition("_")
        if len(head) != 1 or not rest:
            head, rest = name, ""
        below = [self.word(rest)] if rest else []
        below += subscripts
        base = self.name(head)
        symbol = self.script(base, self.listed(below)) if below else base
        return self.row([symbol, self.fenced("(", self.listed(arguments), ")")]) if arguments else symbol


class Layout:
    """The writing of one formula."""

    def __init__(self, graph: Graph, marks: Marks) -> None:
        self.graph = graph
        self.marks = marks
        self.names: dict[NodeId, str] = {}
        self.texts: dict[NodeId, tuple[str, int]] = {}

    def write(self, root: NodeId) -> str:
        """The whole text of a node. Operands have smaller numbers, so nothing recurses, however deep the formula."""
        order = self.graph.below(root)
        self.names = bound_names(self.graph, order, parameter_names(self.graph.nodes[n] for n in order))
        for node in order:
            self.texts[node] = self._node(node)
        return self.texts[root][0]

    def part(self, node: NodeId, least: int = SUM) -> str:
        """The text of an operand, in brackets if it holds together less tightly than asked for."""
        text, strength = self.texts[node]
        return self.marks.fenced("(", text, ")") if strength < least else text

    def _node(self, node: NodeId) -> tuple[str, int]:
        m = self.marks

        match self.graph.nodes[node]:
            case kinds.Const(value):
                return self._constant(value)
            case kinds.Symbol(name):
                return m.name(name), ATOM
            case kinds.Index():
                return m.name(self.names[node]), ATOM
            case kinds.Item(name, subscripts, arguments):
                return m.item(name, [self.part(s) for s in subscripts], [self.part(a) for a in arguments]), ATOM
            case kinds.Add(constant, terms):
                return self._sum(constant, terms)
            case kinds.Mul(factors):
                return self._product(1, factors)
            case kinds.Extreme(kind, rivals):
                listed = m.listed([self.part(n) for n in rivals])
                return m.row([m.word(kind), m.fenced("(", listed, ")")]), ATOM
            case kinds.Call(function, arguments):
                return self._call(function, arguments)
            case kinds.Compare(operator, left, right):
                inner = m.row([self.part(left), m.sign(RELATIONS[operator]), self.part(right)])
                return m.fenced("[", inner, "]"), ATOM
            case kinds.Reduce(kind, index, low, high, body):
                return self._reduce(kind, Binder(index, low, high), body)
            case kinds.Peak(loads, members, servers):
                return self._peak(loads, members, servers)
            case kinds.Interference(own, total, members, servers):
                return self._interference(own, total, members, servers)

    # Sums and products

    def _constant(self, value: Rational) -> tuple[str, int]:
        text = self._magnitude(_size(value))
        if value < 0:
            return self.marks.row([self.marks.sign("−"), text]), SUM
        return text, PRODUCT if scientific(_size(value)) else POWER if "/" in number(value) else ATOM

    def _magnitude(self, value: Rational) -> str:
        """A number that is not negative: a decimal if it ends, of tiny ones with a power of ten, else a fraction."""
        m, digits, tiny = self.marks, number(value), scientific(value)
        if tiny is not None:
            power = m.script(m.digits("10"), above=m.digits(str(tiny[1])))
            return m.row([m.digits(tiny[0]), m.sign("·"), power])
        if "/" not in digits:
            return m.digits(digits)
        return m.fraction(*(m.digits(part) for part in digits.split("/")))

    def _sum(self, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> tuple[str, int]:
        summands = [(c > 0, *self._term(n, _size(c))) for n, c in terms]
        if constant:
            summands.append((constant > 0, self._magnitude(_size(constant)), ATOM))
        # An indexed maximum reaches to the end of the line, so it comes last; a line does not begin with a minus
        # where it can begin without.
        summands.sort(key=lambda term: term[2] <= BIG)
        first = next((i for i, t in enumerate(summands) if t[0] and t[2] > BIG), 0)
        summands.insert(0, summands.pop(first))
        m, parts = self.marks, list[str]()
        for position, (positive, text, strength) in enumerate(summands):
            if parts or not positive:
                parts.append(m.sign("+" if positive else "−"))
            least = BIG if position == len(summands) - 1 else SIGMA
            parts.append(m.fenced("(", text, ")") if strength < least else text)

        alone = len(summands) == 1 and summands[0][0]
        return m.row(parts), summands[0][2] if alone else SUM

    def _term(self, node: NodeId, coefficient: Rational) -> tuple[str, int]:
        return self._product(coefficient, self.graph.factors(node))

    def _product(self, coefficient: Rational, factors: tuple[tuple[NodeId, int], ...]) -> tuple[str, int]:
        """coefficient × early factors over the denominators, then sums and the like, as people write: n/m (a + b)."""
        nodes = self.graph.nodes
        below = [(n, -e) for n, e in factors if e < 0]
        above = [(n, e) for n, e in factors if e > 0]
        early = [f for f in above if not isinstance(nodes[f[0]], LATE)]
        late = [f for f in above if isinstance(nodes[f[0]], LATE)]
        decimal = "/" not in number(coefficient) or scientific(coefficient) is not None
        top, bottom = (coefficient, 1) if decimal else Fraction(coefficient).as_integer_ratio()
        if below or bottom != 1:
            start = self.marks.fraction(self._times(top, early)[0], self._times(bottom, below)[0])
            return self._times(1, late, start) if late else (start, POWER)
        return self._times(top, [*early, *late])

    def _times(self, coefficient: Rational, factors: list[tuple[NodeId, int]], start: str = "") -> tuple[str, int]:
        parts = [start] if start else []
        if coefficient != 1 or not (factors or start):
            parts.append(self._magnitude(coefficient))
        alone = len(factors) == 1 and not parts
        strength = PRODUCT if len(factors) + len(parts) > 1 else ATOM
        for position, (node, exponent) in enumerate(factors):
            if exponent == 1:
                last = position == len(factors) - 1
                text = self.part(node, SUM if alone else BIG if last else PRODUCT)
                strength = self._held(node, strength, alone, last)
            else:
                text = self.marks.script(self.part(node, ATOM), above=self.marks.digits(str(exponent)))
                strength = min(strength, POWER)
            if parts and self._begins_with_digit(node):
                parts.append(self.marks.sign("·"))
            parts.append(text)

        return self.marks.product(parts), strength

    def _held(self, node: NodeId, strength: int, alone: bool, last: bool) -> int:
        """How tightly a product holds together once this factor stands in it."""
        held = self.texts[node][1]
        if alone:
            return held
        return min(strength, held) if last and held > SUM else strength

    def _begins_with_digit(self, node: NodeId) -> bool:
        form = self.graph.nodes[node]
        return (
            isinstance(form, kinds.Call) and form.function == "pow" and self.graph.value(form.operands[0]) is not None
        )

    # Functions and loops

    def _call(self, function: str, arguments: tuple[NodeId, ...]) -> tuple[str, int]:
        m, fences = self.marks, {"floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉"), "abs": ("|", "|")}
        match function:
            case "floor" | "ceil" | "abs":
                left, right = fences[function]
                return m.fenced(left, self.part(arguments[0]), right), ATOM
            case "mod":
                return m.row([self.part(arguments[0], PRODUCT), m.sign("mod"), self.part(arguments[1], PRODUCT)]), SUM
            case "pow":
                return m.script(self.part(arguments[0], ATOM), above=self.part(arguments[1])), POWER
            case "sqrt":
                return m.root(self.part(arguments[0])), ATOM
            case "log2":
                head = m.script(m.word("log"), m.digits("2"))
            case _:
                head = m.word(function)

        return m.row([head, m.fenced("(", m.listed([self.part(n) for n in arguments]), ")")]), ATOM

    def _reduce(self, kind: str, binder: Binder, body: NodeId) -> tuple[str, int]:
        m = self.marks
        if kind == "sum":
            below = m.row([self.part(binder.index), m.sign("="), self.part(binder.low)])
            return m.row([m.limits("∑", below, self.part(binder.high)), self.part(body, BIG)]), SIGMA
        return m.row([m.limits(kind, self._range(binder)), self.part(body, BIG)]), BIG

    def _range(self, binder: Binder) -> str:
        le = self.marks.sign("≤")
        return self.marks.row([self.part(binder.low), le, self.part(binder.index), le, self.part(binder.high)])

    # Resource families

    def _peak(self, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId) -> tuple[str, int]:
        """max over q of [min h + (sum of w)/m + min t | the loads (h, w, t) of each q]."""
        m, zero = self.marks, self.graph.zero
        heads, tails = any(load.head != zero for load in loads), any(load.tail != zero for load in loads)
        busy = self._shared(m.row([m.sign("∑"), m.name("w")]), servers)
        parts = [busy]
        if heads:
            parts = [m.word("min"), m.name("h"), m.sign("+"), *parts]
        if tails:
            parts += [m.sign("+"), m.word("min"), m.name("t")]
        letters = [k for k, used in (("h", heads), ("w", True), ("t", tails)) if used]
        where = [self._load(load, members, letters) for load in loads]
        return self._over_members("max", members, parts, where), BIG

    def _interference(
        self, own: tuple[Load, ...], total: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId
    ) -> tuple[str, int]:
        """sum over the q that own loads v meet of (the sum of w - the sum of v)/m, w being the loads of all."""
        m, sigma = self.marks, self.marks.sign("∑")
        rest = m.row([sigma, m.name("w"), m.sign("−"), sigma, m.name("v")])
        where = [self._load(load, members, ["v"]) for load in own]
        where += [self._load(load, members, ["w"]) for load in total]
        alone = servers == self.graph.one
        inside = [rest] if alone else [self._shared(rest, servers)]
        return self._over_members("∑", members, inside, where), SIGMA

    def _shared(self, load: str, servers: NodeId) -> str:
        return load if servers == self.graph.one else self.marks.fraction(load, self.part(servers))

    def _over_members(self, operator: str, members: tuple[NodeId, ...], parts: list[str], where: list[str]) -> str:
        m = self.marks
        inner = m.row([*parts, m.sign("|"), m.lines(where)])
        head = m.limits(operator, m.listed([self.part(q) for q in members])) if members else m.word("")
        return m.row([head, m.fenced("[", inner, "]")] if members else [m.fenced("[", inner, "]")])

    def _load(self, load: Load, members: tuple[NodeId, ...], letters: list[str]) -> str:
        """`(h, w, t) = (0, 3 a, b) for q = p, 1 <= p <= P`; a load that not every run has says `, w > 0`."""
        m = self.marks
        values = {"h": load.head, "w": load.load, "v": load.load, "t": load.tail}
        left, right = m.listed([m.name(k) for k in letters]), m.listed([self.part(values[k]) for k in letters])
        if len(letters) > 1:
            left, right = m.fenced("(", left, ")"), m.fenced("(", right, ")")
        conditions = [
            m.row([self.part(q), m.sign("="), self.part(s)]) for q, s in zip(members, load.subscripts, strict=False)
        ]
        conditions += [self._range(b) for b in load.binders]
        if not load.certain and "w" in letters and len(letters) > 1:
            conditions.append(m.row([m.name("w"), m.sign(">"), m.digits("0")]))

        equation = [left, m.sign("="), right]
        return m.row([*equation, m.word(" for "), m.listed(conditions)] if conditions else equation)


def _size(value: Rational) -> Rational:
    return -value if value < 0 else value
