"""What can be wrong with logs of engines, and with what is asked of them."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnknownLog(Diagnostic):
    """A file that is no log of a known engine."""

    message: ClassVar[str] = "{path} is no job log: {problem}"
    hint: ClassVar[str] = (
        "known are Spark event logs, Hadoop .jhist files, logs of apet.joblogs.dask_plugin, and CSV tables of tasks"
        " with the columns task, start, end, after"
    )
    path: str
    problem: str


class BrokenLog(Diagnostic):
    """A log of which too many lines cannot be read."""

    message: ClassVar[str] = "{path}: {broken} of {lines} lines are no events; the first is line {first}"
    hint: ClassVar[str] = "a log that was copied in part or changed by hand predicts nothing; copy it again"
    path: str
    broken: int
    lines: int
    first: int


class DamagedLog(Diagnostic):
    """A compressed log that cannot be unpacked."""

    message: ClassVar[str] = "{path} cannot be unpacked: {reason}"
    hint: ClassVar[str] = "copy it again, or unpack it with the program that packed it"
    path: str
    reason: str


class Overblown(Diagnostic):
    """A file that unpacks to far more than a log can."""

    message: ClassVar[str] = "{path} unpacks to more than {times} times its size"
    hint: ClassVar[str] = "event logs shrink to a tenth or a fiftieth; this is something else"
    path: str
    times: int


class LongLine(Diagnostic):
    """A line that is longer than an event can be."""

    message: ClassVar[str] = "{path}: line {line} is longer than {mebibytes} MiB"
    hint: ClassVar[str] = "an event takes a few kilobytes; is this a log?"
    path: str
    line: int
    mebibytes: int


class NeedsUnpacking(Diagnostic):
    """A compression that needs a library which is not there."""

    message: ClassVar[str] = "{path} is compressed with {codec}, which needs a library that is not installed"
    hint: ClassVar[str] = "install it: pip install 'apet[logs]'{otherwise}"
    path: str
    codec: str
    otherwise: str


class CompactedLog(Diagnostic):
    """A rolled log that Spark has shortened."""

    message: ClassVar[str] = "{path} is a compacted log: Spark has removed its finished jobs"
    hint: ClassVar[str] = "set spark.history.fs.eventLog.rolling.maxFilesToRetain higher, and run the job again"
    path: str


class MissingPart(Diagnostic):
    """A rolled log without one of its parts."""

    message: ClassVar[str] = "{path} has no part {number}; there are: {present}"
    hint: ClassVar[str] = "copy the whole folder, and name the folder"
    path: str
    number: int
    present: str


class NoJobs(Diagnostic):
    """A log in which nothing ran to its end."""

    message: ClassVar[str] = "{path}: {reason}"
    hint: ClassVar[str] = "{advised}"
    path: str
    reason: str
    advised: str


class Streaming(Diagnostic):
    """A log of batches that begin by the clock."""

    message: ClassVar[str] = "{path} is the log of a streaming application: its jobs begin when data arrive"
    hint: ClassVar[str] = "more cores do not end it earlier; describe batches as a queue: apet queue"
    path: str


class BadTaskTable(Diagnostic):
    """A row or heading of a task table that cannot be."""

    message: ClassVar[str] = "{path}:{line}: {reason}"
    hint: ClassVar[str] = "{advised}"
    path: str
    line: int
    reason: str
    advised: str


class CircularTasks(Diagnostic):
    """Tasks that wait for each other."""

    message: ClassVar[str] = "{path}: tasks wait for each other in a circle: {names}"
    hint: ClassVar[str] = "one of them must not depend on the one before it"
    path: str
    names: str


class UnknownStage(Diagnostic):
    """A what-if about a stage that the log has not, or a change that there is not."""

    message: ClassVar[str] = "--set {setting}: {reason}"
    hint: ClassVar[str] = "{advised}"
    setting: str
    reason: str
    advised: str


class DifferentLogs(Diagnostic):
    """Logs of different sizes that do not have the same stages."""

    message: ClassVar[str] = "{first} and {second} differ from stage {place} on: {reason}"
    hint: ClassVar[str] = "sizes can be compared of one program whose jobs and stages are the same"
    first: str
    second: str
    place: int
    reason: str


class UntrustedLog(Diagnostic):
    """A log whose own run is not reproduced: bounds from it would mean nothing."""

    message: ClassVar[str] = "{path}: the replay misses the log's own run by {error}; there are no bounds"
    hint: ClassVar[str] = "apet jobs gives the replay alone; apet jobs check names what the log lacks"
    path: str
    error: str
