"""Java syntax to typed operations with their data flow.

In: the terms of `java.parse.syntax`. Out: the bodies of `ir`, which `levels` writes as processes of a model.
Start at `translator` (what translates which kind of expression and statement), then `ir`; `state` is one translation,
`frame` one method of it; `expressions`, `statements`, `loops` and `calls` translate what their names say.
"""
