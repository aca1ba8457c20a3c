"""The text of a translation: parameters with what they stand for, then equations, through the printer of models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apet.ground.source import Span
from apet.model import terms
from apet.model.expression_text import expression_text
from apet.model.printer import OneLineTexts, print_process
from apet.model.walk import scoped
from apet.program.algebra import Value
from apet.program.ir import SourceNote
from apet.program.model_names import ModelNames
from apet.program.named_factors import NamedFactors, names_in, parts_of
from apet.program.value_terms import UNNAMED, expression, number

COLUMN = 40


def model_text(
    state: ModelNames,
    title: str,
    entry: str,
    equations: dict[str, terms.Equation[terms.Process]],
    extra: tuple[SourceNote, ...] = (),
) -> str:
    """The whole model; parameters that nothing uses are left out."""
    blocks = ["\n".join(_header(state, title, equations))]
    names = {name: names_in(e.body) for name, e in equations.items()}
    notes = _used(state, equations, names, extra)
    notes += [state.unbound(name) for name in unbound_names(equations, names, notes)]
    parts = NamedFactors((n.name for n in notes), (*state.used, *equations, *(n.name for n in extra)))
    lines, printed = [_parameter(n) for n in notes], OneLineTexts()
    texts = [_equation(e, printed) for e in equations.values()]
    if any(UNNAMED in text for text in (*lines, *texts)):
        values = [expression(v) for n in notes for v in (n.value, n.low, n.high) if v and v.constant is None]
        parts.add(parts_of((*values, *(e.body for e in equations.values()))))
    parameters = [*map(parts.put, lines), *parts.lines]
    if parameters:
        blocks.append("\n".join(parameters))

    formals = ", ".join(equations[entry].formals)
    blocks.append(f"L = {entry}[1]" + (f"({formals});" if formals else ";"))
    blocks += map(parts.put, texts)
    return "\n\n".join(blocks) + "\n"


def _header(state: ModelNames, title: str, equations: dict[str, terms.Equation[terms.Process]]) -> list[str]:
    lines = [f"// {title}"]
    if not state.operations:
        return lines
    used = {i.name for e in equations.values() for i in steps(e.body)}
    library = [n for n in state.operations.values() if n.name in used]
    if library:
        lines.append("// library calls, each an operation of its own:")
        lines += [f"//   {n.name} ({n.text})" for n in library]
    return lines


def _used(
    state: ModelNames,
    equations: dict[str, terms.Equation[terms.Process]],
    names: dict[str, set[str]],
    extra: tuple[SourceNote, ...],
) -> list[SourceNote]:
    notes = {**state.parameters, **{n.name: n for n in extra}}
    waiting = [n for e in equations.values() for n in (*names[e.name], *e.formals) if n in notes]
    used: set[str] = set()

    while waiting:
        name = waiting.pop()
        if name in used:
            continue
        used.add(name)
        for value in (notes[name].value, notes[name].low, notes[name].high):
            waiting += [] if value is None else [n for n in value.names if n in notes]
    return [n for n in notes.values() if n.name in used]


def steps(process: terms.Process) -> list[terms.Invoke]:
    """All operations and calls of equations in a process."""
    invoked: list[terms.Invoke] = []
    stack: list[object] = [process]
    while stack:
        one = stack.pop()
        if isinstance(one, terms.Invoke) and one.subscripts is not None:
            invoked.append(one)
        elif isinstance(one, tuple) and type(one) is not Span:
            stack.extend(one)
    return invoked


def _parameter(note: SourceNote) -> str:
    line = f"param {note.name}"
    if note.value is not None:
        line += f" = {_shown(note.value)}"
    if note.low is not None and note.high is not None:
        line += f" in [{_shown(note.low)}, {_shown(note.high)}]"
    return f"{line};".ljust(COLUMN) + f"  // {' '.join(note.text.replace(chr(0), ' ').split())}"


def _shown(value: Value) -> str:
    return expression_text(expression(value))


def _equation(equation: terms.Equation[terms.Process], printed: OneLineTexts) -> str:
    formals = f"({', '.join(equation.formals)})" if equation.formals else ""
    return f"{equation.name}[p]{formals} = {print_process(equation.body, lines=printed)};"


def unbound_names(
    equations: Mapping[str, terms.Equation[terms.Process]], names: Mapping[str, set[str]], notes: Iterable[SourceNote]
) -> list[str]:
    """The names in equations and in values of parameters that are no parameter, formal or index, in order; `names` are
    all that an equation has."""
    parameters, unbound = list(notes), dict[str, None]()
    declared = frozenset(n.name for n in parameters)
    for note in parameters:
        for value in (note.value, note.low, note.high):
            unbound |= dict.fromkeys(sorted(value.names - declared) if value is not None else ())

    for equation in equations.values():
        if names[equation.name] <= declared.union(equation.formals, equation.subscripts):
            continue
        for process, bound in scoped({equation.name: equation}):
            unbound |= dict.fromkeys(sorted(names_in(_expressions(process)) - bound - declared))
    return list(unbound)


def _expressions(process: terms.Process) -> tuple[terms.Expression, ...]:
    """What a process computes itself: arguments, bounds and probabilities."""
    match process:
        case terms.Invoke(_, _, arguments, _):
            return arguments or ()
        case terms.Loop():
            return (process.low, process.high)
        case terms.Branch():
            return () if process.probability is None else (process.probability,)
        case _:
            return (number(0),)
