"""The program that times operations of C: the cases of Java's benchmark as C has them, and those of `harness.c`.

The same expressions make one chain, which gives a latency, and several side by side, which give a throughput; names of
cases are the same, so that one set of rules makes figures of them (`program.measure.figures`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from apet.program.measure import cases as shared

HARNESS = Path(__file__).with_name("harness.c")
WORDS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"Math\.(max|min|abs)\(", lambda m: f"{m[1].upper()}("),
    (r"Math\.", lambda m: ""),
    (r"Harness\.", lambda m: ""),
    (r"\((v\d*) \+ 7\.5f?\) % y", lambda m: f"fmod({m[1]} + 7.5, y)"),
    (r">>>", lambda m: ">>"),
    (r"\bchar\b", lambda m: "ushort16"),
    (r"\b(boolean|byte|short|ushort16|int|long|float|double)\[\] a = (\w+), b = (\w+);", r"\1 *a = \2, *b = \3;"),
    (r"\b(boolean|byte|short|ushort16|int|long|float|double)\[\] a = (\w+);", r"\1 *a = \2;"),
)
"""What Java's words are in C."""
STATEMENTS = (
    *("load_reference", "store_reference", "branch", "compare_double", "compare_float", "empty", "element"),
    *("one_element", "put_element", "put_one", "fields", "calls", "compares", "compares_double", "compares_long"),
    *("issue", "branch_unpredicted", "branch_predicted", "branch_half_learnt", "call_recursive", "call_looping"),
    *("call_virtual", "virtual_unpredicted", "call_malloc", "call_rand", "call_strlen", "call_snprintf", "call_clock"),
    *("copy_64", "copy_4096", "clear_64", "clear_4096", "sort_1024"),
)
LEVELS = ("L1", "L2", "L3", "memory")
WALKS = ("triad", "gather", "scattered", "walk", "chase")


def c_source() -> str:
    """The whole program."""
    java = shared.java_source()
    functions = re.findall(r"  static double \w+\(int n\) \{.*?\n  \}", java, re.DOTALL)
    operations = [_translated(one) for one in functions if "Object" not in one]
    arrays = [f"static {_translated(k)} A_{k}[{shared.LENGTH}], B_{k}[{shared.LENGTH}];" for k in shared.LOADED]
    names = [*(re.findall(r"double (\w+)\(int n\)", "\n".join(operations))), *STATEMENTS]
    names += [f"{walk}_{level}" for level in LEVELS for walk in WALKS]
    registered = [f'    add("{name}", {name});' for name in names] + ['    add("switch", switched);']
    text = HARNESS.read_text(encoding="utf-8")
    text = text.replace("/* OPERATIONS */", "\n".join([*arrays, *operations]))
    return text.replace("    /* REGISTER */", "\n".join(registered))


def _translated(java: str) -> str:
    for pattern, put in WORDS:
        java = re.sub(pattern, put, java)
    return java
