"""What a queueing network may be asked for as a formula: quantities, of a class or station where there are several."""

from __future__ import annotations

from apet.cost.cost_model import PER_SECOND, PLAIN, SECONDS
from apet.ground.diagnostics import ApetError, nearest
from apet.queueing import errors
from apet.queueing.data.networks import Network

RESPONSE, THROUGHPUT, UTILIZATION, BOUNDS, COST = "response", "throughput", "utilization", "bounds", "cost"
ABOUT = {
    RESPONSE: ("response time", "R", SECONDS, "no queueing"),
    BOUNDS: ("response time", "R", SECONDS, "no queueing"),
    THROUGHPUT: ("throughput", "X", PER_SECOND, "X"),
    UTILIZATION: ("utilization", "U", PLAIN, "U"),
    COST: ("cost per hour", "C", PLAIN, "fixed"),
}
"""Title, symbol, unit, and the name of the term that is no station's."""


def quantities(network: Network) -> list[str]:
    """All that can be asked of a network."""
    several = [f"[{c.name}]" for c in network.classes] if len(network.classes) > 1 else [""]
    every = [f"{what}{which}" for what in (RESPONSE, THROUGHPUT) for which in several]
    every += [UTILIZATION, *(f"{UTILIZATION}[{s.name}]" for s in network.stations if not s.is_delay)]
    every += [COST] if prices(network) else []

    plain = all(network.is_plain(k) for k in range(len(network.stations))) and not network.counts
    alone = len(network.classes) == 1 and not network.classes[0].is_open
    return [*every, BOUNDS] if plain and alone else every


def named(network: Network, of: str) -> tuple[str, str]:
    """A quantity, and the class or station in its brackets; `ApetError` if it is none."""
    every = quantities(network)
    if of in every:
        what, _, member = of.partition("[")
        return what, member.rstrip("]")

    reason = "this is nothing that the network can be asked for"
    if any(k.startswith(f"{of}[") for k in every):
        reason = "of which class? There are several"
    elif of == BOUNDS:
        reason = "bounds are known of one closed class at single servers and delays"
    raise ApetError(errors.UnknownQuantity(None, None, of, reason, nearest(of, every), ", ".join(every)))


def prices(network: Network) -> dict[int, float]:
    """By number of servers that has a name, what one of them costs per hour."""
    each = {
        i: sum(network.stations[k].price for kind, k in count.places if kind == "servers")
        for i, count in enumerate(network.counts)
    }
    return {i: price for i, price in each.items() if price}
