"""Java text to the syntax that the translator reads, by tree-sitter or by javalang.

In: a `Source`. Out: the terms of `syntax`; errors as javac words them.
Start at `syntax` (all terms), then `reading` (which parser, which errors); `javac` is what a JDK says of names.
"""
