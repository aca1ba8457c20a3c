"""The border to libclang: a translation unit, its errors, and what the Python package leaves out of the C interface."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from apet.c import errors
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span

ERROR = 3
"""The severity from which on a diagnostic of clang is an error."""
BINARY = (
    *("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"),
    *("&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
"""Operators by their number in `clang_getCursorBinaryOperatorKind` (clang-c/Index.h)."""
UNARY = ("", "x++", "x--", "++x", "--x", "&", "*", "+", "-", "~", "!", "__real", "__imag", "__extension__", "co_await")
INTEGER_RESULT, FLOATING_RESULT = 1, 2


def walk(cursor: Any) -> Iterator[Any]:
    """A term and all inside it."""
    stack = [cursor]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(children_of(one))


def children_of(cursor: Any) -> Sequence[Any]:
    """The terms of a term, which clang is asked for once: that takes long."""
    known: Sequence[Any] | None = cursor.__dict__.get("children_of_term")
    if known is None:
        known = cursor.children_of_term = tuple(cursor.get_children())
    return known


@cache
def interface() -> Any:
    """The module `clang.cindex`, with the functions of the library that it does not declare; `ApetError` without it."""
    try:
        from clang import cindex

        library = cindex.conf.lib
    except (ImportError, OSError) as e:
        raise ApetError(errors.NoLibclang(None, None)) from e
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        function = getattr(library, name)
        function.argtypes, function.restype = [cindex.Cursor], ctypes.c_int
    library.clang_Cursor_Evaluate.argtypes, library.clang_Cursor_Evaluate.restype = [cindex.Cursor], ctypes.c_void_p
    for name, result in (
        ("clang_EvalResult_getKind", ctypes.c_int),
        ("clang_EvalResult_getAsLongLong", ctypes.c_longlong),
        ("clang_EvalResult_getAsDouble", ctypes.c_double),
        ("clang_EvalResult_dispose", None),
    ):
        function = getattr(library, name)
        function.argtypes, function.restype = [ctypes.c_void_p], result
    return cindex


def binary_operator(cursor: Any) -> str:
    """The operator of a binary operator or compound assignment."""
    return BINARY[interface().conf.lib.clang_getCursorBinaryOperatorKind(cursor)]


def unary_operator(cursor: Any) -> str:
    """The operator of a unary operator; of steps with `x` for the operand."""
    return UNARY[interface().conf.lib.clang_getCursorUnaryOperatorKind(cursor)]


def constant(cursor: Any) -> int | float | None:
    """The number that clang folds an expression to; None where it is no constant."""
    library = interface().conf.lib
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = library.clang_EvalResult_getKind(result)
        if kind == INTEGER_RESULT:
            return int(library.clang_EvalResult_getAsLongLong(result))
        return float(library.clang_EvalResult_getAsDouble(result)) if kind == FLOATING_RESULT else None
    finally:
        library.clang_EvalResult_dispose(result)


@cache
def system_folders() -> tuple[str, ...]:
    """Where the system's compiler looks for headers: libclang brings none of its own."""
    try:
        run = subprocess.run(
            ["cc", "-E", "-Wp,-v", "-xc", "/dev/null"], capture_output=True, text=True, check=False, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(line.strip() for line in run.stderr.splitlines() if line.startswith(" /"))


NESTED = "-fbracket-depth=100000"
"""Clang's own limit is 256 brackets in each other."""


def translation_unit(source: Source, flags: Sequence[str]) -> Any:
    """The tree of a source; `ApetError` with every error that clang reports."""
    clang = interface()
    folders = [word for folder in system_folders() for word in ("-isystem", folder)]
    options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    unit = clang.Index.create().parse(
        source.name, [*flags, NESTED, *folders], unsaved_files=[(source.name, source.text)], options=options
    )
    errors_of_clang = [_diagnostic(source, d) for d in unit.diagnostics if d.severity >= ERROR]
    if errors_of_clang:
        raise ApetError(errors_of_clang)
    return unit


def _diagnostic(source: Source, d: Any) -> Diagnostic:
    """One error of clang at its place."""
    place, reason, advice = d.location, d.spelling, ""
    if "file not found" in reason:
        advice = "say where headers lie by compile flags behind --: -- -Iinclude, or by a compile_commands.json"
    name = place.file.name if place.file is not None else source.name
    if name != source.name:
        return errors.NotOfTheProgram(None, None, name, place.line, reason, advice)
    start = source.offset(place.line, place.column)
    return errors.CSyntax(source, Span(start, start + 1), reason, advice)
