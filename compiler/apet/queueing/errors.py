"""Errors in queueing problems, and in what is asked of them."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError, Diagnostic


class Overloaded(Diagnostic):
    """An open network without a steady state."""

    message = "unstable: jobs arrive faster than they can be served ({stations})"
    hint = "lower the arrival rates, or give these stations more servers or shorter service"


class TooLarge(Diagnostic):
    """A network whose exact solution would take too long."""

    message = "the exact solution takes {size} numbers, more than {most}"
    hint = "ask for --method linearizer (some percent off, immediate)"


class BoundsNeedClosed(Diagnostic):
    """Bounds asked of open classes."""

    message = "bounds are those of closed classes, and some class here is open"
    hint = "open networks are solved exactly at once: --method auto"


class BoundsNeedPlain(Diagnostic):
    """Bounds asked of multi-servers."""

    message = "bounds are known for single servers and delays only, unlike {stations}"
    hint = "ask for --method exact, or schweitzer"


class MethodDoesNotApply(Diagnostic):
    """A method asked of a problem that it does not cover."""

    message = "the method '{method}' is for {what}"
    hint = "leave --method out"


class GrowthOfOneClass(Diagnostic):
    """A curve against the number of jobs, where there is no such number or more than one."""

    message = "a curve against the number of jobs needs one closed class, without intervals"
    hint = "give it one class with a population and single numbers, or vary a number: --vary NAME=VALUES"


class GrowthNeedsMeans(Diagnostic):
    """A curve against the number of jobs, of bounds."""

    message = "bounds have no curve against the number of jobs"
    hint = "ask for means: --method auto"


class NotConverged(Diagnostic):
    """A fixed point that was not reached."""

    message = "'{method}' did not converge: after {rounds} rounds response times still change by {change}"
    hint = "leave --method out: the default does not iterate, and is closer to simulation"


class JobTooLarge(Diagnostic):
    """An application with more parts than a job with precedence may have."""

    message = "as a job with precedence this application is too large: {reason}"
    hint = "take fewer processors or parallel rounds: -P 8; one run alone: leave --backend out"


class RangeUnderLoad(Diagnostic):
    """A range where a job needs one value."""

    message = "{name} is a range, and a job under load has one value"
    hint = "choose a value in it: --set {name}=…"


class BoundsMissed(Diagnostic):
    """A job whose time alone contradicts what is proved of it."""

    message = "one job alone would take {alone}, outside of what is certain: {low} to {high}"
    hint = "resources that are held while others are waited for do not fit a network of queues"


class OnlyJobsSimulated(Diagnostic):
    """A simulation of something else than jobs at stations."""

    message = "a simulation runs networks and jobs with single numbers, without load-dependent stations"
    hint = "solve it in numbers: apet predict"


class NoMeasurements(Diagnostic):
    """A file of measurements that is none of those that are read."""

    message = "these measurements cannot be read: {reason}"
    hint = "{advice_text}"


class WrongCell(Diagnostic):
    """A number of a table that is none, or impossible."""

    message = "{column}: '{written}' is not {wanted}"
    hint = "{advice_text}"


class TooFewRows(Diagnostic):
    """A table with fewer intervals than unknown demands."""

    message = "{rows} intervals: too few to tell the demands of {classes} classes"
    hint = "measure more intervals, at different loads"


class NoSuchStation(Diagnostic):
    """Servers of a station that measurements do not have."""

    message = "--servers {station}: the measurements have no such station{near}"
    hint = "one of: {stations}"


class ClassesAlike(Diagnostic):
    """Classes whose throughputs are proportional to each other in all intervals."""

    message = "the throughputs of {classes} rise and fall together: nothing tells their demands apart"
    hint = "measure intervals with other mixtures, or count these classes as one"


class NothingToVary(Diagnostic):
    """A number varied of a problem that has none."""

    message = "servers, jobs and rates vary in networks and jobs with single numbers only"
    hint = "give the file stations and classes, and no intervals"


class NoSuchNumber(Diagnostic):
    """A parameter or class that a problem does not have."""

    message = "'{name}': {reason}"
    hint = "one of: {names}"


class OutsideDomain(Diagnostic):
    """A value that a number of a queue cannot have."""

    message = "{name} = {value}: {reason}"
    hint = "{advice_text}"


class NotInProductForm(Diagnostic):
    """A method of product form asked of a network that has none."""

    message = "no product form, because of {stations}: {what}"
    hint = "product form needs shared servers or equal exponential services, and no priorities or pools"


class TooManyVisits(Diagnostic):
    """A network whose visits are too many to be followed one by one."""

    message = "{visits} visits per job are more than {most}, and this network is solved visit by visit"
    hint = 'take fewer, longer visits, or give the stations discipline = "PS"'


class RandomRoutes(Diagnostic):
    """Random routes over several stations, where jobs are followed one by one."""

    message = "{name} goes over several stations at random, and this network is solved visit by visit"
    hint = "leave routing out, or let each job visit one station: visits that add up to 1"


class TakesNoTime(Diagnostic):
    """Jobs that come again at once."""

    message = "a cycle of {names} takes no time at all"
    hint = "give it a think time, or what it calls a demand"


class TooManyUnderWay(Diagnostic):
    """Layered queues whose requests pile up, as far as a simulation follows them."""

    message = "unstable, or too much to simulate: requests, or threads of activities, pile up ({number} are followed)"
    hint = "lower arrival rates, shorten pauses and second phases, and let what forks in a loop join in it"


class TooRare(Diagnostic):
    """A class of which a simulation sees no job end."""

    message = "no job of {classes} ends in a simulation of {seconds}"
    hint = "these jobs are too rare or too long next to the others: solve them without these"


class TooManyTasks(Diagnostic):
    """A simulation that would need too much memory."""

    message = "to simulate these jobs needs {size} places for tasks, more than {most}"
    hint = "take fewer jobs, or jobs of fewer tasks"


# Formulas as cost models


class TooManyJobs(Diagnostic):
    """A network whose formulas are too long to be read."""

    message = "this network is too large for formulas: {size} terms, and the most is {most}"
    hint = "{advice_text}"


class NoFormulas(Diagnostic):
    """A queueing problem of a kind that has no formulas."""

    message = "{what} has no formulas"
    hint = (
        "solve it in numbers: apet predict FILE says what is busy, --vary NAME=VALUES what changes it (repeated: in "
        "all combinations); or apet solve FILE --deadline T --for NAME"
    )


def lacks_formulas(error: ApetError) -> bool:
    """Whether a queueing problem was refused for its kind alone, so that numbers may answer."""
    return all(isinstance(d, NoFormulas) for d in error.diagnostics)


class UnknownQuantity(Diagnostic):
    """A quantity that a file cannot be asked for."""

    message = "--of {quantity}: {reason}{near}"
    hint = "one of: {quantities}"
