"""What bounds need of links that many flows share, by the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy

from apet.traces.bounds.native_bounds import Array, Given, check, library

if TYPE_CHECKING:
    from apet.traces.bounds.contention_delay import Around, Link, Pieces
    from apet.traces.bounds.density import Density
    from apet.traces.bounds.happens_before import Claims, Known, Pair
    from apet.traces.bounds.vector_clocks import Clocks


def apart_in_core(
    messages: Array, amounts: Array, groups: Sequence[Pair], clocks: Clocks, claims: Claims
) -> tuple[Array, Array] | None:
    """The amounts that are over before each flow of a link, and that begin after it; None without the core."""
    ends = {"sender": [g.sender for g in groups], "receiver": [g.receiver for g in groups]}
    given = _grouped(messages, [g.members for g in groups], clocks.seen)
    given.point(numpy.int64, **ends)
    given.point(numpy.int32, stage=clocks.stage, ended=clocks.ended)
    given.point(numpy.float64, since=clocks.since, clock=clocks.clock, **claims._asdict())
    return _added("apet_apart", given, amounts)


def known_in_core(
    messages: Array, amounts: Array, groups: Sequence[Known], stages: Array, seen: Array
) -> tuple[Array, Array] | None:
    """The same from what ranks know to have ended, each flow from a stage on; None without the core."""
    given = _grouped(messages, [g.members for g in groups], seen)
    given.point(numpy.int64, sender=[g.rank for g in groups])
    given.point(numpy.int32, ended=stages)
    return _added("apet_known", given, amounts)


def dated_in_core(
    messages: Array, amounts: Array, order: Array, begins: Array, ends: Array
) -> tuple[Array, Array] | None:
    """The same from dates, the flows' order being that of their ends; None without the core."""
    given = _grouped(messages, [order], numpy.zeros((0, 0)))
    given.point(numpy.float64, begins=begins, ends=ends)
    return _added("apet_dated", given, amounts)


def _grouped(messages: Array, groups: Sequence[Array], seen: Array) -> Given:
    given = Given("Apart", flows=len(messages), ranks=seen.shape[1], groups=len(groups))
    first = list(accumulate(map(len, groups), initial=0))
    given.point(numpy.int64, message=messages, first=first, member=numpy.concatenate(groups or [messages[:0]]))
    given.point(numpy.int32, seen=seen)
    return given


def _added(name: str, given: Given, amounts: Array) -> tuple[Array, Array] | None:
    core = library()
    if core is None:
        return None
    before, after = numpy.zeros_like(amounts), numpy.zeros_like(amounts)
    given.set(columns=amounts.shape[1])
    given.point(numpy.float64, amount=amounts, before=before, after=after)
    check(getattr(core, name)(given))
    return before, after


def densest_in_core(density: Density, amounts: Array, reach: Array, stretches: Array) -> Array | None:
    """The greatest sums of amounts of runs, by stretch and column, added up over chains; None without the core."""
    core = library()
    if core is None:
        return None
    found = numpy.zeros((len(stretches), amounts.shape[1]))
    flows, columns = amounts.shape
    given = Given("Dense", flows=flows, columns=columns, chains=len(density.starts), stretches=len(stretches))
    given.point(numpy.int64, first=[*density.starts, len(amounts)], order=density.order)
    given.point(numpy.float64, begins=density.begins, reach=reach, amount=amounts, stretch=stretches, densest=found)
    check(core.apet_densest(given))
    return found


def pieces_in_core(link: Link, around: Around, rate: Array) -> tuple[Array, Array, Array] | None:
    """By piece that the link may hold back: message, bytes over the factor, seconds per such byte; None without the
    core."""
    core = library()
    if core is None:
        return None
    flows, columns = around.amounts.shape
    room = flows * link.kinds
    held, volume, seconds = numpy.empty(room, numpy.int64), numpy.empty(room), numpy.empty(room)
    given = Given("Held", flows=flows, kinds=link.kinds, columns=columns, ratios=link.ratio.shape[1])
    given.set(capacity=link.capacity, fits=around.fits)
    given.point(numpy.int64, message=link.messages, held=held)
    given.point(numpy.float64, share=link.share, ratio=link.ratio, amount=around.amounts, total=link.total)
    given.point(numpy.float64, before=around.before, after=around.after, rounding=around.rounding)
    given.point(numpy.float64, rate=rate, volume=volume, seconds=seconds)
    if around.crowd is not None:
        given.point(numpy.float64, at_once=around.crowd.at_once, meanwhile=around.crowd.stretches)
        given.point(numpy.int64, step=around.crowd.step)
    number = core.apet_pieces(given)
    return held[:number].copy(), volume[:number].copy(), seconds[:number].copy()


def held_back_in_core(pieces: Sequence[Pieces], volume: Array, found: Array) -> bool:
    """Add seconds by which each message is held back at most; False without the core."""
    core = library()
    if core is None:
        return False
    counts = numpy.array([len(each.message) for each in pieces], numpy.int64)
    columns = ([getattr(each, name) for each in pieces] for name in ("message", "volume", "seconds"))
    check(core.apet_held_back(len(pieces), counts, *columns, len(volume), volume, found))
    return True
