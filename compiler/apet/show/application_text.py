"""A compiled application in the forms that `compile` and `inspect` print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apet.cost import CostModel
from apet.cost.cost import UNDEFINED
from apet.formula.formula import Formula
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.show.formula_lines import block, bound_rows, formula_rows, text_of
from apet.show.plain import dumps


class PathWithoutFormula(Diagnostic):
    """A program of a model whose T0 is found by following the members of a graph."""

    message = "T0 has no formula to write a program of: which members of a graph wait for which depends on {names}"
    hint = "write numbers in their place; predict and sweep compute T0 for each choice"


def formula_text(app: CostModel, width: int, longest: int | None) -> str:
    """T0, T[r], T and the bounds; says how to see all where something was folded."""
    lines = [app.heading(), "", *block(formula_rows(app), width, longest)]
    lines += ["", *block(bound_rows(app), width, longest)]
    if longest and any("…" in line for line in lines):
        lines += ["", f"  Sums and maxima of more than {longest} terms are folded; to see all: --longest 0"]
    return "\n".join(lines) + "\n"


def named_formulas(app: CostModel) -> dict[str, Formula]:
    """T0, each T[label], T, lower and upper."""
    if not app.on_machines:
        rows = [*formula_rows(app), *bound_rows(app)]
        return {row.name: row.formula for row in rows if not isinstance(row.formula, str)}
    loads = {f"T[{label}]": load for label, load in app.T.items()}
    return {"T0": app.T0, **loads, "T": app.T_total, "lower": app.lower, "upper": app.upper}


def at_least(app: CostModel) -> tuple[str, ...]:
    """The names of formulas that say the least that the quantity is: of a graph whose longest path has none."""
    shape = app.open_shape
    if shape is None:
        return ()
    return ("T0", "T", *(f"T[{label}]" for label in app.T if shape.in_loads))


def sympy_text(app: CostModel) -> str:
    """`name = expression` per line in sympy's `srepr`; `name >= expression` where it is at least that."""
    relation = dict.fromkeys(at_least(app), ">=")
    formulas = named_formulas(app).items()
    return "".join(f"{name} {relation.get(name, '=')} {formula.srepr(name)}\n" for name, formula in formulas)


def latex_text(app: CostModel) -> str:
    """One `align*` environment (amsmath)."""
    relation = dict.fromkeys(at_least(app), r"\geq")
    formulas = named_formulas(app).items()
    rows = [rf"  {_latex_name(app, n)} &{relation.get(n, '=')} {formula.latex()}" for n, formula in formulas]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}\n"


def _latex_name(app: CostModel, name: str) -> str:
    if name == "T0":
        return "T_0"
    if not app.on_machines:
        return name if len(name) == 1 else rf"\mathrm{{{name.replace('_', ' ')}}}"
    if not name.startswith("T["):
        return "T" if name == "T" else rf"T_{{\mathrm{{{name}}}}}"

    label = name[2:-1]
    for character in "_%$#&":
        label = label.replace(character, f"\\{character}")
    family, bracket, members = label.partition("[")
    return rf"T_{{\mathrm{{{family}}}{bracket}{members}}}"


def mathml_text(app: CostModel) -> str:
    """One `<math>` element per formula, each after a comment with its name, and >= where it is at least that."""
    least = at_least(app)
    names = {n: f"{n} &gt;=" if n in least else n for n in named_formulas(app)}
    return "".join(f"<!-- {names[n].replace('--', '- -')} -->\n{f.mathml()}\n" for n, f in named_formulas(app).items())


def python_text(app: CostModel) -> str:
    """A module with the functions T0, T, lower and upper, needing only the standard library.

    `ApetError` where T0 is no formula of its parameters: a function of it would be no more than a bound.
    """
    if app.open_shape is not None:
        raise ApetError(PathWithoutFormula(app.source, None, ", ".join(sorted(app.shaping)) or "the numbers of tasks"))
    head = f'"""Costs in seconds of {app.name}, begun at {app.entry}; made by APET."""\n'
    wanted = {"T0": app.T0, "T": app.T_total, "lower": app.lower, "upper": app.upper}
    required = [(r.node, r.kind) for r in app.requirements if r.kind in UNDEFINED] if app.on_machines else None
    functions = (formula.python(name, required) for name, formula in wanted.items())
    return "\n\n".join([head.replace("\\", "/"), *functions])


def application_json(app: CostModel, version: str) -> str:
    """Formulas as text and as graphs, with what they are made of."""
    graphs = {name: formula.json() for name, formula in named_formulas(app).items()}
    return dumps({**application_document(app, version), "graph": graphs})


def application_document(app: CostModel, version: str) -> dict[str, Any]:
    """What `compile` and `inspect` say of a model in JSON: its setting, the names in its formulas, formulas as text."""
    return {
        "apet": version,
        "model": app.name,
        "entry": app.entry,
        "branches": app.setting.branches,
        "network": app.setting.topology,
        **app.description(),
        "unit": app.unit,
        "parameters": list(app.parameters),
        "operations": list(app.operations),
        **({"at_least": list(at_least(app))} if app.open_shape else {}),
        "formulas": {
            "T0": text_of(app.T0),
            "T": {label: text_of(load) for label, load in app.T.items()},
            "T_total": text_of(app.T_total),
            "lower": text_of(app.lower),
            "upper": text_of(app.upper),
        },
    }


EMITTERS: dict[str, Callable[[CostModel], str]] = {
    "sympy": sympy_text,
    "latex": latex_text,
    "mathml": mathml_text,
    "python": python_text,
}
