"""A few traces of one program at other sizes and rank counts: a model of loops and slots, and traces made of it.

In: folded traces, with the size and the number of ranks of each. Out: the model, and a folded trace at another point.
After X. Wu, F. Mueller: *ScalaExtrap: trace-based communication extrapolation for SPMD programs*, 2011.
Start at `nodes` (data), then `alignment`, `model` (what is fitted) and `generating`.
"""
