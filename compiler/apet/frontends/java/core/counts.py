"""Counts of unit operations with their weights, and how a weighted count is written."""

from __future__ import annotations

from collections.abc import Mapping

from apet.frontends.java.algebra import ZERO, Value, as_value, expression, quotient
from apet.frontends.java.core.units import ISSUE, demand, is_library
from apet.frontends.java.flat import repeated, sequence, step, weighed
from apet.frontends.java.ir import Branch, Items, Op, Weighted
from apet.model import terms

Counts = dict[str, dict[str, Value]]
"""By unit, by operation: how often in one run of a section."""


def count(items: Items, free: frozenset[int], uncounted: bool, control: bool) -> Counts:
    """What straight code asks of the units. Control of a loop is free where the loop is unrolled; a loop that does not
    count checks every subscript."""
    found: Counts = {}
    _count(items, as_value(1), found, free, uncounted, control)
    return found


def _add(found: Counts, unit: str, name: str, weight: Value) -> None:
    inside = found.setdefault(unit, {})
    inside[name] = inside.get(name, ZERO) + weight


def _count(items: Items, weight: Value, found: Counts, free: frozenset[int], uncounted: bool, control: bool) -> None:
    for item in items:
        if isinstance(item, Branch):
            _add(found, "branch", "tp_branch", weight)
            _add(found, ISSUE, "tp_issue", weight)
            _count(item.then, weight * item.probability, found, free, uncounted, control)
            _count(item.otherwise, weight * (1 - item.probability), found, free, uncounted, control)
        elif isinstance(item, Weighted):
            _count(item.body, weight * item.probability, found, free, uncounted, control)
        elif isinstance(item, Op):
            _operation(item, weight, found, free, uncounted, control)


def _operation(op: Op, weight: Value, found: Counts, free: frozenset[int], uncounted: bool, control: bool) -> None:
    if (op.control and not control) or op.result in free or is_library(op):
        return
    asked = demand(op)
    if not asked.unit:
        return
    _add(found, asked.unit, asked.throughput, weight)
    _add(found, ISSUE, "tp_issue", weight * asked.slots)
    if op.name == "compare" and op.control:
        _add(found, "branch", "tp_branch", weight)
        _add(found, ISSUE, "tp_issue", weight)
    if op.memory is not None and (uncounted or op.memory.gathered):
        _add(found, "alu", "tp_compare_int", weight)
        _add(found, "branch", "tp_branch", weight)
        _add(found, ISSUE, "tp_issue", weight * 2)


def written(counts: Mapping[str, Value]) -> list[terms.Process]:
    """Weighted counts as processes: whole ones repeat, the rest are branches with that probability."""
    return [p for name, weight in counts.items() for p in one_written(name, weight)]


def one_written(name: str, weight: Value) -> list[terms.Process]:
    """One operation so often, on average."""
    constant = ZERO
    parts: list[tuple[int, Value]] = []
    for monomial, factor in weight.terms:
        one = Value(((monomial, abs(factor)),))
        if not monomial:
            constant = constant + factor
        elif factor < 0:
            whole = -(-abs(factor).numerator // abs(factor).denominator)
            constant = constant - whole
            parts.append((whole, 1 - quotient(one, whole)))
        else:
            whole = -(-factor.numerator // factor.denominator)
            parts.append((whole, quotient(one, whole)))
    number = constant.constant or 0
    if number < 0:
        most = sum(n for n, _ in parts)
        return _times(most, weighed(quotient(weight, most), [step(name)], []))
    found = _times(int(number), [step(name)])
    if number != int(number):
        found += weighed(as_value(number - int(number)), [step(name)], [])
    for many, probability in parts:
        found += _times(many, weighed(probability, [step(name)], []))
    return found


def _times(many: int, body: list[terms.Process]) -> list[terms.Process]:
    if many <= 2:
        return body * many
    return repeated("k", as_value(1), as_value(many), body)


def held(unit: str, inside: list[terms.Process]) -> terms.Process:
    """A unit of processor p, held for what it does."""
    where = terms.Invoke(unit, (terms.Name("p", inside[0].span),), None, inside[0].span)
    return terms.Use(where, sequence(inside), inside[0].span)


def probability(value: Value) -> terms.Expression:
    """A weight as an expression."""
    return expression(value)
