"""How long each transfer takes at most under contention: links are work-conserving.

A flow at less than its bound has a full link on which no other flow has a greater weighted rate x p. So while link l
holds back flow i, it carries of another flow j at most w_j p_i / p_j times what it carries of i, and at most all of j.
If it carries v bytes of i meanwhile, this takes (w_i v + sum over j of w_j min(V_j, v p_i / p_j)) / C_l seconds. All
bytes of i are carried at its bound or held back by one of its links: the worst split among these is found exactly, as
each part is concave in v (R. T. Rockafellar, 1970). A FATPIPE link limits a flow to the capacity times the least p / w
of all flows on it, over the flow's own p.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy

from apet.core import library
from apet.ground.host import cores
from apet.traces.bounds.density import Density, Most, densities, under_way
from apet.traces.bounds.happens_before import MOST_KEPT, Claims, Relations, narrow
from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.bounds.vector_clocks import Clocks
from apet.traces.bounds.walks import Arrays, check
from apet.traces.replay.program import Programs

SLACK = 1 + 4e-9
FITS = 1 + 1e-9
"""Demand over capacity up to which a link holds nobody back: `SLACK` covers it."""
ROUNDING = 2.0**-51
KINDS = 4
"""Kinds that the flows of a link are sorted into by their size: within one, means count."""
FARTHEST = 1e9
"""Greatest ratio of two flows' p."""
MANY = 100_000
"""Messages from which on links are worked on side by side."""
Item = TypeVar("Item")
Result = TypeVar("Result")


class Pieces(NamedTuple):
    """Parts of messages that a link may hold back; all of shape [pieces]."""

    message: Array  #: int64; its number
    volume: Array  #: float64; bytes over the factor of the bandwidth
    seconds: Array  #: float64; seconds per such byte, more than at the message's bound


class Around(NamedTuple):
    """What is around the flows of a link. Arrays are of float64; columns are those of `SharedLink.amounts`."""

    amounts: Array  #: [flows, columns]; what each uses itself
    before: Array  #: [flows, columns]; what is over before it begins
    after: Array  #: [flows, columns]; what begins after it has ended
    crowd: Most | None  #: what can be under way at once
    rounding: Array  #: [columns]; by how much rounding may change sums over all flows
    fits: float  #: bytes per second; the demand up to which nobody is held back


NOTHING = Pieces(numpy.zeros(0, numpy.int64), numpy.zeros(0), numpy.zeros(0))


class Links(NamedTuple):
    """The links of a platform."""

    capacity: Array  #: [links], float64; bytes per second
    shared: Array  #: [links], bool; whether flows share it
    first: Array  #: [links], int64; the link that leads those used together with it, see `transfers.leaders`
    fixed: bool = False
    """Whether durations hold for all platforms of this shape, whatever its latency and bandwidth are multiplied by."""


class Contention:
    """How long transfers take at most where those overlap that are not known to be apart."""

    def __init__(
        self, programs: Programs, flows: Transfers, clocks: Clocks | None, links: Links, part: float = 1.0
    ) -> None:
        """`clocks`: None where nothing is known; `part`: the share of these messages in all of the trace."""
        self.flows, self.first = flows, links.first
        self.rate = flows.rate.copy()
        self.links: list[SharedLink] = []
        ends = numpy.array(programs.pairs or [(0, 0)], numpy.int32)
        by_pair = numpy.argsort(narrow(flows.pair), kind="stable")
        first = numpy.searchsorted(flows.pair, numpy.arange(len(flows.rate) + 1), sorter=by_pair)

        order = numpy.argsort(flows.link, kind="stable")
        cuts = numpy.flatnonzero(numpy.diff(flows.link[order])) + 1
        for uses in numpy.split(order, cuts) if len(order) else []:
            number, users = int(flows.link[uses[0]]), flows.user[uses]
            messages = numpy.sort(numpy.concatenate([by_pair[first[k] : first[k + 1]] for k in users]), kind="stable")
            if not len(messages):
                continue
            link = SharedLink(number, flows, uses, messages, float(links.capacity[number]), links.fixed)
            if not links.shared[number] and not (links.fixed and link.unequal):
                self.rate[users] = numpy.minimum(self.rate[users], link.as_fatpipe())
            elif link.total[0] > link.capacity:
                self.links.append(link)

        def relate(link: SharedLink) -> None:
            link.relations = Relations(link.messages, flows.pair, ends, link.main, clocks, part)
            if clocks is not None and not links.fixed:
                link.chains = densities(link.messages, link.relations, clocks, every=part == 1.0)

        self.work = len(flows.pair) if part == 1.0 else 0  # parts are side by side themselves
        side_by_side(relate, self.links, self.work)

    def durations(self, claims: Claims | None, omitted: Sequence[Collection[int]]) -> list[Array]:
        """Seconds that each transfer takes at most, for each set of links that hold nothing back. With claims, these
        are bounds as long as the claims hold."""
        flows = self.flows
        pieces = side_by_side(lambda link: link.pieces(claims, self.rate), self.links, self.work)
        alone = flows.latency + flows.volume / self.rate[flows.pair]
        seconds = list[Array]()
        for free in omitted:
            pairs = zip(self.links, pieces, strict=True)
            held_back = [each for link, each in pairs if int(self.first[link.number]) not in free]
            seconds.append((alone + _held_back(held_back, flows.volume)) * SLACK)
        return seconds


class SharedLink:
    """A link and all flows on it."""

    relations: Relations
    chains: Sequence[Density] = ()

    def __init__(
        self, number: int, flows: Transfers, uses: Array, messages: Array, capacity: float, fixed: bool
    ) -> None:
        """`uses`: those of this link by pairs, `messages`: the pairs' messages in their order."""
        self.number, self.capacity, self.flows, self.fixed = number, capacity, flows, fixed
        self.users, self.share, self.messages = flows.user[uses], flows.share[uses], messages
        penalty = flows.penalty[self.users]
        self.unequal = bool(numpy.ptp(penalty) > 1e-9 * penalty[0])
        self.kind, self.kinds = _sorted_by(flows.volume[messages] * flows.penalty[flows.pair[messages]])
        self._amounts: Array | None = None
        self.total = numpy.sum(self.amounts(), axis=0)

    @property
    def main(self) -> Array:
        """By pair, whether its messages cross the link on their way, not only what acknowledges them."""
        main = numpy.zeros(len(self.flows.rate), bool)
        main[self.users] = self.share > 0.5
        return main

    def by_flow(self, of_users: Array) -> Array:
        """By flow, what is said of the pairs that use the link."""
        by_pair = numpy.zeros(len(self.flows.rate))
        by_pair[self.users] = of_users
        return by_pair[self.flows.pair[self.messages]]

    def amounts(self) -> Array:
        """By flow, what it demands at its bound; by kind its weight, and what it carries."""
        if self._amounts is not None:
            return self._amounts
        flows, rows = self.flows, numpy.arange(len(self.messages))
        weight = self.share if self.fixed else self.share / flows.penalty[self.users]
        amounts = numpy.zeros((len(rows), 1 + 2 * self.kinds))
        amounts[:, 0] = self.by_flow(self.share * flows.bound[self.users])
        amounts[rows, 1 + self.kind] = self.by_flow(weight)
        amounts[rows, 1 + self.kinds + self.kind] = self.by_flow(self.share) * flows.volume[self.messages]
        self._amounts = amounts if amounts.nbytes <= MOST_KEPT else None
        return amounts

    def _ratios(self) -> Array:
        """By flow, and by kind where it matters, the greatest ratio of p for any multiples of latency and bandwidth: p
        is the sum of a part in proportion to latency and one in proportion to 1 / bandwidth."""
        near = self.flows.near[self.flows.pair[self.messages]]
        if not self.unequal or not near.all():  # p is 1 without latency, whatever the platform
            return numpy.full((len(near), 1), FARTHEST if self.unequal else 1.0)

        far, ratios = self.flows.penalty[self.flows.pair[self.messages]] - near, numpy.empty((len(near), self.kinds))
        for kind in range(self.kinds):
            least = [float(part[self.kind == kind].min(initial=numpy.inf)) for part in (near, far)]
            with numpy.errstate(divide="ignore", invalid="ignore"):
                worst = numpy.fmax(near / least[0], far / least[1])
            ratios[:, kind] = numpy.clip(numpy.nan_to_num(worst, nan=1.0, posinf=FARTHEST), 0.0, FARTHEST)
        return ratios

    def as_fatpipe(self) -> Array:
        """The rate that it leaves to the messages of each pair if nothing is subtracted."""
        penalty = self.flows.penalty[self.users]
        rate: Array = self.capacity * float(numpy.min(penalty / self.share)) / penalty
        return rate

    def pieces(self, claims: Claims | None, rate: Array) -> Pieces:
        """What the link may hold back of each message."""
        amounts, crowd = self.amounts(), None
        rounding = self.total * (len(amounts) * ROUNDING)  # of sums over flows
        fits = self.capacity * FITS - float(rounding[0])
        if claims is not None and self.chains:
            crowd = under_way(self.chains, amounts, claims.latency, claims.most)
            if crowd.at_once[0] <= fits:
                return NOTHING
        around = Around(amounts, *self.relations.apart(amounts, claims), crowd, rounding, fits)
        return self._pieces(around, rate)

    def _pieces(self, around: Around, rate: Array) -> Pieces:
        """By piece that the link may hold back: message, bytes over the factor, seconds per such byte."""
        flows, columns = around.amounts.shape
        room = flows * self.kinds
        held, volume, seconds = numpy.empty(room, numpy.int64), numpy.empty(room), numpy.empty(room)

        ratio = self._ratios() if self.fixed else self.flows.penalty[self.flows.pair[self.messages]][:, None]
        link = Arrays("Held", flows=flows, kinds=self.kinds, columns=columns, ratios=ratio.shape[1])
        link.set(capacity=self.capacity, fits=around.fits)
        link.point(numpy.int64, message=self.messages, held=held, pair=self.flows.pair)
        link.point(numpy.float64, share=self.by_flow(self.share), ratio=ratio, amount=around.amounts, total=self.total)
        link.point(numpy.float64, before=around.before, after=around.after, rounding=around.rounding)
        link.point(numpy.float64, rate=rate, volume=volume, seconds=seconds)
        if around.crowd is not None:
            link.point(numpy.float64, at_once=around.crowd.at_once, meanwhile=around.crowd.stretches)
            link.point(numpy.int64, step=around.crowd.step)

        number = library().apet_pieces(link)
        return Pieces(held[:number].copy(), volume[:number].copy(), seconds[:number].copy())


def side_by_side(act: Callable[[Item], Result], items: Sequence[Item], work: int) -> list[Result]:
    """The results for all; on all cores where there is much to do, which is done in the core and in numpy."""
    if work < MANY:
        return list(map(act, items))
    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(act, items))


def _sorted_by(size: Array) -> tuple[Array, int]:
    """By flow, the number of its kind, and how many there are."""
    if numpy.ptp(size) == 0.0:
        return numpy.zeros(len(size), numpy.int8), 1
    sizes_in_order, kind = numpy.unique(size, return_inverse=True)
    if len(sizes_in_order) <= KINDS:
        return kind.reshape(-1).astype(numpy.int8), len(sizes_in_order)
    ranks = numpy.sort(size)[numpy.linspace(0, len(size) - 1, KINDS + 1).astype(int)[1:-1]]
    cuts = numpy.unique(ranks)
    return numpy.searchsorted(cuts, size, side="right").astype(numpy.int8), len(cuts) + 1


def _held_back(links: Sequence[Pieces], volume: Array) -> Array:
    """Seconds by which each message is held back at most: bytes go where they take longest."""
    seconds = numpy.zeros(len(volume))
    counts = numpy.array([len(each.message) for each in links], numpy.int64)
    columns = ([getattr(each, name) for each in links] for name in ("message", "volume", "seconds"))
    check(library().apet_held_back(len(links), counts, *columns, len(volume), volume, seconds))
    return seconds
