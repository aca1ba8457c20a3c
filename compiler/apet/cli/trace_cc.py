"""The verb `apet record --cc`: compile a program so that it counts the basic blocks that it runs."""

from __future__ import annotations

import argparse
import subprocess

from apet.ground.diagnostics import ApetError

# What stands inside functions belongs to `apet.traces.mpi`: every verb of traces loads this file, few run MPI.
FLAG = "-fsanitize-coverage=trace-pc"
NO_LINK = frozenset(("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v", "-dumpversion"))


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
