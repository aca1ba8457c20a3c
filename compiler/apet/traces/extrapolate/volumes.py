"""Where in a model volumes belong: what a rank computes before a slot may be what others compute before slots that it
lacks.

A rank at the end of a grid has no first message, and computes before its second one what others compute before the
first. Its volume goes to the slot before which others compute most, so that one sum serves for all ranks; the volumes
of all slots that a rank lacks count before the next one that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.traces.extrapolate.nodes import Computed, Node, ObservedLoop, ObservedSlot, Rank

Means = dict[tuple[int, int], float]
"""By the identity of a slot and the number of loops entered."""


def settled(nodes: Sequence[Node], everybody: set[Rank]) -> None:
    """Move volumes of ranks to slots that they lack, where these are right before; in loops, too."""
    slots = [node for node in nodes if isinstance(node, ObservedSlot)]
    means = {(id(slot), e): _mean(slot.computed, e) for slot in slots for e in {c.entered for c in slot.computed}}
    for at, node in enumerate(nodes):
        if isinstance(node, ObservedLoop):
            _carry(node, nodes[at + 1 :])
            settled(node.body, node.present())

    missing: dict[Rank, list[ObservedSlot]] = {}
    for node in nodes:
        present = node.present()
        if isinstance(node, ObservedSlot):
            _share_out(node, missing, means)
            for rank in everybody - present:
                missing.setdefault(rank, []).append(node)
        missing = {rank: slots for rank, slots in missing.items() if rank not in present}


def _share_out(slot: ObservedSlot, missing: Mapping[Rank, Sequence[ObservedSlot]], means: Means) -> None:
    """Give what ranks compute before a slot to the one of it and those that they lack before which most is computed."""
    staying = list[Computed]()
    for each in slot.computed:
        choices = [*missing.get(each.rank, ()), slot]
        home = max(choices, key=lambda choice: means.get((id(choice), each.entered), 0.0))
        (staying if home is slot else home.computed).append(each)
    slot.computed = staying


def _carry(loop: ObservedLoop, after: Sequence[Node]) -> None:
    """What ranks compute at the end of an iteration, before slots that they lack, was observed before the first slot of
    the next iteration, and, in the last one, before what follows the loop."""
    for rank in loop.present():
        executed = [k for k, node in enumerate(loop.body) if rank in node.present()]
        first = loop.body[executed[0]] if executed else None
        lacking = [node for node in loop.body[executed[-1] + 1 :] if isinstance(node, ObservedSlot)] if executed else []
        if not lacking or not isinstance(first, ObservedSlot):
            continue

        for each in [c for c in first.computed if c.rank == rank and c.entered == 0]:
            home = max((*lacking, first), key=lambda slot: _mean([c for c in slot.computed if c.rank != rank], 0))
            if home is first:
                continue
            first.computed.remove(each)
            home.computed.append(each)
            following = next((node for node in after if rank in node.present()), None)
            if isinstance(following, ObservedSlot):
                following.computed = [
                    c._replace(flops=max(0.0, c.flops - each.flops)) if c.rank == rank else c
                    for c in following.computed
                ]


def _mean(computed: Sequence[Computed], entered: int) -> float:
    flops = [each.flops for each in computed if each.entered == entered]
    return sum(flops) / len(flops) if flops else 0.0
