"""A quantity that the machine model does not have, for as long as it is not needed."""

from __future__ import annotations

from typing import Any


class Undefined:
    """Stands for the value of `t_w[0]` where there is no processor 0.

    Closed forms of a loop that turns out to be empty may mention members that do not exist, times 0. So the error is
    kept until it reaches a result: like infinity it wins every maximum and loses every minimum; 0 times it is 0, and 0
    divided by it.
    """

    __slots__ = ("error",)

    def __init__(self, error: LookupError) -> None:
        self.error = error

    def _kept(self, *_: object) -> Undefined:
        return self

    def _product(self, other: Any) -> Any:
        return 0 if not isinstance(other, Undefined) and other == 0 else self

    __add__ = __radd__ = __sub__ = __rsub__ = __truediv__ = __pow__ = __rpow__ = _kept
    __mod__ = __rmod__ = __floor__ = __ceil__ = __abs__ = __neg__ = _kept
    __mul__ = __rmul__ = __rtruediv__ = _product

    def __gt__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    __ge__ = __gt__
    __le__ = __lt__


NO_MINIMUM = Undefined(LookupError("the minimum over an empty range"))
"""What an empty minimum is until it turns out not to be needed: infinite, but 0 times it is 0."""


def defined(value: Any) -> Any:
    """The value itself; the kept `LookupError` if there is none."""
    if isinstance(value, Undefined):
        raise value.error
    return value
