"""`apet-mpicc`, `apet-mpicxx` and `apet-mpif90`: `apet record --cc` in front of an MPI's compiler, as one word, for
Makefiles and CMake."""

from __future__ import annotations

import sys

from apet.cli.main import main


def mpicc() -> int:
    """C."""
    return _call("mpicc")


def mpicxx() -> int:
    """C++."""
    return _call("mpicxx")


def mpif90() -> int:
    """Fortran."""
    return _call("mpif90")


def _call(compiler: str) -> int:
    return main(["record", "--cc", "--", compiler, *sys.argv[1:]])
