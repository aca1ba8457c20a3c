"""The errors and lints that checking the names of a model can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class UnknownName(Diagnostic):
    """A free name where a number is needed."""

    message: ClassVar[str] = "unknown name '{name}'{near}"
    hint: ClassVar[str] = "a number is needed here; declare it: param {name};"
    name: str
    near: str


class UnknownFunction(Diagnostic):
    """A call of no known function in an expression."""

    message: ClassVar[str] = "there is no function '{name}'{near}"
    hint: ClassVar[str] = "functions: min max ceil floor abs log log2 sqrt sum; share[p] gives the tasks of p"
    name: str
    near: str


class ProcessAsNumber(Diagnostic):
    """An equation or operation where a number is needed."""

    message: ClassVar[str] = "'{name}' is {kind}, not a number"
    hint: ClassVar[str] = "expressions are made of numbers, parameters, indices and functions"
    name: str
    kind: str


class EquationAsResource(Diagnostic):
    """An equation where a resource or a processor is needed."""

    message: ClassVar[str] = "'{name}' is an equation, not a resource"
    hint: ClassVar[str] = "use(resource, process) holds a resource or a processor while the process runs"
    name: str


class NumberAsProcess(Diagnostic):
    """A parameter, index or function where a process is needed."""

    message: ClassVar[str] = "'{name}' is {kind}, not a process"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    kind: str
    advice_text: str


class WrongCount(Diagnostic):
    """A wrong number of subscripts or arguments."""

    message: ClassVar[str] = "'{name}' takes {expected}; {given} given"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    expected: str
    given: str
    advice_text: str = ""


class Recursion(Diagnostic):
    """Equations that call each other in a circle."""

    message: ClassVar[str] = "equations may not be recursive: {cycle}"
    hint: ClassVar[str] = "write a repetition as seq (i = 1, n) …"
    cycle: str


class CircularParameters(Diagnostic):
    """Parameters defined by each other."""

    message: ClassVar[str] = "these parameters are defined by each other: {cycle}"
    hint: ClassVar[str] = "give one of them a number"
    cycle: str


class WrongUnit(Diagnostic):
    """A size where a time is needed, a time where a size is, or either where a plain number is."""

    message: ClassVar[str] = "a {given} stands where a {needed} is needed"
    hint: ClassVar[str] = "{advice_text}"
    given: str
    needed: str
    advice_text: str


class MixedUnits(Diagnostic):
    """A time and a size added or compared."""

    message: ClassVar[str] = "a time and a size cannot be joined by {operator}"
    hint: ClassVar[str] = "times have ns us ms s; sizes have B kB KiB MB MiB GB GiB"
    operator: str


class ModelTooDeep(Diagnostic):
    """A term inside a term inside a term, without end."""

    public_kind: ClassVar[str] = "TooDeep"
    message: ClassVar[str] = "this is nested more than {most:,} levels deep"
    hint: ClassVar[str] = "write repetitions as seq, par or sum(i = 1, n, e)"
    most: int


class HiddenName(Diagnostic):
    """A loop index or formal with the name of something else in force."""

    message: ClassVar[str] = "the index '{name}' hides {kind} of that name"
    hint: ClassVar[str] = "choose another name for the index"
    name: str
    kind: str


class EmptyBounds(Diagnostic):
    """A parameter's range that holds no number, or not the parameter's own value."""

    message: ClassVar[str] = "parameter '{name}': {reason}"
    hint: ClassVar[str] = "write param {name} = value in [low, high]; with low <= value <= high"
    name: str
    reason: str


class UnusedEquation(Advisory):
    """An equation that the entry never reaches."""

    message: ClassVar[str] = "equation '{name}' is never used"
    hint: ClassVar[str] = "the model begins with '{entry}'; remove it, or begin with it: --entry {name}"
    name: str
    entry: str


class UnusedParameter(Advisory):
    """A parameter that nothing depends on."""

    message: ClassVar[str] = "parameter '{name}' is never used"
    hint: ClassVar[str] = "remove it, or use it"
    name: str


class MixedSeparators(Advisory):
    """`;` and `||` in one group."""

    message: ClassVar[str] = "';' and '||' are mixed without braces; ';' binds tighter"
    hint: ClassVar[str] = "write {{ a; b }} || c, or a; {{ b || c }}"


class OppositeNesting(Advisory):
    """Two resources taken in both orders."""

    message: ClassVar[str] = "'{inner}' is taken inside '{outer}' here and the other way round in line {line}"
    hint: ClassVar[str] = "processes at once may block each other for ever; take both in the same order"
    outer: str
    inner: str
    line: int


class NamedProcessor(Advisory):
    """A free name as a subscript."""

    message: ClassVar[str] = "'{name}' is bound by nothing: it is read as the processor of that name"
    hint: ClassVar[str] = "if it should be an index, bind it: par ({name} = 1, P) …"
    name: str


# What putting numbers into an expression can find


class ValueOutsideDomain(Diagnostic):
    """An operation outside its domain: division by zero, the logarithm of 0, a number too large."""

    public_kind: ClassVar[str] = "OutsideDomain"
    message: ClassVar[str] = "{reason}"
    reason: str


class UnboundName(Diagnostic):
    """A name without a value where a number is needed."""

    message: ClassVar[str] = "'{name}' has no value here{near}"
    hint: ClassVar[str] = "declare it with param {name} = …; or give it a value with --set {name}=…"
    name: str
    near: str


class NamedProcessorAsNumber(Diagnostic):
    """Arithmetic on a processor that has only a name."""

    public_kind: ClassVar[str] = "NotANumber"
    message: ClassVar[str] = "'{name}' stands for a named processor, and a number is needed here"
    hint: ClassVar[str] = "give the processor a number with --set {name}=…"
    name: str


class NoSuchFunction(Diagnostic):
    """A call of something that is no function."""

    public_kind: ClassVar[str] = "UnknownFunction"
    message: ClassVar[str] = "there is no function '{name}'{near}"
    hint: ClassVar[str] = "the functions are: {known}"
    name: str
    near: str
    known: str


class DependsOnItself(Diagnostic):
    """A parameter whose default needs itself."""

    public_kind: ClassVar[str] = "CircularParameters"
    message: ClassVar[str] = "the value of '{name}' depends on itself"
    hint: ClassVar[str] = "give one of the parameters a number"
    name: str
