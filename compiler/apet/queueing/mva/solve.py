"""Which method answers for a network: exact where that takes a bearable time, else Linearizer."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.networks import Network, NetworkBounds, NetworkResult

METHODS = ("auto", "exact", "schweitzer", "linearizer", "bounds")
APPROXIMATE = ("schweitzer", "linearizer")


def solve(network: Network, method: str = "auto") -> NetworkResult:
    """Mean values of a network by "exact", "schweitzer", "linearizer", or "auto": exact while that takes seconds.

    `ApetError` where open classes overload a station, or an exact solution would take too long.
    """
    from apet.queueing.mva import open_networks

    refuse_overload(network)
    if all(c.is_open for c in network.classes):
        return open_networks.open_network(network)
    if open_networks.only_closed(network.classes):
        return _closed(network, method)
    if all(network.is_plain(k) for k in range(len(network.stations))):
        return open_networks.mixed_result(network, _closed(open_networks.closed_part(network), method))
    return _mixed(network, method)


def bounds(network: Network, method: str = "tightest") -> NetworkBounds:
    """Bounds by "aba" (any number of classes), "bsb" or "gb" (one class), or the sharpest of all that apply."""
    from apet.queueing.mva import asymptotic_bounds as found

    if any(c.is_open for c in network.classes):
        raise ApetError(errors.BoundsNeedClosed(None, None))
    peculiar = [network.stations[k].name for k in range(len(network.stations)) if not network.is_plain(k)]
    if peculiar:
        raise ApetError(errors.BoundsNeedPlain(None, None, ", ".join(peculiar)))
    if method == "aba" or len(network.classes) > 1:
        return found.asymptotic(network)
    known = {"bsb": found.balanced, "gb": found.geometric}
    if method in known:
        return known[method](network)
    return found.tightest([found.asymptotic(network), found.balanced(network), found.geometric(network)])


def refuse_overload(network: Network) -> None:
    """`ApetError` naming the stations that open classes overload."""
    from apet.queueing.mva import open_networks

    over = open_networks.overloaded(network)
    if over:
        named = "; ".join(f"{network.stations[k].name}: utilization {u:.4g}" for k, u in over)
        raise ApetError(errors.Overloaded(None, None, named))


def _closed(network: Network, method: str) -> NetworkResult:
    from apet.queueing.mva import convolution, exact_classes, exact_one_class, schweitzer

    if method in APPROXIMATE:
        return getattr(schweitzer, method)(network)  # type: ignore[no-any-return]
    plain = all(network.is_plain(k) for k in range(len(network.stations)))
    if plain and len(network.classes) == 1:
        return exact_one_class.mean_values(network)
    size, most = (
        (exact_classes.states(network), exact_classes.MOST_STATES)
        if plain
        else (convolution.products(network), convolution.MOST_PRODUCTS)
    )
    if size <= most:
        return exact_classes.mean_values(network) if plain else convolution.normalised(network)
    if method == "exact":
        raise ApetError(errors.TooLarge(None, None, f"{size:.1e}", f"{most:.1e}"))
    return schweitzer.linearizer(network)


def _mixed(network: Network, method: str) -> NetworkResult:
    """Open and closed classes over stations some of which are not plain: closed exactly, open by what they meet."""
    from apet.queueing.mva import mixed_networks

    if method in APPROXIMATE:
        raise ApetError(errors.OnlyExact(None, None, method))
    return mixed_networks.mean_values(network)
