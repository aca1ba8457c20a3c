"""Files of keys and values, TOML or JSON, whose errors are shown at their place.

In: a path or a text. Out: a `Document`: its tables, which note every error with its key path, and where keys lie.
Start at `document`.
"""
