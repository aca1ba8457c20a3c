"""What has no value, for as long as it is not needed: a quantity that the machine model lacks, 1/0, log(0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Undefined:
    """Stands for the value of `t_w[0]` where there is no processor 0, or of 1/(i - 1) where i is 1.

    Formulas may mention what no run needs, times 0: a member in a loop that turns out to be empty, a time that a
    condition guards. So the error is kept until it reaches a result: like infinity it wins every maximum and loses
    every minimum; 0 times it is 0, and 0 divided by it.

    `amounts` has how often each thing without value is in it, besides the number `plain`: 3 t_w[0] - 3 t_w[0] is 0
    again, which is what t_w[0] (1 - [p == 0]) is when it is multiplied out.
    """

    __slots__ = ("amounts", "error", "plain")

    def __init__(self, error: Exception, amounts: Mapping[object, Any] | None = None, plain: Any = 0) -> None:
        self.error = error
        self.amounts = {object(): 1} if amounts is None else amounts
        self.plain = plain

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Undefined):
            return Undefined(self.error, self.amounts, self.plain + other)

        amounts = dict(self.amounts)
        for thing, amount in other.amounts.items():
            amounts[thing] = amounts.get(thing, 0) + amount
        amounts = {thing: amount for thing, amount in amounts.items() if amount != 0}
        plain = self.plain + other.plain
        return Undefined(self.error, amounts, plain) if amounts else plain

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Undefined):
            return self.unlike()
        if other == 0:
            return 0
        return Undefined(self.error, {thing: n * other for thing, n in self.amounts.items()}, self.plain * other)

    def __rtruediv__(self, other: Any) -> Any:
        return 0 if other == 0 else self.unlike()

    def unlike(self, *_: object) -> Undefined:
        """Something else without value, for the same reason."""
        return Undefined(self.error)

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__
    __truediv__ = __pow__ = __rpow__ = __mod__ = __rmod__ = __floor__ = __ceil__ = __abs__ = unlike

    def __gt__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    __ge__ = __gt__
    __le__ = __lt__


NO_MINIMUM = Undefined(LookupError("the minimum over an empty range"))
"""What an empty minimum is until it turns out not to be needed: infinite, but 0 times it is 0."""


def defined(value: Any) -> Any:
    """The value itself; the kept error if there is none."""
    if isinstance(value, Undefined):
        raise value.error
    return value


def none_of(*values: Any) -> Any:
    """The first of some values that is undefined; None where all are defined."""
    for value in values:
        if isinstance(value, Undefined):
            return value
    return None
