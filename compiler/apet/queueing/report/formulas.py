"""Formulas of a queueing network in the forms that `queue --emit` prints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apet.formula import Formula
from apet.ground.interval import Interval, Number
from apet.show.plain import dumps, plain

Formulas = Mapping[str, Formula]
Values = Mapping[str, Number | Interval]


def formulas_text(name: str, formulas: Formulas, values: Values, version: str) -> str:
    """`name = formula` per line, then what the file gives for the symbols."""
    lines = [f"{name} · formulas: jobs per second and seconds", ""]
    lines += [f"  {n} = {formula}" for n, formula in formulas.items()]
    lines += ["", "  with " + ", ".join(f"{n} = {_shown(v)}" for n, v in values.items())]
    return "\n".join(lines) + "\n"


def _shown(value: Number | Interval) -> str:
    if isinstance(value, Interval):
        return f"{float(value.lo):.6g}..{float(value.hi):.6g}"
    return f"{float(value):.6g}"


def formulas_latex(name: str, formulas: Formulas, values: Values, version: str) -> str:
    """One `align*` environment (amsmath)."""
    rows = [f"  {_latex_name(n)} &= {formula.latex()}" for n, formula in formulas.items()]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}\n"


def _latex_name(name: str) -> str:
    base, _bracket, inside = name.partition("[")
    head, _, index = base.partition("_")
    parts = [part for part in (index, inside.rstrip("]")) if part]
    written = re.sub(r"([_%$#&{}])", r"\\\1", ", ".join(parts))
    return rf"{head}_{{\mathrm{{{written}}}}}" if parts else head


def formulas_python(name: str, formulas: Formulas, values: Values, version: str) -> str:
    """A module with one function per formula, needing only the standard library."""
    head = '"""Throughput (jobs per second) and response time (seconds) of a queueing network; made by APET."""\n'
    functions = []
    taken: set[str] = set()

    for title, formula in formulas.items():
        plain_name = re.sub(r"\W+", "_", title, flags=re.ASCII).strip("_")
        while plain_name in taken:
            plain_name += "_"
        taken.add(plain_name)
        functions.append(formula.python(plain_name))
    return "\n\n".join([head, *functions])


def formulas_json(name: str, formulas: Formulas, values: Values, version: str) -> str:
    """Formulas as text and as graphs, and the values of their symbols."""
    document: dict[str, Any] = {
        "apet": version,
        "name": name,
        "unit": "s",
        "values": {n: plain(v) for n, v in values.items()},
        "formulas": {n: str(f) for n, f in formulas.items()},
        "graph": {n: f.json() for n, f in formulas.items()},
    }
    return dumps(document)


EMITTERS = {
    "formula": formulas_text,
    "latex": formulas_latex,
    "python": formulas_python,
    "json": formulas_json,
}
