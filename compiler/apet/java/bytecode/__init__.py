"""Class files that javac has written: read, with the places of their code in the source, and written with more in it.

In: class files compiled with `-Xjcov -g`. Out: the same classes with code inserted. Start at `rewriting`; `class_file`
is the format (Java Virtual Machine Specification, chapter 4), `code_places` finds code by its place in the source.
"""
