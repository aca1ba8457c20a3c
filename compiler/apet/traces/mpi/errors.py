"""What can go wrong when an MPI program is run."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class NoMpiCommand(Diagnostic):
    """No command that starts or compiles MPI programs."""

    message: ClassVar[str] = "there is no {what} for {family}"
    hint: ClassVar[str] = "on Debian or Ubuntu: apt-get install mpich libmpich-dev; or name the command: {option} CMD"
    what: str
    family: str
    option: str


class NoProgram(Diagnostic):
    """A program that is not there, or cannot be run."""

    message: ClassVar[str] = "cannot run {program}: {reason}"
    hint: ClassVar[str] = "after --, give the program as its path, then its arguments: -- ./program 100"
    program: str
    reason: str


class NotMpi(Diagnostic):
    """A program that is linked to no MPI library, or made no MPI call."""

    message: ClassVar[str] = "{program} {reason}"
    hint: ClassVar[str] = "build it with mpicc against a shared MPI library, and call MPI_Init"
    program: str
    reason: str


class DoesNotBuild(Diagnostic):
    """C source of ours that the compiler does not take."""

    message: ClassVar[str] = "{compiler} cannot build {what}: {said}"
    hint: ClassVar[str] = "is the development package of this MPI installed? On Debian: apt-get install libmpich-dev"
    compiler: str
    what: str
    said: str


class NoVolumes(Diagnostic):
    """A way to measure volumes that does not work here."""

    message: ClassVar[str] = "--mode {mode}: {reason}"
    hint: ClassVar[str] = "{advised}"
    mode: str
    reason: str
    advised: str


class Failed(Diagnostic):
    """A program that ended with an error."""

    message: ClassVar[str] = "{command} ended with exit status {code}: {said}"
    hint: ClassVar[str] = "{advised}"
    command: str
    code: int
    said: str
    advised: str


class TookTooLong(Diagnostic):
    """A program that was ended at the limit."""

    message: ClassVar[str] = "{command} was ended after {limit:g} s{kept}"
    hint: ClassVar[str] = "--limit TIME allows more"
    command: str
    limit: float
    kept: str


class Ended(Diagnostic):
    """A program that was ended by whoever ended APET."""

    message: ClassVar[str] = "{command} was ended by {signal}{kept}"
    command: str
    signal: str
    kept: str


class BadCount(Diagnostic):
    """A number of ranks or runs that makes no sense."""

    message: ClassVar[str] = "{option} {value}: it should be {wanted}"
    option: str
    value: str
    wanted: str


class NoPingPong(Diagnostic):
    """Measurements of messages that cannot be used."""

    message: ClassVar[str] = "the measurements of the network cannot be used: {reason}"
    hint: ClassVar[str] = "lines read: BYTES SECONDS, one way"
    reason: str


class LeftOut(Advisory):
    """Something that the program did and a trace cannot say."""

    message: ClassVar[str] = "the trace lacks something: {what} ({count:,} times)"
    what: str
    count: int


class CountsBlocks(Advisory):
    """Figures of a program that was slowed by counting."""

    message: ClassVar[str] = "{program} counts blocks, which slows it: the rate is too low"
    hint: ClassVar[str] = "give the trace with --trace, and the program without 'apet trace cc' after --"
    program: str


class Scatters(Advisory):
    """Measurements that no piecewise line goes through."""

    message: ClassVar[str] = "the times of messages scatter: up to {worst:.0%} off the fit"
    hint: ClassVar[str] = "is the machine busy? Fewer ranks than cores, and nothing else running, measure better"
    worst: float
