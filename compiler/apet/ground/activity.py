"""What is being done now: read by the line that shows progress, and by the message of a limit that ends the work.

A long loop enters its activity once, `for n in activity.over(values, "scanning n", "values")`, or names its own
counter, `with Activity("simulating", "events", lambda: engine.events)`. Activities nest; the last one is the innermost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from operator import length_hint
from typing import Self, TypeVar

T = TypeVar("T")
MOST_LISTED = 3
MANY, PORTION = 10_000, 1_000
"""From so many items on, a loop within another one is an activity of its own, in which so many are counted at once."""


class Activity:
    """One thing that is done, with how much of it is done; a context."""

    __slots__ = ("advice", "count", "done", "unit", "what", "whole")

    def __init__(
        self,
        what: str,
        unit: str = "",
        count: Callable[[], int] | None = None,
        *,
        whole: int | None = None,
        advice: str = "",
    ) -> None:
        self.what, self.unit, self.count, self.whole, self.advice = what, unit, count, whole, advice
        self.done = 0

    @property
    def part(self) -> float | None:
        """How much of it is done, from 0 to 1; None where nobody knows."""
        return min(self._counted() / self.whole, 1.0) if self.whole else None

    def __str__(self) -> str:
        counted = self._counted()
        if self.whole:
            return f"{self.what}: {counted:,} of {self.whole:,} {self.unit}".rstrip()
        return f"{self.what}: {counted:,} {self.unit}" if counted and self.unit else self.what

    def _counted(self) -> int:
        return self.done if self.count is None else self.count()

    def __enter__(self) -> Self:
        _stack.append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> None:
        if isinstance(error, MemoryError) and not hasattr(error, "__notes__"):
            error.add_note(description())  # whoever reports it comes when nothing is being done any more
        if self in _stack:
            del _stack[_stack.index(self) :]


_stack: list[Activity] = []
_reported = Activity("", "%", whole=100)


def over(items: Iterable[T], what: str, unit: str, advice: str = "") -> Iterator[T]:
    """The items, while an activity counts them."""
    with Activity(what, unit, whole=length_hint(items) or None, advice=advice) as activity:
        for activity.done, item in enumerate(items):
            yield item


def over_many(items: Collection[T], what: str, unit: str, advice: str = "") -> Iterable[T]:
    """As `over` from `MANY` items on; fewer cost nothing, and so nearly does each of more."""
    return chain.from_iterable(_portions(items, what, unit, advice)) if len(items) >= MANY else items


def _portions(items: Collection[T], what: str, unit: str, advice: str) -> Iterator[Iterable[T]]:
    left = iter(items)
    with Activity(what, unit, whole=len(items), advice=advice) as activity:
        for activity.done in range(0, len(items), PORTION):
            yield islice(left, PORTION)


def report(what: str, part: float) -> None:
    """Take up what a work says about itself: what runs, and how much of all is done, from 0 to 1."""
    _reported.__exit__(None, None, None)
    if part < 1:
        _reported.what, _reported.done = what, round(100 * part)
        _reported.__enter__()


@contextmanager
def of_one_call() -> Iterator[None]:
    """What a command is doing ends with it: a work that failed never says that its last report is over."""
    outer = len(_stack)
    try:
        yield
    finally:
        del _stack[outer:]


def innermost() -> Activity | None:
    """The activity entered last that knows how much of it is done, else the last one; None where there is none."""
    return next((a for a in reversed(_stack) if a.whole), _stack[-1] if _stack else None)


def description() -> str:
    """What is being done, outer things first; empty where nothing is."""
    return ", ".join(map(str, _stack[-MOST_LISTED:]))


def advice() -> str:
    """What makes the work smaller, of the innermost activity that knows it."""
    return next((a.advice for a in reversed(_stack) if a.advice), "")
