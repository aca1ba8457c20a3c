"""What can be wrong with an event trace."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NoOtf2(Diagnostic):
    """The library that reads archives is missing."""

    message = "reading {file} needs the Python package otf2"
    hint = "pip install 'apet[otf2]', or convert what 'otf2-print -A {file}' prints"


class BadArchive(Diagnostic):
    """An archive that the library refuses."""

    message = "cannot read {file}: {reason}"
    hint = "'otf2-print -A' reads more archives than its library: convert what it prints"


class NoMpi(Diagnostic):
    """An event trace without MPI processes."""

    message = "{file} names no MPI processes"
    hint = "{advised}"


class BadEvent(Diagnostic):
    """A line that the program which should have written it does not write."""

    message = "{problem}"
    hint = "lines read are those of {writer}"


class Incomplete(Diagnostic):
    """Collectives that do not fit together."""

    message = "{file}: {problem}"
    hint = "was the measurement ended early, or its buffer too small?"


class BadGoal(Diagnostic):
    """A file of operations that cannot be read as such, or a trace that cannot be written as one."""

    message = "{file}: {problem}"
    hint = "GOAL has lines like: l1: send 8b to 1 tag 0, and: l2 requires l1"


class BadRecording(Diagnostic):
    """A recording of PyTorch, or a graph of Chakra, that cannot be read as such."""

    message = "{file}: {problem}"
    hint = "read are what torch.profiler exports as Chrome's trace, and Chakra's graphs as JSON or .et"


class NoWindow(Diagnostic):
    """A part of what has no parts."""

    message = "{file} has neither steps nor a number of processes to choose"
    hint = "recordings of PyTorch have both, graphs of Chakra processes: leave --step and --processes out"


class NoRegions(Diagnostic):
    """Speeds of regions that an event trace does not name."""

    message = "{file} names no regions of MPI_Pcontrol"
    hint = "traces of 'apet record' do: leave --region out"
