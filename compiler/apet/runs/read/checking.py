"""Numbers of runs, checked, with what is wrong noted at its place."""

from __future__ import annotations

import math
from collections.abc import Callable

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.runs.read import errors

Place = Callable[[], Span | None]
MOST_SHOWN = 20
LEAST, MOST = 1e-18, 1e18


class Checker:
    """Collects the mistakes of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []

    def positive(self, value: object, what: str, place: Place) -> float:
        """A finite number above 0; else 1, with a note."""
        number = self.number(value, what, place)
        if number is not None and number <= 0:
            self.found.append(errors.NotPositive(self.source, place(), what, f"{number:.6g}"))
            return 1.0
        if number is not None and not LEAST <= number <= MOST:
            self.found.append(errors.OutOfRange(self.source, place(), what, f"{number:.6g}"))
            return 1.0
        return 1.0 if number is None else number

    def not_negative(self, value: object, what: str, place: Place) -> float:
        """A finite number of 0 or more; else 0, with a note."""
        number = self.number(value, what, place)
        if number is not None and number < 0:
            self.found.append(errors.NotPositive(self.source, place(), what, f"{number:.6g}"))
            return 0.0
        if number is not None and number > MOST:
            self.found.append(errors.OutOfRange(self.source, place(), what, f"{number:.6g}"))
            return 0.0
        return 0.0 if number is None else number

    def number(self, value: object, what: str, place: Place) -> float | None:
        """A finite number, or None with a note."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                found = float(value)
            except OverflowError:
                found = math.inf
            if math.isfinite(found):
                return found
        if value is None:
            self.found.append(errors.Missing(self.source, place(), what))
            return None
        self.found.append(errors.NotANumber(self.source, place(), what, _shown(value)))
        return None

    def finish(self) -> None:
        """Raise the first mistakes, in the order of the text; return if there is none."""
        if self.found:
            ordered = sorted(self.found, key=lambda d: d.span.start if d.span else -1)
            raise ApetError(ordered[:MOST_SHOWN])


def _shown(value: object) -> str:
    text = f"'{value}'" if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "..."
