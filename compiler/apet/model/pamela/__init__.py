"""The PAMELA-E front end: text to `Model`, and nothing else.

In: a `Source`. Out: a `Model`, or every error of the text with its place.
Start at `parse`; the grammar is `grammar/pamela.lark`, its tables are made by `tables`, `actions` builds the terms.
"""

from apet.model.pamela.parse import parse, read_model

__all__ = ["parse", "read_model"]
