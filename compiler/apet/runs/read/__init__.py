"""Measured runs from files: JSON, CSV, Extra-P's three formats, and profiles of several profilers.

In: a path. Out: a `RunsFile`, or every error of the file with its place.
Start at `reader` (which format), then `table` (CSV).
"""

from apet.runs.read.reader import RunsFile, read_runs

__all__ = ["RunsFile", "read_runs"]
