"""What becomes of one method: its translation, what `apet check` finds in it, and a prediction with all values set."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import apet
from apet.cost import Application
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate
from apet.machine import Machines
from apet.model.names import PROCESSORS
from apet.program.translation import Translation

PREDICTED, REFUSED = "predicted", "refused"
BROKEN = ("broken: crash", "broken: does not pass check", "broken: no prediction", "broken: too slow")
"""What breaks the law that a translation compiles, and predicts once every parameter has a value."""
SHARE, SIZE = 0.25, 8
LONGEST = 4_000_000
"""Characters of the largest model: what follows from the bound on operations."""


class Outcome(NamedTuple):
    """How far a method came, and the first line of the reason where it is not `predicted`."""

    kind: str
    reason: str = ""


class TooLate(Exception):
    """A method that took longer than its share of time."""


def outcome(
    source: Source, entry: str, level: str, machines: Machines, parser: str = "auto", resolved: bool = False
) -> Outcome:
    """Translate, check and predict one method; never raises but for `TooLate` and what ends the process."""
    try:
        translation = translate(source, entry, level, parser, resolved=resolved)
    except ApetError as error:
        return Outcome(REFUSED, _first(error))
    except TooLate:
        return Outcome(BROKEN[3], "while it was translated")
    except Exception as error:
        return Outcome(BROKEN[0], f"{type(error).__name__}: {error}")
    if len(translation.text) > LONGEST:
        return Outcome(BROKEN[3], f"{len(translation.text):,} characters")
    return _predicted(translation, machines)


def _predicted(translation: Translation, machines: Machines) -> Outcome:
    stage = BROKEN[1]
    try:
        with paused_collector():
            app = apet.compile_text(translation.text)
        stage = BROKEN[2]
        apet.predict(app, machines, 1, values=values_for_all(app))
    except ApetError as error:
        return Outcome(stage, _first(error))
    except TooLate:
        return Outcome(BROKEN[3], "while it was compiled" if stage == BROKEN[1] else "while it was predicted")
    except Exception as error:
        return Outcome(BROKEN[0], f"{type(error).__name__}: {error}")
    return Outcome(PREDICTED)


def values_for_all(app: Application) -> dict[str, float]:
    """A value for every parameter that has none: a share for what lies in [0, 1], else a size."""
    declared = app.model.parameters
    missing = [p for p in declared.values() if p.value is None and p.name != PROCESSORS]
    return {p.name: SIZE if p.low is None else SHARE for p in missing}


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """`TooLate` inside after so many seconds of CPU time."""

    def late(*_: object) -> None:
        raise TooLate

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _first(error: ApetError) -> str:
    diagnostic = error.diagnostics[0]
    return re.sub(r"'[^']*'", "'…'", diagnostic.text.splitlines()[0])[:120]
