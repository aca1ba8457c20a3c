"""From a source to an answer: the stages of APET in order, and the functions behind `import apet`.

    text --parse--> Model --analyse--> Application (formulas) --predict(machines)--> Prediction

In: paths, texts, numbers as users give them. Out: the result types of the packages below. It is the only package
that knows all sources of cost models and all questions. Start at `models`, then `predictions` and `questions`.

The public names stand once, in `__init__.pyi`: type checkers read it, and so does this file. Each is imported when it
is first used, since a verb needs few of them.
"""

from __future__ import annotations

from typing import Any


def _homes() -> dict[str, str]:
    """The module of each public name: the stub's lines read `from MODULE import NAME as NAME`."""
    with open(f"{__file__.rpartition('.')[0]}.pyi", encoding="utf-8") as stub:
        lines = [line.split() for line in stub]
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


_HOMES = _homes()
__all__ = sorted(_HOMES)  # type checkers read the stub


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
