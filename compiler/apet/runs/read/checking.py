"""Numbers of runs, checked; errors are collected with their places."""

from __future__ import annotations

import math
from collections.abc import Callable

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.runs import errors

Place = Callable[[], Span | None]
MOST_SHOWN = 20
LEAST, MOST = 1e-18, 1e18


class Checker:
    """Collects the errors of one file; wrong numbers are replaced, so that one run finds them all."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.errors: list[Diagnostic] = []

    def positive(self, value: object, what: str, place: Place) -> float:
        """A finite number above 0; else 1, with a note."""
        number = self.number(value, what, place)
        return 1.0 if number is None or self._refuses(number, what, place, above=True) else number

    def not_negative(self, value: object, what: str, place: Place) -> float:
        """A finite number of 0 or more; else 0, with a note."""
        number = self.number(value, what, place)
        return 0.0 if number is None or self._refuses(number, what, place, above=False) else number

    def _refuses(self, number: float, what: str, place: Place, above: bool) -> bool:
        if number < 0 or (above and number == 0):
            self.errors.append(errors.NotPositive(self.source, place(), what, f"{number:.6g}"))
            return True
        if number > MOST or (above and number < LEAST):
            self.errors.append(errors.BeyondMeasuring(self.source, place(), what, f"{number:.6g}"))
            return True
        return False

    def number(self, value: object, what: str, place: Place) -> float | None:
        """A finite number, or None with a note."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if math.isfinite(number):
                return number

        if value is None:
            self.errors.append(errors.Missing(self.source, place(), what))
            return None
        self.errors.append(errors.NotATime(self.source, place(), what, _shown(value)))
        return None

    def finish(self) -> None:
        """Raise the first errors, in the order of the text; return if there is none."""
        if self.errors:
            ordered = sorted(self.errors, key=lambda d: d.span.start if d.span else -1)
            raise ApetError(ordered[:MOST_SHOWN])


def _shown(value: object) -> str:
    text = f"'{value}'" if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
