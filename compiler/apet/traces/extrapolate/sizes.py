"""Which sizes traces are of: as the call has them, or as the commands in their headers differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from apet.ground.diagnostics import ApetError
from apet.traces.extrapolate import errors
from apet.traces.fold.folded import Folded
from apet.traces.lines.header import command_of, volumes_unit

Sizes = tuple[tuple[str, float], ...]
_NUMBER = re.compile(r"\d{1,15}(\.\d+)?")
EXAMPLE = "one number for each trace, in their order: --size n=96,192,384"


def sizes_of(traces: Sequence[str], texts: Sequence[str]) -> list[Sizes]:
    """The sizes of each trace: from `NAME=X,Y,…`, or, where there is none, from the words of commands that differ;
    `ApetError` where they are not one number for each trace."""
    _refuse_other_volumes(traces)
    columns: dict[str, Sequence[str]] = {}

    for text in texts:
        name, equals, values = text.partition("=")
        numbers: Sequence[str] = values.split(",")
        if not equals or not name.isidentifier() or name == "P" or name in columns:
            _refuse(text, "a name other than P, an equals sign and numbers are needed")
        if len(numbers) != len(traces):
            _refuse(text, f"{len(numbers)} numbers for {len(traces)} traces")
        columns[name] = numbers

    columns = columns or _differing([command_of(trace) for trace in traces])
    for name, numbers in columns.items():
        if not all(map(_NUMBER.fullmatch, numbers)) or not all(map(float, numbers)):
            _refuse(f"{name}={','.join(numbers)}", "sizes are numbers above 0")
    return [tuple((name, float(numbers[k])) for name, numbers in columns.items()) for k in range(len(traces))]


def _refuse(text: str, reason: str) -> None:
    raise ApetError(errors.WrongSizes(None, None, "--size", text, reason, EXAMPLE))


def _refuse_other_volumes(traces: Sequence[str]) -> None:
    """`ApetError` for traces of which some count instructions, and others time."""
    units = [(trace, unit) for trace in traces if (unit := volumes_unit(trace))]
    for trace, unit in units:
        if unit != units[0][1]:
            raise ApetError(errors.OtherVolumes(None, None, *units[0], trace, unit))


def _differing(commands: Sequence[Sequence[str]]) -> dict[str, Sequence[str]]:
    """The arguments in which commands of one length differ: `n` if there is one, else `n1`, `n2`, … by their places.

    Programs may have several names: the NAS benchmarks are built for a size and a number of ranks, as `cg.W.16`.
    """
    if len(set(map(len, commands))) > 1:
        return {}
    columns = {at: words for at, words in enumerate(zip(*commands, strict=True)) if at and len(set(words)) > 1}
    return {"n" if len(columns) == 1 else f"n{at}": words for at, words in columns.items()}


def unlike(traces: Iterable[tuple[Folded, Sizes]]) -> Iterator[errors.SamePoint]:
    """Traces of one point whose messages differ: then something else differs than these sizes, and no sum of them would
    mean anything."""
    first: dict[tuple[Sizes, int], Folded] = {}
    for folded, sizes in traces:
        other = first.setdefault((sizes, folded.ranks), folded)
        if _messages(other) != _messages(folded):
            values = "".join(f", {name} = {value:g}" for name, value in sizes)
            yield errors.SamePoint(None, None, other.name, folded.name, folded.ranks, values)


def _messages(folded: Folded) -> list[object]:
    return [(kind.ranks, slot.action, slot.words) for kind in folded.kinds for slot in kind.slots]


def point(
    values: Mapping[str, float], sizes: Sequence[Sizes], ranks: Sequence[int], few_ranks: bool = False
) -> tuple[Sizes, int]:
    """The sizes and the number of ranks that are asked for; those that all traces share need not be named.

    `few_ranks` takes a number of ranks that is none of one or two in the traces.
    """
    names = [name for name, _ in sizes[0]]
    unknown = [name for name in values if name not in (*names, "P")]
    columns = {name: {dict(each)[name] for each in sizes} for name in names} | {"P": set(map(float, ranks))}
    missing = [name for name, column in columns.items() if name not in values and len(column) > 1]
    if unknown or missing:
        reason = f"the traces have no {unknown[0]}" if unknown else f"{missing[0]} is missing"
        advised = f"name {', '.join(columns)}: --to {','.join(f'{name}=…' for name in columns)}"
        text = ",".join(f"{name}={value:g}" for name, value in values.items())
        raise ApetError(errors.WrongSizes(None, None, "--to", text, reason, advised))

    wanted = {name: values.get(name, min(column)) for name, column in columns.items()}
    wrong = next((n for n, v in wanted.items() if v <= 0 or (n == "P" and (v != int(v) or v > MOST_RANKS))), None)
    if wrong is not None:
        advised = f"sizes are above 0, P is a whole number up to {MOST_RANKS:,}"
        text = f"{wrong}={wanted[wrong]:g}"
        raise ApetError(errors.WrongSizes(None, None, "--to", text, "is out of range", advised))

    # Two numbers of ranks fit a step in a line as well as one in a plane, a log as well as a root.
    if not few_ranks and len(columns["P"]) < LEAST_RANK_COUNTS and wanted["P"] not in columns["P"]:
        counts = " and ".join(f"{count:g}" for count in sorted(columns["P"]))
        reason = f"traces of {counts} ranks only do not decide how the program depends on P"
        raise ApetError(errors.WrongSizes(None, None, "--to", f"P={wanted['P']:g}", reason, MORE_RANK_COUNTS))
    return tuple((name, wanted[name]) for name in names), int(wanted["P"])


LEAST_RANK_COUNTS = 3
MORE_RANK_COUNTS = "add traces of a third number of ranks, best of 16; or accept an estimate: --few-ranks"
"""Below so many, rules are a guess."""


MOST_RANKS = 4096
"""Ranks of a trace that is made."""
