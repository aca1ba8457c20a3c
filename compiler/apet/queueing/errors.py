"""Errors in queueing problems, and in what is asked of them."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class Overloaded(Diagnostic):
    """An open network without a steady state."""

    message: ClassVar[str] = "unstable: jobs arrive faster than they can be served ({stations})"
    hint: ClassVar[str] = "lower the arrival rates, or give these stations more servers or shorter service"
    stations: str


class TooLarge(Diagnostic):
    """A network whose exact solution would take too long."""

    message: ClassVar[str] = "the exact solution takes {size} numbers, more than {most}"
    hint: ClassVar[str] = "ask for --method linearizer (some percent off, immediate)"
    size: str
    most: str


class BoundsNeedClosed(Diagnostic):
    """Bounds asked of open classes."""

    message: ClassVar[str] = "bounds are those of closed classes, and some class here is open"
    hint: ClassVar[str] = "open networks are solved exactly at once: --method auto"


class BoundsNeedPlain(Diagnostic):
    """Bounds asked of multi-servers."""

    message: ClassVar[str] = "bounds are known for single servers and delays only, unlike {stations}"
    hint: ClassVar[str] = "ask for --method exact, or schweitzer"
    stations: str


class MethodDoesNotApply(Diagnostic):
    """A method asked of a problem that it does not cover."""

    message: ClassVar[str] = "the method '{method}' is for {what}"
    hint: ClassVar[str] = "leave --method out"
    method: str
    what: str


class GrowthOfOneClass(Diagnostic):
    """A curve against the number of jobs, where there is no such number or more than one."""

    message: ClassVar[str] = "a curve against the number of jobs needs one closed class, without intervals"
    hint: ClassVar[str] = "give the file one class with a population and single numbers"


class NotConverged(Diagnostic):
    """A fixed point that was not reached."""

    message: ClassVar[str] = (
        "'{method}' did not converge: after {rounds} rounds response times still change by {change}"
    )
    hint: ClassVar[str] = "leave --method out: the default does not iterate, and is closer to simulation"
    method: str
    rounds: int
    change: str


class JobTooLarge(Diagnostic):
    """An application with more parts than a job with precedence may have."""

    message: ClassVar[str] = "as a job with precedence this application is too large: {reason}"
    hint: ClassVar[str] = "take fewer processors or parallel rounds: -P 8; one run alone: leave --backend out"
    reason: str


class RangeUnderLoad(Diagnostic):
    """A range where a job needs one value."""

    message: ClassVar[str] = "{name} is a range, and a job under load has one value"
    hint: ClassVar[str] = "choose a value in it: --set {name}=…"
    name: str


class BoundsMissed(Diagnostic):
    """A job whose time alone contradicts what is proved of it."""

    message: ClassVar[str] = "one job alone would take {alone}, outside of what is certain: {low} to {high}"
    hint: ClassVar[str] = "resources that are held while others are waited for do not fit a network of queues"
    alone: str
    low: str
    high: str


class OnlyJobsSimulated(Diagnostic):
    """A simulation of something else than jobs at stations."""

    message: ClassVar[str] = "--simulate runs networks and jobs with single numbers, without load-dependent stations"
    hint: ClassVar[str] = "leave --simulate out"


class NoMeasurements(Diagnostic):
    """A file of measurements that is none of those that are read."""

    message: ClassVar[str] = "these measurements cannot be read: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    reason: str
    advice_text: str


class WrongCell(Diagnostic):
    """A number of a table that is none, or impossible."""

    message: ClassVar[str] = "{column}: '{written}' is not {wanted}"
    hint: ClassVar[str] = "leave out rows without measurements"
    column: str
    written: str
    wanted: str


class TooFewRows(Diagnostic):
    """A table with fewer intervals than unknown demands."""

    message: ClassVar[str] = "{rows} intervals: too few to tell the demands of {classes} classes"
    hint: ClassVar[str] = "measure more intervals, at different loads"
    rows: str
    classes: str


class NoSuchStation(Diagnostic):
    """Servers of a station that measurements do not have."""

    message: ClassVar[str] = "--servers {station}: the measurements have no such station{near}"
    hint: ClassVar[str] = "one of: {stations}"
    station: str
    near: str
    stations: str


class ClassesAlike(Diagnostic):
    """Classes whose throughputs are proportional to each other in all intervals."""

    message: ClassVar[str] = "the throughputs of {classes} rise and fall together: nothing tells their demands apart"
    hint: ClassVar[str] = "measure intervals with other mixtures, or count these classes as one"
    classes: str


class NothingToVary(Diagnostic):
    """A number varied of a problem that has none."""

    message: ClassVar[str] = "servers, jobs and rates vary in networks and jobs with single numbers only"
    hint: ClassVar[str] = "give the file stations and classes, and no intervals"


class NoSuchNumber(Diagnostic):
    """A parameter or class that a problem does not have."""

    message: ClassVar[str] = "'{name}': {reason}"
    hint: ClassVar[str] = "one of: {names}"
    name: str
    reason: str
    names: str


class NotInProductForm(Diagnostic):
    """A method of product form asked of a network that has none."""

    message: ClassVar[str] = "no product form, because of {stations}: {what}"
    hint: ClassVar[str] = "product form needs shared servers or equal exponential services, and no priorities or pools"
    stations: str
    what: str


class TooManyVisits(Diagnostic):
    """A network whose visits are too many to be followed one by one."""

    message: ClassVar[str] = "{visits} visits per job are more than {most}, and this network is solved visit by visit"
    hint: ClassVar[str] = 'take fewer, longer visits, or give the stations discipline = "PS"'
    visits: str
    most: str


class TooRare(Diagnostic):
    """A class of which a simulation sees no job end."""

    message: ClassVar[str] = "no job of {classes} ends in a simulation of {seconds}"
    hint: ClassVar[str] = "these jobs are too rare or too long next to the others: solve them without these"
    classes: str
    seconds: str


class TooManyTasks(Diagnostic):
    """A simulation that would need too much memory."""

    message: ClassVar[str] = "to simulate these jobs needs {size} places for tasks, more than {most}"
    hint: ClassVar[str] = "take fewer jobs, or jobs of fewer tasks"
    size: str
    most: str


# Formulas as cost models


class TooManyJobs(Diagnostic):
    """A network whose formulas are too long to be read."""

    message: ClassVar[str] = "this network is too large for formulas: {size} terms, and the most is {most}"
    hint: ClassVar[str] = "{advice_text}"
    size: str
    most: str
    advice_text: str


class NoFormulas(Diagnostic):
    """A queueing problem of a kind that has no formulas."""

    message: ClassVar[str] = "{what} has no formulas"
    hint: ClassVar[str] = (
        "solve it in numbers: apet queue FILE, with --against NAME=VALUES for several values, "
        "or apet solve FILE --deadline T --for NAME"
    )
    what: str


class UnknownQuantity(Diagnostic):
    """A quantity that a file cannot be asked for."""

    message: ClassVar[str] = "--of {quantity}: {reason}{near}"
    hint: ClassVar[str] = "one of: {quantities}"
    quantity: str
    reason: str
    near: str
    quantities: str
