"""What every package stands on: diagnostics and places in texts, intervals, numbers as users write them, data files.

In: texts, paths. Out: `Source`, `Diagnostic`, `ApetError`, `Interval`. It knows no other package.
Start at `diagnostics`. Files that users name are read by `source_files` and `documents` (TOML, JSON), and written by
`whole_files`; processes are started by `children`; `resources` knows where grammars, machines and samples lie.
"""
