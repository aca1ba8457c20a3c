"""What loops of every form share: what is known behind them, their rounds as a parameter, the jumps out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program.algebra import Value
from apet.program.counter_range import CounterRange
from apet.program.ir import CodeLoop, ParameterKind
from apet.program.jumps import Jumps, after, outside
from apet.program.measured import as_measured
from apet.program.translator.conditions import cut
from apet.program.translator.facts import Fact, Lengths, without_symbols
from apet.program.translator.invocation import forget_fields
from apet.program.translator.proved_rounds import ProvedRounds

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


def forget(t: Translator, loop: s.LoopStatement) -> None:
    """What a loop assigns is unknown inside and behind it; arrays that only swap keep their lengths."""
    facts = t.method.scan.facts(loop)
    local = facts.declared
    for name, values in facts.assigned.items():
        # A name that is no local variable is a field of this class.
        key = name if name in t.types else f"this.{name}"
        if key.startswith("this."):
            declaration = t.state.program.field(t.owner, name, near=True)
            fact = t.facts.get(key) if declaration is None else t.field_fact(declaration[0].name, declaration[1])
        else:
            fact = t.facts.get(key)
        if isinstance(fact, Lengths) and all(_same(t, v, fact, local, 3) for v in values):
            t.facts[key] = fact
            continue
        t.facts[key] = None

    t.facts |= {key: None for n in facts.elsewhere if (key := f"this.{n}") in t.facts}
    if any(k.startswith("this.") for k in t.facts):
        # Which overload a call means is not known here: whatever has the name may change fields.
        by_name = t.state.program.by_name()
        for called in (*facts.called, *(f"new {n}" for n in facts.created)):
            for method in by_name.get(called, ()):
                forget_fields(t, method)


def leave(t: Translator, index: str) -> None:
    """Behind a loop nothing is known in terms of its index."""
    t.facts = {name: without_symbols(fact, {index}) for name, fact in t.facts.items()}


def _same(
    t: Translator, e: s.Expression | None, wanted: Fact, local: dict[str, s.Expression | None], depth: int
) -> bool:
    if not isinstance(e, s.Identifier) or not depth:
        return False
    if e.name in local:
        return _same(t, local[e.name], wanted, local, depth - 1)
    if e.name in t.types:
        return t.facts.get(e.name) == wanted
    declaration = t.state.program.field(t.owner, e.name, near=True)
    return declaration is not None and t.field_fact(declaration[0].name, declaration[1]) == wanted


def mean_rounds(
    t: Translator, loop: s.LoopStatement, extent: CounterRange | None, proved: ProvedRounds | None = None
) -> Value:
    at_most = "" if extent is None else ", which also ends otherwise"
    text = f"rounds of `{cut(t.shown(loop.at, 200), 60)}`{at_most}, on average"
    many = t.note(f"rounds_{loop.at.line}", text, loop.at, kind=ParameterKind.ROUNDS)
    if proved is not None and (proved.low.names | proved.high.names) <= t.state.parameters.keys():
        note = t.state.parameters[next(iter(many.names))]
        note.low, note.high = proved
    return many


def write_loop(
    t: Translator, loop: s.LoopStatement, written: CodeLoop, extent: CounterRange | None, away: Jumps, leaves: Value
) -> Jumps:
    """Write a loop; the jumps out of all its rounds."""
    if t.state.counted and leaves.terms and leaves.constant != 1:
        # The rounds that run, and so many times the share of rounds that jump: no guess of where it ends.
        if written.low is not None:
            written = as_measured(written, mean_rounds(t, loop, extent))
        t.out.append(written)
        return away.scaled(written.rounds)
    t.out.append(written)
    return after(*outside(away, leaves, written), written.rounds)
