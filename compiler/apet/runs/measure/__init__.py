"""Running a command at growing sizes, and choosing the next one.

In: a command and a limit of time. Out: measured points. Start at `growing_sizes`.
"""
