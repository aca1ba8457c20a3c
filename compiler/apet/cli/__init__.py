"""The command `apet`: one file per verb, each with its options and what it prints.

In: the words of a call. Out: text, JSON or a file, and the exit status (0 fine, 2 the call or its input is wrong).
Start at `main` (verbs, errors, exit status), then any verb: `predict` is the model for the others.
"""
