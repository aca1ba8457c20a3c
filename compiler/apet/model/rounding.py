"""Ends of loops that need not be whole: a loop runs over integers, so `seq (j = 1, jobs / P)` may drop work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, isfinite

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Number, in_short
from apet.model import errors
from apet.model.evaluate import evaluate, parameter_values
from apet.model.expression_text import expression_text
from apet.model.terms import Binary, Expression, Invoke, Loop, Model, Name, Process, Unary
from apet.model.walk import names_in, parts, processes

BROKEN = ("sqrt", "log", "log2")
"""Functions of which a value is seldom whole."""
NEARLY = 1e-9
"""Relative distance from a whole number below which a float says nothing: logarithms and roots are rounded."""


def rounded_ends(model: Model) -> Iterator[Diagnostic]:
    """Advice where an end has a division whose value is not whole, or not known before there are values."""
    for end in _divided_ends(model):
        value = _value(model, end, {})
        if value is None or _is_broken(value):
            counted = "rounded down to a whole number"
            reading = counted if value is None else f"{in_short(value)}, counted as {floor(value)}"
            yield errors.RoundedEnd(model.source, end.span, f"is {reading}", expression_text(end))


def dropped_work(model: Model, values: Mapping[str, Number]) -> list[str]:
    """Sentences about the ends of loops that are not whole for these values of parameters."""
    sentences = []
    for end in _divided_ends(model):
        value = _value(model, end, values)
        if value is not None and value > 0 and _is_broken(value):
            line, _ = model.source.position(end.span.start)
            text, rounds = expression_text(end), f"{floor(value)} round{'s' if floor(value) != 1 else ''}"
            advice = f"write ceil({text}) to keep the rest"
            sentences.append(f"Line {line}: {text} is {in_short(value)}, counted as {rounds}; {advice}.")
    return list(dict.fromkeys(sentences))


def _divided_ends(model: Model) -> Iterator[Expression]:
    """The ends of loops that need not be whole; where an end is a formal, what is passed for it."""
    formals = {name: set(_ends_by_name(equation.body)) for name, equation in model.equations.items()}
    for process in processes(model):
        if isinstance(process, Loop) and _is_divided(process.high):
            yield process.high
        elif isinstance(process, Invoke) and process.name in formals:
            passed = zip(model.equations[process.name].formals, process.arguments or (), strict=False)
            yield from (e for formal, e in passed if formal in formals[process.name] and _is_divided(e))


def _ends_by_name(process: Process) -> Iterator[str]:
    if isinstance(process, Loop) and isinstance(process.high, Name):
        yield process.high.name
    for part in parts(process):
        yield from _ends_by_name(part)


def _is_divided(expression: Expression) -> bool:
    """Whether a division decides if a number is whole; those inside `ceil` and other functions do not."""
    match expression:
        case Unary(_, operand, _):
            return _is_divided(operand)
        case Binary("/", _, _, _):
            return True
        case Binary("+" | "-" | "*", left, right, _):
            return _is_divided(left) or _is_divided(right)
        case Binary("^", _, exponent, _):
            return _is_divided(exponent)
        case Invoke(name, None, _, _):
            return name in BROKEN
        case _:
            return False


def _is_broken(value: Number) -> bool:
    """Whether a value is surely not whole; a float that is nearly so may stand for an exact whole number."""
    if not isfinite(value):
        return False
    return abs(value - round(value)) > NEARLY * abs(value) if isinstance(value, float) else value % 1 != 0


def _value(model: Model, end: Expression, values: Mapping[str, Number]) -> Number | None:
    """The value of an end that depends on parameters alone; None where one has no value."""
    if not set(names_in(end)) <= model.parameters.keys():
        return None
    try:
        return evaluate(end, parameter_values(model, values))
    except ApetError:
        return None
