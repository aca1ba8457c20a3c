"""Two programs as one: what both execute becomes one node, what only one executes stays a node of its own.

The alignment has the least weight of nodes that stand alone (D. Sankoff: *Matching sequences under deletion/insertion
constraints*, 1972); loops are aligned by their bodies. A loop may also stand against its body: in the program that is
added several times in a row, in the other once.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from apet.traces.extrapolate.explanations import far_fetched, partner
from apet.traces.extrapolate.nodes import Node, ObservedLoop, ObservedSlot, slots_of, within

Nodes = list[Node]
FOREVER = float("inf")
LEAST_IN_COMMON = 0.5
"""Of the slots of a loop, and of what stands against one iteration of it."""
MORE_NODES = 2
"""By so many nodes what stands against a loop's body may be longer than that."""
FEWER_RULES, FAR_FETCHED = 0.05, 0.1
"""The cost, in slots, of partners that have less in common than each explains, and where only boxes explain them."""


class _AlignmentCell(NamedTuple):
    """The cost up to here; the cell before, whether that is inside of the same loop; and what stands in between."""

    cost: float
    left: int = 0
    right: int = 0
    inside: bool = False
    how: str = ""


NOWHERE = _AlignmentCell(FOREVER)


def merged(left: Nodes, right: Nodes, depth: int = 0) -> Nodes:
    """One program that both are instances of; both stand in so many loops. Takes the nodes over."""
    nodes, iteration = Nodes(), 0
    for move, (i, j) in _moves(left, right):
        earlier, additions = left[move.left : i], right[move.right : j]
        if move.how == "iteration":
            nodes += earlier
            iteration = iteration + 1 if move.inside else 0
            _add_iteration(nodes[-1], additions, depth, iteration)
        elif move.how == "loop":
            nodes.append(_around(earlier, additions[0], depth))
        elif move.how == "both":
            nodes.append(_joined(earlier[0], additions[0], depth))
        else:
            nodes += earlier + additions

    return nodes


def _moves(left: Nodes, right: Nodes) -> list[tuple[_AlignmentCell, tuple[int, int]]]:
    """How both are gone through; without a table where they begin or end alike."""
    first, last = _ends(left, right)
    i, j = len(left) - last, len(right) - last
    before = [(_AlignmentCell(0.0, k, k, False, "both"), (k + 1, k + 1)) for k in range(first)]
    between = [
        (move._replace(left=move.left + first, right=move.right + first), (a + first, b + first))
        for move, (a, b) in _CostTable(left[first:i], right[first:j]).moves()
    ]
    after = [(_AlignmentCell(0.0, i + k, j + k, False, "both"), (i + k + 1, j + k + 1)) for k in range(last)]
    return before + between + after


def _ends(left: Nodes, right: Nodes) -> tuple[int, int]:
    """How many nodes are alike at the beginning and, of the others, at the end."""
    shorter = min(len(left), len(right))
    if len(left) == len(right) and same_shape(left, right):
        return shorter, 0
    first = next((k for k in range(shorter) if cost_of(left[k], right[k], FOREVER)), shorter)
    last = next((k for k in range(shorter - first) if cost_of(left[-1 - k], right[-1 - k], FOREVER)), shorter - first)
    while 0 < last < shorter - first and _waits(left[-last]):
        last -= 1
    return first, last


def _waits(node: Node) -> bool:
    """Whether it is a wait for what stands before it: of several it may be, the first is taken."""
    return isinstance(node, ObservedSlot) and node.form[0] == "waitall"


def same_shape(left: Nodes, right: Nodes) -> bool:
    """Whether both have the same loops and slots, with partners that one rule may explain."""
    return len(left) == len(right) and all(
        same_shape(a.body, b.body)
        if isinstance(a, ObservedLoop) and isinstance(b, ObservedLoop)
        else not isinstance(a, ObservedLoop) and cost_of(a, b, FOREVER) < FOREVER
        for a, b in zip(left, right, strict=True)
    )


def _joined(left: Node, right: Node, depth: int) -> Node:
    if isinstance(left, ObservedLoop) and isinstance(right, ObservedLoop):
        return ObservedLoop(left.times | right.times, merged(left.body, right.body, depth + 1))
    assert isinstance(left, ObservedSlot)
    assert isinstance(right, ObservedSlot)
    left.rows += right.rows
    left.computed += right.computed
    left.rules = tuple(a & b for a, b in zip(left.rules, right.rules, strict=True))
    if not all(left.rules):
        left.explain()
    return left


def _add_iteration(loop: Node, nodes: Nodes, depth: int, iteration: int) -> None:
    assert isinstance(loop, ObservedLoop)
    ranks = {rank for node in nodes for rank in node.present()}
    within(nodes, depth, lambda rank: iteration)
    loop.times |= dict.fromkeys(ranks, iteration + 1)
    loop.body = merged(loop.body, nodes, depth + 1)


def _around(nodes: Nodes, loop: Node, depth: int) -> ObservedLoop:
    assert isinstance(loop, ObservedLoop)
    ranks = {rank for node in nodes for rank in node.present()}
    within(nodes, depth, lambda rank: 0)
    return ObservedLoop(dict.fromkeys(ranks, 1) | loop.times, merged(nodes, loop.body, depth + 1))


class _CostTable:
    """The costs of aligning the first nodes of both; in `inside`, where the last node on the left is a loop of which
    iterations stand on the right."""

    def __init__(self, left: Nodes, right: Nodes, limit: float = FOREVER, unrolling: bool = True) -> None:
        self.left, self.right, self.unrolling = left, right, unrolling
        self.best = {(0, 0): _AlignmentCell(0.0)}
        self.inside: dict[tuple[int, int], _AlignmentCell] = {}
        self.cost = FOREVER
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                if i or j:
                    self._fill(i, j)
            if min(self.best[i, j].cost for j in range(len(right) + 1)) >= limit:
                return
        self.cost = self.best[len(left), len(right)].cost

    def moves(self) -> list[tuple[_AlignmentCell, tuple[int, int]]]:
        """From the beginning, each with where it ends."""
        moves = list[tuple[_AlignmentCell, tuple[int, int]]]()
        i, j, inside = len(self.left), len(self.right), False
        while i or j:
            cell = self.inside[i, j] if inside else self.best[i, j]
            if cell.how == "left loop":
                inside = True
                continue
            moves.append((cell, (i, j)))
            i, j, inside = cell.left, cell.right, cell.inside
        return moves[::-1]

    def _fill(self, i: int, j: int) -> None:
        best = NOWHERE
        if i:
            best = _AlignmentCell(self.best[i - 1, j].cost + self.left[i - 1].weight, i - 1, j, False, "left")

        if j:
            cost = self.best[i, j - 1].cost + self.right[j - 1].weight
            best = min(best, _AlignmentCell(cost, i, j - 1, False, "right"), key=_cost)

        if i and j:
            before = self.best[i - 1, j - 1].cost
            cost = before + cost_of(self.left[i - 1], self.right[j - 1], best.cost - before)
            both = _AlignmentCell(cost, i - 1, j - 1, False, "both")
            best = min((best, both) if _waits(self.left[i - 1]) else (both, best), key=_cost)
            if self.unrolling and isinstance(self.left[i - 1], ObservedLoop):
                self.inside[i, j] = self._iterations(i, j, best.cost)
                best = min(best, _AlignmentCell(self.inside[i, j].cost, i, j, True, "left loop"), key=_cost)
            if self.unrolling and isinstance(self.right[j - 1], ObservedLoop):
                best = min(best, self._once(i, j, best.cost), key=_cost)

        self.best[i, j] = best

    def _iterations(self, i: int, j: int, limit: float) -> _AlignmentCell:
        """The loop on the left ends with an iteration on the right."""
        loop, best = self.left[i - 1], NOWHERE._replace(cost=limit)
        assert isinstance(loop, ObservedLoop)
        for start in range(max(0, j - len(loop.body) - MORE_NODES), j):
            before, again = self.best[i - 1, start].cost, self.inside.get((i, start), NOWHERE).cost
            if min(before, again) < best.cost:
                cost = min(before, again) + body_cost(
                    loop.body, self.right[start:j], best.cost - min(before, again), False
                )
                if cost < best.cost:
                    further = again < before
                    best = _AlignmentCell(cost, i if further else i - 1, start, further, "iteration")
        return best if best.how else NOWHERE

    def _once(self, i: int, j: int, limit: float) -> _AlignmentCell:
        """What the loop on the right repeats is there once on the left."""
        loop, best = self.right[j - 1], NOWHERE._replace(cost=limit)
        assert isinstance(loop, ObservedLoop)
        for start in range(max(0, i - len(loop.body) - MORE_NODES), i):
            before = self.best[start, j - 1].cost
            if before < best.cost:
                cost = before + body_cost(self.left[start:i], loop.body, best.cost - before, False)
                if cost < best.cost:
                    best = _AlignmentCell(cost, start, j - 1, False, "loop")
        return best if best.how else NOWHERE


def _cost(cell: _AlignmentCell) -> float:
    return cell.cost


def cost_of(left: Node, right: Node, limit: float) -> float:
    """What it costs to make two nodes one, in slots; anything where that is not below a limit."""
    if isinstance(left, ObservedLoop) and isinstance(right, ObservedLoop):
        return body_cost(left.body, right.body, limit)
    if (
        isinstance(left, ObservedLoop)
        or isinstance(right, ObservedLoop)
        or left.form != right.form
        or left.kinds != right.kinds
    ):
        return FOREVER

    cost = 0.0
    for number, (mine, other) in enumerate(zip(left.rules, right.rules, strict=True)):
        common = mine & other
        if not common and not _moving(left, right, number) and mine | other:
            return FOREVER
        cost += FEWER_RULES if len(common) < min(len(mine), len(other)) else 0
        cost += FAR_FETCHED if common and all(map(far_fetched, common)) else 0
    return cost


def _moving(left: ObservedSlot, right: ObservedSlot, number: int) -> bool:
    """Whether partners on one side are those of some iteration on the other."""
    for loop, single in ((left, right), (right, left)):
        row = single.rows[0]
        for rule in loop.rules[number] if number < len(loop.partners) else ():
            at = single.partners[number]
            if rule[0] == "moving" and any(
                partner(rule, row.rank.rank, row.rank.ranks, k) == row.words[at] for k in range(row.rank.ranks)
            ):
                return True
    return False


def body_cost(left: Nodes, right: Nodes, limit: float, unrolling: bool = True) -> float:
    """The cost of aligning two bodies, without standing loops against nodes where they are not to be `unrolling`;
    anything where that is not below a limit."""
    mine, other = _forms(left), _forms(right)
    alone = mine.total() + other.total() - 2 * (mine & other).total()
    if alone >= limit or alone > (1 - LEAST_IN_COMMON) * (mine.total() + other.total()):
        return FOREVER
    first, last = _ends(left, right)
    left, right = left[first : len(left) - last], right[first : len(right) - last]
    return _CostTable(left, right, limit, unrolling).cost if left or right else 0.0


def _forms(nodes: Nodes) -> Counter[tuple[str, ...]]:
    return Counter(slot.form for slot in slots_of(nodes))
