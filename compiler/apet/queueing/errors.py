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


class OnlyExact(Diagnostic):
    """An approximation that does not cover a network."""

    message: ClassVar[str] = "{method} does not cover open and closed classes at stations with several servers"
    hint: ClassVar[str] = "ask for --method exact"
    method: str


class MethodOfNetworks(Diagnostic):
    """A method asked of a problem that it does not cover."""

    message: ClassVar[str] = "the method '{method}' is for networks without precedence, not for {what}"
    hint: ClassVar[str] = "leave --method out"
    method: str
    what: str


class MethodOfJobs(Diagnostic):
    """A model of jobs with precedence asked of a network without."""

    message: ClassVar[str] = "the method '{method}' is for jobs with precedence, and these classes have no `job`"
    hint: ClassVar[str] = "leave --method out"
    method: str


class FormulasOfNetworks(Diagnostic):
    """Formulas asked of jobs with precedence."""

    message: ClassVar[str] = "formulas are those of networks without precedence"
    hint: ClassVar[str] = "leave --emit out for numbers"


class FormulasOfOneKind(Diagnostic):
    """Formulas asked of open and closed classes together."""

    message: ClassVar[str] = "formulas are those of closed classes, or of open ones, not of both in one network"
    hint: ClassVar[str] = "leave --emit out for numbers"


class TooLargeForSymbols(Diagnostic):
    """A network whose formulas are too long to be read."""

    message: ClassVar[str] = "formulas of this network have {size} terms or more; the most is {most}"
    hint: ClassVar[str] = "take fewer jobs, or leave --emit out for numbers"
    size: str
    most: str


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

    message: ClassVar[str] = "one job alone would take {found}, outside of what is certain: {low} to {high}"
    hint: ClassVar[str] = "resources that are held while others are waited for do not fit a network of queues"
    found: str
    low: str
    high: str


class OnlyJobsSimulated(Diagnostic):
    """A simulation of something else than jobs with precedence."""

    message: ClassVar[str] = "--simulate runs jobs with precedence with single numbers, and this file has none"
    hint: ClassVar[str] = "networks without precedence are solved exactly: --method exact"


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
    hint: ClassVar[str] = "solve it in numbers: apet queue {path}"
    what: str
    path: str


class UnknownQuantity(Diagnostic):
    """A quantity that a file cannot be asked for."""

    message: ClassVar[str] = "--of {given}: {reason}{near}"
    hint: ClassVar[str] = "one of: {known}"
    given: str
    reason: str
    near: str
    known: str


class Unstable(Diagnostic):
    """An open network that has no steady state."""

    message: ClassVar[str] = "no steady state: jobs arrive faster than {stations} can serve them"
    hint: ClassVar[str] = "lower the arrival rate in the file, or solve it with other numbers: apet queue {path}"
    stations: str
    path: str
