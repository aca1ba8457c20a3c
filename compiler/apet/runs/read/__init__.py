"""Measured runs from files: JSON, CSV, Extra-P's three formats, and profiles of several profilers.

In: a path. Out: a `RunsFile`, or every error of the file with its place.
Runs over several parameters become an `Experiment`.
Start at `reader` (which format), then `table` (CSV); for several parameters at `experiment_reader`, then `samples`.
"""

from apet.runs.read.experiment_reader import ExperimentFile, read_experiment
from apet.runs.read.reader import RunsFile, read_runs

__all__ = ["ExperimentFile", "RunsFile", "read_experiment", "read_runs"]
