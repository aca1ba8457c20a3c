"""What calls, objects, lambdas and exceptions of Java mean: the language's part of a translation.

In: the terms of `program.syntax`, asked for by `program.translator`. Out: typed operations. Start at `translator`.
"""
