"""A sweep as plain data: what any process needs to compute any chunk of it, and what makes two sweeps the same."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.questions.sweep.errors import UnknownTable
from apet.questions.sweep.model_text import ModelText
from apet.questions.sweep.space import MACHINES, PROCESSORS, DesignSpace
from apet.questions.sweep.summary import OBJECTIVES, PRICE, TIMES
from apet.questions.sweep.summary import PROCESSORS as AGAINST_PROCESSORS

if TYPE_CHECKING:
    from apet.questions.sweep.evaluator import SweepRows

CSV, PARQUET = "csv", "parquet"
AGAINST = (AGAINST_PROCESSORS, PRICE)
SUFFIXES = {"s": "_s", "1/s": "_per_s", "": ""}
"""Of columns, by the unit of what is predicted."""
ENDINGS = {".csv": CSV, ".parquet": PARQUET}


class RowEvaluator(Protocol):
    """Computes rows of a task."""

    def rows(self, first: int, last: int) -> SweepRows:
        """The rows first to last - 1."""


@dataclass(frozen=True, kw_only=True)
class TableTask(ABC):
    """Everything that a chunk of a table of results depends on, as plain data that can be pickled.

    `labels` are the texts of the axis `labelled`, whose cells are places in them. `form` is what chunks are encoded as,
    "csv", "parquet", or "" for none. `unit` is that of what is predicted. `versions` are those of APET and of what
    encodes the output.
    """

    space: DesignSpace
    labels: tuple[str, ...]
    form: str = ""
    objective: str = ""
    against: str = AGAINST_PROCESSORS
    versions: tuple[tuple[str, str], ...] = ()
    unit: str = "s"

    times: ClassVar[tuple[str, ...]]  #: the columns of times
    reason: ClassVar[str]  #: the last column
    labelled: ClassVar[str]  #: the axis whose values are names

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The columns before the times."""

    @property
    @abstractmethod
    def target(self) -> str:
        """The column of times by which points are better or worse."""

    @abstractmethod
    def parts_of_identity(self) -> dict[str, Any]:
        """What a resumed sweep must share with the one that began, by what a user calls it."""

    @abstractmethod
    def metadata(self) -> dict[str, str]:
        """What a Parquet file says of its rows."""

    @abstractmethod
    def evaluator(self, threads: int | None = None) -> RowEvaluator:
        """What computes rows, with so many threads (None: as many as pay)."""

    def named(self, row: int) -> dict[str, Number | str]:
        """The values of a row by the names of the columns before the times."""
        values: dict[str, Number | str] = dict(self.space.point(row))
        if self.labelled in values:
            values[self.labelled] = self.labels[int(values[self.labelled])]
        return values

    @property
    def header(self) -> tuple[str, ...]:
        """All columns; times carry their unit."""
        return (*self.names, *(f"{name}{SUFFIXES[self.unit]}" for name in self.times), self.reason)

    @property
    def fingerprint(self) -> str:
        """A hash of all that the output's bytes depend on."""
        return hashed(json.dumps(self.parts_of_identity(), sort_keys=True))


@dataclass(frozen=True, kw_only=True)
class SweepTask(TableTask):
    """Predictions of a model on machine models.

    `skip_undefined`: points without a prediction are left empty. P is a column where it `counts_processors`, of which
    there are at most `most_processors` on each machine model. `formulas` is a hash of the formulas on the first machine
    model.
    """

    model: ModelText
    branches: str
    schedule: str
    machines: tuple[Machines | None, ...]
    fixed: Mapping[str, Number | Interval]
    skip_undefined: bool = False
    objective: str = "guaranteed"
    formulas: str = ""
    counts_processors: bool = True
    most_processors: tuple[int, ...] = ()

    times = TIMES
    reason = "dominant"
    labelled = MACHINES

    def __post_init__(self) -> None:
        assert self.objective in OBJECTIVES
        assert self.against in AGAINST

    @property
    def target(self) -> str:
        """The upper end of what is to be small."""
        return OBJECTIVES[self.objective]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns before the times: machine models if several, P if it does not vary, then what varies."""
        varied = self.space.names
        first = tuple(n for n in (MACHINES,) if n in varied)
        rest = tuple(n for n in varied if n != MACHINES)
        counted = PROCESSORS not in rest and self.counts_processors
        return (*first, PROCESSORS, *rest) if counted else (*first, *rest)

    def named(self, row: int) -> dict[str, Number | str]:
        """As in `TableTask`; P as it is in use."""
        values = super().named(row)
        values.setdefault(PROCESSORS, self.most_processors[int(self.space.point(row).get(MACHINES, 0))])
        return {name: values[name] for name in self.names}

    def evaluator(self, threads: int | None = None) -> RowEvaluator:
        """Of the model, compiled from its text."""
        from apet.questions.sweep.evaluator import Evaluator

        return Evaluator(self, threads=threads)

    def parts_of_identity(self) -> dict[str, Any]:
        """What a resumed sweep must share with the one that began, by what a user calls it."""
        machines = {label: repr(m) for label, m in zip(self.labels, self.machines, strict=True)}

        return {
            "the model": [self.model.name, hashed(self.model.text), self.model.entry],
            "--branches": self.branches,
            "--schedule": self.schedule,
            "the machine models": {label: hashed(text) for label, text in machines.items()},
            "--set": {name: repr(value) for name, value in sorted(self.fixed.items())},
            "--vary or --points": self.space.described(),
            "the kind of output": self.form,
            "--skip-undefined": self.skip_undefined,
            "--by": self.objective,
            "--cost": self.against,
            "the version": dict(self.versions),
            "the chunks": self.space.chunk_rows,
        }

    def metadata(self) -> dict[str, str]:
        """Names and hashes of the model, its formulas and the machine models; what was chosen."""
        parts = self.parts_of_identity()
        varied = {name: repr(v) for axis in self.space.axes for name, v in zip(axis.names, axis.values, strict=True)}

        return {
            "apet.version": dict(self.versions)["apet"],
            "apet.model": self.model.name,
            "apet.model.sha256": parts["the model"][1],
            "apet.machines": json.dumps(list(self.labels)),
            "apet.machines.sha256": json.dumps(parts["the machine models"]),
            "apet.formulas.sha256": self.formulas,
            "apet.branches": self.branches,
            "apet.schedule": self.schedule,
            "apet.set": json.dumps(parts["--set"]),
            "apet.vary": json.dumps(varied),
            "apet.unit": "s",
            "apet.questions.sweep": self.fingerprint,
        }


def form_of(path: str) -> str:
    """What the ending of an output file asks for; `ApetError` where it is no table."""
    form = next((form for ending, form in ENDINGS.items() if path.lower().endswith(ending)), None)
    if form is None:
        raise ApetError(UnknownTable(None, None, path, ", ".join(ENDINGS)))
    return form


def hashed(text: str) -> str:
    """SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()
