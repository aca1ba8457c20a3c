"""The verb `apet trace cc`: compile a program so that it counts the basic blocks that it runs."""

from __future__ import annotations

import argparse
import subprocess

from apet.ground.diagnostics import ApetError

# What stands inside functions belongs to `apet.traces.mpi`: every `apet trace` loads this file, few run MPI.
SUMMARY = "compile an MPI program so that it counts what it runs"
DESCRIPTION = """Run a compiler's command with what makes the program count the basic blocks that it runs, for
'apet trace acquire --mode blocks'. Works with gcc and clang and what calls them: mpicc, mpicxx, mpifort, cmake -D
CMAKE_C_COMPILER=…"""
FLAG = "-fsanitize-coverage=trace-pc"
NO_LINK = frozenset(("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v", "-dumpversion"))


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="+", metavar="COMPILER", help="after --: the compiler and its arguments")


def run(options: argparse.Namespace) -> int:
    """Call the compiler; its exit status is ours, as 2 where it fails."""
    from apet.traces.mpi import building, errors

    command = list(options.command)
    links = not NO_LINK & set(command)
    order = [*command, FLAG]
    if links:
        order += [str(building.block_counter()), "-ldl"]
    try:
        process = subprocess.run(order, check=False)
    except OSError as error:
        raise ApetError(errors.NoProgram(None, None, command[0], error.strerror or str(error))) from None
    return 2 if process.returncode else 0
