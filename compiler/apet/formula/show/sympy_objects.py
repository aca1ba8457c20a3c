"""What formulas need of sympy that sympy does not have: machine quantities, indexed maxima, resource families."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.symbol import Str

MOST_COMPARED = 6
"""sympy compares the operands of a maximum pairwise and slowly; above this number they are left as they are."""


def as_number(value: Any) -> Any:
    """An int, a fraction or a float as sympy's number, a sympy object as it is; text is refused, never evaluated."""
    if isinstance(value, sympy.Basic):
        return value
    if isinstance(value, int | Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, float):
        return sympy.Float(value)
    raise TypeError(f"{value!r} is no number")


class Quantity(sympy.Expr):  # type: ignore[misc]
    """A machine quantity `name[subscripts](arguments)`: real, never negative; `share` and `cores` are whole."""

    is_commutative = True
    is_real = True
    is_nonnegative = True
    _diff_wrt = True

    def __new__(cls, name: Any, subscripts: Any = (), arguments: Any = ()) -> Quantity:
        label = name if isinstance(name, Str) else Str(name)
        return super().__new__(cls, label, sympy.Tuple(*subscripts), sympy.Tuple(*arguments))  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """`t_mpy_double`."""
        return str(self.args[0].name)

    @property
    def subscripts(self) -> tuple[Any, ...]:
        """What stands in the square brackets."""
        return tuple(self.args[1])

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What stands in the round brackets."""
        return tuple(self.args[2])

    def _eval_is_integer(self) -> bool | None:
        return True if self.name in ("share", "cores") else None

    def _eval_derivative(self, symbol: Any) -> Any:
        if self == symbol:
            return sympy.S.One
        return sympy.Derivative(self, symbol) if symbol in self.free_symbols else sympy.S.Zero

    def _sympystr(self, printer: Any) -> str:
        below = f"[{printer.stringify(self.subscripts, ', ')}]" if self.subscripts else ""
        inside = f"({printer.stringify(self.arguments, ', ')})" if self.arguments else ""
        return self.name + below + inside

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        from apet.formula.show.latex import LatexMarks

        subscripts, arguments = ([printer._print(a) for a in part] for part in (self.subscripts, self.arguments))
        text = LatexMarks().item(self.name, subscripts, arguments)
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


class Iverson(sympy.Expr):  # type: ignore[misc]
    """`Iverson("<=", a, b)`: 1 where a <= b, else 0; also `<`, `==`, `!=`. Rewritten as a `Piecewise` on request.

    sympy's own `Piecewise` solves its conditions when it is made, which takes long and may fail for floors and moduli.
    """

    relations: ClassVar[dict[str, Any]] = {"<=": sympy.Le, "<": sympy.Lt, "==": sympy.Eq, "!=": sympy.Ne}
    is_number = False
    is_commutative = True
    is_integer = True
    is_nonnegative = True

    def __new__(cls, operator: Any, left: Any, right: Any) -> Any:
        left, right = as_number(left), as_number(right)
        label = operator if isinstance(operator, Str) else Str(operator)
        if _is_known(left) and _is_known(right):
            holds = cls.relations[label.name](left, right)
            if holds in (sympy.true, sympy.false):
                return sympy.Integer(bool(holds))
        return super().__new__(cls, label, left, right)

    def doit(self, **hints: Any) -> sympy.Expr:
        """1 or 0 where both sides are numbers."""
        return self.func(self.args[0], *(side.doit(**hints) for side in self.args[1:]))

    def _eval_derivative(self, symbol: Any) -> Any:
        return sympy.S.Zero  # constant except where the comparison changes

    def _eval_rewrite_as_Piecewise(self, operator: Any, left: Any, right: Any, **hints: Any) -> Any:
        return sympy.Piecewise((1, self.relations[operator.name](left, right)), (0, True))

    def _sympystr(self, printer: Any) -> str:
        return f"[{printer._print(self.args[1])} {self.args[0].name} {printer._print(self.args[2])}]"

    def _latex(self, printer: Any) -> str:
        sign = {"<=": r"\le", "==": "=", "!=": r"\ne"}.get(self.args[0].name, "<")
        return rf"\left[{printer._print(self.args[1])} {sign} {printer._print(self.args[2])}\right]"


class IndexedMax(ExprWithLimits):  # type: ignore[misc]
    """`IndexedMax(body, (p, 1, P))`: the greatest body over whole p in 1..P; 0 over an empty range (costs are >= 0)."""

    kind = "max"
    is_number = False  # until it is done; sympy takes what is a number for comparable
    is_commutative = True
    is_real: bool | None = True

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.kind == "max" or self.function.is_nonnegative else None

    def doit(self, **hints: Any) -> sympy.Expr:
        """Evaluated where the ends of the range are numbers."""
        body, limits = self.function, [list(limit) for limit in self.limits]
        if hints.get("deep", True):
            limits = [[index, *[end.doit(**hints) for end in ends]] for index, *ends in limits]
        index, low, high = limits[-1]
        if not (_is_known(low) and _is_known(high)):
            return self.func(body, *limits)
        inner = self.func(body, *limits[:-1]) if limits[:-1] else body
        rounds = range(int(sympy.ceiling(low)), int(sympy.floor(high)) + 1)
        values = [inner.subs(index, i).doit(**hints) for i in rounds]
        return _greatest([sympy.S.Zero, *values]) if self.kind == "max" else _least(values)

    def _eval_evalf(self, prec: int) -> Any:
        evaluated = self.doit()
        return evaluated if evaluated.has(IndexedMax) else evaluated._eval_evalf(prec)

    def _eval_derivative(self, symbol: Any) -> Any:
        return _kept_derivative(self, symbol)

    def _eval_subs(self, old: Any, new: Any) -> Any:
        """Bound variables stand for nothing outside, and what is put in is not bound by accident."""
        if old in self.bound_symbols:
            return self
        met = set(self.bound_symbols) & new.free_symbols
        if not met:
            return super()._eval_subs(old, new)
        return self.xreplace({s: sympy.Dummy(s.name, **s.assumptions0) for s in met}).subs(old, new)

    def _sympystr(self, printer: Any) -> str:
        text: str = printer._print(self.function)
        for index, low, high in self.limits:
            text = f"{self.kind}_{{{'<='.join(printer._print(e) for e in (low, index, high))}}}({text})"
        return text

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = printer._print(self.function)
        for index, low, high in self.limits:
            span = r" \le ".join(printer._print(e) for e in (low, index, high))
            text = rf"\{self.kind}_{{{span}}}\left({text}\right)"
        return text if exp is None else rf"\left({text}\right)^{{{exp}}}"


class IndexedMin(IndexedMax):
    """`IndexedMin(body, (p, 1, P))`: the least body over whole p in 1..P; infinite over an empty range."""

    kind = "min"
    is_real = None


class _Family(sympy.Expr):  # type: ignore[misc]
    """What resource families share. Loads are tuples (binders, subscripts, load, head, tail, certain)."""

    is_number = False
    is_commutative = True
    is_real = True
    is_nonnegative = True

    @property
    def bound_symbols(self) -> set[Any]:
        """The variables of the loads and those that stand for the member."""
        return {binder[0] for load in self._all_loads() for binder in load[0]}.union(self.args[-2])

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols that the value depends on."""
        return {s for arg in self.args for s in arg.free_symbols} - self.bound_symbols

    def _all_loads(self) -> tuple[Any, ...]:
        return tuple(load for loads in self.args[:-2] for load in loads)

    def _gathered(self, loads: Any, hints: dict[str, Any]) -> dict[tuple[Any, ...], list[Any]] | None:
        """Per member: total load, least head, least tail, whether it is used in every run; None while unknown."""
        uses: dict[tuple[Any, ...], list[Any]] = {}
        for load in loads:
            for values in _run(load[0], hints):
                if values is None:
                    return None
                member = tuple(_put(s, values, hints) for s in load[1])
                if not all(_is_known(s) for s in member):
                    return None
                parts = [_put(part, values, hints) for part in load[2:5]]
                old = uses.get(member, [sympy.S.Zero, sympy.oo, sympy.oo, False])
                use = [old[0] + parts[0], _least([old[1], parts[1]]), _least([old[2], parts[2]])]
                uses[member] = [*use, old[3] or bool(load[5])]

        return uses

    def _servers(self, member: tuple[Any, ...], hints: dict[str, Any]) -> Any:
        return _put(self.args[-1], dict(zip(self.args[-2], member, strict=True)), hints)

    def _eval_subs(self, old: Any, new: Any) -> Any:
        return self if old in self.bound_symbols else None

    def _eval_derivative(self, symbol: Any) -> Any:
        return _kept_derivative(self, symbol)

    def _eval_evalf(self, prec: int) -> Any:
        evaluated = self.doit()
        return evaluated if evaluated.has(_Family) else evaluated._eval_evalf(prec)

    def _shown(self, loads: Any, printer: Any) -> str:
        return "; ".join(_load_shown(load, printer) for load in loads)


class PeakLoad(_Family):
    """`PeakLoad(loads, members, servers)`: over the members, greatest least head + load / servers + least tail."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Evaluated where ranges and subscripts are numbers."""
        uses = self._gathered(self.args[0], hints)
        if uses is None:
            return self
        values = [sympy.S.Zero]
        for member, (load, head, tail, certain) in uses.items():
            value = head + load / self._servers(member, hints) + tail
            values.append(value if certain else Iverson("<", sympy.S.Zero, load) * value)
        return _greatest(values)

    def _sympystr(self, printer: Any) -> str:
        return f"peak({self._shown(self.args[0], printer)})/{printer.parenthesize(self.args[-1], 100)}"

    def _latex(self, printer: Any) -> str:
        inside = _loads_latex(self.args[0], printer)
        return rf"\operatorname{{peak}}\left({inside}\right)_{{{printer._print(self.args[-1])}}}"


class OtherLoad(_Family):
    """`OtherLoad(own, all, members, servers)`: the sum over members that own meets of (all - own) / servers."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Evaluated where ranges and subscripts are numbers."""
        own, everyone = (self._gathered(loads, hints) for loads in self.args[:2])
        if own is None or everyone is None:
            return self
        met = [m for m in own if m in everyone]
        return sympy.Add(*((everyone[m][0] - own[m][0]) / self._servers(m, hints) for m in met))

    def _sympystr(self, printer: Any) -> str:
        inside = " | ".join(self._shown(loads, printer) for loads in self.args[:2])
        return f"others({inside})/{printer.parenthesize(self.args[-1], 100)}"

    def _latex(self, printer: Any) -> str:
        inside = r"\mid ".join(_loads_latex(loads, printer) for loads in self.args[:2])
        return rf"\operatorname{{others}}\left({inside}\right)_{{{printer._print(self.args[-1])}}}"


def _is_known(value: Any) -> bool:
    return bool(value.is_number) and not value.has(Quantity)


def _put(part: Any, values: dict[Any, Any], hints: dict[str, Any]) -> Any:
    return part.subs(values, simultaneous=True).doit(**hints) if values else part.doit(**hints)


def _run(binders: Any, hints: dict[str, Any]) -> Iterator[dict[Any, Any] | None]:
    """The values of the bound variables, one after the other; None where a range is not known."""
    if not binders:
        yield {}
        return
    (index, low, high), rest = binders[0], binders[1:]
    low, high = low.doit(**hints), high.doit(**hints)
    if not (_is_known(low) and _is_known(high)):
        yield None
        return

    for i in range(int(sympy.ceiling(low)), int(sympy.floor(high)) + 1):
        inner = [sympy.Tuple(b[0], b[1].subs(index, i), b[2].subs(index, i)) for b in rest]
        for values in _run(inner, hints):
            yield None if values is None else {index: sympy.Integer(i), **values}


def _greatest(values: list[Any]) -> sympy.Expr:
    return _extreme(sympy.Max, values)


def _least(values: list[Any]) -> sympy.Expr:
    return _extreme(sympy.Min, values)


def _extreme(choose: Any, values: list[Any]) -> sympy.Expr:
    """Numbers are compared at once; other operands only where they are few."""
    distinct = list(dict.fromkeys(values))
    numbers = [v for v in distinct if v.is_Number]
    others = [v for v in distinct if not v.is_Number]
    candidates = [choose(*numbers), *others] if numbers else others
    if len(candidates) == 1:
        return candidates[0]
    return choose(*candidates, evaluate=len(candidates) <= MOST_COMPARED) if candidates else choose()


def _kept_derivative(expression: Any, symbol: Any) -> Any:
    """The derivative, left as it stands while the range is not known: it has no simpler form then."""
    if symbol not in expression.free_symbols:
        return sympy.S.Zero
    evaluated = expression.doit()
    if not evaluated.has(type(expression)):
        return evaluated.diff(symbol)
    return sympy.Derivative(expression, symbol, evaluate=False)


def _load_shown(load: Any, printer: Any) -> str:
    member = f"[{printer.stringify(load[1], ', ')}] " if load[1] else ""
    parts = load[2:5] if load[3] != 0 or load[4] != 0 else load[2:3]
    text = " | ".join(printer._print(p) for p in ((load[3], load[2], load[4]) if len(parts) > 1 else parts))
    ranges = "".join(f", {'<='.join(printer._print(e) for e in (b[1], b[0], b[2]))}" for b in load[0])
    return member + text + ranges


def _loads_latex(loads: Any, printer: Any) -> str:
    members = (", ".join(printer._print(s) for s in load[1]) for load in loads)
    return r";\; ".join(rf"[{m}]\; {printer._print(load[2])}" for m, load in zip(members, loads, strict=True))
