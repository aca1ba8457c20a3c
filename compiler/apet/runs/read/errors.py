"""What can be wrong with a file of runs."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NotPositive(Diagnostic):
    """A time or size that is 0 or less."""

    message: ClassVar[str] = "{what} is {value}, but must be above 0"
    hint: ClassVar[str] = "leave out runs that failed or were too short to be timed"
    what: str
    value: str


class NotATime(Diagnostic):
    """Something else where a number belongs."""

    message: ClassVar[str] = "{what} is {value}, which is no finite number"
    hint: ClassVar[str] = "a time is a number, with a unit where the column has none: 1.5 or '1.5 ms'"
    what: str
    value: str


class BeyondMeasuring(Diagnostic):
    """A number beyond what can be measured."""

    message: ClassVar[str] = "{what} is {value}, which is not between 1e-18 and 1e18"
    hint: ClassVar[str] = "is the unit right?"
    what: str
    value: str


class Missing(Diagnostic):
    """A number that is not there."""

    message: ClassVar[str] = "{what} is missing"
    hint: ClassVar[str] = 'each run has a size and a time: {{"n": 100, "t": 1.5}}'
    what: str


class UnknownFormat(Diagnostic):
    """A file that none of the readers knows."""

    message: ClassVar[str] = "these are no runs in a known format: {problem}"
    hint: ClassVar[str] = (
        "known are JSON, CSV with columns n and t, Extra-P's text, JSON and JSON Lines, and profiles of TAU, nvprof,"
        " nsys stats, cProfile and perf report"
    )
    problem: str


class MissingColumn(Diagnostic):
    """A table without a column for n or t."""

    message: ClassVar[str] = "no column for {what} among: {columns}"
    hint: ClassVar[str] = "name the columns n and t, as in: n,t,compute,exchange"
    what: str
    columns: str


class WrongCellCount(Diagnostic):
    """A row with more or fewer cells than the heading, or more data than points."""

    message: ClassVar[str] = "{found} {what}, but {expected} {reason}"
    hint: ClassVar[str] = "{advised}"
    found: int
    what: str
    expected: int
    reason: str
    advised: str


class MixedTimeUnits(Diagnostic):
    """Times in different units, or some with a unit and some without."""

    message: ClassVar[str] = "mixed units: {here} here, {there} in line {line}"
    hint: ClassVar[str] = "give each time its unit, or none, and name the unit once in the heading: t [ms]"
    here: str
    there: str
    line: int


class UnknownTimeUnit(Diagnostic):
    """A unit that is no time."""

    message: ClassVar[str] = "{unit} is no unit of time"
    hint: ClassVar[str] = "units are ns, us, ms, s, min, h"
    unit: str


class SeveralCurves(Diagnostic):
    """A file of several curves, none of them chosen."""

    message: ClassVar[str] = "there are {count} curves in this file; choose one"
    hint: ClassVar[str] = "--curve ID, one of: {names}"
    count: int
    names: str


class UnknownCurve(Diagnostic):
    """A curve that the file has not."""

    message: ClassVar[str] = "no curve is named {name}{nearest}"
    hint: ClassVar[str] = "there are: {names}"
    name: str
    nearest: str
    names: str


class NoRuns(Diagnostic):
    """A file or folder without any run."""

    message: ClassVar[str] = "there is no run in {what}"
    hint: ClassVar[str] = "{advised}"
    what: str
    advised: str


class SeveralParameters(Diagnostic):
    """Runs over more than one varying parameter."""

    message: ClassVar[str] = "{count} parameters vary: {names}"
    hint: ClassVar[str] = "an extrapolation is over one: keep the runs in which only {first} varies"
    count: int
    names: str
    first: str


class SeveralMetrics(Diagnostic):
    """Several metrics, none of them the time."""

    message: ClassVar[str] = "no metric is named time; there are: {names}"
    hint: ClassVar[str] = "choose one: --metric {first}"
    names: str
    first: str


class NoSize(Diagnostic):
    """A profile whose file name does not say how large the run was."""

    message: ClassVar[str] = "the name {file} does not say which n this run had"
    hint: ClassVar[str] = "put it into the name (run-n64.csv), or say it: --at 64={file}"
    file: str


class BadAt(Diagnostic):
    """`--at` that is no n and file."""

    message: ClassVar[str] = "--at {given}: a number above 0, an equals sign and a file are needed"
    hint: ClassVar[str] = "write --at 64=profile-a.csv --at 128=profile-b.csv"
    given: str


class OnlyShares(Diagnostic):
    """A perf report that does not say how long the run took."""

    message: ClassVar[str] = "this report gives shares of {event}, not times"
    hint: ClassVar[str] = "record a clock: perf record -e task-clock; its event count is in nanoseconds"
    event: str


class BrokenProfile(Diagnostic):
    """A profile whose lines do not have their profiler's form."""

    message: ClassVar[str] = "this is no {profiler} profile: {problem}"
    profiler: str
    problem: str


class OneProfile(Diagnostic):
    """One profile where several runs are needed."""

    message: ClassVar[str] = "{file} is the profile of one run; a prediction needs several, of different n"
    hint: ClassVar[str] = "name a folder of profiles, or --at 64=FILE --at 128=FILE"
    file: str
