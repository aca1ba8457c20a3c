"""What timed operations cost, in whatever language they were written.

In: seconds of cases by name, and how far programs were from what their operations cost. Out: figures of operations and
the factors that make intervals of them. Start at `figures` (core
level) and `flat_figures`; `cases` is what is timed.
"""
