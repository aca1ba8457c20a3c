"""One trace on many platforms, and on variants of them: a table of replayed times.

The trace is lowered once; threads replay it side by side, since the core needs no interpreter while it runs. Chunks,
files, resuming and Dask are those of `apet sweep`.
"""

from __future__ import annotations

import json
import os
import threading
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.interval import Number
from apet.ground.records import NamedTuple
from apet.ground.resources import located
from apet.ground.source_files import read_bytes
from apet.questions.sweep.errors import BadQuantity, SameMachines, UnknownSweepName, VariedTwice
from apet.questions.sweep.evaluator import SweepRows
from apet.questions.sweep.libraries import versions
from apet.questions.sweep.ranges import Listed
from apet.questions.sweep.space import Axis, DesignSpace
from apet.questions.sweep.task import TableTask
from apet.traces.bounds.formulas import compile_programs
from apet.traces.front import flat_trace
from apet.traces.platform.parts import Protocol
from apet.traces.platform.platform import Platform
from apet.traces.replay.engine import run
from apet.traces.replay.program import LoweredTrace
from apet.traces.replay.run import placed
from apet.traces.trace import CompiledTrace

Path = str | os.PathLike[str]
FACTORS = ("speed", "latency", "bandwidth")
PLATFORM = "platform"
METHODS = REPLAY, FORMULA = ("replay", "formula")
ROWS_OF_A_CHUNK = 8
"""At least: a few for each core, since a chunk waits for the last of its replays."""


class ReplaySite(NamedTuple):
    """Where a trace is replayed: a platform, and the hosts of its ranks in turn."""

    platform: Platform
    hosts: tuple[int, ...]


class RunTime(NamedTuple):
    """Seconds that a trace takes: the estimate, at least, at most, and the place in `METHODS` of how it was found."""

    makespan_s: float
    lower_s: float
    upper_s: float
    method: int


@dataclass(frozen=True, kw_only=True)
class ReplayTask(TableTask):
    """Replays of one trace.

    Where both bounds by formulas lie within the share `within` of each other, they stand for the replay. `hashes` are
    those of the trace, the platforms and the host files, by what a user calls them.
    """

    traces: tuple[LoweredTrace, ...]  #: by platform; one where their protocols are the same
    sites: tuple[ReplaySite, ...]
    within: float
    hashes: Mapping[str, Any]

    times = ("makespan", "lower", "upper")
    reason = "method"
    labelled = PLATFORM
    target = "makespan"

    @property
    def names(self) -> tuple[str, ...]:
        """The platform, if there are several; then what varies."""
        return self.space.names

    def parts_of_identity(self) -> dict[str, Any]:
        """As in `TableTask`."""
        return {
            **self.hashes,
            "--vary": self.space.described(),
            "--tolerance": self.within,
            "the kind of output": self.form,
            "the version": dict(self.versions),
            "the chunks": self.space.chunk_rows,
        }

    def metadata(self) -> dict[str, str]:
        """Names and hashes of trace and platforms; what was chosen."""
        return {f"apet.{what}": json.dumps(value) for what, value in self.parts_of_identity().items()} | {
            "apet.trace": self.traces[0].name
        }

    def evaluator(self, threads: int | None = None) -> ReplayEvaluator:
        """Replays with so many threads (None: one for each core)."""
        return ReplayEvaluator(self, threads or os.cpu_count() or 1)


class ReplayEvaluator:
    """Computes rows of a task, each in a thread of its own, `threads` at a time."""

    def __init__(self, task: ReplayTask, threads: int) -> None:
        self.task, self.threads = task, threads
        self._compiled: dict[int, CompiledTrace | None] = {}
        self._lock = threading.Lock()

    def rows(self, first: int, last: int) -> SweepRows:
        """The rows first to last - 1. `ApetError` where a platform does not connect two of the ranks' hosts."""
        with ThreadPoolExecutor(self.threads) as pool:
            run_times = list(pool.map(self._run_time, range(first, last)))
        columns = [np.array(column) for column in zip(*run_times, strict=True)]

        return SweepRows(
            first,
            self.task.space.cells(first, last),
            dict(zip(self.task.times, columns, strict=False)),
            columns[-1].astype(np.int32),
            METHODS,
            np.zeros(last - first, dtype=np.bool_),
            np.zeros(last - first),
        )

    def _run_time(self, row: int) -> RunTime:
        scales: dict[str, Number] = dict(self.task.space.point(row))
        at = int(scales.pop(PLATFORM, 0))
        factors = {name: float(value) for name, value in scales.items()}

        compiled = self._formulas(at) if self.task.within > 0 else None
        if compiled is not None:
            bounds = compiled.at({name: (value, value) for name, value in factors.items()})
            if bounds.upper_s <= bounds.lower_s * (1 + self.task.within):
                middle = (bounds.lower_s + bounds.upper_s) / 2
                return RunTime(middle, bounds.lower_s, bounds.upper_s, METHODS.index(FORMULA))

        site = self.task.sites[at]
        programs = self.task.traces[at].programs
        course = run(programs, site.platform.scaled(**factors), placed(programs, site.hosts))
        makespan = max(course.ends, default=0.0)
        return RunTime(makespan, makespan, makespan, METHODS.index(REPLAY))

    def _formulas(self, at: int) -> CompiledTrace | None:
        """The bounds on a platform as formulas; None where they would be too long."""
        with self._lock:
            if at not in self._compiled:
                self._compiled[at] = None
                with suppress(ApetError):
                    self._compiled[at] = compile_programs(self.task.traces[at], *self.task.sites[at])
            return self._compiled[at]


def replay_task(
    trace: Path,
    platforms: Sequence[Path],
    sites: Sequence[tuple[Platform, Sequence[int]]],
    axes: Sequence[Axis],
    *,
    within: float = 0.0,
    form: str = "",
) -> ReplayTask:
    """The table of a trace on platforms, of which `sites` have what their files say, and the hosts of ranks in turn.
    `ApetError`."""
    _check(axes)
    paths = [os.fspath(platform) for platform in platforms]
    names = [os.path.basename(path) for path in paths]
    labels = tuple(names if len(set(names)) == len(names) else paths)
    raise_all([SameMachines(None, None, name) for k, name in enumerate(labels) if name in labels[:k]])
    by_protocol: dict[Protocol, LoweredTrace] = {}
    for platform, _ in sites:
        if platform.network.protocol not in by_protocol:
            by_protocol[platform.network.protocol] = flat_trace(trace, platform)
    lowered = tuple(by_protocol[platform.network.protocol] for platform, _ in sites)

    several = [Axis((PLATFORM,), (Listed(list(range(len(platforms)))),))] if len(platforms) > 1 else []
    return ReplayTask(
        space=DesignSpace((*several, *axes), least_chunk=ROWS_OF_A_CHUNK),
        labels=labels,
        form=form,
        versions=tuple(sorted(versions(form).items())),
        traces=lowered,
        sites=tuple(ReplaySite(platform, tuple(hosts)) for platform, hosts in sites),
        within=within,
        hashes={
            "the trace": _hash_of(lowered[0]),
            "the platforms": {label: _file_hash(p) for label, p in zip(labels, platforms, strict=True)},
            "--hostfile": [list(hosts) for _, hosts in sites],
        },
    )


def _check(axes: Sequence[Axis]) -> None:
    """`ApetError` with all that is wrong with what varies."""
    diagnostics: list[Diagnostic] = []
    names = [name for axis in axes for name in axis.names]
    for k, name in enumerate(names):
        if name not in FACTORS:
            diagnostics.append(UnknownSweepName(None, None, name, nearest(name, FACTORS), ", ".join(FACTORS), "none"))
        if name in names[:k]:
            diagnostics.append(VariedTwice(None, None, name, "it varies in two places"))

    for axis in axes:
        for name, values in zip(axis.names, axis.values, strict=True):
            if values.ends[0] <= 0:
                diagnostics.append(BadQuantity(None, None, name, f"{float(values.ends[0]):g}", "it must be above 0"))
    raise_all(diagnostics)


def _hash_of(trace: LoweredTrace) -> str:
    """A hash of all that a replay depends on."""
    programs = trace.programs
    digest = sha256(repr((trace.name, programs.pairs, programs.groups)).encode())
    arrays: list[array[Any]] = [*programs.operations, programs.values, programs.pair, programs.size]
    for numbers in arrays:
        digest.update(f"{len(numbers)} ".encode())
        digest.update(numbers)
    return digest.hexdigest()


def _file_hash(path: Path) -> str:
    return sha256(read_bytes(located(path))).hexdigest()
