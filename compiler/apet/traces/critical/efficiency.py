"""Where the time of a run goes, as a tree of efficiencies (POP: S. Wagner et al., 2017; C. Rosas et al., 2014).

Of what ranks compute and the time T: parallel = mean / T = load balance * communication; load balance = mean / most;
communication = most / T = serialization * transfer; serialization = most / T*, transfer = T* / T, where T* is the time
on a network that takes none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apet.traces.platform.platform import Platform
from apet.traces.trace import Replayed

FASTER = 1e12
"""By how much bandwidths are multiplied on a network that takes no time."""


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Shares between 0 and 1, of which the product is the share of time in which ranks compute."""

    load_balance: float  #: mean over most that a rank computes
    serialization: float  #: what is lost where ranks wait for each other on any network
    transfer: float  #: what the network itself takes

    @property
    def communication(self) -> float:
        """What is left where ranks wait and messages take time."""
        return self.serialization * self.transfer

    @property
    def parallel(self) -> float:
        """The share of all time in which ranks compute."""
        return self.load_balance * self.communication


def ideal(platform: Platform) -> Platform:
    """The platform with a network that takes no time."""
    return platform.scaled(latency=0.0, bandwidth=FASTER)


def efficiency(replayed: Replayed, on_ideal: Replayed) -> Efficiency | None:
    """Of a run, by the same on the ideal network; None where nobody computes."""
    computed: Sequence[float] = [rank.compute_s for rank in replayed.ranks]
    most = max(computed, default=0.0)
    if most <= 0:
        return None
    return Efficiency(
        load_balance=sum(computed) / len(computed) / most,
        serialization=most / on_ideal.makespan_s,
        transfer=on_ideal.makespan_s / replayed.makespan_s,
    )
