"""A model as canonical text: what parses back to the same model, comments aside.

Nothing here recurses, so that a model nested thousands of levels deep prints as well. A term becomes pieces, which are
texts and further terms, and a stack expands them in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from apet.ground.records import NamedTuple
from apet.model import terms
from apet.model.expression_text import expression_pieces, expression_text, literal
from apet.model.terms import Equation, Model, Parameter, Process

WIDTH = 88
INDENT = "    "
DEEPEST_INDENT = 16  # a model nested thousands of levels deep would be all blanks


class _Item(NamedTuple):
    """A process to be written: as a step, where a group needs its braces, or as the second part of a `use`."""

    process: Process
    as_step: bool
    level: int


Piece = str | _Item


def print_model(model: Model) -> str:
    """The text of a model: parameters, resources, then equations, each in the order of the source."""
    blocks = [
        "\n".join(map(_parameter, model.parameters.values())),
        "\n".join(map(_table, model.tables.values())),
        "\n".join(map(_resource, model.resources.values())),
        *map(_equation, model.equations.values()),
    ]
    first = "L" if "L" in model.equations else next(iter(model.equations), "")
    if model.entry != first:
        blocks.insert(0, f"// begins with {model.entry}")
    return "\n\n".join(b for b in blocks if b) + "\n"


def print_process(process: Process, level: int = 0, lines: OneLineTexts | None = None) -> str:
    """The text of a process as it stands on the right of an equation, its groups indented from `level`. Processes that
    share terms may share `lines`, as long as all of them live."""
    return "".join(_expanded(_Item(process, True, level), OneLineTexts() if lines is None else lines))


def _parameter(parameter: Parameter) -> str:
    text = f"param {parameter.name}"
    if parameter.value is not None:
        text += f" = {expression_text(parameter.value)}"
    if parameter.low is not None and parameter.high is not None:
        text += f" in [{expression_text(parameter.low)}, {expression_text(parameter.high)}]"
    return text + ";"


def _table(table: terms.EntryTable) -> str:
    signed = [("-" * (v < 0), terms.Number(v if v >= 0 else -v, table.unit, table.span)) for v in table.entries]
    return f"param {table.name} = [{', '.join(sign + literal(v) for sign, v in signed)}];"


def _resource(resource: terms.ResourceDeclaration) -> str:
    text = f"resource {resource.name}{_bracketed(resource.subscripts)}"
    if resource.servers is not None:
        text += f" servers {expression_text(resource.servers)}"
    return text + ";"


def _equation(equation: Equation[Process]) -> str:
    formals = f"({', '.join(equation.formals)})" if equation.formals else ""
    return f"{equation.name}{_bracketed(equation.subscripts)}{formals} = {print_process(equation.body)};"


def _bracketed(names: Iterable[str]) -> str:
    text = ", ".join(names)
    return f"[{text}]" if text else ""


def _expanded(item: _Item, lines: OneLineTexts) -> Iterator[str]:
    stack: list[Piece] = [item]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            yield piece
            continue
        line = lines.line(piece)
        if line is not None and len(line) <= WIDTH - len(_indent(piece.level)):
            yield line
        else:
            stack.extend(reversed(_pieces(piece, True)))


def _indent(level: int) -> str:
    return INDENT * min(level, DEEPEST_INDENT)


class OneLineTexts:
    """Items on one line, None for those that are too long for one: each is tried once, not again for all around it.
    Items are known by the identity of their processes, which have to live as long as this."""

    def __init__(self) -> None:
        self._lines: dict[tuple[int, bool], str | None] = {}

    def line(self, item: _Item) -> str | None:
        """The text of an item, without indentation, if it has at most `WIDTH` characters."""
        lines, stack = self._lines, [(item, list[Piece]())]
        while stack:
            one, pieces = stack.pop()
            key = id(one.process), one.as_step
            if key in lines:
                continue
            if not pieces:
                # What has too many steps for a line is not written; else its parts come first.
                pieces = [] if _is_long(one.process) else _pieces(one, False)
                inner = [p for p in pieces if isinstance(p, _Item)]
                missing = [p for p in inner if (id(p.process), p.as_step) not in lines]
                if missing:
                    stack += [(one, pieces), *((p, list[Piece]()) for p in missing)]
                    continue
            lines[key] = self._joined(pieces)
        return lines[id(item.process), item.as_step]

    def _joined(self, pieces: list[Piece]) -> str | None:
        texts = [p if isinstance(p, str) else self._lines[id(p.process), p.as_step] for p in pieces]
        text = None if None in texts else "".join(t for t in texts if t is not None)
        return text if text and len(text) <= WIDTH else None


def _is_long(process: Process) -> bool:
    # A step takes at least three characters: a name and the separator before it.
    if not isinstance(process, terms.Sequence | terms.Parallel | terms.PartGraph):
        return False
    return 3 * len(_inside(process)) - 2 > WIDTH


def _inside(
    process: terms.Sequence[Process] | terms.Parallel[Process] | terms.PartGraph[Process],
) -> tuple[Process | terms.GraphPart[Process], ...]:
    if isinstance(process, terms.PartGraph):
        return process.parts
    return process.steps if isinstance(process, terms.Sequence) else process.branches


def _pieces(item: _Item, broken: bool) -> list[Piece]:
    """What an item is written as: on one line, or with its groups broken over lines."""
    process, level = item.process, item.level
    match process:
        case terms.Sequence() | terms.Parallel():
            return _group(process, item, broken)
        case terms.Invoke(_, _, _, _):
            return [expression_text(process)]
        case terms.Delay(time, _):
            return ["delay(", *expression_pieces(time), ")"]
        case terms.Use(resource, body, _):
            return ["use(", *expression_pieces(resource), ", ", *_held(body, level), ")"]

        case terms.Loop(kind, index, low, high, body, _):
            head = f"{kind} ({index} = {expression_text(low)}, {expression_text(high)}) "
            return [head, _Item(body, True, level)]
        case terms.Branch():
            return _branch(process, level)
        case terms.PartGraph(parts, _):
            return _graph(parts, level, broken)
        case _:
            assert_never(process)


def _group(process: terms.Sequence[Process] | terms.Parallel[Process], item: _Item, broken: bool) -> list[Piece]:
    steps = process.steps if isinstance(process, terms.Sequence) else process.branches
    if not steps:
        return ["{}"]
    level = item.level + 1 if item.as_step or broken else item.level
    separator = "; " if isinstance(process, terms.Sequence) else " || "
    if broken:
        line = "\n" + _indent(level)
        separator = ";" + line if isinstance(process, terms.Sequence) else line + "|| "
    pieces: list[Piece] = []
    for k, step in enumerate(steps):
        # Most steps are operations: what stands on one line anyway is not tried for its length.
        piece = expression_text(step) if type(step) is terms.Invoke else _Item(step, True, level)
        pieces += (separator, piece) if k else (piece,)
    if broken:
        ending = ";" if isinstance(process, terms.Sequence) else ""
        pieces = [line, *pieces, ending, "\n" + _indent(item.level)]
        return ["{", *pieces, "}"] if item.as_step else pieces

    return ["{ ", *pieces, " }"] if item.as_step else pieces


def _graph(parts: tuple[terms.GraphPart[Process], ...], level: int, broken: bool) -> list[Piece]:
    """A graph, a line for each part where it is longer than one."""
    if not parts:
        return ["graph {}"]
    separator = ";\n" + _indent(level + 1) if broken else "; "
    pieces: list[Piece] = []

    for k, part in enumerate(parts):
        body, ranges = part.body, list[str]()
        for _ in range(part.dimensions):
            assert isinstance(body, terms.Loop)
            ranges.append(f"{body.index} = {expression_text(body.low)}, {expression_text(body.high)}")
            body = body.body
        head = f"{part.name}[{', '.join(ranges)}]: " if ranges else f"{part.name}: "
        pieces += [separator] * (k > 0) + [head, _Item(body, True, level + 1)]
        if part.after:
            pieces.append(f" after {', '.join(map(expression_text, part.after))}")

    if broken:
        return ["graph {", separator[1:], *pieces, ";\n" + _indent(level), "}"]
    return ["graph { ", *pieces, " }"]


def _held(body: Process, level: int) -> list[Piece]:
    """The second part of a use; what is plainly a number needs no `delay`."""
    if isinstance(body, terms.Delay) and isinstance(
        body.time, terms.Number | terms.Unary | terms.Binary | terms.SumOver
    ):
        return list(expression_pieces(body.time))
    return [_Item(body, False, level)]


def _branch(branch: terms.Branch[Process], level: int) -> list[Piece]:
    head = "if " if branch.probability is None else f"if ({expression_text(branch.probability)}) "
    otherwise: list[Piece] = []
    if branch.probability is None or not _is_empty(branch.otherwise):
        otherwise = [" else ", _Item(branch.otherwise, True, level)]
    then: list[Piece] = [_Item(branch.then, True, level)]
    if otherwise and _ends_open(branch.then):
        then = ["{ ", *then, " }"]
    return [head, *then, *otherwise]


def _is_empty(process: Process) -> bool:
    return isinstance(process, terms.Sequence) and not process.steps


def _ends_open(process: Process) -> bool:
    """Whether an `else` written after a step would be taken for its own."""
    while True:
        if isinstance(process, terms.Loop):
            process = process.body
        elif not isinstance(process, terms.Branch):
            return False
        elif process.probability is not None and _is_empty(process.otherwise):
            return True
        else:
            process = process.otherwise
