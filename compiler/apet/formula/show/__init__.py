"""Formulas in other notations: text, LaTeX, MathML, sympy, Python, JavaScript, JSON.

In: a graph and a node. Out: text, or sympy's objects (built only when asked for).
Start at `text`; `source_code` writes all programming languages; `exchange` and `exchange_reader` are the JSON form.
"""
