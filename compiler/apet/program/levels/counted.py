"""The level of a task that has been timed once: operations as the source has them, the memory, and mispredictions.

One timed run says what a compiler makes of a task's operations, whatever that is: one factor for all of them. It does
not say which level of the memory another size works in, nor what a branch predictor forgets there; these follow the
operations, as at the core level.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.model import terms
from apet.program.algebra import ZERO
from apet.program.free_names import changed_inside
from apet.program.ir import Body, CodeLoop, Items, Op, SourceNote
from apet.program.levels import counts as c
from apet.program.levels.events import events
from apet.program.levels.flat import PROCESSOR, FlatWriter, sequence
from apet.program.levels.memory import is_far
from apet.program.levels.objects import visits
from apet.program.levels.paths import recurrences
from apet.program.levels.placement import addresses
from apet.program.levels.writer import MACHINE, CoreWriter
from apet.program.model_names import ModelNames
from apet.program.model_text import model_text
from apet.program.value_terms import NOWHERE


def counted_text(
    state: ModelNames, title: str, entry: str, bodies: dict[str, Body], bound: frozenset[str]
) -> tuple[str, Sequence[SourceNote]]:
    """The whole model, and the parameters that this level adds."""
    writer = CountedWriter(state, set(state.used) | {n.name for n in MACHINE} | {"cache"})
    writer.bound, writer.entry = bound, entry
    for body in bodies.values():
        writer.equation(body)
    extra = (*MACHINE, *writer.notes)
    return model_text(state, title, entry, writer.equations, extra), extra


class CountedWriter(CoreWriter):
    """Writes the flat level's operations, and behind them what the core level knows of memory and mispredictions."""

    def items(self, items: Items, name: str) -> list[terms.Process]:
        """Straight items and their events, then the others in order."""
        return self.block(items, name, None)

    def section(self, items: Items, loop: CodeLoop | None, innermost: bool) -> list[terms.Process]:
        """Operations beside the lines that they stream; then elements and objects from far away, and mispredictions."""
        processes = self.operations(items)
        lines = self.lines(loop) if loop is not None and innermost else []
        if processes and lines:
            # Lines in order are fetched while the core computes.
            inside = terms.Parallel((sequence(processes), *lines), NOWHERE)
            processes = [terms.Use(PROCESSOR, inside, NOWHERE)]
        around = (*self.around, loop) if loop is not None and loop not in self.around else self.around
        touched = self.touched if loop is not None else ZERO
        apart = {name: w for name, w in events(items, loop, around, touched, self).items() if is_far(name)}
        for operation, weight in visits(items, loop, self.around, self).items():
            apart[operation] = apart.get(operation, ZERO) + weight
        for path in (
            recurrences(loop, addresses(items), self.touched).values() if loop is not None and innermost else ()
        ):
            # An element that tells where the next one is has to come first.
            for operation, weight in path.weights:
                if is_far(operation):
                    apart[operation] = apart.get(operation, ZERO) + weight
        return processes + c.written(apart)

    def operations(self, items: Items) -> list[terms.Process]:
        """What the flat level writes of straight items, but for variables: compiled code has them in registers."""
        return FlatWriter(self.used).items(_without_variables(items), "")


def _without_variables(items: Items) -> Items:
    inside = (i for i in items if not (isinstance(i, Op) and i.name in ("access", "assign")))
    return tuple(changed_inside(i, _without_variables) for i in inside)
