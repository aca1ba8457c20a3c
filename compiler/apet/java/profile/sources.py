"""The text of Java files, read as the translator reads them."""

from __future__ import annotations

import os
import re

from apet.ground.diagnostics import ApetError
from apet.java import errors


def text_of(path: str) -> str:
    """The text of a file; `ApetError` where it cannot be read as UTF-8."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise ApetError(errors.NotProfiled(None, None, path, (error.strerror or "error").lower())) from None
    except UnicodeDecodeError:
        raise ApetError(errors.NotProfiled(None, None, path, "it is no UTF-8 text")) from None


def kernel_class(path: str) -> str:
    """The class in a file that extends `Kernel`; `ApetError` where there is none."""
    text = text_of(path)
    match = re.search(r"\bclass\s+(\w+)\s+extends\s+Kernel\b", text)
    if match is None:
        raise ApetError(errors.NotAKernel(None, None, os.path.basename(path), "no class in it extends Kernel"))
    if not re.search(r"\bsetup\s*\(\s*int\b", text):
        raise ApetError(errors.NotAKernel(None, None, os.path.basename(path), f"{match[1]} has no setup(int)"))
    return match[1]
