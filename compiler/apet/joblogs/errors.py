"""What can be wrong with logs of engines, and with what is asked of them."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class UnknownLog(Diagnostic):
    """A file that is no log of a known engine."""

    message = "{path} is no job log: {problem}"
    hint = (
        "known are Spark event logs, Hadoop .jhist files, logs and reports of Dask, traces of Nextflow, and tables of"
        " tasks with the columns task, start, end, after"
    )


class BrokenLog(Diagnostic):
    """A log of which too many lines cannot be read."""

    message = "{path}: {broken} of {lines} lines are no events; the first is line {first}"
    hint = "a log that was copied in part or changed by hand predicts nothing; copy it again"


class DamagedLog(Diagnostic):
    """A compressed log that cannot be unpacked."""

    message = "{path} cannot be unpacked: {reason}"
    hint = "copy it again, or unpack it with the program that packed it"


class Overblown(Diagnostic):
    """A file that unpacks to far more than a log can."""

    message = "{path} unpacks to more than {times} times its size"
    hint = "event logs shrink to a tenth or a fiftieth; this is something else"


class LongLine(Diagnostic):
    """A line that is longer than an event can be."""

    message = "{path}: line {line} is longer than {mebibytes} MiB"
    hint = "an event takes a few kilobytes; is this a log?"


class NeedsUnpacking(Diagnostic):
    """A compression that needs a library which is not there."""

    message = "{path} is compressed with {codec}, which needs a library that is not installed"
    hint = "install it: pip install 'apet[logs]'{otherwise}"


class CompactedLog(Diagnostic):
    """A rolled log that Spark has shortened."""

    message = "{path} is a compacted log: Spark has removed its finished jobs"
    hint = "set spark.history.fs.eventLog.rolling.maxFilesToRetain higher, and run the job again"


class LogsInFolder(Diagnostic):
    """A folder or archive that holds no log, or more than one."""

    message = "{path} holds {count} logs of jobs"
    hint = "name the file of one{names}"


class SeveralApplications(Diagnostic):
    """A log with the start of another application in it."""

    message = "{path} holds several applications: another one begins in line {line}"
    hint = "split the file there; each application has a log of its own"


class MissingPart(Diagnostic):
    """A rolled log without one of its parts."""

    message = "{path} has no part {number}; there are: {present}"
    hint = "copy the whole folder, and name the folder"


class NoJobs(Diagnostic):
    """A log in which nothing ran to its end."""

    message = "{path}: {reason}"
    hint = "{advised}"


class Streaming(Diagnostic):
    """A log of batches that begin by the clock."""

    message = "{path} is the log of a streaming application: its jobs begin when data arrive"
    hint = "more cores do not end it earlier; describe batches as a queue: apet predict"


class BadTaskTable(Diagnostic):
    """A row or heading of a task table that cannot be."""

    message = "{reason}"
    hint = "{advised}"


class CircularTasks(Diagnostic):
    """Tasks that wait for each other."""

    message = "{path}: tasks wait for each other in a circle: {names}"
    hint = "one of them must not depend on the one before it"


class UnknownStage(Diagnostic):
    """A what-if about a stage that the log has not, or a change that there is not."""

    message = "--set {setting}: {reason}"
    hint = "{advised}"


class DifferentLogs(Diagnostic):
    """Logs of different sizes that do not have the same stages."""

    message = "{first} and {second} differ from stage {place} on: {reason}"
    hint = "sizes can be compared of one program whose jobs and stages are the same"


class UntrustedLog(Diagnostic):
    """A log whose own run is not reproduced: bounds from it would mean nothing."""

    message = "{path}: the replay misses the log's own run by {error}; there are no bounds"
    hint = "apet predict gives the replay alone; apet check names what the log lacks"
