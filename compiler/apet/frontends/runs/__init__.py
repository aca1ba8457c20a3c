"""Measured runs from files: JSON, CSV, Extra-P's three formats, and profiles of several profilers."""

from apet.frontends.runs.reader import RunsFile, read_runs

__all__ = ["RunsFile", "read_runs"]
