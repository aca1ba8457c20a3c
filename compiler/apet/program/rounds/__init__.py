"""Rounds of loops over whole numbers, proved from below and from above as formulas in the parameters.

In: `statements` of a function's body, as a reader of its language writes them. Out: by loop `Rounds` of `bounds`.
Start at `analysis`; `building` makes a transition system, `invariants` and `splitting` refine it, `sizes` and `lower`
bound it."""

from apet.program.rounds.analysis import Rounds, rounds_of

__all__ = ["Rounds", "rounds_of"]
