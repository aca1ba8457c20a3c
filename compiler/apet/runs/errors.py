"""What can be wrong with runs and their files, and with predictions from them."""

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
        "known are JSON, CSV with columns n and t, Extra-P's text, JSON and JSON Lines, sacct -P, and profiles of TAU,"
        " Score-P, Caliper, nvprof, nsys stats, cProfile, perf report and perf stat"
    )
    problem: str


class MissingColumn(Diagnostic):
    """A table without a column for n or t."""

    message: ClassVar[str] = "no column for {what} among: {columns}"
    hint: ClassVar[str] = "name the columns n and t, as in: n,t,compute,exchange; apet fit --parameters names others"
    what: str
    columns: str


class WrongCellCount(Diagnostic):
    """A row with more or fewer cells than the heading, or more data than points."""

    message: ClassVar[str] = "{count} {what}, but {expected} {reason}"
    hint: ClassVar[str] = "{advised}"
    count: int
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


class SeveralToChoose(Diagnostic):
    """Several curves, benchmarks or metrics without the time, none of them chosen."""

    message: ClassVar[str] = "there are {count} {what}; choose one"
    hint: ClassVar[str] = "{option}, one of: {names}"
    count: int
    what: str
    option: str
    names: str


class UnknownRunName(Diagnostic):
    """A curve or a parameter that the runs have not, or a method that does not exist for this kind of runs."""

    message: ClassVar[str] = "no {what} is named {name}{nearest}"
    hint: ClassVar[str] = "there are: {names}"
    what: str
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
    """Runs over more than one varying parameter, where one is meant."""

    message: ClassVar[str] = "{count} parameters vary: {names}"
    hint: ClassVar[str] = "apet fit predicts over all of them (--parameters {joined}); or fix one: --where {condition}"
    count: int
    names: str
    condition: str
    joined: str


class NoSuchValue(Diagnostic):
    """A condition that no run meets."""

    message: ClassVar[str] = "no run has {name} = {value}"
    hint: ClassVar[str] = "{name} is one of: {values}"
    name: str
    value: str
    values: str


class TextParameter(Diagnostic):
    """A varying parameter whose values are no numbers."""

    message: ClassVar[str] = "the values of {name} are no numbers: {values}"
    hint: ClassVar[str] = "each has a prediction of its own: --where {name}={first}"
    name: str
    values: str
    first: str


class OtherParameters(Diagnostic):
    """Files of which only some know a parameter."""

    message: ClassVar[str] = "{file} and the others do not all have the parameters {names}"
    hint: ClassVar[str] = "name files of the same parameters"
    file: str
    names: str


class NeitherPhaseNorParameter(Diagnostic):
    """A column that is larger than the time, so that it can be no phase, and that nobody called a parameter."""

    message: ClassVar[str] = "{name} cannot be a phase: it is larger than the time, or repeats as a parameter does"
    hint: ClassVar[str] = (
        "say so with apet fit --parameters {names}, or head the column 'phase:{name}', or leave it out"
    )
    name: str
    names: str


class NoParameterVaries(Diagnostic):
    """Runs at one point."""

    message: ClassVar[str] = "no parameter varies: {constants} in all runs"
    hint: ClassVar[str] = "measure other values; 8 points make a good design: apet fit --plan n=100:1600,P=1:16"
    constants: str


class NoSizeArgument(Diagnostic):
    """An argument of a fitted operation with which its time falls, or that does not vary."""

    message: ClassVar[str] = "{name} cannot be an argument of a fitted operation: {problem}"
    hint: ClassVar[str] = "arguments are sizes; fix others: where = {{ {name} = {value} }}"
    name: str
    problem: str
    value: str


class TooFewPoints(Diagnostic):
    """Fewer points than can tell parameters apart."""

    message: ClassVar[str] = "{count} points are too few for {parameters} parameters"
    hint: ClassVar[str] = "{advised}"
    count: int
    parameters: int
    advised: str


class NoSize(Diagnostic):
    """A profile whose file name does not say how large the run was."""

    message: ClassVar[str] = "the name {file} does not say which n this run had"
    hint: ClassVar[str] = "put it into the name (run-n64.csv), or say it: --at 64={file}"
    file: str


class BadNamePattern(Diagnostic):
    """A pattern of names without a place for a parameter."""

    message: ClassVar[str] = "--name-pattern {pattern}: {problem}"
    hint: ClassVar[str] = "write 'n{{n}}_P{{P}}' for files like n100_P4.json; * is any text"
    pattern: str
    problem: str


class NeedsNamePattern(Diagnostic):
    """A folder of profiles whose names hold parameters."""

    message: ClassVar[str] = "the names in {folder} do not say which parameters their numbers are"
    hint: ClassVar[str] = "add --name-pattern 'n{{n}}_P{{P}}'; numbers that vary: {labels}"
    folder: str
    labels: str


class NoMatch(Diagnostic):
    """A name that does not fit the pattern."""

    message: ClassVar[str] = "the name {file} does not fit {pattern}"
    hint: ClassVar[str] = "* in a pattern is any text: '*n{{n}}_P{{P}}*'"
    file: str
    pattern: str


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


class NoCubeReader(Diagnostic):
    """The library that reads Score-P's profiles is missing."""

    message: ClassVar[str] = "reading {file} needs the Python package pycubexr"
    hint: ClassVar[str] = "pip install 'apet[cubex]'"
    file: str


class OneProfile(Diagnostic):
    """One profile where several runs are needed."""

    message: ClassVar[str] = "{file} is the profile of one run; a prediction needs several, of different n"
    hint: ClassVar[str] = "name a folder of profiles, or --at 64=FILE --at 128=FILE"
    file: str


class TooManyRunPoints(Diagnostic):
    """More different points than any design has."""

    message: ClassVar[str] = "there are more than {most:,} different points"
    hint: ClassVar[str] = "is a column of measurements taken for a parameter? name them: --parameters n,P"
    most: int


# Predictions


class TooFew(Diagnostic):
    """Fewer runs than a method needs."""

    message: ClassVar[str] = "the method {method} needs runs at {needed} different n or more; there {present}"
    hint: ClassVar[str] = "{advised}"
    method: str
    needed: int
    present: str
    advised: str


class OutOfReach(Diagnostic):
    """A prediction beyond all numbers."""

    message: ClassVar[str] = "the run time at n = {n} is beyond all numbers"
    hint: ClassVar[str] = "the largest run has n = {largest}; nothing can be said so far away"
    n: str
    largest: str
