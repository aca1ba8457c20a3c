"""Measured runs from files: JSON, CSV, Extra-P's three formats, and profiles of several profilers.

In: a path. Out: a `RunsFile`, or every error of the file with its place.
Runs over several parameters become an `Experiment`, over one a `Curve`.
Start at `reader` (which files), then `sources` (which format), `parameter_table` (CSV) and `samples` (what is made).
"""

from apet.runs.read.reader import ExperimentFile, RunsFile, read_experiment, read_runs

__all__ = ["ExperimentFile", "RunsFile", "read_experiment", "read_runs"]
