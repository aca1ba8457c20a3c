"""What is built at need with an MPI's compiler: the recorder, the counter of blocks, the ping-pong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from apet.ground.diagnostics import ApetError
from apet.traces.mpi import errors
from apet.traces.mpi.compiled import BuildFailed, built
from apet.traces.mpi.flavours import Mpi
from apet.traces.mpi.forwarding import generated

HERE = Path(__file__).parent
LONGEST = 600


def recorder(mpi: Mpi) -> Path:
    """The library that records MPI calls, for LD_PRELOAD. `ApetError` if it cannot be built."""
    sources = sorted((HERE / "wrapper").glob("*.[ch]"))
    return _make(mpi.mpicc, sources, ("-O2", "-fPIC", "-shared", "-ldl"), "mpi-recorder", mpi, generated)


def pingpong(mpi: Mpi) -> Path:
    """The program that measures messages between two ranks."""
    return _make(mpi.mpicc, [HERE / "pingpong" / "pingpong.c"], ("-O2", "-lm"), "mpi-pingpong", mpi)


def block_counter() -> Path:
    """The object that a program is linked with to count its blocks."""
    command = next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), "cc")
    return _make((command,), [HERE / "counting" / "blocks.c"], ("-O2", "-fPIC", "-c"), "mpi-blocks", None)


def _make(
    compiler: Sequence[str],
    sources: Sequence[Path],
    options: tuple[str, ...],
    name: str,
    mpi: Mpi | None,
    generate: Callable[[str], str] | None = None,
) -> Path:
    identity = (*compiler, mpi.family, mpi.version) if mpi else tuple(compiler)
    try:
        return built(sources, identity, (*compiler[1:], *options), name, generate)
    except BuildFailed as failure:
        output = " ".join(str(failure).split())[:LONGEST]
        raise ApetError(errors.DoesNotBuild(None, None, " ".join(compiler), sources[0].parent.name, output)) from None
