"""A sweep as plain data: what any process needs to compute any chunk of it, and what makes two sweeps the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.questions.sweep.errors import UnknownTable
from apet.questions.sweep.space import MACHINES, PROCESSORS, DesignSpace
from apet.questions.sweep.summary import OBJECTIVES, PRICE, TIMES
from apet.questions.sweep.summary import PROCESSORS as AGAINST_PROCESSORS

FORMULAS = "closed"
"""In place of an equation's name: the text is that of a cost model without a process."""
CSV, PARQUET = "csv", "parquet"
AGAINST = (AGAINST_PROCESSORS, PRICE)
SUFFIXES = {"s": "_s", "1/s": "_per_s", "": ""}
"""Of columns, by the unit of what is predicted."""
ENDINGS = {".csv": CSV, ".parquet": PARQUET}


@dataclass(frozen=True)
class ModelText:
    """A model as its text, its file's name, the equation to begin with, and the path that errors name."""

    name: str
    text: str
    entry: str
    path: str


@dataclass(frozen=True)
class SweepTask:
    """Everything that a chunk depends on.

    `form` is what chunks are encoded as, "csv", "parquet", or "" for none. `skip_undefined`: points without a
    prediction are left empty. `unit` is that of what is predicted; P is a column where it `counts_processors`, of
    which there are at most `most_processors` on each machine model.
    `versions` are those of APET and of what encodes the output; `formulas` is a hash of the
    formulas on the first machine model.
    """

    model: ModelText
    branches: str
    schedule: str
    machines: tuple[Machines | None, ...]
    labels: tuple[str, ...]
    fixed: Mapping[str, Number | Interval]
    space: DesignSpace
    form: str = ""
    skip_undefined: bool = False
    objective: str = "guaranteed"
    against: str = AGAINST_PROCESSORS
    versions: tuple[tuple[str, str], ...] = ()
    formulas: str = ""
    unit: str = "s"
    counts_processors: bool = True
    most_processors: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        assert self.objective in OBJECTIVES
        assert self.against in AGAINST

    @property
    def names(self) -> tuple[str, ...]:
        """The columns before the times: machine models if several, P if it does not vary, then what varies."""
        varied = self.space.names
        first = tuple(n for n in (MACHINES,) if n in varied)
        rest = tuple(n for n in varied if n != MACHINES)
        counted = PROCESSORS not in rest and self.counts_processors
        return (*first, PROCESSORS, *rest) if counted else (*first, *rest)

    @property
    def header(self) -> tuple[str, ...]:
        """All columns; times carry their unit."""
        return (*self.names, *(f"{name}{SUFFIXES[self.unit]}" for name in TIMES), "dominant")

    def parts_of_identity(self) -> dict[str, Any]:
        """What a resumed sweep must share with the one that began, by what a user calls it."""
        machines = {label: repr(m) for label, m in zip(self.labels, self.machines, strict=True)}

        return {
            "the model": [self.model.name, _hash(self.model.text), self.model.entry],
            "--branches": self.branches,
            "--schedule": self.schedule,
            "the machine models": {label: _hash(text) for label, text in machines.items()},
            "--set": {name: repr(value) for name, value in sorted(self.fixed.items())},
            "--vary or --points": [[list(axis.names), [repr(v) for v in axis.values]] for axis in self.space.axes],
            "the kind of output": self.form,
            "--skip-undefined": self.skip_undefined,
            "--by": self.objective,
            "--against": self.against,
            "the version": dict(self.versions),
            "the chunks": self.space.chunk_rows,
        }

    @property
    def fingerprint(self) -> str:
        """A hash of all that the output's bytes depend on."""
        return _hash(json.dumps(self.parts_of_identity(), sort_keys=True))


def form_of(path: str) -> str:
    """What the ending of an output file asks for; `ApetError` where it is no table."""
    form = next((form for ending, form in ENDINGS.items() if path.lower().endswith(ending)), None)
    if form is None:
        raise ApetError(UnknownTable(None, None, path, ", ".join(ENDINGS)))
    return form


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
