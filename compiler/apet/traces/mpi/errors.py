"""What can go wrong when an MPI program is run."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class NoMpiCommand(Diagnostic):
    """No command that starts or compiles MPI programs."""

    message = "there is no {what} for {family}"
    hint = "on Debian or Ubuntu: apt-get install mpich libmpich-dev; or name the command: {option} CMD"


class NoProgram(Diagnostic):
    """A program that is not there, or cannot be run."""

    message = "cannot run {program}: {reason}"
    hint = "after --, give the program as its path, then its arguments: -- ./program 100"


class NotMpi(Diagnostic):
    """A program that is linked to no MPI library, or made no MPI call."""

    message = "{program} {reason}"
    hint = "build it with mpicc against a shared MPI library, and call MPI_Init"


class EndedEarly(Diagnostic):
    """A program some of whose ranks came to no `MPI_Finalize`, with the exit status of success."""

    message = "{command}: {missing} of {ranks} ranks ended without MPI_Finalize, with exit status 0"
    hint = "did the program stop early (MPI_Abort, exit)? See what it printed; the trace up to there was kept"


class DoesNotBuild(Diagnostic):
    """C source of ours that the compiler does not take."""

    message = "{compiler} cannot build {what}: {said}"
    hint = "is the development package of this MPI installed? On Debian: apt-get install libmpich-dev"


class NoVolumes(Diagnostic):
    """A way to measure volumes that does not work here."""

    message = "--mode {mode}: {reason}"
    hint = "{advised}"


class Failed(Diagnostic):
    """A program that ended with an error."""

    message = "{command} ended with exit status {code}: {said}"
    hint = "{advised}"


class TookTooLong(Diagnostic):
    """A program that was ended at the limit."""

    message = "{command} was ended after {limit:g} s{kept}"
    hint = "--run-limit TIME allows more"


class Ended(Diagnostic):
    """A program that was ended by whoever ended APET."""

    message = "{command} was ended by {signal}{kept}"


class BadCount(Diagnostic):
    """A number of ranks or runs that makes no sense."""

    message = "{option} {value}: it should be {wanted}"


class NoPingPong(Diagnostic):
    """Measurements of messages that cannot be used."""

    message = "the measurements of the network cannot be used: {reason}"
    hint = "lines read: BYTES SECONDS, one way"


class LeftOut(Advisory):
    """Something that the program did and a trace cannot say."""

    message = "the trace lacks something: {what} ({count:,} times)"


class CountsBlocks(Advisory):
    """Figures of a program that was slowed by counting."""

    message = "{program} counts blocks, which slows it: the rate is too low"
    hint = "give the trace with --trace, and the program without 'apet record --cc' after --"


class ShortRuns(Advisory):
    """A case too small to stand for larger ones."""

    message = "a run computes for {seconds:.2g} s only: larger cases may be slower than the platform's interval says"
    hint = "calibrate with a case of 0.2 s and more, whose data fit into no cache"


class Scatters(Advisory):
    """Measurements that no piecewise line goes through."""

    message = "the times of messages scatter: up to {worst:.0%} off the fit"
    hint = "is the machine busy? Fewer ranks than cores, and nothing else running, measure better"
