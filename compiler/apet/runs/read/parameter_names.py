"""What columns and coordinates are called: sizes, processors, times, and what is none of them."""

from __future__ import annotations

SIZES = (
    "n", "size", "input", "elements", "points", "problem_size", "input_size", "length",
)  # fmt: skip
PROCESSORS = (
    "p", "procs", "processors", "processes", "np", "nprocs", "threads", "ranks", "cores", "nodes", "tasks", "jobsize",
)  # fmt: skip
TIMES = (
    "t", "time", "seconds", "elapsed", "wall", "walltime", "runtime", "duration", "total",
)  # fmt: skip
IGNORED = (
    "", "rep", "reps", "repetition", "run", "iteration", "trial", "host", "hostname", "date", "cpu",
    "cpu_time", "memory", "peak_memory", "command", "id", "name", "app", "speedup", "efficiency", "index",
)  # fmt: skip


def is_processors(name: str) -> bool:
    """Whether a parameter of this name counts processors."""
    return name.lower() in PROCESSORS


def is_parameter(name: str) -> bool:
    """Whether a column of this name is a size or a number of processors."""
    return name.lower() in SIZES or is_processors(name)
