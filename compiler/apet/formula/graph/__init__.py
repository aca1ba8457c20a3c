"""Nodes of formulas and the graph that keeps each of them once, in normal form.

In: constructors (`add`, `mul`, `maximum`, …). Out: node numbers; equal formulas have equal numbers.
Start at `nodes`: thirteen kinds on one page. `graph` puts them into normal form, `signs` proves what is not negative.
"""
