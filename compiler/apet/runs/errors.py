"""What can be wrong with runs and their files, and with predictions from them."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NotPositive(Diagnostic):
    """A time or size that is 0 or less."""

    message = "{what} is {value}, but must be above 0"
    hint = "leave out runs that failed or were too short to be timed"


class NotATime(Diagnostic):
    """Something else where a number belongs."""

    message = "{what} is {value}, which is no finite number"
    hint = "a time is a number, with a unit where the column has none: 1.5 or '1.5 ms'"


class BeyondMeasuring(Diagnostic):
    """A number beyond what can be measured."""

    message = "{what} is {value}, which is not between 1e-18 and 1e18"
    hint = "is the unit right?"


class Missing(Diagnostic):
    """A number that is not there."""

    message = "{what} is missing"
    hint = 'each run has a size and a time: {{"n": 100, "t": 1.5}}'


class UnknownFormat(Diagnostic):
    """A file that none of the readers knows."""

    message = "these are no runs in a known format: {problem}"
    hint = (
        "known are JSON, CSV with columns n and t, Extra-P's files, sacct, what hyperfine, Google Benchmark, JMH,"
        " pytest, asv, go, cargo, Criterion, Catch2 and BenchmarkDotNet write, and profiles of TAU, Score-P, Caliper,"
        " nvprof, nsys stats, cProfile, perf report and perf stat"
    )


class OtherFile(Diagnostic):
    """A file that is known, and holds no runs in a form that can be read."""

    message = "{file} is {what}"
    hint = "{advised}"


class MissingColumn(Diagnostic):
    """A table without a column for n or t."""

    message = "no column for {what} among: {columns}"
    hint = "name the columns n and t, as in: n,t,compute,exchange; apet predict --parameters names others"


class WrongCellCount(Diagnostic):
    """A row with more or fewer cells than the heading, or more data than points."""

    message = "{count} {what}, but {expected} {reason}"
    hint = "{advised}"


class RepeatedColumn(Diagnostic):
    """A heading with the same name twice."""

    message = "two columns are named {name}"
    hint = "give each column a name of its own"


class MixedTimeUnits(Diagnostic):
    """Times in different units, or some with a unit and some without."""

    message = "mixed units: {here} here, {there} in line {line}"
    hint = "give each time its unit, or none, and name the unit once in the heading: t [ms]"


class UnknownTimeUnit(Diagnostic):
    """A unit that is no time."""

    message = "{unit} is no unit of time"
    hint = "units are ns, us, ms, s, min, h"


class SeveralToChoose(Diagnostic):
    """Several curves, benchmarks or metrics without the time, none of them chosen."""

    message = "there are {count} {what}; choose one"
    hint = "{option}, one of: {names}"


class UnknownRunName(Diagnostic):
    """A curve or a parameter that the runs have not, or a method that does not exist for this kind of runs."""

    message = "no {what} is named {name}{nearest}"
    hint = "there are: {names}"


class NoRuns(Diagnostic):
    """A file or folder without any run."""

    message = "there is no run in {what}"
    hint = "{advised}"


class SeveralParameters(Diagnostic):
    """Runs over more than one varying parameter, where one is meant."""

    message = "{count} parameters vary: {names}"
    hint = "name those to keep (--parameters {joined}); or fix one: --where {condition}"
    count: int
    names: str
    condition: str
    joined: str


class NoSuchValue(Diagnostic):
    """A condition that no run meets."""

    message = "no run has {name} = {value}"
    hint = "{name} is one of: {values}"


class TextParameter(Diagnostic):
    """A varying parameter whose values are no numbers."""

    message = "the values of {name} are no numbers: {values}"
    hint = "each has a prediction of its own: --where {name}={first}"


class OtherParameters(Diagnostic):
    """Files of which only some know a parameter."""

    message = "{file} and the others do not all have the parameters {names}"
    hint = "name files of the same parameters"


class OtherUnits(Diagnostic):
    """Files of different metrics."""

    message = "{what} do not measure the same: {units}"
    hint = "name files of one metric, or choose it: --metric"


class NeitherPhaseNorParameter(Diagnostic):
    """A column that is larger than the time, so that it can be no phase, and that nobody called a parameter."""

    message = "{name} cannot be a phase: it is larger than the time, or repeats as a parameter does"
    hint = "say so with apet predict --parameters {names}, or head the column 'phase:{name}', or leave it out"


class NoParameterVaries(Diagnostic):
    """Runs at one point."""

    message = "no parameter varies: {constants} in all runs"
    hint = "measure other values; 8 points make a good design: apet measure --plan n=100:1600,P=1:16"


class OneRunEach(Diagnostic):
    """Runs that name no parameter in common."""

    message = "no parameter varies: {problem}"
    hint = "a parameter is a number in the names, or a column or key of its own; fewer programs: --metric or --where"


class NoSizeArgument(Diagnostic):
    """An argument of a fitted operation with which its time falls, or that does not vary."""

    message = "{name} cannot be an argument of a fitted operation: {problem}"
    hint = "arguments are sizes; fix others: where = {{ {name} = {value} }}"


class TooFewPoints(Diagnostic):
    """Fewer points than can tell parameters apart."""

    message = "{count} points are too few for {parameters}"
    hint = "{advised}"


class NoSize(Diagnostic):
    """A profile whose file name does not say how large the run was."""

    message = "the name {file} does not say which n this run had"
    hint = "put it into the name (run-n64.csv), or say it: --at 64={file}"


class BadNamePattern(Diagnostic):
    """A pattern of names without a place for a parameter."""

    message = "--name-pattern {pattern}: {problem}"
    hint = "write 'n{{n}}_P{{P}}' for files like n100_P4.json; * is any text"


class NeedlessPattern(Diagnostic):
    """A pattern of names for a file that holds all runs."""

    message = "--name-pattern is for names of files and jobs, and this file names its parameters"
    hint = "leave it out"


class NeedsNamePattern(Diagnostic):
    """A folder of profiles whose names hold parameters."""

    message = "the names in {folder} do not say which parameters their numbers are"
    hint = "add --name-pattern 'n{{n}}_P{{P}}'; numbers that vary: {labels}"


class NoMatch(Diagnostic):
    """A name that does not fit the pattern."""

    message = "the name {file} does not fit {pattern}"
    hint = "* in a pattern is any text: '*n{{n}}_P{{P}}*'"


class OnlyShares(Diagnostic):
    """A perf report that does not say how long the run took."""

    message = "this report gives shares of {event}, not times"
    hint = "record a clock: perf record -e task-clock; its event count is in nanoseconds"


class BrokenProfile(Diagnostic):
    """A profile whose lines do not have their profiler's form."""

    message = "this is no {profiler} profile: {problem}"


class NoCubeReader(Diagnostic):
    """The library that reads Score-P's profiles is missing."""

    message = "reading {file} needs the Python package pycubexr"
    hint = "pip install 'apet[cubex]'"


class OneProfile(Diagnostic):
    """One profile where several runs are needed."""

    message = "{file} is the profile of one run; a prediction needs several, of different n"
    hint = "name a folder of profiles, or --at 64=FILE --at 128=FILE"


class TooManyRunPoints(Diagnostic):
    """More different points than any design has."""

    message = "there are more than {most:,} different points"
    hint = "is a column of measurements taken for a parameter? name them: --parameters n,P"


# Predictions


class TooFew(Diagnostic):
    """Fewer runs than a method needs."""

    message = "the method {method} needs runs at {needed} different n or more; there {present}"
    hint = "{advised}"


class OutOfReach(Diagnostic):
    """A prediction beyond all numbers."""

    message = "the run time at n = {n} is beyond all numbers"
    hint = "the largest run has n = {largest}; nothing can be said so far away"
