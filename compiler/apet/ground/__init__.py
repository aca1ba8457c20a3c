"""What every package stands on: diagnostics and places in texts, intervals, numbers as users write them, data files.

In: texts, paths. Out: `Source`, `Diagnostic`, `ApetError`, `Interval`. It knows no other package.
Start at `diagnostics`; `resources` is the only file that knows where grammars, machines and samples lie.
"""
