"""What operations of C cost on this machine, compiled by the system's compiler.

In: a compiler and how much it optimises. Out: the content of a machine file. Start at `measuring`.
"""
