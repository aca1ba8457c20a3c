"""From syntax to typed operations, whatever the language.

In: the terms of `program.syntax`. Out: the bodies of `ir`, which `levels` writes as processes of a model. A language
brings its `Program` (`classes`) and its `Translator`: what calls mean, and terms of its own. Start at `translator`.
"""
