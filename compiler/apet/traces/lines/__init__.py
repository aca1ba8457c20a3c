"""The lines of time-independent traces: what they say, how they are written, the files that they stand in.

In: a line, or the path of a file. Out: an action with numbers, or what is wrong with the line; and lines of a `Trace`.
Start at `actions` (what a line says); `files` opens plain and compressed files, `communicators` are the comments.
"""
