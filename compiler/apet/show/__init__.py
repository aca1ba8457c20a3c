"""Drawing that several packages share: formulas in lines, tables, times, plots, predictions as text, CSV and JSON.

In: predictions and applications. Out: text and pictures.
Start at `formula_lines`, which wraps formulas; `times` chooses units, `context` makes headings.
"""
