"""Parts of a task graph: what they come after, by number, and everything that is wrong with their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apet.ground.diagnostics import Diagnostic, nearest
from apet.ground.source import Source
from apet.model import errors
from apet.model.terms import GraphPart, Invoke, Process
from apet.model.walk import P, first_cycle, own_indices, own_ranges


def member_body(part: GraphPart[P]) -> P:
    """What one member of a part does; the part's own body where it has no ranges."""
    loops = own_ranges(part)
    return loops[-1].body if loops else part.body


def predecessors(parts: Sequence[GraphPart[P]]) -> list[list[int]]:
    """The numbers of the other parts that each part comes after, each once, in the order of the parts."""
    numbers = {part.name: k for k, part in enumerate(parts)}
    return [sorted({numbers[a.name] for a in p.after if numbers[a.name] != k}) for k, p in enumerate(parts)]


def is_member_wise(part: GraphPart[P]) -> bool:
    """Whether members of a part wait for single members, of the same part or of another one."""
    return any(a.subscripts is not None for a in part.after)


def misplaced_parts(source: Source, parts: Sequence[GraphPart[Process]]) -> Iterator[Diagnostic]:
    """Names that two parts have, that no part has, wrong numbers of subscripts, parts that wait for each other."""
    named: dict[str, GraphPart[Process]] = {}
    unknown = 0
    for part in parts:
        if part.name in named:
            line = source.line_of(named[part.name].span.start)
            yield errors.RepeatedPart(source, part.span, part.name, line)
        named.setdefault(part.name, part)

    edges: dict[str, list[str]] = {part.name: [] for part in parts}
    for part in parts:
        for reference in part.after:
            diagnostic = _misplaced(source, part, reference, named)
            if diagnostic is not None:
                yield diagnostic
                unknown += 1
                if unknown == MOST_MISPLACED:  # a name like each of them is looked for among all parts
                    return
            elif reference.subscripts is None:  # single members may wait for each other to and fro
                edges[part.name].append(reference.name)
    cycle = first_cycle(edges)
    if cycle:
        yield errors.CircularParts(source, named[cycle[0]].span, " after ".join(cycle))


def _misplaced(
    source: Source, part: GraphPart[Process], reference: Invoke, named: dict[str, GraphPart[Process]]
) -> Diagnostic | None:
    name, subscripts = reference.name, reference.subscripts
    target = named.get(name)
    if target is None:
        near = nearest(name, named)
        advice = "after is followed by names of parts of the same graph" + ("" if near else f": {_listed(named)}")
        return errors.UnknownPart(source, reference.span, name, near, advice)

    if subscripts is not None and len(subscripts) != target.dimensions:
        expected = f"{target.dimensions or 'no'} subscript{'s' if target.dimensions != 1 else ''}"
        advice = f"line {source.line_of(target.span.start)} declares {_heading(target)}"
        return errors.WrongCount(source, reference.span, name, expected, str(len(subscripts)), advice)

    if target is part and subscripts is None:
        heading = f"{name}[{', '.join(f'{i} - 1' if k == 0 else i for k, i in enumerate(own_indices(part)))}]"
        ranged = f"to wait for a member before, name it: after {heading}"
        advice = ranged if part.dimensions else "leave it out; what is repeated is written seq (i = 1, n) process"
        return errors.PartAfterItself(source, reference.span, name, advice)

    return None


def _listed(named: dict[str, GraphPart[Process]]) -> str:
    names = list(named)
    return ", ".join(names[:MOST_LISTED]) + (", …" if len(names) > MOST_LISTED else "")


def _heading(part: GraphPart[Process]) -> str:
    indices = own_indices(part)
    return f"{part.name}[{', '.join(indices)}]" if indices else f"{part.name} without ranges"


MOST_LISTED = 8
MOST_MISPLACED = 20
