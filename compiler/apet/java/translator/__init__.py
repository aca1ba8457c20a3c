"""Java syntax to an application model.

In: the terms of `java.parse.syntax`. Out: the text of a PAMELA-E model.
Start at `translate` (the stages in order), then `ir` (typed operations with their data flow) and `frame` (the state of
a translation); `expressions`, `statements`, `loops` and `calls` translate what their names say.
"""
