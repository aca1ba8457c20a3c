"""Text as a string of TOML."""

from __future__ import annotations

import json


def toml_string(value: str) -> str:
    """A basic string of TOML: that of JSON, but without halves of surrogate pairs, and without a bare DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
