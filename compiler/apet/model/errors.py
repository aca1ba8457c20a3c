"""The errors and lints that checking the names of a model can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic
from apet.ground.units import ADVICE


class UnknownName(Diagnostic):
    """A free name where a number is needed."""

    message = "unknown name '{name}'{near}"
    hint = "{advice_text}"
    name: str
    near: str
    advice_text: str


class UnknownFunction(Diagnostic):
    """A call of no known function in an expression."""

    message = "there is no function '{name}'{near}"
    hint = "functions: min max ceil floor abs log log2 sqrt sum, len; share[p] gives the tasks of p"


class TableCalled(Diagnostic):
    """A table with an argument."""

    message = "'{name}' is a table, not a function"
    hint = "an entry is written {name}[i], with i from 1 to {number}"


class NotATableName(Diagnostic):
    """A subscript of a number."""

    message = "'{name}' is {kind}, not a table"
    hint = "a table is written param {name} = [4, 8, 15]; or given: --set {name}=file.csv"


class ProcessAsNumber(Diagnostic):
    """An equation or operation where a number is needed."""

    message = "'{name}' is {kind}, not a number"
    hint = "expressions are made of numbers, parameters, indices and functions"


class EquationAsResource(Diagnostic):
    """An equation where a resource or a processor is needed."""

    message = "'{name}' is an equation, not a resource"
    hint = "use(resource, process) holds a resource or a processor while the process runs"


class NumberAsProcess(Diagnostic):
    """A parameter, index or function where a process is needed."""

    message = "'{name}' is {kind}, not a process"
    hint = "{advice_text}"


class WrongCount(Diagnostic):
    """A wrong number of subscripts or arguments."""

    message = "'{name}' takes {expected}; {count} given"
    hint = "{advice_text}"
    advice_text = ""


class Recursion(Diagnostic):
    """Equations that call each other in a circle."""

    message = "equations may not be recursive: {cycle}"
    hint = "write a repetition as seq (i = 1, n) …"


class CircularParameters(Diagnostic):
    """Parameters defined by each other."""

    message = "these parameters are defined by each other: {cycle}"
    hint = "give one of them a number"


class RateOrQuotient(Diagnostic):
    """`4 kB/s` where s is a name of the model: a rate, where a quotient may be meant."""

    message = "a rate per second, and 's' is {what} here"
    hint = "write a quotient with spaces, 4 kB / s; for a rate, rename 's'"


class WrongUnit(Diagnostic):
    """A size where a time is needed, a time where a size is, or either where a plain number is."""

    message = "a {unit} stands where a {needed} is needed"
    hint = "{advice_text}"


class MixedUnits(Diagnostic):
    """Two quantities of different kinds, added or compared."""

    message = "a {left} and a {right} cannot be joined by {operator}"
    hint = ADVICE


class ModelTooDeep(Diagnostic):
    """A term inside a term inside a term, without end."""

    public_kind: ClassVar[str] = "TooDeep"
    message = "this is nested more than {most:,} levels deep"
    hint = "write repetitions as seq, par or sum(i = 1, n, e)"


class HiddenName(Diagnostic):
    """A loop index or formal with the name of something else in force."""

    message = "the index '{name}' hides {kind} of that name"
    hint = "choose another name for the index"


class EmptyBounds(Diagnostic):
    """A parameter's range that holds no number, or not the parameter's own value."""

    message = "parameter '{name}': {reason}"
    hint = "write param {name} = value in [low, high]; with low <= value <= high"


class UnusedEquation(Advisory):
    """An equation that the entry never reaches."""

    message = "equation '{name}' is never used"
    hint = "the model begins with '{entry}'; remove it, or begin with it: --entry {name}"
    name: str


class UnusedParameter(Advisory):
    """A parameter that nothing depends on."""

    message = "parameter '{name}' is never used"
    hint = "remove it, or use it"
    name: str


class MixedSeparators(Advisory):
    """`;` and `||` in one group."""

    message = "';' and '||' are mixed without braces; ';' binds tighter"
    hint = "write {{ a; b }} || c, or a; {{ b || c }}"


class RepeatedPart(Diagnostic):
    """Two parts of a graph with one name."""

    message = "the graph has a part '{name}' already, in line {line}"
    hint = "each part has a name of its own; a part may do several things: {name}: {{ a; b }}"


class UnknownPart(Diagnostic):
    """`after` names no part of the graph."""

    message = "the graph has no part '{name}'{near}"
    hint = "{advice_text}"


class PartAfterItself(Diagnostic):
    """A part that waits for itself."""

    message = "the part '{name}' comes after itself"
    hint = "{advice_text}"


class CircularParts(Diagnostic):
    """Parts of a graph that wait for each other."""

    message = "these parts wait for each other: {cycle}"
    hint = "none of them could ever begin; leave one of the 'after' out"


class MembersInCircle(Diagnostic):
    """Members of the parts of a graph that wait for each other."""

    message = "members of the part '{name}' wait for each other, so that none of them could begin"
    hint = "a member waits for earlier ones: {name}[i - 1], not {name}[i] or both sides at once"


class RoundedEnd(Advisory):
    """An end of a loop that is not whole."""

    message = "the end of this loop {counted}"
    hint = "write ceil({end}) if no work may be dropped, floor({end}) if it may"


class ForeignWord(Advisory):
    """An operation that is called as other languages call what this one writes differently."""

    message = "'{name}' is an operation of a processor here, like any other name"
    hint = "{advice_text}"


class OppositeNesting(Advisory):
    """Two resources taken in both orders."""

    message = "'{inner}' is taken inside '{outer}' here and the other way round in line {line}"
    hint = "processes at once may block each other for ever; take both in the same order"
    outer: str
    inner: str
    line: int


class CircularNesting(Advisory):
    """Three resources or more taken within each other in a circle."""

    message = "'{inner}' is taken inside '{outer}' here, which closes a circle: {circle}"
    hint = "processes at once may block each other for ever; take all in the same order"
    outer: str
    inner: str
    circle: str


class CircularMembers(Advisory):
    """Members of one family taken within each other, perhaps in a circle."""

    message = "'{inner}' is taken inside '{outer}' here, a member of the same family"
    hint = "processes at once may block each other for ever; take members by rising subscripts"
    outer: str
    inner: str


class NamedProcessor(Advisory):
    """A free name as a subscript."""

    message = "'{name}' is bound by nothing: it is read as the processor of that name"
    hint = "if it should be an index, bind it: par ({name} = 1, P) …"


class ProcessorZero(Advisory):
    """Processors that a loop numbers from 0 to P - 1."""

    message = "'{index}' numbers processors from 0, and processor 0 is the coordinator"
    hint = "the others are numbered from 1: par ({index} = 1, P) …"


# What putting numbers into an expression can find


class ValueOutsideDomain(Diagnostic):
    """An operation outside its domain: division by zero, the logarithm of 0, a number too large."""

    public_kind: ClassVar[str] = "OutsideDomain"
    message = "{reason}"


class UnboundName(Diagnostic):
    """A name without a value where a number is needed."""

    message = "'{name}' has no value here{near}"
    hint = "declare it with param {name} = …; or give it a value with --set {name}=…"
    name: str


class NamedProcessorAsNumber(Diagnostic):
    """Arithmetic on a processor that has only a name."""

    public_kind: ClassVar[str] = "NotANumber"
    message = "'{name}' stands for a named processor, and a number is needed here"
    hint = "give the processor a number with --set {name}=…"


class NoSuchFunction(Diagnostic):
    """A call of something that is no function."""

    public_kind: ClassVar[str] = "UnknownFunction"
    message = "there is no function '{name}'{near}"
    hint = "the functions are: {functions}"


class DependsOnItself(Diagnostic):
    """A parameter whose default needs itself."""

    public_kind: ClassVar[str] = "CircularParameters"
    message = "the value of '{name}' depends on itself"
    hint = "give one of the parameters a number"


class DealtDefault(Diagnostic):
    """A parameter whose value or range depends on how tasks are dealt, which follows from parameters."""

    message = "the value of '{name}' cannot depend on {builtin}[…]: tasks are dealt when all parameters have values"
    hint = "write {builtin}[…] where the value is used, or define a function: def {name}(p) = {builtin}[p];"


class NoTasks(Diagnostic):
    """`share[p]` without `param tasks`."""

    message = "share[p] deals tasks, and the model has no parameter 'tasks'"
    hint = "add param tasks = …;"
