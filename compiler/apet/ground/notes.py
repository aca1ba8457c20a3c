"""What a reader of figures has to know besides: a kind that programs ask for, and a sentence that people read."""

from __future__ import annotations

from enum import StrEnum

from apet.ground.records import NamedTuple


class NoteKind(StrEnum):
    """What a note is about. Code asks for the kind, never for words of the text."""

    # of measured runs; the kind begins the sentence
    ANOMALY = "anomaly"
    AXIS = "kind"
    BELOW = "below"
    COARSE = "coarse"
    FAR = "far"
    FAVOURED = "favoured"
    CONSTANT = "constant"
    FEW = "few"
    FIT = "fit"
    JOBS = "jobs"
    LINEAR = "linear"
    MACHINE = "machine"
    ONLY_LINES = "only lines"
    PHASES = "phases"
    POINTS = "points"
    REGIMES = "regimes"
    REPETITIONS = "repetitions"
    ROUGH = "rough"
    RUNNER_UP = "runner-up"
    STEPWISE = "stepwise"
    TOGETHER = "together"
    TWO_VALUES = "two values"
    UNSORTED = "unsorted"
    # of every kind of answer
    ADVICE = "advice"
    ASSUMPTION = "assumption"
    BOUNDS = "bounds"
    BRANCHES = "branches"
    DATA = "data"
    MEANING = "meaning"
    METHOD = "method"
    ROUNDING = "rounding"
    WARNING = "warning"


KINDS = list(NoteKind)
OF_RUNS = frozenset(KINDS[: KINDS.index(NoteKind.ADVICE)])


class Note(NamedTuple):
    """A kind and what is said; `str` is the sentence as people read it."""

    kind: NoteKind
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.kind in OF_RUNS else self.text

    @property
    def sentence(self) -> str:
        """The same between a capital letter and a full stop."""
        said = str(self)
        return f"{said[:1].upper()}{said[1:]}{'' if said.endswith('.') else '.'}"
