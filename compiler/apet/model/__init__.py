"""The application model: a process over operations, messages, delays, resources, order, loops and branches.

In: text (`pamela`). Out: a checked `Model`.
Start at `terms`: the language on one page. `check` finds errors, `lints` gives advice, `printer` writes it back.
"""
