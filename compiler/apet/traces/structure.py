"""The structure of a trace, in memory or in a file: its folded form, and the critical path by loops and ranks."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.resources import located
from apet.traces.front import Path, check_trace, flat_trace, is_imported, lowered, read_trace, replay, trace_sites
from apet.traces.trace import COLLECTIVES, Trace

if TYPE_CHECKING:
    from apet.traces.bounds.transfers import Array
    from apet.traces.critical.critical_path import CriticalPath
    from apet.traces.extrapolate.model import TraceModel
    from apet.traces.fold.folded import Folded, Kind
    from apet.traces.platform.platform import Platform
    from apet.traces.replay.program import LoweredTrace
    from apet.traces.trace import Replayed

MOST_SLOTS_NAMED = 5
"""Of a deadlock: the ranks that wait are often all."""


def fold_trace(trace: Trace | Path, *, sizes_aside: bool = False) -> Folded:
    """A trace with its loops and equal ranks found; of a file while it is read. `ApetError`.

    `sizes_aside`: where a file hardly becomes smaller, sizes that neither stay nor advance are put aside.
    """
    if isinstance(trace, Trace):
        return _folded_actions(trace)
    folded = folded_file(trace, sizes_aside)
    return _folded_actions(read_trace(trace)) if folded is None else folded


def folded_file(path: Path, sizes_aside: bool = False) -> Folded | None:
    """The folded form of a file, with its lines; None where the trace has to be read as a whole for that."""
    from apet.traces.fold.folding import fold_trace as fold_file

    folded = None if is_imported(os.fspath(located(path))) else fold_file(located(path), sizes_aside)
    if folded is not None and _leaves_open_who(folded):
        read_trace(path)  # refuses roots outside of the communicators that the order of the lines lets one conclude
    return folded


def _leaves_open_who(folded: Folded) -> bool:
    """Whether ranks have different numbers of collectives that name no communicator."""
    return len({_collectives(kind) for kind in folded.kinds}) > 1


def _collectives(kind: Kind) -> int:
    """How many collectives without a communicator a rank of a kind takes part in."""
    return sum(
        times
        for slot, times in zip(kind.slots, kind.executions(), strict=True)
        if slot.action.lower() in COLLECTIVES and not any(word.base.words[:1] == ("#",) for word in slot.words)
    )


def _folded_actions(trace: Trace) -> Folded:
    """A trace in memory with its loops and equal ranks found; as its lines, since forms are made of their words."""
    from apet.traces.fold.folded import NOTHING, Folded, Kind
    from apet.traces.fold.folding import fold_lines
    from apet.traces.lines.writer import trace_lines
    from apet.traces.replay.lowering import lower

    if not trace.events:
        ranks = tuple(range(len(trace.ranks)))
        return Folded(trace.name, len(ranks), 0, (Kind(ranks, (), (), (), (NOTHING,)),))

    folded = fold_lines(trace.name, lambda: ("".join(trace_lines(trace, rank)) for rank in range(len(trace.ranks))))
    if folded is None:
        lower(trace)  # says which of the actions there cannot be
        raise ValueError(f"{trace.name} has communicators or roots that there cannot be")
    return folded


def explain_trace(
    trace: Trace | Path,
    platform: Platform,
    hosts: Sequence[int],
    scales: Mapping[str, float] | None = None,
) -> CriticalPath:
    """The critical path of a trace, or of the file of one, by kind of time, rank, pair of ranks, action and loop.

    `scales` multiplies "speed", "latency" or "bandwidth" of the platform, above 0. `ApetError` if the file cannot be
    read, or where ranks wait for each other.
    """
    from apet.traces.critical.explaining import explain_trace as explain_programs
    from apet.traces.critical.placing import renumbered

    if not isinstance(trace, Trace):
        flat, folded = flat_trace(trace, platform), folded_file(trace, sizes_aside=True)
        if folded is not None:
            return explain_programs(flat, folded, platform, hosts, scales or {})
        trace = read_trace(trace)

    flat, folded = lowered(trace, platform), renumbered(fold_trace(trace), trace)
    return explain_programs(flat, folded, platform, hosts, scales or {})


def replay_by_site(path: Path, platform: Platform, hosts: Sequence[int]) -> tuple[Replayed, Sequence[str]]:
    """A replay with its segments, and for each the call in the program that the rank waits in; no texts at all where
    the trace has no call sites. `ApetError` if the file cannot be read, or where ranks wait for each other."""
    from apet.traces.critical.placing import Placing
    from apet.traces.lines.sites import NOWHERE

    sites = trace_sites(path)
    folded = None if sites is NOWHERE else folded_file(path)
    if folded is None:
        return replay(path, platform, hosts, segments=True), ()

    flat, placing = flat_trace(path, platform), Placing(folded)
    replayed, texts = replay(flat, platform, hosts, segments=True), list[str]()
    lines = [[slot.line for slot in kind.slots] + [0] for kind in folded.kinds]
    slots = {rank: placing.placed(rank, origins).slots for rank, origins in _origins(flat)}
    for segment in replayed.segments:
        kind = placing.kind(segment.rank)
        line = lines[kind][slots[segment.rank][segment.operation]]
        site = None if segment.computes else sites.at(min(folded.kinds[kind].ranks), line)
        texts.append(site.text if site else "")
    return replayed, texts


def _origins(flat: LoweredTrace) -> Iterator[tuple[int, Array]]:
    """By rank, the number of the action that each operation is of."""
    import numpy

    for rank, origins in enumerate(flat.programs.origins):
        yield rank, numpy.asarray(origins, numpy.int64)


def trace_model(traces: Sequence[Path], sizes: Sequence[str] = ()) -> TraceModel:
    """What traces of one program, of several sizes and numbers of ranks, have in common: loops and slots whose numbers
    are sums of few features.

    `sizes` are texts such as "n=96,192,384", a number for each trace; without them, sizes are the words in which the
    commands in the headers of the traces differ. `ApetError` if one cannot be read, or names what follows no rule.
    """
    from apet.traces.extrapolate.model import Measured, model
    from apet.traces.extrapolate.sizes import sizes_of

    names = [os.fspath(located(trace)) for trace in traces]
    pairs = zip(names, sizes_of(names, sizes), strict=True)
    return model([Measured(fold_trace(name), each, trace_sites(name)) for name, each in pairs])


def extrapolate_trace(model: TraceModel, to: Mapping[str, float], *, few_ranks: bool = False) -> Folded:
    """The trace of a model at other sizes and, as P, another number of ranks, folded, and without a deadlock.

    `ApetError` if a size is missing, or names the slots whose rules make messages without a partner there; also where
    the model is of fewer than three numbers of ranks and P is another one, but for `few_ranks`.
    """
    from apet.traces.extrapolate.generating import generated
    from apet.traces.extrapolate.sizes import point

    sizes, ranks = point(
        to, [each.sizes for each in model.traces], [each.folded.ranks for each in model.traces], few_ranks
    )
    folded = generated(model, sizes, ranks)
    _refuse_deadlocks(model, folded)
    return folded


def _refuse_deadlocks(model: TraceModel, folded: Folded) -> None:
    """Rules that hold of a few numbers of ranks need not fit together at others: check the trace as one in a file."""
    from apet.traces.extrapolate.errors import DoesNotFit
    from apet.traces.extrapolate.model import place_of
    from apet.traces.fold.unfolding import unfolded

    lines = array("q")  # by line of the file, that of the slot of the model
    with TemporaryDirectory(prefix="apet-made-") as folder:
        name = os.path.join(folder, "made.txt")
        with open(name, "w", encoding="utf-8") as file:
            for line, text in unfolded(folded):
                lines.append(line)
                file.write(f"{text}\n")
        findings = [each for each in check_trace(name).findings if each.fatal or each.kind == "unmatched"]
        if not findings:
            return

    slots, diagnostics = model.slots(), dict[int, Diagnostic]()
    for each in sorted(findings, key=lambda finding: finding.kind != "unmatched"):  # why others wait comes first
        number = (each.line and lines[each.line - 1]) or max(slots)  # whoever waits at its end is past its last slot
        where, action = place_of(model.traces, slots[number]), slots[number].form[0]
        error = DoesNotFit(None, None, where, action, folded.name, each.rank, each.text)
        diagnostics.setdefault(number, error)
    raise ApetError(list(diagnostics.values())[:MOST_SLOTS_NAMED])
