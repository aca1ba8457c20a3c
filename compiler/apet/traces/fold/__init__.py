"""Loops and equal ranks of a trace, found while it is read, so that memory grows with what remains.

In: lines of a trace. Out: a `Folded` trace, and the lines again.
Start at `folded` (data), then `folding` and `loops`; `unfolding` goes the other way.
"""
