"""A compiled application in the forms that `compile` and `inspect` print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apet.answers.answer import Answer
from apet.answers.blocks import Formulas, Heading, Lines
from apet.cost import CostModel
from apet.cost.cost import UNDEFINED
from apet.formula.formula import Formula
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.model.expression_text import expression_text
from apet.show.formula_lines import bound_rows, formula_rows, text_of


class PathWithoutFormula(Diagnostic):
    """A program of a model whose T0 is found by following the members of a graph."""

    message = "T0 has no formula to write a program of: which members of a graph wait for which depends on {names}"
    hint = "write numbers in their place; predict and sweep compute T0 for each choice"


def formulas_answer(app: CostModel, longest: int | None = None, *, graphs: bool = False) -> Answer:
    """T0, T[r], T and the bounds, sums and maxima folded at `longest`; for programs also as graphs."""
    graph = {name: formula.json() for name, formula in named_formulas(app).items()} if graphs else {}
    folded = f"Sums and maxima of more than {longest} terms are folded; to see all: --longest 0"
    rows = [*formula_rows(app), *bound_rows(app)]
    is_folded = longest and any("…" in text_of(row.formula, longest) for row in rows)
    return Answer(
        kind="formulas",
        subject=app.name,
        unit=app.unit,
        parameters=defaults(app),
        notes=app.notes,
        results={**application_results(app), **({"graph": graph} if graphs else {})},
        blocks=[
            [Heading(app.heading())],
            [Formulas(formula_rows(app), longest)],
            [Formulas(bound_rows(app), longest)],
            [Lines([folded])] if is_folded else [],
        ],
    )


def defaults(app: CostModel) -> dict[str, str | None]:
    """The parameters in the formulas with their defaults; None where one must be set."""
    values = {name: app.declared[name].value if name in app.declared else None for name in app.parameters}
    return {name: None if value is None else expression_text(value) for name, value in values.items()}


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


def application_results(app: CostModel) -> dict[str, Any]:
    """What `compile` and `inspect` say of a model in JSON: its setting, the names in its formulas, formulas as text."""
    bounds = {"T_total": app.T_total, "lower": app.lower, "upper": app.upper}
    return {
        **{"model": app.name, "entry": app.entry, "branches": app.setting.branches, "network": app.setting.topology},
        **app.description(),
        "operations": app.operations,
        **({"at_least": at_least(app)} if app.open_shape else {}),
        "formulas": {"T0": app.T0, "T": app.T, **bounds},
    }


EMITTERS: dict[str, Callable[[CostModel], str]] = {
    "sympy": sympy_text,
    "latex": latex_text,
    "mathml": mathml_text,
    "python": python_text,
}
