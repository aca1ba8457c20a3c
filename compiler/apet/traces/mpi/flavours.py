"""Which MPI a program is linked to, and the commands that belong to it: several may be installed side by side."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from apet.ground.diagnostics import ApetError
from apet.ground.host import cores
from apet.ground.posix import need_posix
from apet.ground.tools import run_tool
from apet.traces.mpi import errors

MPICH, OPEN_MPI = "MPICH", "Open MPI"
SUFFIX = {MPICH: "mpich", OPEN_MPI: "openmpi"}
LIBRARIES = (("libmpich", MPICH), ("libmpi.so.12", MPICH), ("libmpi.so", OPEN_MPI), ("libmpi_", OPEN_MPI))
SAYS = {MPICH: ("HYDRA", "MPICH", "Intel(R) MPI"), OPEN_MPI: ("Open MPI", "OpenRTE", "open-mpi")}
SHOWS = {MPICH: ("mpich", "-lmpi "), OPEN_MPI: ("openmpi", "open-rte")}
INTERPRETERS = ("python", "pypy", "julia")
"""Programs that load MPI when a script asks for it."""
PATIENCE = 20.0
POLLS = "MPIR_CVAR_POLLS_BEFORE_YIELD"
"""How often MPICH looks for messages before it lets other ranks have the core; 1,000 by itself."""


class Mpi(NamedTuple):
    """An MPI: whose it is, its version, and the commands (as words) that start and compile programs."""

    family: str
    version: str
    mpiexec: tuple[str, ...]
    mpicc: tuple[str, ...]

    def start(self, ranks: int, setting: Mapping[str, str], command: Sequence[str]) -> list[str]:
        """The command that runs a program on so many ranks with variables in its environment."""
        words = [*self.mpiexec]
        if self.family == OPEN_MPI:
            words += ["--oversubscribe", *(["--allow-run-as-root"] if os.getuid() == 0 else [])]
            words += [w for name, value in setting.items() for w in ("-x", f"{name}={value}")]
        else:
            polls = {POLLS: "100"} if ranks > cores() and POLLS not in os.environ else {}
            words += [w for name, value in {**polls, **setting}.items() for w in ("-env", name, value)]
        return [*words, "-n", str(ranks), *command]


def program_path(command: Sequence[str]) -> str:
    """The file of a command's program; `ApetError` if it cannot be run."""
    name = command[0]
    if os.path.isdir(name):
        raise ApetError(errors.NoProgram(None, None, name, "it is a directory"))
    path = shutil.which(name) or (name if os.path.exists(name) else None)
    if path is None:
        raise ApetError(errors.NoProgram(None, None, name, "there is no such program"))
    if not os.access(path, os.X_OK):
        raise ApetError(errors.NoProgram(None, None, name, "permission denied"))
    return os.path.abspath(path)


def family_of(program: str) -> str | None:
    """Whose MPI library a program is linked to; None where that is not said (a script, or what runs one),
    `ApetError` if to none."""
    with open(program, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return None

    output = _said(["ldd", program])
    if not output:
        return None
    for name, family in LIBRARIES:
        if name in output:
            return family

    if os.path.basename(program).startswith(INTERPRETERS):
        return None
    raise ApetError(errors.NotMpi(None, None, program, "is linked to no shared MPI library"))


def find_mpi(program: str | None, mpiexec: str | None = None, mpicc: str | None = None) -> Mpi:
    """The MPI of a program, or the first one that is complete; commands given are taken as they are. `ApetError`."""
    need_posix("running MPI programs")
    family = family_of(program) if program else None
    starter = tuple(shlex.split(mpiexec)) if mpiexec else None
    compiler = tuple(shlex.split(mpicc)) if mpicc else None
    for option, words in (("--mpiexec", starter), ("--mpicc", compiler)):
        if words is not None and (not words or shutil.which(words[0]) is None):
            _missing(" ".join(words or ("command",)), family or "MPI", option)
    if family is None and starter is not None:
        family = next((f for f in SAYS if _version(f, starter[0])), MPICH)
    for each in (family,) if family else (MPICH, OPEN_MPI):
        started = starter or _starter(each)
        compiles = compiler or _compiler(each)
        if started and compiles:
            return Mpi(each, _version(each, started[0]), started, compiles)
    wanted = family or "MPI"
    if not (starter or any(_starter(f) for f in ((family,) if family else SAYS))):
        _missing("mpiexec", wanted, "--mpiexec")

    _missing("mpicc", wanted, "--mpicc")


def _missing(what: str, family: str, option: str) -> NoReturn:
    raise ApetError(errors.NoMpiCommand(None, None, what, family, option))


def _starter(family: str) -> tuple[str, ...] | None:
    for name in (f"mpiexec.{SUFFIX[family]}", "mpiexec.hydra", "mpiexec", "mpirun"):
        if shutil.which(name) and _version(family, name):
            return (name,)
    return None


def _compiler(family: str) -> tuple[str, ...] | None:
    for name in (f"mpicc.{SUFFIX[family]}", "mpicc"):
        if shutil.which(name) and (name != "mpicc" or any(s in _said([name, "-show"]) + " " for s in SHOWS[family])):
            return (name,)
    return None


def _version(family: str, mpiexec: str) -> str:
    """The version that a starting command names; empty if it is of another family."""
    output = _said([mpiexec, "--version"])
    if not any(s in output for s in SAYS[family]):
        return ""
    for line in output.splitlines():
        words = line.replace("(OpenRTE)", "").split()
        if line.strip().startswith(("Version:", "mpiexec", "mpirun")) and words[-1][:1].isdigit():
            return words[-1]
    return "unknown"


def _said(command: Sequence[str]) -> str:
    try:
        process = run_tool(command, PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout + process.stderr
