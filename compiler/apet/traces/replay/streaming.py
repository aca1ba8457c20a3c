"""The replay of a trace while it is read: what has been replayed is forgotten.

Memory grows with the number of ranks and of messages and requests that are open at a time, not with the length of the
trace. What needs the whole trace is left to the replay of whole traces: receives from any rank, waits for some of
several requests, communicators that are not named, and telling what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from apet.ground.activity import Activity
from apet.traces.platform.platform import Platform
from apet.traces.replay.engine import ACTIONS, BYTES, ENDED, HUNGRY_RANK, MESSAGES, Replayer
from apet.traces.replay.run import result
from apet.traces.trace import Replayed


class Lines(Protocol):
    """Where lines come from."""

    ranks: int

    def more(self, rank: int) -> tuple[bytes, Sequence[int]]:
        """Whole lines, of this rank if it has any; and ranks that have no more."""
        ...


def stream(
    name: str, lines: Lines, platform: Platform, hosts: Sequence[int], segments: bool = False
) -> Replayed | None:
    """The replay; None where the trace has to be replayed as a whole. Rank r is on `hosts[r % len(hosts)]`."""
    places = [hosts[r % len(hosts)] for r in range(lines.ranks)]
    replayer = Replayer(platform, places, None, segments)
    try:
        if not run_to_end(replayer, lines) or not replayer.agrees() or not replayer.arrived():
            return None
        counts = replayer.counts
        volumes = counts[ACTIONS], counts[MESSAGES], counts[BYTES]
        return result(name, volumes, platform, places, replayer.course())
    finally:
        replayer.close()


def run_to_end(replayer: Replayer, lines: Lines) -> bool:
    """Replay while lines come; False where a line is not plain."""
    with Activity("replaying", "actions", lambda: replayer.counts[ACTIONS]):
        while replayer.run() != ENDED:
            text, complete = lines.more(replayer.counts[HUNGRY_RANK])
            if text and not replayer.feed(text):
                return False
            for rank in complete:
                replayer.complete(rank)
            pairs = replayer.new_pairs()
            if pairs:
                replayer.routes(pairs)
    return True
