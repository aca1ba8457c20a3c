"""What a failed run says of its task: where it threw, and whether its author can be asked about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Span
from apet.ground.source_files import read_source
from apet.java import errors
from apet.java.jvm import LIBRARIES

PRIMITIVE = re.compile(r"(?:final )?(?:int|long|short|byte|char|boolean|float|double)")
_FRAME = re.compile(r"\bat [^\s()]+\((?P<file>[\w$]+\.java):(?P<line>\d+)\)")
ADVICE = {
    "OutOfMemoryError": "give a smaller size: a run may take a quarter of the memory of this machine",
    "StackOverflowError": "give a smaller size: a run has a stack of 64 MB",
    "NoSuchElementException": "a run has an empty standard input: name a method that takes its data as arguments, or "
    "give other values",
    "as after System.exit": "name a method that returns",
    "": "give other values: --set NAME=…, or name a method that makes its own data",
}
"""What may help, by what the virtual machine reports; the first that fits."""


def is_all_set(formals: str) -> bool:
    """Whether values say all of the arguments of a method: `(int, double)`, and not `(int[])`."""
    return all(PRIMITIVE.fullmatch(one.strip()) for one in formals.strip("()").split(",") if one.strip())


def explained(error: ApetError, files: Iterable[str], is_set: bool) -> ApetError:
    """The error with the line in one of the task's files where it threw, and with advice; `is_set`: what the task was
    given is what somebody has set."""
    return ApetError([_explained(one, files, is_set) for one in error.diagnostics])


def _explained(failure: Diagnostic, files: Iterable[str], is_set: bool) -> Diagnostic:
    if isinstance(failure, errors.TooSlow):
        return failure.replace(is_set=is_set)
    if not isinstance(failure, errors.RunFailed):
        return failure

    by_name = {os.path.basename(file): file for file in files}
    frame = next((f for f in _FRAME.finditer(failure.output) if f["file"] in by_name), None)
    advice = failure.advice_text or next(words for reason, words in ADVICE.items() if re.search(reason, failure.output))
    is_set = is_set and not re.search("^assumed ", failure.printed, re.MULTILINE)
    if frame is None:
        return failure.replace(advice_text=advice, is_set=is_set)

    source = read_source(by_name[frame["file"]])
    text = source.line(int(frame["line"]))
    start = source.offset(int(frame["line"]), len(text) - len(text.lstrip()) + 1)
    place = Span(start, start + max(1, len(text.strip())))
    return failure.replace(source=source, span=place, advice_text=advice, is_set=is_set)


def not_run(error: ApetError) -> errors.NotRun | None:
    """What to say where a task is predicted without its run: the reason lies in a library that is not at hand, in what
    nobody has set, or in a limit of APET; None where it lies in the task, and its author has to know."""
    failure = error.diagnostics[0]
    if isinstance(failure, errors.DoesNotCompile) and failure.lacks:
        return errors.NotRun(None, None, failure.lacks, LIBRARIES)
    if isinstance(failure, errors.RunFailed | errors.TooSlow) and not failure.is_set:
        advice = failure.advice_text if isinstance(failure, errors.RunFailed) else failure.hint
        return errors.NotRun(failure.source, failure.span, failure.text, advice)
    if isinstance(failure, errors.NotProfiled):
        return errors.NotRun(None, None, failure.text, "or set it by name: --set NAME=VALUE")
    return None
