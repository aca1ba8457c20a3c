"""What is measured in a process of its own: `python -m tests.benchmarks.children FUNCTION ARGUMENT`, both JSON.

Each function returns seconds and what was found, so that imports and the reading of files are not counted.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def parse(path: str) -> dict[str, Any]:
    """Parse a model file."""
    from apet.ground.source import Source
    from apet.model.pamela import parse as parse_model
    from apet.model.pamela.reader import machine

    text = Path(path).read_text(encoding="utf-8")
    machine()
    begun = time.perf_counter()
    model = parse_model(Source("generated.pam", text))
    return {"seconds": time.perf_counter() - begun, "equations": sorted(model.equations)}


def compile(path: str) -> dict[str, Any]:
    """Parse a model file and make its formulas."""
    from apet.api import compile_text
    from apet.model.pamela.reader import machine

    text = Path(path).read_text(encoding="utf-8")
    machine()
    begun = time.perf_counter()
    app = compile_text(text, "generated.pam")
    return {"seconds": time.perf_counter() - begun, "nodes": len(app.graph)}


def lark_paused(path: str) -> dict[str, Any]:
    """As `lark`, with the garbage collector paused, as APET's own front end does."""
    import gc

    gc.disable()
    return lark(path)


def lark(path: str) -> dict[str, Any]:
    """Parse a model file with Lark's parser and visit the tree."""
    from tests.benchmarks.peers.lark_tree import names, parser

    root = Path(__file__).resolve().parents[2]
    made = parser((root / "grammar" / "pamela.lark").read_text(encoding="utf-8"))
    text = Path(path).read_text(encoding="utf-8")
    begun = time.perf_counter()
    found = names(made, text)
    return {"seconds": time.perf_counter() - begun, "equations": found}


def sympy_max(shape: tuple[int, int]) -> dict[str, Any]:
    """`Max` of sums of different symbols; shape is [branches, terms]."""
    from sympy import Integer
    from tests.benchmarks.peers.sympy_formulas import maximum_of_sums

    begun = time.perf_counter()
    expression = maximum_of_sums(*shape)
    elapsed = time.perf_counter() - begun
    return {"seconds": elapsed, "value": float(expression.xreplace(dict.fromkeys(expression.free_symbols, Integer(1))))}


FUNCTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {
    f.__name__: f for f in (parse, compile, lark, lark_paused, sympy_max)
}

if __name__ == "__main__":
    print(json.dumps(FUNCTIONS[sys.argv[1]](json.loads(sys.argv[2]))))
