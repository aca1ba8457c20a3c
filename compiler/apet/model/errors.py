"""The errors and lints that checking the names of a model can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic
from apet.ground.units import ADVICE


class UnknownName(Diagnostic):
    """A free name where a number is needed."""

    message: ClassVar[str] = "unknown name '{name}'{near}"
    hint: ClassVar[str] = "a number is needed here; declare it: param {name};"
    name: str
    near: str


class UnknownFunction(Diagnostic):
    """A call of no known function in an expression."""

    message: ClassVar[str] = "there is no function '{name}'{near}"
    hint: ClassVar[str] = "functions: min max ceil floor abs log log2 sqrt sum, len; share[p] gives the tasks of p"
    name: str
    near: str


class NotATableName(Diagnostic):
    """A subscript of a number."""

    message: ClassVar[str] = "'{name}' is {kind}, not a table"
    hint: ClassVar[str] = "a table is written param {name} = [4, 8, 15]; or given: --set {name}=file.csv"
    name: str
    kind: str


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

    message: ClassVar[str] = "'{name}' takes {expected}; {count} given"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    expected: str
    count: str
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


class RateOrQuotient(Diagnostic):
    """`4 kB/s` where s is a name of the model: a rate, where a quotient may be meant."""

    message: ClassVar[str] = "a rate per second, and 's' is {what} here"
    hint: ClassVar[str] = "write a quotient with spaces, 4 kB / s; for a rate, rename 's'"
    what: str


class WrongUnit(Diagnostic):
    """A size where a time is needed, a time where a size is, or either where a plain number is."""

    message: ClassVar[str] = "a {unit} stands where a {needed} is needed"
    hint: ClassVar[str] = "{advice_text}"
    unit: str
    needed: str
    advice_text: str


class MixedUnits(Diagnostic):
    """Two quantities of different kinds, added or compared."""

    message: ClassVar[str] = "a {left} and a {right} cannot be joined by {operator}"
    hint: ClassVar[str] = ADVICE
    left: str
    right: str
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


class RepeatedPart(Diagnostic):
    """Two parts of a graph with one name."""

    message: ClassVar[str] = "the graph has a part '{name}' already, in line {line}"
    hint: ClassVar[str] = "each part has a name of its own; a part may do several things: {name}: {{ a; b }}"
    name: str
    line: str


class UnknownPart(Diagnostic):
    """`after` names no part of the graph."""

    message: ClassVar[str] = "the graph has no part '{name}'{near}"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    near: str
    advice_text: str


class PartAfterItself(Diagnostic):
    """A part that waits for itself."""

    message: ClassVar[str] = "the part '{name}' comes after itself"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    advice_text: str


class CircularParts(Diagnostic):
    """Parts of a graph that wait for each other."""

    message: ClassVar[str] = "these parts wait for each other: {cycle}"
    hint: ClassVar[str] = "none of them could ever begin; leave one of the 'after' out"
    cycle: str


class MembersInCircle(Diagnostic):
    """Members of the parts of a graph that wait for each other."""

    message: ClassVar[str] = "members of the part '{name}' wait for each other, so that none of them could begin"
    hint: ClassVar[str] = "a member waits for earlier ones: {name}[i - 1], not {name}[i] or both sides at once"
    name: str


class RoundedEnd(Advisory):
    """An end of a loop that is not whole."""

    message: ClassVar[str] = "the end of this loop {counted}"
    hint: ClassVar[str] = "write ceil({end}) if no work may be dropped, floor({end}) if it may"
    counted: str
    end: str


class ForeignWord(Advisory):
    """An operation that is called as other languages call what this one writes differently."""

    message: ClassVar[str] = "'{name}' is an operation of a processor here, like any other name"
    hint: ClassVar[str] = "{advice_text}"
    name: str
    advice_text: str


class OppositeNesting(Advisory):
    """Two resources taken in both orders."""

    message: ClassVar[str] = "'{inner}' is taken inside '{outer}' here and the other way round in line {line}"
    hint: ClassVar[str] = "processes at once may block each other for ever; take both in the same order"
    outer: str
    inner: str
    line: int


class CircularNesting(Advisory):
    """Three resources or more taken within each other in a circle."""

    message: ClassVar[str] = "'{inner}' is taken inside '{outer}' here, which closes a circle: {circle}"
    hint: ClassVar[str] = "processes at once may block each other for ever; take all in the same order"
    outer: str
    inner: str
    circle: str


class CircularMembers(Advisory):
    """Members of one family taken within each other, perhaps in a circle."""

    message: ClassVar[str] = "'{inner}' is taken inside '{outer}' here, a member of the same family"
    hint: ClassVar[str] = "processes at once may block each other for ever; take members by rising subscripts"
    outer: str
    inner: str


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
    hint: ClassVar[str] = "the functions are: {functions}"
    name: str
    near: str
    functions: str


class DependsOnItself(Diagnostic):
    """A parameter whose default needs itself."""

    public_kind: ClassVar[str] = "CircularParameters"
    message: ClassVar[str] = "the value of '{name}' depends on itself"
    hint: ClassVar[str] = "give one of the parameters a number"
    name: str


class NoTasks(Diagnostic):
    """`share[p]` without `param tasks`."""

    message: ClassVar[str] = "share[p] deals tasks, and the model has no parameter 'tasks'"
    hint: ClassVar[str] = "add param tasks = …;"
