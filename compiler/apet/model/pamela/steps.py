"""Loops with steps as loops over their rounds: `seq (i = 2, n, 3) a` is `seq (i = 0, floor((n - 2) / 3)) a` with
2 + 3 i in place of i."""

from __future__ import annotations

from apet.model.putting_in import NEW, PuttingIn, Values
from apet.model.terms import Binary, Expression, Invoke, Loop, Name, Number, Process, SumOver
from apet.model.walk import names_in


def stepped_loop(loop: Loop[Process], step: Expression) -> Loop[Process]:
    """A loop over the rounds of one with a step."""
    rounds, index, value = _rounds(loop, step)
    body = _Indices().process(loop.body, {loop.index: value})
    return loop._replace(index=index, low=Number(0, "", loop.low.span), high=rounds, body=body)


def stepped_sum(total: SumOver, step: Expression) -> SumOver:
    """A sum over the rounds of one with a step."""
    rounds, index, value = _rounds(total, step)
    body = _Indices().expression(total.body, {total.index: value})
    return total._replace(index=index, low=Number(0, "", total.low.span), high=rounds, body=body)


class _Indices(PuttingIn):
    """Puts in `low + index * step` so that the index stands where it stood."""

    def name(self, name: Name, values: Values) -> Expression:
        value = values.get(name.name)
        if not isinstance(value, Binary):
            return super().name(name, values)
        product, span = value.right, name.span
        assert isinstance(product, Binary)
        assert isinstance(product.left, Name)
        return value._replace(right=product._replace(left=product.left._replace(span=span), span=span), span=span)


def _rounds(loop: Loop[Process] | SumOver, step: Expression) -> tuple[Expression, str, Binary]:
    """The number of the last round, the index that counts them from 0, and the value of the loop's own index."""
    low, span, index = loop.low, step.span, loop.index
    distance = Binary("-", loop.high, low, span)
    last = Invoke("floor", None, (Binary("/", distance, step, span),), span)
    while index in (*names_in(low), *names_in(step)):
        index += NEW
    return last, index, Binary("+", low, Binary("*", Name(index, span), step, span), span)
