"""C as libclang reads it, lowered to the syntax that the translator reads.

In: a source and compile flags. Out: functions, globals and structures as a compilation unit. Start at `reading`.
"""
