"""Which method answers for a network: exact where that takes a bearable time, else Linearizer."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.networks import BY_RANK, Network, NetworkBounds, NetworkResult
from apet.queueing.methods.mva.results import within_capacity

METHODS = ("auto", "exact", "schweitzer", "linearizer", "bounds")
APPROXIMATE = ("schweitzer", "linearizer")

# Methods are imported where they are used: they need numpy, bounds do not.


def solve(network: Network, method: str = "auto") -> NetworkResult:
    """Mean values of a network by "exact", "schweitzer", "linearizer", or "auto": exact while that takes seconds.

    `ApetError` where open classes overload a station, or an exact solution would take too long.
    """
    from apet.queueing.methods.mva import open_networks

    refuse_overload(network)
    if all(c.is_open for c in network.classes):
        return open_networks.open_network(network)
    if not any(c.is_open for c in network.classes):
        return _closed(network, method)
    if not peculiar_stations(network):
        return open_networks.mixed_over_plain(network, _closed(open_networks.slowed_by_open(network), method))
    if method in APPROXIMATE:
        what = "closed classes, or open ones beside them at single servers"
        raise ApetError(errors.MethodDoesNotApply(None, None, method, what))
    from apet.queueing.methods.mva import mixed_networks

    return mixed_networks.solve(network)


def bounds(network: Network, method: str = "tightest") -> NetworkBounds:
    """Bounds by "aba" (any number of classes), "bsb" or "gb" (one class in product form), or the sharpest of all that
    apply."""
    from apet.queueing.methods.mva.asymptotic_bounds import asymptotic, balanced, geometric, tightest

    if any(c.is_open for c in network.classes):
        raise ApetError(errors.BoundsNeedClosed(None, None))
    limits = [f"pool {p.name}" for p in network.pools]
    limits += [
        s.name for k, s in enumerate(network.stations) if s.discipline in BY_RANK and network.lacks_product_form(k)
    ]
    if limits:
        raise ApetError(errors.NotInProductForm(None, None, ", ".join(limits), "no bounds are known"))
    peculiar = peculiar_stations(network)
    if peculiar:
        raise ApetError(errors.BoundsNeedPlain(None, None, ", ".join(peculiar)))

    uneven = any(network.lacks_product_form(k) for k in range(len(network.stations)))
    if method == "aba" or uneven or len(network.classes) > 1:
        return asymptotic(network)
    if method in ("bsb", "gb"):
        return balanced(network) if method == "bsb" else geometric(network)
    return tightest([asymptotic(network), balanced(network), geometric(network)])


def peculiar_stations(network: Network) -> list[str]:
    """The names of stations that are neither single servers of constant speed nor delays."""
    return [s.name for k, s in enumerate(network.stations) if not network.is_plain(k)]


def refuse_overload(network: Network) -> None:
    """`ApetError` naming the stations that open classes overload."""
    from apet.queueing.methods.mva.open_networks import overloaded

    stations = overloaded(network)
    if stations:
        names = "; ".join(f"{network.stations[k].name}: utilization {u:.4g}" for k, u in stations)
        raise ApetError(errors.Overloaded(None, None, names))


def _closed(network: Network, method: str) -> NetworkResult:
    from apet.queueing.methods.mva import convolution, exact_classes, exact_one_class, schweitzer

    if method in APPROXIMATE:
        approximate = schweitzer.schweitzer if method == "schweitzer" else schweitzer.linearizer
        return within_capacity(network, approximate(network))
    plain = not peculiar_stations(network)
    if plain and len(network.classes) == 1:
        return exact_one_class.solve(network)

    if plain:
        size, most = exact_classes.states(network), exact_classes.MOST_STATES
    else:
        size, most = convolution.products(network), convolution.MOST_PRODUCTS
    if size <= most:
        return exact_classes.solve(network) if plain else convolution.solve(network)
    if method == "exact":
        raise ApetError(errors.TooLarge(None, None, f"{size:.1e}", f"{most:.1e}"))
    return within_capacity(network, schweitzer.linearizer(network))
