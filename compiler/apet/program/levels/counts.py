"""Counts of unit operations with their weights, and how a weighted count is written."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from apet.model import terms
from apet.program.algebra import ZERO, Value, apply, as_value, quotient
from apet.program.ir import CodeBranch, Items, Op, Weighted
from apet.program.levels.flat import repeated, sequence, step, weighed
from apet.program.levels.units import ISSUE, demand, is_library

Counts = dict[str, dict[str, Value]]
"""By unit, by operation: how often in one run of a section."""


def count(items: Items, free: frozenset[int], control: bool) -> Counts:
    """What straight code asks of the units. Control of a loop is free where the loop is unrolled."""
    counter = _Counter(free, control)
    counter.items(items, as_value(1))
    return counter.counts


class _Counter:
    def __init__(self, free: frozenset[int], control: bool) -> None:
        self.free = free
        self.control = control
        self.counts: Counts = {}

    def add(self, unit: str, name: str, weight: Value) -> None:
        """So many operations of a unit."""
        inside = self.counts.setdefault(unit, {})
        inside[name] = inside.get(name, ZERO) + weight

    def items(self, items: Items, weight: Value) -> None:
        """Straight items, each so often."""
        for item in items:
            if isinstance(item, CodeBranch):
                self.jump(item, weight)
                self.items(item.then, weight * item.probability)
                self.items(item.otherwise, weight * (1 - item.probability))
            elif isinstance(item, Weighted):
                self.items(item.body, weight * item.probability)
            elif isinstance(item, Op):
                self.operation(item, weight)

    def jump(self, branch: CodeBranch, weight: Value) -> None:
        """What asking a condition takes, and going one way or the other."""
        self.add("branch", "tp_branch", weight)
        if branch.condition is None:
            self.add(ISSUE, "tp_issue", weight)
        elif branch.condition.on_class and not branch.condition.indirect:
            # The class of the object is loaded and compared.
            for unit, name in (("load", "tp_load_int"), ("alu", "tp_compare_int")):
                self.add(unit, name, weight)
                self.add(ISSUE, "tp_issue", weight)

        if branch.condition is None or not branch.condition.predictable:
            rarer = apply("min", branch.probability, 1 - branch.probability)
            self.add("branch", "lat_sum_int", weight * rarer * 2)

    def operation(self, op: Op, weight: Value) -> None:
        """What one operation asks of the units; subscripts are checked in front of a loop."""
        if (op.control and not self.control) or op.result in self.free or is_library(op):
            return
        unit_demand = demand(op)
        if not unit_demand.unit:
            return

        self.add(unit_demand.unit, unit_demand.throughput, weight)
        self.add(ISSUE, "tp_issue", weight * unit_demand.slots)
        if op.name == "compare" and op.control:
            self.add("branch", "tp_branch", weight)


def written(counts: Mapping[str, Value]) -> list[terms.Process]:
    """Weighted counts as processes: whole ones repeat, the rest are branches with that probability."""
    return [p for name, weight in counts.items() for p in one_written(name, weight)]


@lru_cache(maxsize=4096)  # the same few in all loops; what is shared is also printed once
def one_written(name: str, weight: Value) -> tuple[terms.Process, ...]:
    """One operation so often, on average."""
    constant = ZERO
    parts: list[tuple[int, Value]] = []
    for monomial, factor in weight.terms:
        if not monomial:
            constant = constant + factor
            continue
        one = Value(((monomial, max(factor, -factor)),))
        whole = math.ceil(one.greatest)
        constant = constant - whole if factor < 0 else constant
        parts.append((whole, 1 - quotient(one, whole) if factor < 0 else quotient(one, whole)))

    number = constant.constant or 0
    if number < 0:
        most = sum(n for n, _ in parts)
        return tuple(_times(most, weighed(quotient(weight, most), [step(name)], [])))

    processes = _times(int(number), [step(name)])
    if number != int(number):
        processes += weighed(as_value(number - int(number)), [step(name)], [])
    for many, probability in parts:
        processes += _times(many, weighed(probability, [step(name)], []))
    return tuple(processes)


def _times(many: int, body: list[terms.Process]) -> list[terms.Process]:
    if many <= 2:
        return body * many
    return repeated("k", as_value(1), as_value(many), body)


def held(unit: str, inside: list[terms.Process]) -> terms.Process:
    """A unit of processor p, held for what it does."""
    where = terms.Invoke(unit, (terms.Name("p", inside[0].span),), None, inside[0].span)
    return terms.Use(where, sequence(inside), inside[0].span)
