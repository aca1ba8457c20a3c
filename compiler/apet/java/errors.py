"""Errors in Java sources, and of measuring, profiling and validating on this machine."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class JavaSyntax(Diagnostic):
    """Java that does not parse."""

    message = "{reason}"
    hint = "{advice_text}"
    advice_text = ""


class JavaNestsTooDeep(Diagnostic):
    """Java that nests deeper than anybody writes."""

    public_kind: ClassVar[str] = "NestsTooDeep"
    message = "this nests more than {most} levels deep"
    hint = "give parts of it names of their own"


class UnseenExceptions(Advisory):
    """A run in which the virtual machine or a library threw, and the program went on."""

    severity = "warning"
    message = "{times} exceptions of the run are no throw of the program: what they skip is counted as if it had run"
    hint = "bounds may not hold where an array, a division or a library throws and the program goes on"
    times: str


class Recompiled(Advisory):
    """A method whose optimised code a run threw away often."""

    message = "{method}: its compiled code was thrown away {times} times in this run"
    hint = "where it goes on so, the method may run interpreted in part, and take longer than predicted"


# Running Java


class NoJdk(Diagnostic):
    """No `javac` or no `java` is installed."""

    message = "no {program} found: this needs a Java development kit (JDK 11 or later)"
    hint = (
        "install one (Debian, Ubuntu: apt install default-jdk-headless; Fedora: dnf install java-latest-openjdk-devel; "
        "macOS: brew install openjdk), or set JAVA_HOME to one; everything else in APET works without"
    )


class DoesNotCompile(Diagnostic):
    """`javac` refuses a program; its own words follow."""

    message = "javac refuses {what}:\n{output}"
    hint = "{advice_text}"
    what: str
    output: str
    advice_text: str = ""
    lacks: str = ""
    """The first error that lies in a library or another file."""


class RunFailed(Diagnostic):
    """A JVM ended with an exception or an exit code."""

    message = "{what} failed in the JVM (exit code {code}): {output}"
    hint = "{advice_text}"
    what: str
    code: int
    output: str
    advice_text: str = ""
    printed: str = ""
    is_set: bool = True
    """Whether all that the task was given is what somebody has set."""


class NotRun(Advisory):
    """A task that could not be run with counters, and is predicted nevertheless."""

    message = "no run counts what the task does: {reason}"
    hint = "what a run would count is assumed, in wide ranges; {advice_text}"


class AssumedArguments(Advisory):
    """What a run with counters was given beyond the values that are set."""

    message = "the run of {what} was given what nobody has set: {arguments}"
    hint = "set what matters by its name, --set NAME=…, or name a method that makes its own data"


class NeedsValues(Diagnostic):
    """A method to run with counters, some of whose parameters have no value."""

    message = "{what} needs values for {names}"
    hint = "give them: {settings}; arrays, texts and lists of that length are filled with random elements"


class TaskFailed(Diagnostic):
    """A task of an application threw, or cannot be called."""

    message = "{what} failed: {output}"
    hint = "the first task that fails ends the application"


class NotRunnable(Diagnostic):
    """A batch whose task is no program."""

    message = "the batch '{name}' cannot be run: its task {file} is a model"
    hint = 'an application is run from Java: task "Task.java" Class.method;'


class BadValidationPlan(Diagnostic):
    """A file that lists applications to validate, and is wrong."""

    message = "{file} lists no applications to validate: {reason}"
    hint = "samples/pasl/validation.toml is such a file"


class NeedsSizes(Diagnostic):
    """Kernels to validate, without sizes."""

    message = "kernels need sizes to run at: --sizes S.json"
    hint = 'a file such as {{"axpy": [1000, 200000]}}'


class AllKernelsFailed(Diagnostic):
    """No kernel of a validation was measured and predicted."""

    message = "none of the kernels was measured and predicted: {count} failed"
    hint = "the reason of each is above"


class TooFewProcessors(Diagnostic):
    """More workers than the machine model has, and no way to share its processors."""

    message = "{workers} workers are more than the {most} processors of {file}, which are of several kinds or loaded"
    hint = "give at most {most}, or the file of this machine: --machines this"
    workers: int
    file: str
    most: int


class BadPeer(Diagnostic):
    """`--peer` names no host and port."""

    message = "--peer {argument}: a host and a port are needed"
    hint = "write --peer HOST:PORT, with the port at which 'apet benchmark --serve' runs there"


class BadPort(Diagnostic):
    """`--serve` names no port."""

    message = "--serve {argument}: a port is a whole number below 65536"
    hint = "write --serve 7331, and on the other host: apet benchmark --peer THIS-HOST:7331"


class TooSlow(Diagnostic):
    """A program that did not end within its time limit; it has been stopped, with its children."""

    message = "{what} did not end within {limit:g} s and was stopped"
    hint = "give a smaller size, or more time: --limit, of --calibrate --budget"
    what: str
    limit: float
    is_set: bool = True


class NotAKernel(Diagnostic):
    """A file for validation whose class cannot be timed."""

    message = "{file}: {reason}"
    hint = "a kernel is a class `extends Kernel` with setup(int n) and double run()"


class NoSizes(Diagnostic):
    """A kernel without sizes to run at."""

    message = "{file} gives no sizes for {name}"
    hint = 'write lists of whole numbers by class, such as {{"axpy": [1000, 200000]}}'


class BadSizes(Diagnostic):
    """A file of sizes that is no JSON object of lists of whole numbers."""

    message = "{file} is no list of sizes: {reason}"
    hint = 'write lists of whole numbers by class, such as {{"axpy": [1000, 200000]}}'


class NotMeasured(Diagnostic):
    """A machine file that says nothing of how it was measured."""

    message = "{file} was not made by 'apet benchmark': its provenance names no JVM"
    hint = "make one with: apet benchmark -o {file}"


class NotProfiled(Diagnostic):
    """Java that cannot be instrumented."""

    message = "{file} cannot be instrumented: {reason}"
    hint = "{advice_text}"
    advice_text = ""
