"""Errors in Java sources, and of measuring, profiling and validating on this machine."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class JavaSyntax(Diagnostic):
    """Java that does not parse."""

    message: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = "{advice_text}"
    reason: str
    advice_text: str = ""


class JavaNestsTooDeep(Diagnostic):
    """Java that nests deeper than anybody writes."""

    public_kind: ClassVar[str] = "NestsTooDeep"
    message: ClassVar[str] = "this nests more than {most} levels deep"
    hint: ClassVar[str] = "give parts of it names of their own"
    most: int


class NoClass(Diagnostic):
    """A file without any class."""

    message: ClassVar[str] = "there is no class in this file"
    hint: ClassVar[str] = "a task is a class with a main or run method"


class NoEntry(Diagnostic):
    """No method to begin with, and none was named."""

    message: ClassVar[str] = "there is no main or run method to begin with"
    hint: ClassVar[str] = "choose one with --entry Class.method: {methods}"
    methods: str


class AmbiguousEntry(Diagnostic):
    """Several methods to begin with."""

    message: ClassVar[str] = "several methods could be the entry: {candidates}"
    hint: ClassVar[str] = "choose one: --entry {first}"
    candidates: str
    first: str


class UnknownMember(Diagnostic):
    """`--entry` names no class or method of the file."""

    message: ClassVar[str] = "there is no {kind} '{name}' in this file{near}"
    hint: ClassVar[str] = "the {kinds} are: {members}"
    kind: str
    kinds: str
    name: str
    near: str
    members: str


class NoBody(Diagnostic):
    """The entry is abstract or native."""

    message: ClassVar[str] = "the method '{name}' has no body to translate"
    hint: ClassVar[str] = "name a method that has one: --entry Class.method"
    name: str


class NotCounted(Advisory):
    """A construct whose cost is left to a parameter or an operation of its own."""

    message: ClassVar[str] = "{what}"
    what: str


# Running Java


class NoJdk(Diagnostic):
    """No `javac` or no `java` is installed."""

    message: ClassVar[str] = "no {program} found: this needs a Java development kit (JDK 11 or later)"
    hint: ClassVar[str] = (
        "install one (Debian, Ubuntu: apt install default-jdk-headless; Fedora: dnf install java-latest-openjdk-devel; "
        "macOS: brew install openjdk), or set JAVA_HOME to one; everything else in APET works without"
    )
    program: str


class DoesNotCompile(Diagnostic):
    """`javac` refuses a program; its own words follow."""

    message: ClassVar[str] = "javac refuses {what}:\n{output}"
    hint: ClassVar[str] = ""
    what: str
    output: str


class RunFailed(Diagnostic):
    """A JVM ended with an exception or an exit code."""

    message: ClassVar[str] = "{what} failed in the JVM (exit code {code}): {output}"
    hint: ClassVar[str] = "{advice_text}"
    what: str
    code: int
    output: str
    advice_text: str = ""


class TaskFailed(Diagnostic):
    """A task of an application threw, or cannot be called."""

    message: ClassVar[str] = "{what} failed: {output}"
    hint: ClassVar[str] = "the first task that fails ends the application"
    what: str
    output: str


class NotRunnable(Diagnostic):
    """A batch whose task is no program."""

    message: ClassVar[str] = "the batch '{name}' cannot be run: its task {file} is a model"
    hint: ClassVar[str] = 'an application is run from Java: task "Task.java" Class.method;'
    name: str
    file: str


class BadValidationPlan(Diagnostic):
    """A file that lists applications to validate, and is wrong."""

    message: ClassVar[str] = "{file} lists no applications to validate: {reason}"
    hint: ClassVar[str] = "samples/pasl/validation.toml is such a file"
    file: str
    reason: str


class NeedsSizes(Diagnostic):
    """Kernels to validate, without sizes."""

    message: ClassVar[str] = "kernels need sizes to run at: --sizes S.json"
    hint: ClassVar[str] = 'a file such as {{"axpy": [1000, 200000]}}'


class AllKernelsFailed(Diagnostic):
    """No kernel of a validation was measured and predicted."""

    message: ClassVar[str] = "none of the kernels was measured and predicted: {count} failed"
    hint: ClassVar[str] = "the reason of each is above"
    count: str


class TooFewProcessors(Diagnostic):
    """More workers than the machine model has, and no way to share its processors."""

    message: ClassVar[str] = (
        "{workers} workers are more than the {most} processors of {file}, which are of several kinds or loaded"
    )
    hint: ClassVar[str] = "give at most {most}, or the file of this machine: --machines this"
    workers: int
    file: str
    most: int


class BadPeer(Diagnostic):
    """`--peer` names no host and port."""

    message: ClassVar[str] = "--peer {argument}: a host and a port are needed"
    hint: ClassVar[str] = "write --peer HOST:PORT, with the port at which 'apet benchmark --serve' runs there"
    argument: str


class BadPort(Diagnostic):
    """`--serve` names no port."""

    message: ClassVar[str] = "--serve {argument}: a port is a whole number below 65536"
    hint: ClassVar[str] = "write --serve 7331, and on the other host: apet benchmark --peer THIS-HOST:7331"
    argument: str


class TooSlow(Diagnostic):
    """A program that did not end within its time limit; it has been stopped, with its children."""

    message: ClassVar[str] = "{what} did not end within {limit:g} s and was stopped"
    hint: ClassVar[str] = "give a smaller size, or more time with --limit"
    what: str
    limit: float


class NotAKernel(Diagnostic):
    """A file for validation whose class cannot be timed."""

    message: ClassVar[str] = "{file}: {reason}"
    hint: ClassVar[str] = "a kernel is a class `extends Kernel` with setup(int n) and double run()"
    file: str
    reason: str


class NoSizes(Diagnostic):
    """A kernel without sizes to run at."""

    message: ClassVar[str] = "{file} gives no sizes for {name}"
    hint: ClassVar[str] = 'write lists of whole numbers by class, such as {{"axpy": [1000, 200000]}}'
    file: str
    name: str


class BadSizes(Diagnostic):
    """A file of sizes that is no JSON object of lists of whole numbers."""

    message: ClassVar[str] = "{file} is no list of sizes: {reason}"
    hint: ClassVar[str] = 'write lists of whole numbers by class, such as {{"axpy": [1000, 200000]}}'
    file: str
    reason: str


class NotMeasured(Diagnostic):
    """A machine file that says nothing of how it was measured."""

    message: ClassVar[str] = "{file} was not made by 'apet benchmark': its provenance names no JVM"
    hint: ClassVar[str] = "make one with: apet benchmark -o {file}"
    file: str


class NotProfiled(Diagnostic):
    """Java that cannot be instrumented."""

    message: ClassVar[str] = "{file} cannot be instrumented: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    file: str
    reason: str
    advice_text: str = ""
