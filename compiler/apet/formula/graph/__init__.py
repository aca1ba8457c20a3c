"""Nodes of formulas and the graph that keeps each of them once, in normal form.

In: constructors (`add`, `mul`, `maximum`, …). Out: node numbers; equal formulas have equal numbers.
Start at `nodes`: twelve kinds on one page. `store` puts sums and products into normal form and proves nothing; `facts`
proves what nodes are never below, above, or divided by; `graph` simplifies maxima, calls and comparisons by the facts.
"""
