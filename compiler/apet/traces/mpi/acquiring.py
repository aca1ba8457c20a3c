"""Running an MPI program with a recorder before its library, which writes what each rank computes and sends."""

from __future__ import annotations

import os
import shutil
import tempfile
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.host import cores
from apet.traces.lines.sites import CallSite
from apet.traces.mpi import building, errors, merging
from apet.traces.mpi.flavours import Mpi, find_mpi, program_path
from apet.traces.mpi.running import Ran, run
from apet.traces.mpi.signals import Signals, signalled
from apet.traces.mpi.sites import call_sites
from apet.traces.mpi.weights import counts_blocks, weights_files

MODES = ("blocks", "counters", "cpu")
MOST_RANKS = 100_000


class Order(NamedTuple):
    """A program with its arguments, how many ranks, how volumes are measured (None: the best way there is), seconds
    that it may take, and commands other than those of its MPI."""

    command: tuple[str, ...]
    ranks: int
    mode: str | None = None
    limit: float = 600.0
    mpiexec: str | None = None
    mpicc: str | None = None
    files: bool = False
    """Whether what reads and writes files is recorded as sleeping."""
    threads: bool = False
    """Whether volumes are those of all threads of a rank, else of the one that calls MPI."""
    libraries: bool = False
    """Whether what libraries compute, which count no blocks, is recorded as sleeping for their CPU time."""


class Acquired(NamedTuple):
    """What a run left behind: the parts by rank, the mode of their volumes, seconds by the clock, the program and MPI
    in words, and why the trace ends early if it does."""

    parts: list[merging.RankFile]
    volumes: str
    seconds: float
    program: str
    mpi: str
    incomplete: str
    mistakes: tuple[Diagnostic, ...]
    threads: bool = False
    """Whether volumes are those of all threads."""
    libraries: bool = False
    """Whether libraries sleep."""
    sites: tuple[Sequence[CallSite], Sequence[array[int]]] = ((), ())
    """Call sites, and by rank the number of that of each line; see `mpi.sites`."""

    def header(self) -> str:
        """The comments at the beginning of the trace."""
        volumes = merging.VOLUMES.get(self.volumes, self.volumes) + merging.OF_ALL_THREADS * self.threads
        volumes += merging.SLEEPING_LIBRARIES * self.libraries
        return merging.header(self.parts, self.program, self.mpi, volumes, self.incomplete)

    @property
    def advice(self) -> tuple[Diagnostic, ...]:
        """What the trace cannot say."""
        return tuple(errors.LeftOut(None, None, w, n) for w, n in sorted(merging.left_out(self.parts).items()))


def acquire(order: Order, keep: Callable[[Acquired], None], show: bool = False) -> Acquired:
    """Run the program and hand what it left behind to `keep`, before the temporary folder goes.

    `ApetError` if the program cannot be run, ends with an error or takes too long; what was recorded until then is kept
    all the same, if it is anything.
    """
    program, mpi = checked(order)
    library = building.recorder(mpi)
    setting = {"LD_PRELOAD": str(library), "APET_TRACE_VOLUMES": order.mode or "best"}
    setting |= {"APET_TRACE_PATIENT": "1"} if order.ranks > cores() else {}
    setting |= {"APET_TRACE_IO": "sleep"} if order.files else {}
    setting |= {"APET_TRACE_THREADS": "all"} if order.threads else {}
    setting |= {"APET_TRACE_LIBRARIES": "sleep"} if order.libraries else {}
    if order.mode in (None, "blocks") and counts_blocks(program):
        setting |= {"APET_TRACE_WEIGHTS": weights_files(program)}

    with signalled() as signals:
        return _recorded(order, program, mpi, setting, signals, keep, show)


def _recorded(
    order: Order,
    program: str,
    mpi: Mpi,
    setting: dict[str, str],
    signals: Signals,
    keep: Callable[[Acquired], None],
    show: bool,
) -> Acquired:
    folder = Path(tempfile.mkdtemp(prefix="apet-trace-"))
    stopped: KeyboardInterrupt | None = None
    try:
        setting["APET_TRACE_FOLDER"] = str(folder)
        try:
            ran = run(mpi.start(order.ranks, setting, (program, *order.command[1:])), order.limit, show)
        except KeyboardInterrupt as stop:
            stopped, ran = stop, Ran(0.0, 0, False, "", signals.name or "an interrupt")

        refused = folder / "refused"
        if refused.exists():
            advised = "leave out --mode to take the best way there is"
            raise ApetError(errors.NoVolumes(None, None, str(order.mode), refused.read_text(), advised))

        acquired = _collected(order, program, mpi, ran, merging.parts_of(folder))
        if acquired.parts:
            keep(acquired._replace(sites=call_sites(acquired.parts)))
        if stopped is not None and not signals.name:
            raise stopped  # at a limit of this call, which has words of its own
        if acquired.mistakes:
            raise ApetError(acquired.mistakes)
        return acquired
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def checked(order: Order) -> tuple[str, Mpi]:
    """The program's file and its MPI; `ApetError` if one is missing or the order makes no sense."""
    if not 1 <= order.ranks <= MOST_RANKS:
        raise ApetError(errors.BadCount(None, None, "-n", str(order.ranks), f"from 1 to {MOST_RANKS:,}"))
    program = program_path(order.command)
    mpi = find_mpi(program, order.mpiexec, order.mpicc)
    if order.mode == "blocks" and not counts_blocks(program):
        advised = "build it with: apet record --cc -- mpicc -O2 program.c -o program"
        raise ApetError(errors.NoVolumes(None, None, "blocks", f"{program} was not built to count them", advised))
    return program, mpi


def _collected(order: Order, program: str, mpi: Mpi, ran: Ran, parts: Sequence[merging.RankFile]) -> Acquired:
    ended = [p for p in parts if p.complete]
    command = " ".join((os.path.basename(program), *order.command[1:]))
    volumes = sorted({p.volumes for p in ended or parts})
    incomplete, wrong = "", list[Diagnostic]()
    if ran.ended_by:
        incomplete = f"ended by {ran.ended_by}"
        rest = "; the trace up to there was kept" if parts else ""
        wrong.append(errors.Ended(None, None, command, ran.ended_by, rest))
    elif ran.stopped:
        incomplete = f"ended after {order.limit:g} s"
        rest = "; the trace up to there was kept" if parts else ""
        wrong.append(errors.TookTooLong(None, None, command, order.limit, rest))
    elif ran.code or len(ended) < order.ranks:
        incomplete = f"exit status {ran.code}" if ran.code else f"{len(ended)} of {order.ranks} ranks ended"
        wrong.append(_failure(order, program, command, ran, parts))

    kind = volumes[0] if volumes else "unknown"
    name, libraries = f"{mpi.family} {mpi.version}", order.libraries and kind == "instructions"
    return Acquired(list(parts), kind, ran.seconds, command, name, incomplete, tuple(wrong), order.threads, libraries)


def _failure(order: Order, program: str, command: str, ran: Ran, parts: Sequence[merging.RankFile]) -> Diagnostic:
    if not parts and ran.code == 0:
        return errors.NotMpi(None, None, program, "made no MPI call that was seen")
    if ran.code == 0:
        missing = sum(not part.complete for part in parts) + order.ranks - len(parts)
        return errors.EndedEarly(None, None, command, missing, order.ranks)
    advised = "the trace up to there was kept" if parts else "does it run without apet?"
    return errors.Failed(None, None, command, ran.code, ran.output or "it printed nothing", advised)
