"""Peaks and interference: loads scattered over the members of a resource family, for many configurations at once.

Where the extent of a binder varies, one configuration has lanes that another one lacks. Bounds of errors are then
absolute and count a configuration's own lanes only, so that a row never depends on the rows beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apet.formula.columns import bands, grouped
from apet.formula.columns.bands import Band
from apet.formula.columns.decisions import Exact
from apet.formula.columns.frames import Frame
from apet.formula.columns.loops import TooWide, certain, check_size, extent
from apet.formula.evaluate.arithmetic import MOST_ITERATIONS
from apet.formula.graph.nodes import Interference, Load, NodeId, Peak
from apet.ground.records import NamedTuple

if TYPE_CHECKING:
    from apet.formula.columns.plan import Batch, Evaluation


class ColumnUses(NamedTuple):
    """What one load does, per lane of its innermost binder.

    A load t[i] for i = 1..3 in a frame of 2 lanes has 6 lanes: `place` is 0 0 0 1 1 1, `members` 1 2 3 1 2 3.
    """

    place: Any
    """The lane of the frame around: int64 of shape (lanes,)."""
    members: Any
    """The subscripts, which are whole numbers: float64 of shape (lanes, subscripts)."""
    load: Band
    """Seconds that the member is held for, of shape (lanes, 1 or configurations)."""
    head: Band
    """Seconds from the start of the process, of the same shape."""
    tail: Band
    """Seconds before its end, of the same shape."""
    certain: bool
    """Whether every run makes this load."""
    active: Any
    """None, or for which lanes and configurations the lane exists: bool of shape (lanes, 1 or configurations)."""


class HeldMembers(NamedTuple):
    """What loads do together, per pair of a lane of the frame around and a member that they meet there ("held")."""

    place: Any
    """The lane of the frame around: int64 of shape (held,)."""
    members: Any
    """The subscripts: float64 of shape (held, subscripts)."""
    load: Band
    """The total load in seconds, of shape (held, 1 or configurations)."""
    head: Band
    """The least head in seconds, of the same shape."""
    tail: Band
    """The least tail in seconds, of the same shape."""
    certain: Any
    """Whether a certain load meets the member: bool of shape (held, 1 or configurations)."""
    active: Any
    """None, or for which configurations any load meets it: bool of the shape of `certain`."""
    wavering: bool
    """Whether configurations differ in the lanes that they have."""
    unknown: Any
    """Where it cannot be told which members are met: bool of shape (lanes of the frame, 1 or configurations)."""


def peak(run: Evaluation, node: NodeId, family: Peak, frame: Frame) -> Band:
    """The greatest over the members of least head + load / servers + least tail."""
    held = gather(run, node, family.loads, frame)
    if held is None:
        return _nothing(run, family.loads, frame)
    share = bands.quotient(held.load, servers(run, held, family.members, family.servers, frame))
    top = bands.total(0, [(held.head, 1), (share, 1), (held.tail, 1)])
    best = _by_place(held, frame.lanes, _counted(held, top), True)
    return best._replace(value=np.where(held.unknown, np.nan, best.value))


def busiest(batch: Batch, family: Peak) -> tuple[int, ...] | None:
    """The member with the greatest load per server, for one configuration; None if no member is met."""
    run, frame = batch.once()
    held = gather(run, "busiest", family.loads, frame)
    if held is None:
        return None
    share = bands.quotient(held.load, servers(run, held, family.members, family.servers, frame))
    at = int(np.argmax(np.nan_to_num(np.broadcast_to(share.value, (len(held.place), 1))[:, 0])))
    return tuple(int(m) for m in held.members[at])


def interference(run: Evaluation, node: NodeId, family: Interference, frame: Frame) -> Band:
    """The sum over the members that `own` uses of (load of all - own load) / servers."""
    own = gather(run, (node, "own"), family.own, frame)
    if own is None:
        return _nothing(run, family.own, frame)

    everyone = gather(run, (node, "all"), family.all, frame)
    if everyone is None:
        rest = bands.total(0, [(own.load, 0)])
        unknown = own.unknown
    else:
        theirs = _matching(own, everyone)
        rest = bands.total(0, [(theirs, 1), (own.load, -1)])
        rest = _meeting(own, everyone, rest)
        unknown = own.unknown | everyone.unknown
    extra = bands.quotient(rest, servers(run, own, family.members, family.servers, frame))
    if own.active is not None:
        extra = _where(own.active, extra)
    whole = _by_place(own, frame.lanes, extra, False)
    return whole._replace(value=np.where(unknown, np.nan, whole.value))


def servers(run: Evaluation, held: HeldMembers, members: Sequence[NodeId], node: NodeId, frame: Frame) -> Band:
    """The servers of each member."""
    indices = {m: Exact(held.members[:, [k]]) for k, m in enumerate(members)}
    inner = Frame(frame, len(held.place), indices, held.place if frame.lanes > 1 else None, held.wavering)
    return run.value(node, inner)


def _counted(held: HeldMembers, top: Band) -> Band:
    """The values of members that a certain load or a load above 0 meets; NaN where that cannot be told, else 0."""
    off = held.load.distance
    decided = held.certain | np.equal(off, 0) | (np.abs(held.load.value) > off)
    counted = _where(held.certain | (held.load.value > 0), top)
    return counted._replace(value=np.where(decided & ~np.isnan(held.load.value), counted.value, np.nan))


def gather(run: Evaluation, key: object, loads: Sequence[Load], frame: Frame) -> HeldMembers | None:
    """The loads by member; None if there is no member."""
    parts = [_uses(run, (key, load), load, frame) for load in loads]
    unknown = np.zeros((frame.lanes, 1), dtype=bool)
    uses_met, wavering = [], _wavering(run, loads, frame)
    for uses, unsure in parts:
        unknown = unknown | unsure
        if len(uses.place):
            uses_met.append(_with_own_bounds(uses) if wavering else uses)
    if not uses_met:
        return None

    place = np.concatenate([u.place for u in uses_met])
    members = np.concatenate([u.members for u in uses_met])
    # The uses of one member in one lane are summed in the order of the loads, whatever the other lanes hold: a stable
    # sort by member, and where each member's uses begin.
    keys = _codes(place, members)
    first, inverse = np.unique(keys, return_index=True, return_inverse=True)[1:]
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(first)))
    width = max(1, *(np.shape(a)[1] for u in uses_met for a in _arrays(u)))
    check_size(len(place), run)
    load = _stacked(uses_met, [_where(u.active, u.load) if u.active is not None else u.load for u in uses_met], width)

    # a lane that does not exist in a configuration must not be the one with the least head or tail
    infinite = [_where(u.active, u.head, np.inf) if u.active is not None else u.head for u in uses_met]
    least = [_where(u.active, u.tail, np.inf) if u.active is not None else u.tail for u in uses_met]
    heads, tails = (grouped.least(_stacked(uses_met, b, width), order, starts) for b in (infinite, least))
    sure, active = _flags(uses_met, width, order, starts)
    there = _there(uses_met, width) if wavering else None
    together = grouped.sums(load, order, starts, there)
    return HeldMembers(place[first], members[first], together, heads, tails, sure, active, wavering, unknown)


def _wavering(run: Evaluation, loads: Sequence[Load], frame: Frame) -> bool:
    """Whether the number of lanes of any load depends on the configuration; known before any is evaluated."""
    return frame.wavers or any(
        run.plan.varied[b.low] or run.plan.varied[b.high] for load in loads for b in load.binders
    )


def _with_own_bounds(uses: ColumnUses) -> ColumnUses:
    """An absolute bound for each entry, so that those of lanes which do not exist can be left out."""
    load, head, tail = (
        Band(b.value, 0.0, np.broadcast_to(b.distance, b.value.shape)) for b in (uses.load, uses.head, uses.tail)
    )
    return uses._replace(load=load, head=head, tail=tail)


def _nothing(run: Evaluation, loads: Sequence[Load], frame: Frame) -> Band:
    """No member at all, with the kind of bound that other configurations have."""
    return Band(0.0, 0.0, 0.0) if _wavering(run, loads, frame) else Band(0.0)


def _there(parts: Sequence[ColumnUses], width: int) -> Any:
    """For which lanes and configurations the lanes of all loads exist."""
    return np.concatenate(
        [np.broadcast_to(True if u.active is None else u.active, (len(u.place), width)) for u in parts]
    )


def _arrays(uses: ColumnUses) -> list[Any]:
    arrays = [np.atleast_2d(b.value) for b in (uses.load, uses.head, uses.tail)]
    arrays += [np.atleast_2d(b.error) for b in (uses.load, uses.head, uses.tail) if b.error is not None]
    return arrays + ([] if uses.active is None else [uses.active])


def _uses(run: Evaluation, key: object, load: Load, frame: Frame) -> tuple[ColumnUses, Any]:
    """One load for all values of its binders."""
    inner, place = frame, np.arange(frame.lanes)
    active: Any = None
    unknown = np.zeros((frame.lanes, 1), dtype=bool)
    for k, binder in enumerate(load.binders):
        first, count, unsure = extent(run, binder.low, binder.high, inner)
        if unsure.any():
            unknown = unknown | _any_by_place(np.broadcast_to(unsure, (inner.lanes, unsure.shape[1])), place, frame)
        rounds = int(count.max())
        if not rounds:
            return _none(load), unknown
        if inner.lanes * rounds > MOST_ITERATIONS:
            raise TooWide
        steady = not (run.plan.varied[binder.low] or run.plan.varied[binder.high])
        mask = np.arange(rounds)[None, :, None] < count[:, None, :]
        mask = np.broadcast_to(mask, (inner.lanes, rounds, mask.shape[2])).reshape(inner.lanes * rounds, -1)
        inner = inner.inside(binder.index, first, np.arange(rounds), (key, k), steady)
        check_size(inner.lanes, run)
        before = None if active is None else np.repeat(active, rounds, axis=0)
        place = np.repeat(place, rounds)
        active = mask if before is None else before & mask
        if active.all():
            active = None

    amount, head, tail = (_full(run.value(n, inner), inner.lanes) for n in (load.load, load.head, load.tail))
    numbers = [np.atleast_2d(certain(run.decision(s, inner))) for s in load.subscripts]
    columns = [np.broadcast_to(number, (inner.lanes, 1)) for number in numbers]
    members = np.concatenate(columns, axis=1) if columns else np.zeros((inner.lanes, 0))
    uses = ColumnUses(place, members, amount, head, tail, load.certain, active)
    lost: Any = np.isnan(members).any(axis=1)
    keep = ~lost if active is None else ~lost & active.any(axis=1)
    if lost.any():
        there = lost[:, None] if active is None else lost[:, None] & active
        unknown = unknown | _any_by_place(there, place, frame)

    return (uses if keep.all() else _chosen(uses, keep)), unknown


def _none(load: Load) -> ColumnUses:
    empty = Band(np.zeros((0, 1)))
    return ColumnUses(
        np.zeros(0, dtype=int), np.zeros((0, len(load.subscripts))), empty, empty, empty, load.certain, None
    )


def _any_by_place(flags: Any, place: Any, frame: Frame) -> Any:
    met = np.zeros((frame.lanes, flags.shape[1]), dtype=bool)
    np.logical_or.at(met, place, flags)
    return met


def _full(band: Band, lanes: int) -> Band:
    def shaped(array: Any) -> Any:
        array = np.atleast_2d(array)
        return np.broadcast_to(array, (lanes, array.shape[1]))

    return Band(shaped(band.value), band.relative, None if band.error is None else shaped(band.error))


def _chosen(uses: ColumnUses, keep: Any) -> ColumnUses:
    def some(band: Band) -> Band:
        return Band(band.value[keep], band.relative, None if band.error is None else band.error[keep])

    active = None if uses.active is None else uses.active[keep]
    return ColumnUses(
        uses.place[keep], uses.members[keep], some(uses.load), some(uses.head), some(uses.tail), uses.certain, active
    )


def _codes(place: Any, members: Any) -> Any:
    """One number for each lane of the frame and member."""
    codes = place.astype(np.int64)
    for k in range(members.shape[1]):
        values, inverse = np.unique(members[:, k], return_inverse=True)
        codes = codes * len(values) + inverse
        codes = np.unique(codes, return_inverse=True)[1]  # small again: the product of many counts would overflow
    return codes


def _stacked(parts: Sequence[ColumnUses], each: Sequence[Band], width: int) -> Band:
    """The lanes of all loads below each other."""

    def shaped(array: Any, lanes: int) -> Any:
        return np.broadcast_to(array, (lanes, width))

    value = np.concatenate([shaped(b.value, len(u.place)) for u, b in zip(parts, each, strict=True)])
    relative = max(b.relative for b in each)
    if all(b.error is None for b in each):
        return Band(value, relative)
    error = np.concatenate([shaped(b.distance, len(u.place)) for u, b in zip(parts, each, strict=True)])
    return Band(value, 0.0, error)


def _flags(parts: Sequence[ColumnUses], width: int, order: Any, starts: Any) -> tuple[Any, Any]:
    """Per member: whether a certain load meets it, and whether any does."""
    if all(u.active is None for u in parts):
        sure = np.concatenate([np.full(len(u.place), u.certain) for u in parts])[:, None]
        return np.logical_or.reduceat(sure[order], starts, axis=0), None
    active = _there(parts, width)
    sure = active & np.concatenate([np.full(len(u.place), u.certain) for u in parts])[:, None]
    return tuple(np.logical_or.reduceat(a[order], starts, axis=0) for a in (sure, active))  # type: ignore[return-value]


def _where(there: Any, band: Band, otherwise: float = 0.0) -> Band:
    value = np.where(there, band.value, otherwise)
    return Band(value, band.relative, None if band.error is None else np.where(there, band.error, 0.0))


def _matching(own: HeldMembers, everyone: HeldMembers) -> Band:
    """What everyone does to the members that `own` uses; 0 where nobody does anything."""
    rows, met = _rows(own, everyone)

    def some(array: Any) -> Any:
        return np.where(met[:, None], array[rows], 0.0)

    band = everyone.load
    return Band(some(band.value), band.relative, None if band.error is None else some(band.error))


def _meeting(own: HeldMembers, everyone: HeldMembers, rest: Band) -> Band:
    """0 for members that are not among everyone's."""
    rows, met = _rows(own, everyone)
    there = met[:, None] if everyone.active is None else met[:, None] & everyone.active[rows]
    return rest if there.all() else _where(there, rest)


def _rows(own: HeldMembers, everyone: HeldMembers) -> tuple[Any, Any]:
    count = len(own.place)
    codes = _codes(np.concatenate([own.place, everyone.place]), np.concatenate([own.members, everyone.members]))
    order = np.argsort(codes[count:], kind="stable")
    sorted_codes = codes[count:][order]
    spot = np.minimum(np.searchsorted(sorted_codes, codes[:count]), len(order) - 1)
    return order[spot], sorted_codes[spot] == codes[:count]


def _by_place(held: HeldMembers, lanes: int, band: Band, greatest: bool) -> Band:
    """The greatest or the sum over the members of each lane; 0 where a lane has none."""
    band = _full(band, len(held.place))
    order = np.argsort(held.place, kind="stable")
    places, starts = np.unique(held.place[order], return_index=True)
    if greatest:
        folded = grouped.greatest(band, order, starts)
    else:
        there = None
        if held.wavering:
            there = np.broadcast_to(True if held.active is None else held.active, band.value.shape)
        folded = grouped.sums(band, order, starts, there)
    if len(places) == lanes:
        return folded

    def spread(array: Any) -> Any:
        wide = np.zeros((lanes, array.shape[1]))
        wide[places] = array
        return wide

    return Band(spread(folded.value), folded.relative, None if folded.error is None else spread(folded.error))
